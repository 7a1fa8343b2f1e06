//! [`Section`]: one stretch of one recording, and both pairs of peers on it.

use crate::data::Thumbs;
use crate::options::Options;
use crate::ours::Ours;
use crate::report::Row;
use crate::road::Road;
use crate::tally::{Tally, Truth};
use crate::theirs::Theirs;
use snapback::transport::link::LinkTrace;
use std::rc::Rc;

pub(crate) const WINDOW_FRAMES: u32 = 8;
const DELAY_FRAMES: u8 = 2;

/// Sets the coins of a recording: which direction lost what was lost.
const COINS: u64 = 11;

/// How long both play before anything is counted, so that each has measured the round trip.
const SETTLING_US: u64 = 2_000_000;

/// When the program of the second player is started, at least: two machines never do anything at the same instant.
/// ggrs ticks from then on, Snapback from when the peers have agreed on.
const LAUNCH_US: u64 = 300_000;

/// From one section to the next the second player's ticks fall elsewhere between those of the first.
const LAUNCH_STEP_US: u64 = 2_741;

/// Within this time everybody must have met.
const MEETING_US: u64 = 120_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Meeting,
    Settling { until_us: u64 },
    Measuring { since_us: u64 },
    Done,
}

pub(crate) struct Section {
    name: String,
    from_us: u64,
    launch_us: u64,
    is_ours_only: bool,
    road: Road,
    ours: Ours,
    theirs: Theirs,
    truth: Truth,
    thumbs: Rc<Thumbs>,
    /// Confirmed frames and disagreements of both peers of each.
    checked: [Tally; 2],
    stage: Stage,
    measured_us: u64,
}

impl Section {
    pub(crate) fn new(name: String, trace: LinkTrace, from_us: u64, number: u64, thumbs: Rc<Thumbs>, options: &Options) -> Self {
        let base_us = options.base_ms * 1_000;
        let launch_us = LAUNCH_US + number * LAUNCH_STEP_US;
        Self {
            name,
            from_us,
            launch_us,
            is_ours_only: options.ours_only,
            road: Road::new(&trace, COINS, base_us),
            ours: Ours::new(WINDOW_FRAMES, DELAY_FRAMES),
            theirs: Theirs::new(&Road::new(&trace, COINS, base_us), options.their_window as usize, DELAY_FRAMES.into(), launch_us),
            truth: Truth::new(),
            thumbs,
            checked: Default::default(),
            stage: Stage::Meeting,
            measured_us: 0,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    pub(crate) fn is_measuring(&self) -> bool {
        matches!(self.stage, Stage::Measuring { .. })
    }

    /// One turn of all four main loops.
    pub(crate) fn turn(&mut self, now_us: u64, measured_us: u64) {
        let (thumbs, trace_us) = (&self.thumbs, self.from_us + now_us);
        let pressed = |seat, frame| thumbs.pressed(seat, frame);
        let seats = if now_us < self.launch_us { 0..1 } else { 0..2 };
        self.ours.turn(seats.clone(), now_us, trace_us, &self.road, pressed);
        if !self.is_ours_only {
            self.theirs.turn(seats, now_us, trace_us, pressed);
        }

        // What is pressed at a frame is played two later; before that nothing is.
        let delay = i64::from(DELAY_FRAMES);
        let played = |seat, frame: i64| if frame < delay { 0 } else { thumbs.pressed(seat, frame - delay) };
        let (truth, [ours, theirs]) = (&mut self.truth, &mut self.checked);
        self.ours.confirmed(|_, frame, hash| {
            ours.confirmed_frames += 1;
            ours.disagreements += u64::from(!truth.agrees(frame, hash, played));
        });
        self.theirs.confirmed(|_, frame, hash| {
            theirs.confirmed_frames += 1;
            theirs.disagreements += u64::from(!truth.agrees(frame, hash, played));
        });

        if self.is_measuring() {
            self.checked[0].look(self.ours.frames());
            self.checked[1].look(self.theirs.frames());
        }

        self.stage = match self.stage {
            Stage::Meeting if self.ours.is_playing() && (self.is_ours_only || self.theirs.is_playing()) => {
                Stage::Settling { until_us: now_us + SETTLING_US }
            }
            Stage::Meeting => {
                assert!(
                    now_us < MEETING_US,
                    "{} from {} s: no match in two minutes; ours {}, ggrs {}",
                    self.name,
                    self.from_us / 1_000_000,
                    self.ours.is_playing(),
                    self.theirs.is_playing()
                );
                Stage::Meeting
            }
            Stage::Settling { until_us } if now_us >= until_us => {
                self.ours.begin();
                self.theirs.begin();
                Stage::Measuring { since_us: now_us }
            }
            Stage::Measuring { since_us } if now_us - since_us >= measured_us => {
                self.measured_us = now_us - since_us;
                Stage::Done
            }
            stage => stage,
        };
    }

    /// What was measured.
    pub(crate) fn row(&self) -> Row {
        let both = |tallies: [Tally; 2], checked: &Tally| {
            let mut sum = *checked;
            tallies.iter().for_each(|tally| sum.add(tally));
            sum
        };
        Row {
            trace: self.name.clone(),
            from_s: self.from_us / 1_000_000,
            minutes: self.measured_us as f64 / 60_000_000.0,
            ours: both(self.ours.tallies(), &self.checked[0]),
            theirs: both(self.theirs.tallies(), &self.checked[1]),
        }
    }
}
