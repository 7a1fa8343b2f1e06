//! [`TimeSync`]: how much slower to tick so that two peers guess equally far.
//!
//! Two peers never start at the same instant, and no two clocks run equally fast. The one that is ahead
//! has to predict for both: its rewinds are deep, the other's are none. So whoever is ahead takes a little
//! longer for each tick, until both are equally far ahead of each other's inputs. Nobody stands still for
//! it, and nobody plays faster than the game was made for.
//!
//! **What is measured.** The *lag* is how many frames a simulation is ahead of the newest input that it
//! has from the other side: the depth of a rewind. Both tell each other theirs in every packet, and how long that
//! input had waited for the tick, which is taken off: so the lag is known in parts of a frame. The *advantage* is
//! half of the difference. It needs no common clock, and a slow network, which makes both
//! lags larger, does not count as being ahead. What the other tells is as old as the way is long, so it is
//! compared with our lag of then: with that of now, both would be ahead whenever the way grows longer.
//!
//! **The controller** keeps two estimates, of the advantage and of its *drift*: how many frames a tick we
//! gain if we tick at the nominal rate. Each tick both move on by what we know ourselves (the drift, less
//! what we stretched the tick by), and then towards what was measured: the advantage by 1/32 of the
//! difference, which smooths over about half a second at 60 Hz, the drift by 1/16384 of it, which takes eight. The
//! stretch is the drift, 1/128 for each frame of advantage beyond a sixteenth of one, and 1/16 for each beyond half
//! a frame: that much is no noise. One that stood still for six frames has cost the other six; the sooner they are
//! worn off the better.
//!
//! **The aim** is an advantage of 0, unless both gain by ticking apart: see `offset.rs`.
//!
//! Why an estimate of the drift: to follow a peer that runs at 57 frames a second every tick must be 5.3 %
//! longer for ever, and at the end the advantage is nearly 0. A rule that follows the advantage alone
//! needs seven frames of it to get there. Why not a plain integral: it winds up while the stretch is at its
//! limit or the lead at the start is worn off, and then overshoots. The observer is told what stretch was
//! used, so a long way to go teaches it nothing wrong. Why both sides do not slow each other down: what
//! slows one looks to the other like drift, and noise could make both believe in a drift that is each
//! other's answer; a lead that is worn off leaves such a belief too, when the other takes our waiting for its
//! drift. So a drift that makes us slower leaks away, by 0.006 % a second; who really needs it
//! keeps it at the price of a seventh of a frame. And of two who wait for each other one is not ahead: while the
//! mean of what was measured is negative the drift sinks, by up to 1/256 each tick, so that what both share is
//! gone within seconds.
//!
//! **Limits.** The stretch is 0 to 1.5 %, and up to 6 % while the advantage is over two frames, or would be
//! if we ticked at the nominal rate for another 128 ticks. (A peer at 57 frames a second is never two
//! frames behind, because we are slow already: without that it would be in less than a second.)
//!
//! **Several peers.** Each has its own `TimeSync`, and the largest stretch counts: a frame is confirmed
//! when the slowest input is there, so we wait for the slowest, and never for more than that one alone
//! asks. A mean would leave us ahead of the slowest for ever.
//!
//! **A peer that lies.** The two lags add up to the round trip, in frames, less both input delays. The
//! round trip is measured, our delay is known, theirs is between 0 and what they announced: a report
//! outside is moved to the nearest that can be, with a frame to spare. So a lie pulls us back by half of
//! the longest delay and a frame, and what is overshot: 10 frames at most, once for the whole match, and
//! half a round trip more if they also say that they held our packets for longer than they did. A peer
//! that is slow in truth, whatever it says, slows us by 6 %, and beyond that stops us at the prediction
//! ceiling.
//!
//! **A tick that is frozen** moves whoever is ahead back by a frame. When nobody is, the other is as
//! likely frozen too (the way is longer than the window), and nothing is concluded. After a long pause the
//! advantage is measured anew; the drift is still what it was.
//!
//! Ten minutes each over 80 ms there and back, up to 20 ms more each way, 2 % loss: the mean depth of a
//! rewind on the one side and on the other, in frames, and frozen ticks of both together.
//!
//! | | without | frozen | with | frozen |
//! |---|---|---|---|---|
//! | head start of six frames | 6.2 and 1.0 | 3 | 3.2 and 3.2 | 2 |
//! | 60 against 59.94 Hz | 6.8 and 1.7 | 32 | 3.3 and 3.1 | 0 |
//! | 60 against 57 frames a second | 7.4 and 2.0 | 1,890 | 3.2 and 2.9 | 0 |
//! | level from the start | 3.2 and 3.2 | 0 | 3.2 and 3.2 | 0 |
//!
//! `cargo test -p snapback-tests --test pace -- --nocapture` prints them. From any start, with 57 to 60 frames
//! a second, ways of up to 150 ms, jitter of 30 ms and a loss of 10 %, the mean lags are at most one
//! frame apart after a minute: where hardly anything varies, one whole frame or none (200 seeds in `session/tests/session/time_sync.rs`). Jitter of 20 ms
//! makes nobody's tick longer than 0.1 %.

