//! The straight replay says what is right, and refuses what is not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::*;
use snapback_golden::{ReplayError, StraightReplay};

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
struct Tally {
    points: [u32; 2],
}

struct Game(Tally);

impl Simulation for Game {
    type Input = u8;
    fn id(&self) -> SimulationId {
        SimulationId { name: "tally", version: 1 }
    }
    fn layout(&self) -> StateLayout {
        StateLayout::of::<Tally>()
    }
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if players != 2 {
            return Err(ResetError { reason: "two players".into() });
        }
        self.0.points = [seed as u32; 2];
        Ok(())
    }
    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        for (points, seat) in self.0.points.iter_mut().zip(0..) {
            *points += u32::from(inputs.input(PlayerHandle::new(seat)));
        }
    }
    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

fn pressed(inputs: [u8; 2]) -> [PlayerInput<u8>; 2] {
    inputs.map(|input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed })
}

#[test]
fn each_step_gives_the_hash_of_its_frame() {
    let mut replay = StraightReplay::new(Game(Tally::zeroed()), 7, 2, Frame::new(100)).unwrap();
    assert_eq!(replay.frame(), Frame::new(99));
    let hash = replay.step(&pressed([1, 2]));
    assert_eq!(replay.snapshot(), bytemuck::bytes_of(&Tally { points: [8, 9] }));
    assert_eq!(hash, StateLayout::of::<Tally>().hash(7, Frame::new(100), replay.snapshot()));
    assert_eq!(replay.check(Frame::new(100), hash, Some(bytemuck::bytes_of(&Tally { points: [8, 9] }))), Ok(()));
}

#[test]
fn a_wrong_claim_is_refused_with_frame_field_and_both_values() {
    let mut replay = StraightReplay::new(Game(Tally::zeroed()), 0, 2, Frame::ZERO).unwrap();
    let hash = replay.step(&pressed([5, 6]));
    let wrong = Tally { points: [5, 7] };
    let claimed = StateLayout::of::<Tally>().hash(0, Frame::ZERO, bytemuck::bytes_of(&wrong));
    let Err(ReplayError::Diverged(divergence)) = replay.check(Frame::ZERO, claimed, Some(bytemuck::bytes_of(&wrong))) else { panic!() };
    let field = divergence.field.unwrap();
    assert_eq!((field.path.as_str(), field.left.number(), field.right.number()), ("points[1]", 6, 7));
    // A right hash over a wrong state is no better, and a wrong hash alone is enough.
    assert!(replay.check(Frame::ZERO, hash, Some(bytemuck::bytes_of(&wrong))).is_err());
    assert!(replay.check(Frame::ZERO, claimed, None).is_err());
    let out_of_order = replay.check(Frame::new(1), hash, None).unwrap_err();
    insta::assert_snapshot!(out_of_order, @"frame 1 was claimed while the replay is at frame 0; claim each frame right after its step");
}

#[test]
fn a_simulation_that_does_not_start_is_an_error() {
    assert!(StraightReplay::new(Game(Tally::zeroed()), 0, 3, Frame::ZERO).is_err());
}
