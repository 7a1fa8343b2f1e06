//! Numbers on the command line. Decimals are read exactly: no float decides what a link does.

use core::ops::RangeInclusive;
use snapback::transport::link::Outage;

/// A whole number in this range.
pub(crate) fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match (range.start(), range.end()) {
            (least, &u64::MAX) => format!("write a whole number from {least} to 2^64 - 1 ({})", u64::MAX),
            (least, most) => format!("write a whole number from {least} to {most}"),
        })
    }
}

/// A decimal number scaled by 10 to the power of `places`, if it has no more places than that and
/// is at most `max` of the unit.
fn scaled(text: &str, places: usize, max: u64, unit: &str) -> Result<u64, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if digits(whole) && digits(fraction) && fraction.len() > places {
        return Err(format!("at most {places} decimals"));
    }
    let padded = if digits(whole) && digits(fraction) { format!("{whole}{fraction:0<places$}") } else { String::new() };
    let most = max.saturating_mul(10_u64.pow(places as u32));
    let value = padded.parse::<u64>().ok().filter(|value| *value <= most);
    value.ok_or_else(|| format!("write a number of {unit} from 0 to {max}, such as 2 or 0.5"))
}

/// Percent as millionths.
pub(crate) fn percent(text: &str) -> Result<u32, String> {
    scaled(text, 4, 100, "percent").map(|millionths| millionths as u32)
}

/// Milliseconds as microseconds.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    scaled(text, 3, 20_000, "milliseconds")
}

/// Seconds as microseconds.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    scaled(text, 3, 86_400, "seconds").map(|ms| ms * 1_000)
}

/// Mbit/s as bits per second.
pub(crate) fn megabits(text: &str) -> Result<u64, String> {
    scaled(text, 6, 1_000_000, "Mbit/s")
}

/// How long a link is dead and how often, in milliseconds with a stroke between.
pub(crate) fn outage(text: &str) -> Result<Option<Outage>, String> {
    if text == "none" {
        return Ok(None);
    }
    let ms = |text| scaled(text, 3, 3_600_000, "milliseconds").ok();
    let pair = text.split_once('/').and_then(|(lasts, every)| ms(lasts).zip(ms(every)));
    let outage = pair.filter(|(lasts_us, every_us)| lasts_us <= every_us && *every_us > 0);
    outage
        .map(|(lasts_us, every_us)| Some(Outage { every_us, lasts_us }))
        .ok_or_else(|| "write how long it lasts and how often it comes, in ms, such as 400/5000, or none".to_owned())
}

/// The other way round, without zeros that say nothing.
pub(crate) fn shown(value: u64, places: usize) -> String {
    let scale = 10_u64.pow(places as u32);
    let text = format!("{}.{:0places$}", value / scale, value % scale);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(percent("2"), Ok(20_000));
        assert_eq!(percent("0.5"), Ok(5_000));
        assert_eq!(percent("0.0001"), Ok(1));
        assert_eq!(percent("100.0000"), Ok(1_000_000));
        assert_eq!(milliseconds("80"), Ok(80_000));
        assert_eq!(milliseconds("0.001"), Ok(1));
        assert_eq!(seconds("1.5"), Ok(1_500_000));
        assert_eq!(megabits("0.064"), Ok(64_000));
        assert_eq!(megabits("1000000"), Ok(snapback::transport::link::MAX_RATE));
        assert_eq!(outage("0.5/20"), Ok(Some(Outage { every_us: 20_000, lasts_us: 500 })));
        assert_eq!(outage("3600000/3600000"), Ok(Some(Outage { every_us: 3_600_000_000, lasts_us: 3_600_000_000 })));
        assert_eq!(outage("none"), Ok(None));
        assert_eq!((shown(20_000, 4).as_str(), shown(1_500_000, 6).as_str(), shown(0, 3).as_str()), ("2", "1.5", "0"));
    }

    #[test]
    fn everything_else_says_what_to_write() {
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "NaN", " 1"] {
            assert_eq!(percent(text), Err("write a number of percent from 0 to 100, such as 2 or 0.5".to_owned()), "{text}");
        }
        for text in ["", "0", "5", "-3", "2.5", "two", "99999999999999999999999"] {
            assert_eq!(whole::<u8>(2..=4)(text), Err("write a whole number from 2 to 4".to_owned()), "{text}");
        }
        assert_eq!(whole::<u8>(2..=4)("3"), Ok(3));
        assert_eq!(whole::<u64>(0..=u64::MAX)("18446744073709551615"), Ok(u64::MAX));
        assert!(whole::<u64>(0..=u64::MAX)("18446744073709551616").is_err());
        assert_eq!(percent("0.00001"), Err("at most 4 decimals".to_owned()));
        assert_eq!(percent("100.0001"), Err("write a number of percent from 0 to 100, such as 2 or 0.5".to_owned()));
        for text in ["", "/", "1", "1/", "/1", "0/0", "2/1", "1/3600000.001", "1/2/3", "-1/2", "None"] {
            let expected = "write how long it lasts and how often it comes, in ms, such as 400/5000, or none".to_owned();
            assert_eq!(outage(text), Err(expected), "{text}");
        }
        assert_eq!(
            milliseconds("99999999999999999999999"),
            Err("write a number of milliseconds from 0 to 20000, such as 2 or 0.5".to_owned())
        );
    }
}
