//! [`MechanicWatch`]: which mechanics a match depends on.
//!
//! A mechanic is exercised if the same inputs give another state without it. Until the first frame
//! where it does, the world without it is in the same state, so both simply go on side by side.

use snapback_core::{Effects, Frame, FrameInputs, PlayerInput, SideEffectPolicy, Simulation};
use snapback_sim::{Mechanic, PadInput, Roster, World, WorldData};
use std::sync::Arc;

/// The frame data without each mechanic.
pub(super) struct Without(Vec<(&'static str, Arc<WorldData>)>);

impl Without {
    pub(super) fn each(data: &WorldData) -> Self {
        Self(Mechanic::ALL.iter().map(|(name, mechanic)| (*name, Arc::new(data.without(&[*mechanic])))).collect())
    }
}

pub(super) struct MechanicWatch {
    unseen: Vec<(&'static str, World)>,
    snapshot: Vec<u8>,
    effects: Effects,
    pub(super) exercised: Vec<&'static str>,
}

impl MechanicWatch {
    pub(super) fn new(without: &Without, roster: Roster, seed: u64, players: usize) -> Self {
        let mut size_bytes = 0;
        let mut start = |name: &'static str, data: &Arc<WorldData>| {
            let mut world = World::with_roster(Arc::clone(data), roster);
            world.reset(seed, players).ok()?;
            size_bytes = world.layout().size_bytes();
            Some((name, world))
        };
        let unseen = without.0.iter().filter_map(|(name, data)| start(name, data)).collect();
        Self { unseen, snapshot: vec![0; size_bytes], effects: Effects::with_capacity(0), exercised: Vec::new() }
    }

    pub(super) fn see(&mut self, frame: Frame, inputs: &[PlayerInput<PadInput>], after: &[u8]) {
        self.effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        let (snapshot, effects, exercised) = (&mut self.snapshot, &mut self.effects, &mut self.exercised);
        self.unseen.retain_mut(|(name, world)| {
            world.step(frame, &FrameInputs::new(inputs), effects);
            world.capture(snapshot);
            let is_same = snapshot == after;
            if !is_same {
                exercised.push(name);
            }
            is_same
        });
    }
}
