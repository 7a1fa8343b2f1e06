//! `snapback inspect world`: what a state of the fighting world consists of.

use core::fmt::Write;
use snapback::sim::{MAX_FIGHTERS, MIN_FIGHTERS, sizes};

/// The state of the fighting world, section by section.
pub(super) fn world() -> String {
    let sections = sizes::sections();
    let mut text = format!("{:<14}{:>12}{:>18}{:>14}\n", "section", "world", "each fighter", "2 fighters");
    for section in &sections {
        let (world, fighter) = (section.world_bytes, section.fighter_bytes);
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{:<14}{world:>12}{fighter:>18}{:>14}", section.name, world + 2 * fighter);
    }
    let world: usize = sections.iter().map(|section| section.world_bytes).sum();
    let fighter: usize = sections.iter().map(|section| section.fighter_bytes).sum();
    let _ = writeln!(text, "{:<14}{world:>12}{fighter:>18}{:>14}\n", "all", world + 2 * fighter);
    let _ = write!(text, "bytes of a whole state, and a fighter's share of them:");
    for count in MIN_FIGHTERS..=MAX_FIGHTERS {
        let bytes = world + count * fighter;
        let _ = write!(text, "\n{count} fighters{bytes:>8}{:>8}", bytes.div_ceil(count));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_the_world() {
        insta::assert_snapshot!(world(), @r"
        section              world      each fighter    2 fighters
        clock                   22                 0            22
        hitstop                  2                 0             2
        rng                     32                24            80
        rounds                  16                 0            16
        results                 16                 0            16
        control                 88                 0            88
        motion                   0                64           128
        vitals                   0                 8            16
        action                   0                12            24
        animation                0                 8            16
        hitboxes                 0                 4             8
        heat                     0                 4             8
        abilities                0                56           112
        status                   0                32            64
        attributes               0                16            32
        juggle                   0                16            32
        rage                     0                 4             8
        ki_charge                0                 4             8
        power_crush              0                 4             8
        stance                   0                 8            16
        hold                     0                 4             8
        frame_input              0                 8            16
        input_buffer             0                76           152
        projectiles              0               112           224
        identity                 0                 8            16
        all                    176               472          1120

        bytes of a whole state, and a fighter's share of them:
        2 fighters    1120     560
        3 fighters    1592     531
        4 fighters    2064     516
        5 fighters    2536     508
        6 fighters    3008     502
        7 fighters    3480     498
        8 fighters    3952     494
        ");
    }
}