use snapback_transport::endpoint::PeerLag;

/// One frame, or a stretch of 100 %.
pub(super) const ONE: i64 = 1 << 32;

/// Of the difference between measured and estimated advantage, how much the estimate takes over a tick.
const ADVANTAGE_SHIFT: u32 = 5;

/// The same for the drift. With twice the other shift and two more the observer would be critically damped; it is
/// slower, so that a step teaches it little.
const DRIFT_SHIFT: u32 = 2 * ADVANTAGE_SHIFT + 4;

/// Stretch for each frame of advantage: 1/128.
const PULL_SHIFT: u32 = 7;

/// An advantage that is not worth a stretch.
const SLACK: i64 = ONE / 16;

/// An advantage over this is no noise: 1/16 more for each frame beyond it.
const STEEP: i64 = ONE / 2;
const STEEP_SHIFT: u32 = 4;

/// By how much a drift that slows us sinks each tick: what a 64th of a frame of advantage raises it by.
const LEAK: i64 = (ONE / 64) >> DRIFT_SHIFT;

/// Who is behind has no reason to be slow: its drift sinks by 1/16 of itself each tick for each frame that it is
/// behind, and by no more than that for a 16th of a frame.
const BEHIND_SHIFT: u32 = 4;
const BEHIND: i64 = ONE / 16;

/// An advantage over this opens the larger limit, if not now, then in as many ticks as the pull is slow.
const FAR: i64 = 2 * ONE;

/// Above this advantage a frozen tick is known to be ours alone.
const AHEAD: i64 = ONE;

/// The largest stretch as a rule, in millionths.
const CALM_PPM: u32 = 15_000;

/// The largest stretch while the advantage stays over two frames, in millionths: no tick is ever longer.
pub const MAX_STRETCH_PPM: u32 = 60_000;

/// Ticks over which the first estimate is a plain mean.
const FIRST_TICKS: i64 = 64;

/// Ticks before the mean is worth a stretch.
const WORTH_TICKS: i64 = 16;

/// Frozen ticks after which nobody knows what the other did meanwhile: the advantage is measured anew.
const LONG_PAUSE_TICKS: u32 = 16;

/// Lags beyond this count as this.
const MOST_LAG_FRAMES: i64 = 255;

/// Round trips longer than this count as this.
const MOST_RTT_US: u64 = 10_000_000;

/// More frames a second than any configuration allows.
const MOST_HZ: u32 = 1_000;

/// What a peer can know of both clocks' beat: a lag is measured when a tick begins, and the input was sent
/// when one had begun, so that the two lags add up to as much as this over the time on the way.
const GRAIN_FRAMES: i64 = 2;

/// A report may be off by this: round trips vary.
const TOLERANCE_FRAMES: i64 = 1;

/// How far a simulation is ahead of the newest input from the other side.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Lag {
    /// In whole frames, as the simulation sees it.
    pub frames: i8,
    /// How long that input had been there when the tick began, in 256ths of a frame.
    pub waited: u8,
}

impl Lag {
    /// From frames and microseconds. Whatever waits longer than a frame waits for another one.
    #[must_use]
    pub fn new(frames: i64, waited_us: u64, simulation_hz: u32) -> Self {
        let waited = ((waited_us.min(MOST_RTT_US) * u64::from(simulation_hz.min(MOST_HZ))) << 8) / 1_000_000;
        Self { frames: to_wire(frames), waited: u8::try_from(waited).unwrap_or(u8::MAX) }
    }

    /// Without what was only waited, in 2^32nds of a frame.
    pub(super) fn parts(self) -> i64 {
        i64::from(self.frames) * ONE - (i64::from(self.waited) << 24)
    }
}

/// Where between ahead and behind a peer wants to be: `peer/offset.rs` decides.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Neither.
    #[default]
    Level,
    /// Seven sixteenths of a frame behind, of which the slack takes one.
    Behind,
    /// Three eighths ahead, if the other one likes it.
    Ahead,
}

impl Aim {
    fn parts(self) -> i64 {
        match self {
            Self::Level => 0,
            Self::Behind => -ONE * 7 / 16,
            Self::Ahead => ONE * 3 / 8,
        }
    }
}

