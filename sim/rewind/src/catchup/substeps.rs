//! How the ticks of a catch-up are grouped, so that the past is not asked more than eight times.

/// The most groups of a catch-up, and of its queries for candidates.
pub const MAX_SUBSTEPS: u32 = 8;

/// A group of ticks: one query for candidates, inside of which every tick and every stored pair of
/// ticks is visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Substep {
    /// Which, from 0.
    pub number: u32,
    /// How many ticks, 1 or more.
    pub ticks: u32,
    /// When it begins.
    pub from_us: u64,
    /// When it ends.
    pub to_us: u64,
}

/// The groups of `steps` ticks: as even as whole ticks allow, at most [`MAX_SUBSTEPS`].
///
/// ```
/// use snapback_rewind::catchup::substeps;
/// let ticks: Vec<u32> = substeps(0, 4_167, 59).map(|substep| substep.ticks).collect();
/// assert_eq!(ticks, [8, 8, 8, 8, 8, 8, 8, 3]);
/// ```
pub fn substeps(from_us: u64, tick_us: u32, steps: u32) -> impl Iterator<Item = Substep> {
    let each = steps.div_ceil(MAX_SUBSTEPS).max(1);
    let time = move |ticks: u32| from_us.saturating_add(u64::from(ticks) * u64::from(tick_us));
    (0..steps.div_ceil(each)).map(move |number| {
        let first = number * each;
        let ticks = each.min(steps - first);
        Substep { number, ticks, from_us: time(first), to_us: time(first + ticks) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tick_is_in_one_of_at_most_eight() {
        for steps in 0..2_000 {
            let (mut ticks, mut count, mut end_us) = (0, 0, 77);
            for substep in substeps(77, 1_000, steps) {
                assert_eq!((substep.number, substep.from_us), (count, end_us));
                assert!(substep.ticks > 0);
                (ticks, count, end_us) = (ticks + substep.ticks, count + 1, substep.to_us);
            }
            assert_eq!((ticks, end_us), (steps, 77 + u64::from(steps) * 1_000));
            assert!(count <= MAX_SUBSTEPS, "{steps}: {count}");
        }
    }
}
