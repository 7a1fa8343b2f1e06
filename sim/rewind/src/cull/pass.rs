//! [`Culler`]: one cull after another, without an allocation.

use super::{Aabb, BoundsConfig, BoundsHistory, BoundsId, Colour, Composite, CullFilter, CullMark, MAX_COMPONENTS, Sweep, Verdict, Window};
use crate::{ActorId, ComponentId};

/// A rewind that somebody wants, before anybody is rewound.
#[derive(Clone, Copy, Debug)]
pub struct PendingRewind<'a> {
    /// From when to when.
    pub window: Window,
    /// Who shot, if anybody did. None of his components is a target.
    pub instigator: Option<ActorId>,
    /// Where the shot is in that time. Without a sweep it touches nothing.
    pub path: &'a [Sweep],
}

impl PendingRewind<'_> {
    /// Whether the path touches `target` anywhere. [`Composite::Unknown`] counts as touched.
    #[must_use]
    pub fn touches(&self, target: Composite) -> bool {
        match target {
            Composite::Known(target) => self.touches_box(target),
            Composite::Unknown => true,
        }
    }

    fn touches_box(&self, target: Aabb) -> bool {
        self.path.iter().any(|sweep| sweep.touches(target))
    }
}

/// A component that could be rewound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PotentialTarget {
    /// Its id.
    pub id: BoundsId,
    /// Whose it is.
    pub actor: ActorId,
    /// Which of his.
    pub component: ComponentId,
    /// All that it can have been in the window.
    pub bounds: Composite,
}

/// What became of the targets of a cull, counted. Culling was of use if most of
/// [`targets`](Self::targets) are not [`kept`](Self::kept).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CullTally {
    /// Components that were there in the window.
    pub targets: u32,
    /// Those that belong to who shot.
    pub instigator: u32,
    /// Those that were in the list before.
    pub already_listed: u32,
    /// Those whose box the path does not touch.
    pub box_missed: u32,
    /// Those whose box the path touches, but not what is in it.
    pub complex_missed: u32,
    /// Those that were added to the list.
    pub kept: u32,
    /// Those that the filter did not look at.
    pub left: u32,
    /// How often the complex collision was asked for.
    pub complex_tests: u32,
    /// Those of which a part of the window is forgotten.
    pub unknown: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    target: PotentialTarget,
    verdict: Verdict,
    was_complex_tested: bool,
}

/// Runs culls over a [`BoundsHistory`] and remembers the last one for drawing.
///
/// It allocates in [`new`](Self::new), and again only for a history that is greater.
#[derive(Debug)]
pub struct Culler {
    entries: Vec<Entry>,
    /// One bit for each place of the history: whether it is in the caller's list.
    listed: Vec<u64>,
    instigator: Option<ActorId>,
}

impl Culler {
    /// For histories of up to this size, and [`MAX_COMPONENTS`], than which none is greater.
    #[must_use]
    pub fn new(config: BoundsConfig) -> Self {
        let places = config.max_components.min(MAX_COMPONENTS) as usize;
        Self { entries: Vec::with_capacity(places), listed: vec![0; places.div_ceil(64)], instigator: None }
    }

    /// Adds to `out` whom `filter` keeps, in the order of actor and component unless it has another. What
    /// is in `out` stays there and is not added again.
    pub fn cull(
        &mut self,
        history: &BoundsHistory,
        pending: &PendingRewind<'_>,
        filter: &mut (impl CullFilter + ?Sized),
        out: &mut Vec<BoundsId>,
    ) -> CullTally {
        self.listed.fill(0);
        self.listed.resize((history.config().max_components as usize).div_ceil(64), 0);
        for id in out.iter().filter(|id| history.contains(**id)) {
            set(&mut self.listed, *id);
        }
        self.instigator = pending.instigator;
        self.entries.clear();
        for id in history.ids() {
            let (Some((actor, component)), Some(bounds)) = (history.owner(id), history.composite(id, pending.window)) else { continue };
            let target = PotentialTarget { id, actor, component, bounds };
            let verdict = if is_set(&self.listed, id) { Verdict::AlreadyListed } else { Verdict::Left };
            self.entries.push(Entry { target, verdict, was_complex_tested: false });
        }
        filter.filter(&mut CullPass { pending, entries: &mut self.entries, listed: &mut self.listed, out });
        self.tally()
    }