/// What a peer says of its lag, and what is known that bounds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LagReport {
    /// How far it says that its simulation is ahead of our inputs.
    pub lag: Lag,
    /// The measured round trip.
    pub rtt_us: u64,
    /// Frames a second.
    pub simulation_hz: u32,
    /// How many frames our newest input is ahead of our simulation.
    pub local_delay_frames: i64,
    /// The longest input delay that it announced.
    pub remote_delay_max_frames: u8,
}

impl LagReport {
    /// The report, or the nearest value that can be true, in 2^32nds of a frame, if our lag is between
    /// `least` and `most`.
    fn bounded(&self, least: i64, most: i64) -> i64 {
        // Both are bounded so that everything fits 64 bits: in 4096ths of a frame until it is divided.
        let parts = self.rtt_us.min(MOST_RTT_US) * u64::from(self.simulation_hz.min(MOST_HZ));
        let rtt = (((parts << 12) / 1_000_000) << 20).cast_signed();
        let both = rtt - self.local_delay_frames.clamp(-MOST_LAG_FRAMES, MOST_LAG_FRAMES) * ONE;
        let low = both - (i64::from(self.remote_delay_max_frames) + TOLERANCE_FRAMES) * ONE - most;
        let high = both + (GRAIN_FRAMES + TOLERANCE_FRAMES) * ONE - least;
        self.lag.parts().clamp(low, high.max(low))
    }
}

/// Paces this peer's ticks against one remote peer: see the [module](self). Pure, integers only.
///
/// Once a tick: [`tick`](Self::tick), or [`freeze`](Self::freeze) if it did not advance; then
/// [`stretch_ppm`](Self::stretch_ppm) is what the next one should be longer by.
///
/// ```
/// use snapback::time_sync::{Lag, LagReport, TimeSync};
/// let mut sync = TimeSync::default();
/// // We are 6 frames ahead of their inputs, they are level with ours: we are 3 ahead.
/// let report = LagReport { lag: Lag::default(), rtt_us: 100_000, simulation_hz: 60, local_delay_frames: 0, remote_delay_max_frames: 10 };
/// for _ in 0..100 {
///     sync.tick(Lag { frames: 6, waited: 0 }, Some(&report), 0);
/// }
/// assert_eq!(sync.advantage_milliframes(), 3_000);
/// // More than two frames: as slow as it gets.
/// assert_eq!(sync.stretch_ppm(), 60_000);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TimeSync {
    /// All of these in 2^32nds of a frame, or of a frame a tick.
    advantage: i64,
    drift: i64,
    mean_lag: i64,
    /// The advantage as it was measured, smoothed and no more: what the drift is does not come into it.
    mean_measured: i64,
    measured_ticks: i64,
    frozen_ticks: u32,
    /// The advantage that is wanted.
    aim: i64,
    stretch_ppm: u32,
}

impl TimeSync {
    /// The advantage to strive for from the next tick on.
    pub fn set_aim(&mut self, aim: Aim) {
        self.aim = aim.parts();
    }

    /// A tick that advanced, and was `stretched_ppm` longer than the nominal one, in millionths. `lag`
    /// is how far the simulation is ahead of the peer's inputs now. Without a report, or with one that is
    /// too old to mean anything, the estimates go on as they are.
    pub fn tick(&mut self, lag: Lag, report: Option<&LagReport>, stretched_ppm: u32) {
        if core::mem::take(&mut self.frozen_ticks) >= LONG_PAUSE_TICKS {
            self.measured_ticks = 0;
        }
        self.advantage += self.drift - of_ppm(stretched_ppm.min(MAX_STRETCH_PPM));
        if let Some(report) = report {
            self.measure(lag.parts(), report);
        }
        let bound = MOST_LAG_FRAMES * ONE;
        self.advantage = self.advantage.clamp(-bound, bound);
        self.decide();
    }

    fn measure(&mut self, lag: i64, report: &LagReport) {
        self.measured_ticks = (self.measured_ticks + 1).min(FIRST_TICKS);
        let is_settled = self.measured_ticks == FIRST_TICKS;
        let lag_error = lag - self.mean_lag;
        self.mean_lag += if is_settled { lag_error >> ADVANTAGE_SHIFT } else { lag_error / self.measured_ticks };
        let measured = (lag - report.bounded(lag.min(self.mean_lag), lag.max(self.mean_lag))) / 2;
        let behind_error = measured - self.mean_measured;
        self.mean_measured += if is_settled { behind_error >> ADVANTAGE_SHIFT } else { behind_error / self.measured_ticks };
        let error = measured - self.advantage;
        if !is_settled {
            self.advantage += error / self.measured_ticks;
            return;
        }
        self.advantage += error >> ADVANTAGE_SHIFT;
        let drift = self.drift + (error >> DRIFT_SHIFT);
        let most = of_ppm(MAX_STRETCH_PPM);
        let leak = LEAK.max((drift * (self.aim - self.mean_measured).clamp(0, BEHIND)) >> (32 + BEHIND_SHIFT));
        self.drift = if drift > 0 { (drift - leak).max(0) } else { drift }.clamp(-most, most);
    }

