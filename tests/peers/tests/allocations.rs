//! The contract of the tick path: once a match runs, no frame of it allocates, with corrections at
//! every frame and with loss.

use snapback::{Effects, Frame, FrameInputs, InvalidState, ResetError, Simulation, SimulationId, StateLayout};
use snapback_peers::counting_alloc::allocations;
use snapback_peers::ours::OurMatch;
use snapback_peers::pad::restless;
use snapback_peers::tick_us;
use snapback_peers::tiny_game::TinyGame;

const WARM_UP_TICKS: u32 = 300;
const TICKS: u32 = 5_000;

#[test]
fn a_frame_that_corrects_allocates_nothing() {
    let mut ours = OurMatch::start(tick_us(5), restless);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
    }
    for n in 0..TICKS {
        let mut reports = None;
        let count = allocations(|| reports = Some(ours.tick()));
        assert_eq!(count, 0, "allocations in tick {n}");
        // Both are corrected at every frame, or this proves little.
        let corrected = reports.map(|both| both.map(|report| report.recovered && !report.simulation_frozen));
        assert_eq!(corrected, Some([true, true]), "tick {n}");
    }
}

#[test]
fn a_frame_with_loss_allocates_nothing() {
    let mut ours = OurMatch::start(tick_us(5), restless);
    ours.link().lose(3, 150_000);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
    }
    let (mut deepest, mut frozen) = (0, 0);
    for n in 0..TICKS {
        let count = allocations(|| {
            for report in ours.tick() {
                deepest = deepest.max(report.rollback_frames);
                frozen += u32::from(report.simulation_frozen);
            }
        });
        assert_eq!(count, 0, "allocations in tick {n}");
    }
    // Loss made corrections deeper, and was at times too much for the prediction window.
    assert!(deepest >= 8 && frozen > 0, "the deepest correction was {deepest}, {frozen} ticks were frozen");
}

/// Allocates once, at one frame.
#[derive(Default)]
struct Leaky(TinyGame);

const LEAKY_FRAME: i64 = 400;

impl Simulation for Leaky {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "leaky", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        self.0.layout()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.0.reset(seed, players)
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u16>, effects: &mut Effects) {
        if frame == Frame::new(LEAKY_FRAME) {
            drop(std::hint::black_box(Box::new(frame)));
        }
        self.0.step(frame, inputs, effects);
    }

    fn capture(&self, out: &mut [u8]) {
        self.0.capture(out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.0.restore(snapshot)
    }
}

/// The tests above can fail: an allocation inside a tick is seen.
#[test]
fn a_planted_allocation_is_seen() {
    let mut ours = OurMatch::start_with(Leaky::default, tick_us(5), restless);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
    }
    let count = allocations(|| {
        for _ in 0..200 {
            ours.tick();
        }
    });
    // Once for each peer, and once more for every correction that steps the frame again.
    assert!(count >= 2, "{count} allocations were seen");
}