    fn tally(&self) -> CullTally {
        let mut tally = CullTally::default();
        for entry in &self.entries {
            tally.targets += 1;
            tally.unknown += u32::from(entry.target.bounds == Composite::Unknown);
            tally.complex_tests += u32::from(entry.was_complex_tested);
            *match entry.verdict {
                Verdict::Left => &mut tally.left,
                Verdict::Instigator => &mut tally.instigator,
                Verdict::AlreadyListed => &mut tally.already_listed,
                Verdict::BoxMissed => &mut tally.box_missed,
                Verdict::ComplexMissed => &mut tally.complex_missed,
                Verdict::Kept => &mut tally.kept,
            } += 1;
        }
        tally
    }

    /// How each target of the last cull is drawn.
    pub fn marks(&self) -> impl Iterator<Item = CullMark> + '_ {
        self.entries.iter().map(|entry| {
            let is_instigator = self.instigator == Some(entry.target.actor);
            CullMark {
                target: entry.target,
                colour: if is_instigator { Colour::Black } else { Colour::Orange },
                shows_collision: !is_instigator,
                verdict: entry.verdict,
                was_complex_tested: entry.was_complex_tested,
            }
        })
    }
}

/// One cull, as a [`CullFilter`] sees it: targets by number, and the list that it adds to.
#[derive(Debug)]
pub struct CullPass<'a> {
    pending: &'a PendingRewind<'a>,
    entries: &'a mut [Entry],
    listed: &'a mut [u64],
    out: &'a mut Vec<BoundsId>,
}

impl CullPass<'_> {
    /// What the rewind is for.
    #[must_use]
    pub fn pending(&self) -> &PendingRewind<'_> {
        self.pending
    }

    /// How many targets there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no target.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Target number `at`, from 0.
    #[must_use]
    pub fn target(&self, at: usize) -> Option<&PotentialTarget> {
        self.entries.get(at).map(|entry| &entry.target)
    }

    /// Whether target `at` belongs to who shot.
    #[must_use]
    pub fn is_instigator(&self, at: usize) -> bool {
        self.target(at).is_some_and(|target| Some(target.actor) == self.pending.instigator)
    }

    /// Adds target `at` to the list. Whether it was added: one that is in the list is not, and who shot
    /// never is.
    pub fn keep(&mut self, at: usize) -> bool {
        let is_instigator = self.is_instigator(at);
        let Some(entry) = self.entries.get_mut(at) else { return false };
        if is_set(self.listed, entry.target.id) {
            return false;
        }
        if is_instigator {
            entry.verdict = Verdict::Instigator;
            return false;
        }
        entry.verdict = Verdict::Kept;
        set(self.listed, entry.target.id);
        self.out.push(entry.target.id);
        true
    }

    /// Keeps every target whose box the path touches and of which `complex` then says yes. Who is in the
    /// list is not looked at, nor is who shot.
    pub fn cull_by_path(&mut self, complex: &mut dyn FnMut(&PendingRewind<'_>, &PotentialTarget) -> bool) {
        for at in 0..self.entries.len() {
            let verdict = self.judge(at, complex);
            if verdict == Verdict::Kept {
                self.keep(at);
            } else if let Some(entry) = self.entries.get_mut(at)
                && entry.verdict != Verdict::Kept
            {
                entry.verdict = verdict;
            }
        }
    }

    fn judge(&mut self, at: usize, complex: &mut dyn FnMut(&PendingRewind<'_>, &PotentialTarget) -> bool) -> Verdict {
        let is_instigator = self.is_instigator(at);
        let Some(entry) = self.entries.get_mut(at) else { return Verdict::Left };
        if is_set(self.listed, entry.target.id) {
            return Verdict::AlreadyListed;
        }
        if is_instigator {
            return Verdict::Instigator;
        }
        if !self.pending.touches(entry.target.bounds) {
            return Verdict::BoxMissed;
        }
        entry.was_complex_tested = true;
        if complex(self.pending, &entry.target) { Verdict::Kept } else { Verdict::ComplexMissed }
    }
}

fn set(bits: &mut [u64], id: BoundsId) {
    if let Some(word) = bits.get_mut(id.index() as usize / 64) {
        *word |= 1 << (id.index() % 64);
    }
}

fn is_set(bits: &[u64], id: BoundsId) -> bool {
    bits.get(id.index() as usize / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
}
