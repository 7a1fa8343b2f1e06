//! [`StallCause`]: whose fault a frozen tick is.

use core::fmt;

/// Whose fault a frozen tick is, as far as this peer can know. [`StallCause::of`] says how it is decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StallCause {
    /// Their loss: packets of theirs are lost on the way here, while ours arrive there.
    TheirLoss,
    /// Our loss: packets of ours are lost on the way there, so that they stand still and send nothing new.
    OurLoss,
    /// Their slowness: their program plays fewer frames than ours, or does not run at all.
    TheirSlowness,
    /// Our slowness: our own program did not run or came late, and now makes up for it or waits for the
    /// answers to what it should have sent.
    OurSlowness,
    /// The link: packets take longer there and back than is predicted, come in heaps, or are lost both ways.
    Link,
    /// Nothing at all comes, and whether the link is dark or their program stands still nobody can know yet.
    /// The next packet tells: the counters then move these ticks to the cause that it was.
    Silence,
}

impl StallCause {
    /// Every cause.
    pub const ALL: [Self; 6] = [Self::TheirLoss, Self::OurLoss, Self::TheirSlowness, Self::OurSlowness, Self::Link, Self::Silence];

    /// The name in files and metrics, such as `their_loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TheirLoss => "their_loss",
            Self::OurLoss => "our_loss",
            Self::TheirSlowness => "their_slowness",
            Self::OurSlowness => "our_slowness",
            Self::Link => "link",
            Self::Silence => "silence",
        }
    }
}

impl fmt::Display for StallCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TheirLoss => "their loss",
            Self::OurLoss => "our loss",
            Self::TheirSlowness => "their slowness",
            Self::OurSlowness => "our slowness",
            Self::Link => "the link",
            Self::Silence => "silence",
        })
    }
}

/// What is known of a connection when a tick is frozen for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StallFacts {
    /// How long a tick is.
    pub tick_us: u64,
    /// Whether our own program was late or ticks too often: see [`Beat`](super::Beat).
    pub are_we_late: bool,
    /// For how long no newer packet of theirs has come.
    pub silent_us: u64,
    /// Of their last 32 packets before the newest, how many have not come, before repair.
    pub missing_packets: u32,
    /// How long ago we sent the newest packet that they have acknowledged.
    pub unheard_us: u64,
    /// The smoothed round trip.
    pub rtt_us: u64,
    /// The mean deviation of round trips.
    pub jitter_us: u64,
    /// How many frames our simulation may be ahead of their inputs.
    pub window_frames: i64,
    /// How many frames it is ahead of their newest one.
    pub lag_frames: i64,
    /// How many frames they say that theirs is ahead of our newest input, if they said so lately. It is
    /// theirs to say, and can only shift the blame.
    pub their_lag_frames: Option<i64>,
    /// How many frames theirs may be ahead of our inputs.
    pub their_window_frames: i64,
}

impl StallFacts {
    /// How far from its mean a round trip may be without meaning anything.
    fn spread_us(&self) -> u64 {
        4 * self.jitter_us
    }

    /// Whether nothing comes: for longer than two ticks and the usual deviation.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.silent_us > 2 * self.tick_us + self.spread_us()
    }

    /// Whether nothing of what we sent for so long has been acknowledged, over what the way takes.
    fn is_unheard_for(&self, us: u64) -> bool {
        self.unheard_us > self.rtt_us + self.spread_us() + us
    }

    /// Whether they say that they wait for our inputs.
    fn do_they_wait(&self) -> bool {
        self.their_lag_frames.is_some_and(|lag| lag >= self.their_window_frames)
    }

    /// Whether they are behind us by more than both sides' share of the way: by at least two frames.
    fn are_they_behind(&self) -> bool {
        !self.do_they_wait() && self.their_lag_frames.is_some_and(|theirs| self.lag_frames - theirs >= 4)
    }

    /// Whether the way alone takes as long as is predicted.
    fn is_far(&self) -> bool {
        let way_us = self.rtt_us / 2 + 2 * self.jitter_us + self.tick_us;
        way_us >= self.tick_us.saturating_mul(self.window_frames.max(0).cast_unsigned())
    }
}

/// Losses of the last 32 packets from which silence is more of the same.
const LOSSY_PACKETS: u32 = 2;

/// Ticks over the round trip in which nothing of ours was acknowledged, from which our packets are lost.
const UNHEARD_TICKS: u64 = 4;

