//! Drawing from a session: what is shown after a rewind is what really happened.

use crate::game::*;
use snapback::present::{Blend, Present, RECOVERING_CONNECTION};
use snapback::*;

const STEP_US: u64 = 1_000_000 / 60;

/// The last inputs, and as a number that glides how many steps there were.
#[derive(Clone, PartialEq, Debug)]
struct Drawn {
    thousandths: i64,
    last: [u8; 2],
}

impl Drawn {
    fn of(memory: &Memory) -> Self {
        Self { thousandths: memory.steps as i64 * 1_000, last: [memory.last[0], memory.last[1]] }
    }

    fn read(snapshot: &[u8]) -> Self {
        Self::of(&bytemuck::pod_read_unaligned(snapshot))
    }
}

impl Present for Drawn {
    fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
        // The inputs are the earlier ones until the way is over, so that both pictures can be seen.
        let shown = if blend == Blend::NEWEST { newest } else { previous };
        Self { thousandths: blend.between(previous.thousandths, newest.thousandths), last: shown.last }
    }
}

/// A host: ticks, and shows what there is after every tick.
struct Host {
    session: RollbackSession<Game>,
    shown: PresentWorld<Drawn>,
    now_us: u64,
}

impl Host {
    fn new() -> Self {
        Self { session: RollbackSession::new(Game::new(), two_players()).unwrap(), shown: PresentWorld::new(60), now_us: 0 }
    }

    fn tick(&mut self, known: &[InputSample<u8>]) -> TickReport {
        self.now_us += STEP_US;
        let report = self.session.tick(&[LocalInput::new(ME, 1)], known).unwrap();
        let before = self.session.snapshot(report.frame.previous()).map(Drawn::read);
        self.shown.submit(report.frame, self.now_us, before, Drawn::of(&self.session.simulation().memory));
        match report.reason {
            Some(FreezeReason::PredictionCeiling { .. }) => self.shown.show_overlay(RECOVERING_CONNECTION),
            _ => self.shown.clear_overlay(),
        }
        report
    }

    fn picture(&self, after_us: u64) -> Drawn {
        self.shown.picture(self.now_us + after_us).unwrap()
    }
}

#[test]
fn the_very_first_frame_comes_from_the_state_before_the_match() {
    let mut host = Host::new();
    assert_eq!(host.tick(&[]).frame, Frame::ZERO);
    assert_eq!([0, STEP_US / 2 + 1].map(|us| host.picture(us).thousandths), [0, 500]);
}

#[test]
fn a_rewind_corrects_both_pictures() {
    let mut host = Host::new();
    for _ in 0..5 {
        host.tick(&[]);
    }
    assert_eq!([host.picture(0), host.picture(STEP_US + 1)].map(|drawn| drawn.last), [[1, 0], [1, 0]]);
    // What was really pressed at frames 1 and on, in the tick that steps frame 5.
    let late = [confirmed(0, 0), confirmed(1, 7), confirmed(2, 7), confirmed(3, 7), confirmed(4, 8), confirmed(5, 9)];
    let report = host.tick(&late);
    assert_eq!((report.rollback_frames, report.frame), (4, Frame::new(5)));
    assert_eq!([host.picture(0), host.picture(STEP_US + 1)].map(|drawn| drawn.last), [[1, 8], [1, 9]]);
}

#[test]
fn a_freeze_waits_at_the_newest_picture_under_an_overlay_and_a_thaw_goes_on_from_it() {
    let mut host = Host::new();
    for _ in 0..8 {
        assert!(!host.tick(&[]).simulation_frozen);
        assert_eq!(host.shown.overlay(), None);
    }
    for _ in 0..3 {
        assert!(host.tick(&[]).simulation_frozen);
        assert_eq!(host.picture(1).thousandths, 8_000, "the way is not begun again");
        assert_eq!(host.shown.overlay(), Some(RECOVERING_CONNECTION));
    }
    // News that thaw, and prove frames wrong that are on the screen.
    assert_eq!(host.tick(&[confirmed(0, 5)]).rollback_frames, 8);
    assert_eq!(host.shown.overlay(), None);
    assert_eq!(host.picture(0), Drawn { thousandths: 8_000, last: [1, 5] });
    assert_eq!(host.picture(STEP_US + 1).thousandths, 9_000);
}

#[test]
fn a_frozen_tick_that_rewinds_corrects_what_is_on_the_screen() {
    let mut host = Host::new();
    for _ in 0..4 {
        host.tick(&[]);
    }
    host.session.confirm(&confirmed(0, 5)).unwrap();
    let report = host.session.tick_frozen(FreezeReason::MatchOver).unwrap();
    assert!(report.recovered && report.simulation_frozen);
    let before = host.session.snapshot(report.frame.previous()).map(Drawn::read);
    host.shown.submit(report.frame, host.now_us + STEP_US, before, Drawn::of(&host.session.simulation().memory));
    assert_eq!(host.picture(STEP_US / 2 + 1), Drawn { thousandths: 3_500, last: [1, 5] });
    assert_eq!(host.picture(STEP_US + 1).last, [1, 5]);
}
