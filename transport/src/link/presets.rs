//! [`LinkPreset`]: links of everyday, by name.
//!
//! A preset is a path from a player to a server or to another player in the same part of the world.
//! *up* is what the player sends, [`LinkPreset::forward`]; *down* is what comes back,
//! [`LinkPreset::reverse`]. Loss comes in runs of this mean length; *twice* is the share of
//! datagrams that arrive a second time.
//!
//! | preset | way | delay ms | jitter ms | loss % | in runs of | reordered % | twice % | Mbit/s | queue KiB | dead |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | `lan` | up | 0.4 | ±0.1 | 0 | - | 0 | 0 | 1000 | 512 | - |
//! | `lan` | down | 0.4 | ±0.1 | 0 | - | 0 | 0 | 1000 | 512 | - |
//! | `wired` | up | 15 | ±1 | 0.05 | 1 | 0 | 0 | 20 | 64 | - |
//! | `wired` | down | 15 | ±0.5 | 0.05 | 1 | 0 | 0 | 200 | 256 | - |
//! | `wifi` | up | 18 | ±4 | 0.5 | 2 | 0.1 | 0 | 20 | 64 | - |
//! | `wifi` | down | 17 | ±3 | 0.3 | 2 | 0.1 | 0 | 100 | 256 | - |
//! | `wifi-bad` | up | 30 | ±15 | 4 | 4 | 0.5 | 0.1 | 5 | 128 | - |
//! | `wifi-bad` | down | 25 | ±12 | 3 | 3 | 0.5 | 0.1 | 10 | 256 | - |
//! | `lte` | up | 32 | ±10 | 0.2 | 3 | 0 | 0 | 10 | 256 | - |
//! | `lte` | down | 23 | ±6 | 0.1 | 3 | 0 | 0 | 40 | 1024 | - |
//! | `starlink` | up | 17 | ±6 | 1 | 2 | 0 | 0 | 15 | 128 | 80 ms every 15 s |
//! | `starlink` | down | 14 | ±5 | 0.8 | 2 | 0 | 0 | 100 | 512 | 80 ms every 15 s |
//! | `satellite` | up | 310 | ±15 | 0.5 | 2 | 0 | 0 | 3 | 256 | - |
//! | `satellite` | down | 290 | ±10 | 0.5 | 2 | 0 | 0 | 25 | 1024 | - |
//! | `blackout` | up | 15 | ±1 | 0 | - | 0 | 0 | 20 | 64 | 400 ms every 5 s |
//! | `blackout` | down | 15 | ±0.5 | 0 | - | 0 | 0 | 200 | 256 | 400 ms every 5 s |
//!
//! The numbers are round ones within what is commonly published: regulators' measurements of fixed
//! broadband and mobile networks for `wired` and `lte`, studies of home Wi-Fi for `wifi` and
//! `wifi-bad`, measurements of Starlink (which gives every dish a new satellite on a grid of 15 s),
//! and the height of a geostationary orbit (35,786 km, so that up and down again takes at least
//! 239 ms each way). They are made to test with; they are no model of one provider. Where there
//! are recordings, a test holds the round trip of a preset within a factor of two of their median.

use core::fmt;
use core::str::FromStr;

use super::{LinkSettings, Loss, Outage};

/// A link of everyday, by name. The numbers stand in the table of [this module](self).
///
/// ```
/// use snapback_transport::link::{LinkConditioner, LinkPreset};
/// let preset: LinkPreset = "wifi-bad".parse()?;
/// let up = LinkConditioner::new(preset.forward(), 7, 0);
/// let down = LinkConditioner::new(preset.reverse(), 7, 1);
/// assert!(up.settings().rate_bits_per_second < down.settings().rate_bits_per_second);
/// # Ok::<(), snapback_transport::link::UnknownPreset>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPreset {
    /// Two machines at one switch.
    Lan,
    /// Fibre or cable at home, by wire.
    Wired,
    /// The same over Wi-Fi, near the router.
    Wifi,
    /// Wi-Fi through walls, on a channel that the neighbours use too.
    WifiBad,
    /// A phone network of the fourth generation.
    Lte,
    /// A satellite in low orbit, and another one every 15 seconds.
    Starlink,
    /// A geostationary satellite.
    Satellite,
    /// A wired link that is dead for 400 ms every 5 seconds.
    Blackout,
}

/// One direction of a preset, in the units of the table.
#[derive(Clone, Copy)]
struct Way {
    delay_us: u64,
    jitter_us: u64,
    loss_per_million: u32,
    run_packets: u32,
    reorder_per_million: u32,
    duplicate_per_million: u32,
    rate_mbit: u64,
    queue_kib: u64,
    outage: Option<Outage>,
}

impl Way {
    /// A way that loses nothing.
    const fn clean(delay_us: u64, jitter_us: u64, rate_mbit: u64, queue_kib: u64) -> Self {
        Self {
            delay_us,
            jitter_us,
            loss_per_million: 0,
            run_packets: 1,
            reorder_per_million: 0,
            duplicate_per_million: 0,
            rate_mbit,
            queue_kib,
            outage: None,
        }
    }