impl StallCause {
    /// The cause of a tick that is frozen for want of a peer's inputs or acknowledgements. The first that is
    /// true:
    ///
    /// 1. Our own program was late or ticks too often: [`OurSlowness`](Self::OurSlowness).
    /// 2. Nothing has come for more than two ticks and four times the jitter: [`TheirLoss`](Self::TheirLoss)
    ///    if at least two of the 32 packets before were lost, else [`Silence`](Self::Silence). Either is
    ///    judged again when the next packet comes: see [`after_silence`](Self::after_silence).
    /// 3. Packets come. They are behind us by at least two frames more than the way explains, and do not say
    ///    that they wait for us: [`TheirSlowness`](Self::TheirSlowness).
    /// 4. Nothing that we sent for four ticks, over a round trip and four times the jitter, has been
    ///    acknowledged: [`OurLoss`](Self::OurLoss).
    /// 5. The way here, with twice the jitter and a tick, is as long as the prediction window:
    ///    [`Link`](Self::Link).
    /// 6. At least two of the last 32 packets were lost: [`TheirLoss`](Self::TheirLoss).
    /// 7. Nothing stands out: [`Link`](Self::Link).
    #[must_use]
    pub fn of(facts: &StallFacts) -> Self {
        if facts.are_we_late {
            return Self::OurSlowness;
        }
        if facts.is_silent() {
            return if facts.missing_packets >= LOSSY_PACKETS { Self::TheirLoss } else { Self::Silence };
        }
        Self::while_heard(facts)
    }

    fn while_heard(facts: &StallFacts) -> Self {
        if facts.are_they_behind() {
            Self::TheirSlowness
        } else if facts.is_unheard_for(UNHEARD_TICKS * facts.tick_us) {
            Self::OurLoss
        } else if !facts.is_far() && facts.missing_packets >= LOSSY_PACKETS {
            Self::TheirLoss
        } else {
            Self::Link
        }
    }

    /// What a silence was, once a packet has ended it. The first that is true:
    ///
    /// 1. Packets before it are missing. Ours of more than half of that time were not acknowledged either:
    ///    [`Link`](Self::Link); else [`TheirLoss`](Self::TheirLoss).
    /// 2. Nothing is missing, and three or more frames came at once: they were under way,
    ///    [`Link`](Self::Link).
    /// 3. Nothing is missing, so nothing was sent: as while packets come, see [`of`](Self::of).
    #[must_use]
    pub fn after_silence(facts: &StallFacts, silence: &Silence) -> Self {
        if silence.missing_packets > 0 {
            let is_unheard = facts.is_unheard_for(silence.us / 2 + 2 * facts.tick_us);
            return if is_unheard { Self::Link } else { Self::TheirLoss };
        }
        if silence.frames >= 3 { Self::Link } else { Self::while_heard(facts) }
    }
}

/// A silence that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Silence {
    /// How long it was.
    pub us: u64,
    /// How many packets were lost in it.
    pub missing_packets: u64,
    /// How many frames of input came with its end.
    pub frames: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the ceiling over 100 ms there and back, with everything as it should be.
    const CALM: StallFacts = StallFacts {
        tick_us: 16_667,
        are_we_late: false,
        silent_us: 5_000,
        missing_packets: 0,
        unheard_us: 110_000,
        rtt_us: 100_000,
        jitter_us: 1_000,
        window_frames: 8,
        lag_frames: 8,
        their_lag_frames: Some(8),
        their_window_frames: 8,
    };

    #[test]
    fn each_cause_has_its_sign() {
        let cases = [
            ("late ourselves", StallFacts { are_we_late: true, silent_us: 90_000, ..CALM }, StallCause::OurSlowness),
            ("nothing comes", StallFacts { silent_us: 90_000, ..CALM }, StallCause::Silence),
            ("nothing comes after losses", StallFacts { silent_us: 90_000, missing_packets: 9, ..CALM }, StallCause::TheirLoss),
            ("they are behind", StallFacts { their_lag_frames: Some(-2), ..CALM }, StallCause::TheirSlowness),
            ("they wait with a smaller window", StallFacts { their_lag_frames: Some(4), their_window_frames: 4, ..CALM }, StallCause::Link),
            ("they do not hear us", StallFacts { unheard_us: 300_000, ..CALM }, StallCause::OurLoss),
            ("the way is long", StallFacts { rtt_us: 400_000, unheard_us: 410_000, missing_packets: 9, ..CALM }, StallCause::Link),
            ("some are lost", StallFacts { missing_packets: 9, ..CALM }, StallCause::TheirLoss),
            ("jitter", StallFacts { jitter_us: 40_000, missing_packets: 9, ..CALM }, StallCause::Link),
        ];
        for (name, facts, cause) in cases {
            assert_eq!(StallCause::of(&facts), cause, "{name}");
        }
    }

    #[test]
    fn what_ends_a_silence_says_what_it_was() {
        let after = |facts: StallFacts, missing_packets, frames| {
            StallCause::after_silence(&facts, &Silence { us: 500_000, missing_packets, frames })
        };
        assert_eq!(after(CALM, 30, 8), StallCause::TheirLoss);
        assert_eq!(after(StallFacts { unheard_us: 600_000, ..CALM }, 30, 8), StallCause::Link);
        assert_eq!(after(CALM, 0, 8), StallCause::Link);
        assert_eq!(after(StallFacts { their_lag_frames: Some(-7), ..CALM }, 0, 1), StallCause::TheirSlowness);
    }
}
