//! The contract of the tick path: once a match runs, no frame of it allocates, with corrections at
//! every frame and with loss; and encrypted, nothing but what the DTLS library allocates by itself.

mod bare_dtls;

use bare_dtls::BareDtls;
use snapback::{Effects, Frame, FrameInputs, InvalidState, ResetError, Simulation, SimulationId, StateLayout};
use snapback_peers::counting_alloc::allocations;
use snapback_peers::ours::OurMatch;
use snapback_peers::pad::restless;
use snapback_peers::tick_us;
use snapback_peers::tiny_game::TinyGame;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

const WARM_UP_TICKS: u32 = 300;
const TICKS: u32 = 5_000;

/// How long a packet is on its way.
const DELAY_TICKS: usize = 5;

/// Sizes that packets of inputs have here, before they are sealed.
const LENGTHS_BYTES: RangeInclusive<usize> = 12..=64;

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

/// The library's own count comes from two bare connections that seal and open one packet each way.
#[test]
fn an_encrypted_frame_allocates_what_the_library_does_and_nothing_else() {
    let mut library = BareDtls::connect();
    let mut ours = OurMatch::start_encrypted(tick_us(DELAY_TICKS as u64), restless);
    for _ in 0..WARM_UP_TICKS {
        library.exchange(&[7; 64]);
        ours.tick();
    }
    // It is the same for every size of a packet of inputs, once its buffers have grown.
    let expected = [allocations(|| library.seal(&[7; 64])), allocations(|| library.open())];
    for len in LENGTHS_BYTES {
        let counts = [allocations(|| library.seal(&[7; 64][..len])), allocations(|| library.open())];
        assert_eq!(counts, expected, "allocations of the library at {len} bytes and at 64");
    }
    // A check goes out now and then, beside the packet of a frame, and is opened as many ticks later.
    let mut under_way = VecDeque::with_capacity(2 * DELAY_TICKS);
    let mut checks = 0;
    for n in 0..TICKS {
        let mut reports = None;
        ours.link().reset_counts();
        let count = allocations(|| reports = Some(ours.tick()));
        let sent = ours.link().sent().map(|sent| sent.packets);
        assert!(sent == [1, 1] || sent == [2, 2], "{sent:?} packets in tick {n}");
        under_way.push_back(sent[0]);
        let arrived = if n < DELAY_TICKS as u32 { None } else { under_way.pop_front() };
        checks += u64::from(sent[0] == 2);
        // Of the packets that were under way before, nobody has counted the checks.
        if let Some(arrived) = arrived.filter(|_| n >= 2 * DELAY_TICKS as u32) {
            assert_eq!(count, expected[0] * sent[0] + expected[1] * arrived, "allocations in tick {n}, and in the library by itself");
        }
        let corrected = reports.map(|both| both.map(|report| report.recovered && !report.simulation_frozen));
        assert_eq!(corrected, Some([true, true]), "tick {n}");
    }
    assert!(checks > u64::from(TICKS) / 40, "{checks} checks");
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