    const fn losing(self, loss_per_million: u32, run_packets: u32) -> Self {
        Self { loss_per_million, run_packets, ..self }
    }

    const fn mixing(self, reorder_per_million: u32, duplicate_per_million: u32) -> Self {
        Self { reorder_per_million, duplicate_per_million, ..self }
    }

    const fn dead(self, lasts_us: u64, every_us: u64) -> Self {
        Self { outage: Some(Outage { every_us, lasts_us }), ..self }
    }

    const fn settings(self) -> LinkSettings {
        let loss = match self {
            Self { loss_per_million: 0, .. } => Loss::None,
            Self { loss_per_million, run_packets: 1, .. } => Loss::Independent { per_million: loss_per_million },
            Self { loss_per_million, run_packets, .. } => Loss::bursts(loss_per_million, run_packets),
        };
        LinkSettings {
            delay_us: self.delay_us,
            jitter_us: self.jitter_us,
            loss,
            reorder_per_million: self.reorder_per_million,
            duplicate_per_million: self.duplicate_per_million,
            rate_bits_per_second: Some(self.rate_mbit * 1_000_000),
            queue_bytes: self.queue_kib * 1_024,
            outage: self.outage,
        }
    }
}

impl LinkPreset {
    /// All of them, from the best to the worst.
    pub const ALL: [Self; 8] =
        [Self::Lan, Self::Wired, Self::Wifi, Self::WifiBad, Self::Lte, Self::Starlink, Self::Satellite, Self::Blackout];

    /// As it is written on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lan => "lan",
            Self::Wired => "wired",
            Self::Wifi => "wifi",
            Self::WifiBad => "wifi-bad",
            Self::Lte => "lte",
            Self::Starlink => "starlink",
            Self::Satellite => "satellite",
            Self::Blackout => "blackout",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Lan => "two machines at one switch",
            Self::Wired => "fibre or cable at home, by wire",
            Self::Wifi => "the same over Wi-Fi, near the router",
            Self::WifiBad => "Wi-Fi through walls, on a crowded channel",
            Self::Lte => "a phone network of the fourth generation",
            Self::Starlink => "a satellite in low orbit, another one every 15 s",
            Self::Satellite => "a geostationary satellite",
            Self::Blackout => "a wired link that is dead for 400 ms every 5 s",
        }
    }

    /// What the player sends.
    #[must_use]
    pub const fn forward(self) -> LinkSettings {
        let [up, _] = self.ways();
        up.settings()
    }

    /// What the player receives.
    #[must_use]
    pub const fn reverse(self) -> LinkSettings {
        let [_, down] = self.ways();
        down.settings()
    }

    const fn ways(self) -> [Way; 2] {
        match self {
            Self::Lan => [Way::clean(400, 100, 1_000, 512), Way::clean(400, 100, 1_000, 512)],
            Self::Wired => [
                Way::clean(15_000, 1_000, 20, 64).losing(500, 1), //
                Way::clean(15_000, 500, 200, 256).losing(500, 1),
            ],
            Self::Wifi => [
                Way::clean(18_000, 4_000, 20, 64).losing(5_000, 2).mixing(1_000, 0),
                Way::clean(17_000, 3_000, 100, 256).losing(3_000, 2).mixing(1_000, 0),
            ],
            Self::WifiBad => [
                Way::clean(30_000, 15_000, 5, 128).losing(40_000, 4).mixing(5_000, 1_000),
                Way::clean(25_000, 12_000, 10, 256).losing(30_000, 3).mixing(5_000, 1_000),
            ],
            Self::Lte => [
                Way::clean(32_000, 10_000, 10, 256).losing(2_000, 3), //
                Way::clean(23_000, 6_000, 40, 1_024).losing(1_000, 3),
            ],
            Self::Starlink => [
                Way::clean(17_000, 6_000, 15, 128).losing(10_000, 2).dead(80_000, 15_000_000),
                Way::clean(14_000, 5_000, 100, 512).losing(8_000, 2).dead(80_000, 15_000_000),
            ],
            Self::Satellite => [
                Way::clean(310_000, 15_000, 3, 256).losing(5_000, 2), //
                Way::clean(290_000, 10_000, 25, 1_024).losing(5_000, 2),
            ],
            Self::Blackout => [
                Way::clean(15_000, 1_000, 20, 64).dead(400_000, 5_000_000), //
                Way::clean(15_000, 500, 200, 256).dead(400_000, 5_000_000),
            ],
        }
    }
}

impl fmt::Display for LinkPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LinkPreset {
    type Err = UnknownPreset;

    /// Reads a name.
    ///
    /// # Errors
    /// It is none of them; upper case is another name.
    fn from_str(text: &str) -> Result<Self, UnknownPreset> {
        Self::ALL.into_iter().find(|preset| preset.name() == text).ok_or(UnknownPreset)
    }
}

/// A name that no [`LinkPreset`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownPreset;

