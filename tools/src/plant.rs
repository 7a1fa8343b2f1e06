//! [`PlantedWorld`]: the fighting world, with one wrong bit if asked for.

use crate::error::CliError;
use snapback::sim::{PadInput, World, WorldData};
use snapback::{Effects, Frame, FrameInputs, InvalidState, ResetError, Simulation, SimulationId, StateLayout};
use std::sync::Arc;

/// The peer whose simulation `--plant-desync` breaks.
pub(crate) const PLANTED_PEER: usize = 1;

/// What `--plant-desync` flips the lowest bit of.
const FIELD: &str = "fighter[1].motion.position[0]";

/// Refuses a frame that a match of so many frames never comes to.
pub(crate) fn check(plant: Option<i64>, frames: Option<u64>) -> Result<(), CliError> {
    match (plant, frames) {
        (Some(frame), Some(frames)) if u64::try_from(frame).is_ok_and(|frame| frame >= frames) => Err(CliError::usage(format_args!(
            "--plant-desync {frame} is after the last frame, {}; plant an earlier one or play longer",
            frames.saturating_sub(1)
        ))),
        _ => Ok(()),
    }
}

/// The fighting world. At one frame it may flip one bit of one field, as a bug would: this is how a
/// disagreement can be looked at.
pub(crate) struct PlantedWorld {
    world: World,
    plant: Option<Frame>,
}

impl PlantedWorld {
    pub(crate) fn new(data: &Arc<WorldData>, plant: Option<Frame>) -> Self {
        Self { world: World::new(Arc::clone(data)), plant }
    }

    /// The world, to look at.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    fn flip(&mut self) {
        let layout = self.world.layout();
        let mut right = vec![0; layout.size_bytes()];
        self.world.capture(&mut right);
        for at in 0..right.len() {
            let mut wrong = right.clone();
            if let Some(byte) = wrong.get_mut(at) {
                *byte ^= 1;
            }
            if layout.first_difference(&right, &wrong).is_some_and(|difference| difference.path == FIELD) {
                let _ = self.world.restore(&wrong);
                return;
            }
        }
    }
}

impl Simulation for PlantedWorld {
    type Input = PadInput;

    fn id(&self) -> SimulationId {
        self.world.id()
    }

    fn config_hash(&self) -> u32 {
        self.world.config_hash()
    }

    fn layout(&self) -> StateLayout {
        self.world.layout()
    }

    fn fighter_count(&self) -> usize {
        self.world.fighter_count()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.world.reset(seed, players)
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, PadInput>, effects: &mut Effects) {
        self.world.step(frame, inputs, effects);
        if self.plant == Some(frame) {
            self.flip();
        }
    }

    fn capture(&self, out: &mut [u8]) {
        self.world.capture(out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.world.restore(snapshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::{InputStatus, PlayerInput};

    #[test]
    fn exactly_one_field_differs_after_the_planted_frame() {
        let data = Arc::new(WorldData::default());
        let mut snapshots = [None, Some(Frame::new(2))].map(|plant| {
            let mut world = PlantedWorld::new(&data, plant);
            world.reset(3, 2).unwrap();
            let mut effects = Effects::with_capacity(4);
            (0..3)
                .map(|frame| {
                    world.step(Frame::new(frame), &FrameInputs::new(&[PlayerInput::neutral(InputStatus::Confirmed); 2]), &mut effects);
                    let mut out = vec![0; world.layout().size_bytes()];
                    world.capture(&mut out);
                    out
                })
                .collect::<Vec<_>>()
        });
        let [right, wrong] = &mut snapshots;
        assert_eq!(right[..2], wrong[..2]);
        let layout = PlantedWorld::new(&data, None).layout();
        assert_eq!(layout.first_difference(&right[2], &wrong[2]).map(|difference| difference.path).as_deref(), Some(FIELD));
    }
}
