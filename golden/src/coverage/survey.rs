//! [`survey`]: what one replay shows.

use super::Vacuous;
use super::fields::{FieldWatch, any_seat};
use crate::format::{ReplayMeta, Source};
use crate::verify::start;
use crate::{FrameBlock, GoldenReplay, PlayError};
use serde::Serialize;
use snapback_core::codec::write_input;
use snapback_core::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy, Simulation, StateLayout};
use std::collections::BTreeSet;

/// Something that a corpus should show.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Goal {
    /// What kind of thing it is, such as `fields`.
    pub group: &'static str,
    /// Which one, such as `fighter[*].vitals.health`.
    pub name: String,
}

impl Goal {
    pub(super) fn new(group: &'static str, name: impl Into<String>) -> Self {
        Self { group, name: name.into() }
    }
}

pub(super) const SECTIONS: &str = "sections";
pub(super) const FIELDS: &str = "fields";
pub(super) const INPUTS: &str = "input bits";

/// What one replay shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// How many frames there are.
    pub frames: u64,
    /// In how many of them a player presses something else than in the frame before.
    pub input_changes: u64,
    /// How many commands ride in the inputs.
    pub commands: u64,
    /// What it reaches.
    pub goals: BTreeSet<Goal>,
    /// Why it proves nothing, if it does not.
    pub vacuous: Option<Vacuous>,
}

/// One frame of a replay that is being played.
#[cfg_attr(not(feature = "world"), expect(dead_code, reason = "without the world nobody looks closer"))]
pub(super) struct Moment<'a, S: Simulation> {
    pub(super) frame: Frame,
    pub(super) inputs: &'a [PlayerInput<S::Input>],
    /// After the frame.
    pub(super) simulation: &'a S,
    pub(super) effects: &'a Effects,
    /// The state after it, as captured.
    pub(super) after: &'a [u8],
}

/// Plays `replay` on the simulation that `make` makes of its meta block, and notes what it shows.
///
/// # Errors
/// If the replay cannot be played at all.
pub fn survey<S: Simulation>(replay: &GoldenReplay, make: impl FnMut(&ReplayMeta) -> Result<S, String>) -> Result<Survey, PlayError> {
    watch(replay, make, 0, |_| {})
}

/// The same, and shows every frame to `each`.
pub(super) fn watch<S: Simulation>(
    replay: &GoldenReplay,
    mut make: impl FnMut(&ReplayMeta) -> Result<S, String>,
    effects_capacity: usize,
    mut each: impl FnMut(&Moment<'_, S>),
) -> Result<Survey, PlayError> {
    let mut begin = || -> Result<S, PlayError> {
        let mut simulation = make(replay.meta()).map_err(|reason| PlayError::Setup { reason })?;
        start(replay, &mut simulation)?;
        Ok(simulation)
    };
    let mut simulation = begin()?;
    // Is let idle beside the match, until the two differ.
    let mut idle = Some(begin()?);
    let layout = simulation.layout();
    let mut fields = FieldWatch::new(&layout);
    let mut presses = Presses::new(usize::from(replay.meta().players), size_of::<S::Input>());
    let neutral = vec![PlayerInput::neutral(InputStatus::Confirmed); replay.meta().players.into()];
    let mut effects = Effects::with_capacity(effects_capacity);
    let mut before = vec![0; layout.size_bytes()];
    let (mut after, mut untouched) = (before.clone(), before.clone());
    simulation.capture(&mut before);
    let mut frame = replay.meta().first_frame();
    let mut frames = 0;
    let mut block = FrameBlock::new();
    let mut number = 0;
    while replay.read_block(number, &mut block)? {
        number += 1;
        for (inputs, _) in block.frames() {
            presses.see(inputs);
            effects.clear();
            effects.begin(frame, SideEffectPolicy::Emit);
            simulation.step(frame, &FrameInputs::new(inputs), &mut effects);
            simulation.capture(&mut after);
            if let Some(idle) = &mut idle {
                idle.step(frame, &FrameInputs::new(&neutral), &mut Effects::with_capacity(0));
                idle.capture(&mut untouched);
            }
            idle = idle.filter(|_| untouched == after);
            fields.see(&before, &after);
            each(&Moment { frame, inputs, simulation: &simulation, effects: &effects, after: &after });
            core::mem::swap(&mut before, &mut after);
            frame = frame.next();
            frames += 1;
        }
    }
    let is_live = replay.meta().provenance.source == Source::Live;
    let rollbacks = replay.summary().map_or(0, |summary| summary.rollbacks);
    let vacuous = if frames == 0 {
        Some(Vacuous::NoFrames)
    } else if presses.is_idle() {
        Some(Vacuous::NobodyActs)
    } else if fields.only_counts() {
        Some(Vacuous::StateOnlyCounts)
    } else if idle.is_some() {
        Some(Vacuous::InputsChangeNothing)
    } else if is_live && rollbacks == 0 {
        Some(Vacuous::NoRollback)
    } else {
        None
    };
    let mut goals = presses.goals(&StateLayout::of::<S::Input>());
    for field in fields.changed() {
        goals.insert(Goal::new(FIELDS, any_seat(&field.path)));
        goals.extend(field.section.map(|section| Goal::new(SECTIONS, section)));
    }
    Ok(Survey { frames, input_changes: presses.changes, commands: presses.commands, goals, vacuous })
}

/// What the players press.
struct Presses {
    /// The canonical bytes of all inputs of the last frame, one player after another.
    last: Vec<u8>,
    now: Vec<u8>,
    /// The bits that anybody ever pressed.
    ever: Vec<u8>,
    changes: u64,
    commands: u64,
}

impl Presses {
    fn new(players: usize, input_bytes: usize) -> Self {
        let all = vec![0; players * input_bytes];
        Self { last: all.clone(), now: all, ever: vec![0; input_bytes], changes: 0, commands: 0 }
    }

    fn see<I: snapback_core::SimInput>(&mut self, inputs: &[PlayerInput<I>]) {
        for (input, out) in inputs.iter().zip(self.now.chunks_exact_mut(size_of::<I>().max(1))) {
            write_input(&input.input, out);
            self.ever.iter_mut().zip(&*out).for_each(|(ever, byte)| *ever |= byte);
            self.commands += u64::from(!input.command.is_none());
        }
        self.changes += u64::from(self.now != self.last);
        core::mem::swap(&mut self.now, &mut self.last);
    }

    fn is_idle(&self) -> bool {
        self.commands == 0 && self.ever.iter().all(|byte| *byte == 0)
    }

    fn goals(&self, layout: &StateLayout) -> BTreeSet<Goal> {
        input_bits(layout)
            .filter(|(byte, bit, _)| self.ever.get(*byte).is_some_and(|ever| ever >> bit & 1 != 0))
            .map(|(.., goal)| goal)
            .collect()
    }
}

/// Every bit of an input with its place in the canonical bytes.
pub(super) fn input_bits(layout: &StateLayout) -> impl Iterator<Item = (usize, usize, Goal)> {
    layout.fields().into_iter().flat_map(|field| {
        (0..8 * field.scalar.size_bytes()).map(move |bit| {
            let name = if field.path.is_empty() { format!("bit {bit}") } else { format!("{} bit {bit}", field.path) };
            (field.offset_bytes + bit / 8, bit % 8, Goal::new(INPUTS, name))
        })
    })
}