    fn decide(&mut self) {
        let over = self.advantage - self.aim;
        let gentle = if over > 0 { (over - SLACK).max(0) } else { over } >> PULL_SHIFT;
        let pull = gentle + ((over - STEEP).max(0) >> STEEP_SHIFT);
        let wanted = if self.measured_ticks < WORTH_TICKS { 0 } else { (self.drift + pull).max(0) };
        let wanted_ppm = u32::try_from((wanted * 1_000_000) >> 32).unwrap_or(u32::MAX);
        let is_far = self.advantage + (self.drift << PULL_SHIFT) > FAR;
        self.stretch_ppm = wanted_ppm.min(if is_far { MAX_STRETCH_PPM } else { CALM_PPM });
    }

    /// A tick that did not advance.
    pub fn freeze(&mut self) {
        self.frozen_ticks = self.frozen_ticks.saturating_add(1);
        if self.advantage > AHEAD {
            self.advantage -= ONE;
            self.decide();
        }
    }

    /// By how many millionths the next tick should be longer than the nominal one, 0 to
    /// [`MAX_STRETCH_PPM`].
    #[must_use]
    pub fn stretch_ppm(&self) -> u32 {
        self.stretch_ppm
    }

    pub(super) fn advantage(&self) -> i64 {
        self.advantage
    }

    /// The smoothed advantage in thousandths of a frame: positive if we are ahead.
    #[must_use]
    pub fn advantage_milliframes(&self) -> i64 {
        (self.advantage * 1_000) >> 32
    }

    /// By how many millionths the peer's ticks seem to be longer than our nominal ones; negative if they
    /// are shorter.
    #[must_use]
    pub fn drift_ppm(&self) -> i64 {
        (self.drift * 1_000_000) >> 32
    }
}

fn of_ppm(ppm: u32) -> i64 {
    (i64::from(ppm) << 32) / 1_000_000
}

/// Our own lag over the last ticks: what a report says was so when it was sent, and is compared with ours of
/// then. With ours of now both peers would think that they are ahead whenever the way grows longer, and
/// both would slow down for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LagHistory {
    lags: [Lag; Self::TICKS],
    newest: usize,
}

impl Default for LagHistory {
    fn default() -> Self {
        Self { lags: [Lag::default(); Self::TICKS], newest: 0 }
    }
}

impl LagHistory {
    /// Over a second at 60 Hz.
    const TICKS: usize = 64;

    pub(super) fn push(&mut self, lag: Lag) {
        self.newest = (self.newest + 1) % Self::TICKS;
        if let Some(place) = self.lags.get_mut(self.newest) {
            *place = lag;
        }
    }

    /// Our lag when a report was sent that has come at `at_us`.
    pub(super) fn at_report(&self, at_us: u64, now_us: u64, rtt_us: u64, simulation_hz: u32) -> Lag {
        let age_us = now_us.saturating_sub(at_us).saturating_add(rtt_us / 2).min(MOST_RTT_US);
        let ticks = usize::try_from((age_us * u64::from(simulation_hz) + 500_000) / 1_000_000).unwrap_or(usize::MAX);
        let ago = ticks.min(Self::TICKS - 1);
        self.lags.get((self.newest + Self::TICKS - ago) % Self::TICKS).copied().unwrap_or_default()
    }
}

/// How long after it came a report still says something.
const FRESH_US: u64 = 250_000;

/// The report of a peer, unless it is too old.
pub(super) fn fresh(lag: Option<PeerLag>, now_us: u64) -> Option<PeerLag> {
    lag.filter(|lag| now_us.saturating_sub(lag.at_us) < FRESH_US)
}

/// A lag as it stands in a packet.
pub(super) fn to_wire(lag_frames: i64) -> i8 {
    lag_frames.clamp(i8::MIN.into(), i8::MAX.into()) as i8
}

/// What time sync does to this peer at the moment, for a net graph: see [`Peer::time_sync`](super::Peer::time_sync).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SyncView {
    /// How far we are ahead of the peer that we are furthest ahead of, smoothed, in thousandths of a frame.
    pub advantage_milliframes: i64,
    /// By how many millionths that peer's ticks seem to be longer than our nominal ones.
    pub drift_ppm: i64,
    /// By how many millionths the next tick is longer than the nominal one.
    pub stretch_ppm: u32,
}