impl fmt::Display for UnknownPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no such link preset: write one of")?;
        LinkPreset::ALL.iter().enumerate().try_for_each(|(place, preset)| {
            let before = if place == 0 { " " } else { ", " };
            write!(f, "{before}{preset}")
        })
    }
}

impl core::error::Error for UnknownPreset {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkTrace;

    /// A number of the unit that has this many of the small ones, without zeros that say nothing.
    fn shown(value: u64, scale: u64) -> String {
        let digits = scale.ilog10() as usize;
        let text = format!("{}.{:0digits$}", value / scale, value % scale);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    fn table() -> String {
        let mut text = String::from(
            "| preset | way | delay ms | jitter ms | loss % | in runs of | reordered % | twice % | Mbit/s | queue KiB | dead |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for preset in LinkPreset::ALL {
            for (name, way) in ["up", "down"].into_iter().zip(preset.ways()) {
                let percent = |per_million: u32| shown(per_million.into(), 10_000);
                let runs = if way.loss_per_million == 0 { "-".to_owned() } else { way.run_packets.to_string() };
                let dead = way.outage.map_or_else(
                    || "-".to_owned(),
                    |outage| format!("{} ms every {} s", shown(outage.lasts_us, 1_000), shown(outage.every_us, 1_000_000)),
                );
                text += &format!(
                    "| `{preset}` | {name} | {} | ±{} | {} | {runs} | {} | {} | {} | {} | {dead} |\n",
                    shown(way.delay_us, 1_000),
                    shown(way.jitter_us, 1_000),
                    percent(way.loss_per_million),
                    percent(way.reorder_per_million),
                    percent(way.duplicate_per_million),
                    way.rate_mbit,
                    way.queue_kib,
                );
            }
        }
        text
    }

    #[test]
    fn the_documents_have_the_numbers_of_the_code() {
        let page = include_str!("../../docs/presets.md");
        assert!(page.contains(&format!("\n{}\n", table())), "the table of transport/docs/presets.md should be\n{}", table());
        let module: String = include_str!("presets.rs")
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
            .collect();
        assert!(module.contains(&format!("\n{}\n", table())), "the table of this module should be\n{}", table());
        for preset in LinkPreset::ALL {
            let line = format!("- `{preset}`: {}", preset.summary());
            assert!(page.lines().any(|listed| listed == line), "transport/docs/presets.md should list\n{line}");
        }
    }

    #[test]
    fn settings_are_valid_and_names_are_read_back() {
        for preset in LinkPreset::ALL {
            for settings in [preset.forward(), preset.reverse()] {
                assert_eq!(settings.is_valid(), Ok(()), "{preset}");
                // A jitter that reaches below zero would not be around the delay.
                assert!(settings.jitter_us <= settings.delay_us, "{preset}");
            }
            assert_eq!(preset.name().parse(), Ok(preset));
            assert_eq!(preset.name().to_uppercase().parse::<LinkPreset>(), Err(UnknownPreset));
        }
        assert_eq!(
            "wlan".parse::<LinkPreset>().unwrap_err().to_string(),
            "there is no such link preset: write one of lan, wired, wifi, wifi-bad, lte, starlink, satellite, blackout"
        );
    }

    /// What a table cannot show: that it is these numbers which a link gets.
    #[test]
    fn a_preset_is_what_its_table_says() {
        let up = LinkPreset::WifiBad.forward();
        assert_eq!((up.delay_us, up.jitter_us, up.loss), (30_000, 15_000, Loss::bursts(40_000, 4)));
        assert_eq!((up.reorder_per_million, up.duplicate_per_million), (5_000, 1_000));
        assert_eq!((up.rate_bits_per_second, up.queue_bytes, up.outage), (Some(5_000_000), 131_072, None));
        let down = LinkPreset::Blackout.reverse();
        assert_eq!((down.loss, down.outage), (Loss::None, Some(Outage { every_us: 5_000_000, lasts_us: 400_000 })));
        assert_eq!(LinkPreset::Wired.reverse().loss, Loss::Independent { per_million: 500 });
    }

    #[test]
    fn round_trips_are_near_those_of_recordings() {
        let Some(folder) = std::env::var_os("SNAPBACK_DATA") else {
            println!("skipped: round_trips_are_near_those_of_recordings");
            return;
        };
        for (preset, file) in [
            (LinkPreset::Lan, "wired_noload"),
            (LinkPreset::WifiBad, "wifi24_cubic_dualpi2"),
            (LinkPreset::Lte, "lte_verizon_DERIVED"),
            (LinkPreset::Starlink, "starlink_victoria_1"),
        ] {
            let path = std::path::Path::new(&folder).join("net").join(file).with_extension("csv");
            let recorded_us = LinkTrace::parse(&std::fs::read_to_string(path).unwrap()).unwrap().median_rtt_us();
            let rtt_us = preset.forward().delay_us + preset.reverse().delay_us;
            assert!(rtt_us <= 2 * recorded_us && recorded_us <= 2 * rtt_us, "{preset}: {rtt_us} us, recorded {recorded_us} us");
        }
    }
}
