//! Decimals on the command line, read exactly: no float decides what a link does.

/// A decimal number scaled by 10 to the power of `places`, if it has no more places than that and
/// is at most `max` of the unit.
fn scaled(text: &str, places: usize, max: u64, unit: &str) -> Result<u64, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return Err(format!("write a decimal number in {unit}, such as 2 or 0.5"));
    }
    if fraction.len() > places {
        return Err(format!("at most {places} decimals"));
    }
    let scale = 10_u64.pow(places as u32);
    let padded = format!("{whole}{fraction:0<places$}");
    let value = padded.parse::<u64>().ok().filter(|value| *value <= max.saturating_mul(scale));
    value.ok_or_else(|| format!("at most {max} {unit}"))
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
        assert_eq!((shown(20_000, 4).as_str(), shown(1_500_000, 6).as_str(), shown(0, 3).as_str()), ("2", "1.5", "0"));
    }

    #[test]
    fn everything_else_says_what_to_write() {
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "NaN", " 1"] {
            assert_eq!(percent(text), Err("write a decimal number in percent, such as 2 or 0.5".to_owned()), "{text}");
        }
        assert_eq!(percent("0.00001"), Err("at most 4 decimals".to_owned()));
        assert_eq!(percent("100.0001"), Err("at most 100 percent".to_owned()));
        assert_eq!(milliseconds("99999999999999999999999"), Err("at most 20000 milliseconds".to_owned()));
    }
}
