//! [`FireClock`]: what is known about the shots of one shooter, and what their next claim is worth.

use core::fmt;
use core::ops::RangeInclusive;

use super::steady::Steady;
use super::{AcceptedFire, FireClamp, FireCounters, FirePolicy, FireRequest, FireRequestError, OnClamp};
use crate::ActorId;

/// How many sequences are remembered, the highest included.
pub const WINDOW: u32 = 64;

/// Why a shot was refused. It leaves its count behind, nothing else: its sequence is still free. Only what a
/// [claim](Self::Claim) told about lag is kept, or else nobody's lag could grow under a policy that
/// refuses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FireRefusal {
    /// The shooter is not known.
    UnknownShooter,
    /// It is no request.
    Malformed(FireRequestError),
    /// It came before.
    Duplicate {
        /// Which shot.
        sequence: u32,
    },
    /// It is below the window, so nobody knows whether it came before.
    SequenceTooOld {
        /// Which shot.
        sequence: u32,
        /// The highest that was accepted.
        highest: u32,
    },
    /// It is too far over the highest.
    SequenceJump {
        /// Which shot.
        sequence: u32,
        /// The highest that was accepted.
        highest: u32,
    },
    /// The policy refuses such claims, or no time is left.
    Claim(FireClamp),
}

impl fmt::Display for FireRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownShooter => write!(f, "the shooter is not known: admit the actor to the gate first"),
            Self::Malformed(reason) => reason.fmt(f),
            Self::Duplicate { sequence } => write!(f, "shot {sequence} was accepted before"),
            Self::SequenceTooOld { sequence, highest } => {
                write!(f, "shot {sequence} is {WINDOW} or more below shot {highest}: send shots in order")
            }
            Self::SequenceJump { sequence, highest } => write!(f, "shot {sequence} is too far over shot {highest}: count up by one"),
            Self::Claim(claim) => write!(f, "the policy refuses a shot whose claim is {claim:?}"),
        }
    }
}

impl std::error::Error for FireRefusal {}

/// What is known about the shots of one shooter. Its size is fixed.
#[derive(Clone, Debug)]
pub struct FireClock {
    /// The highest accepted sequence.
    highest: Option<u32>,
    /// Bit `n`: `highest - n` was accepted.
    seen: u64,
    /// Fire times of what was accepted, each at its sequence modulo [`WINDOW`]. They never fall with
    /// the sequence.
    fires_us: [u64; WINDOW as usize],
    /// The latest fire time below the window.
    floor_us: u64,
    now_us: u64,
    lag: Steady,
    view_delay: Steady,
}

impl Default for FireClock {
    fn default() -> Self {
        Self {
            highest: None,
            seen: 0,
            fires_us: [0; WINDOW as usize],
            floor_us: 0,
            now_us: 0,
            lag: Steady::default(),
            view_delay: Steady::default(),
        }
    }
}

/// The claims that were not believed, one bit each.
#[derive(Clone, Copy, Default)]
struct Claims(u8);

impl Claims {
    fn note(&mut self, claim: FireClamp, policy: &FirePolicy) -> Result<(), FireRefusal> {
        self.0 |= 1 << claim as u8;
        if policy.on(claim) == OnClamp::Refuse { Err(FireRefusal::Claim(claim)) } else { Ok(()) }
    }
}

impl FireClock {
    /// A shooter whose lag is known, such as half of the connection's round trip. Without it the
    /// first shot's lag is believed.
    #[must_use]
    pub fn with_lag(lag_us: u64, now_us: u64) -> Self {
        Self { lag: Steady::known(lag_us, now_us), now_us, ..Self::default() }
    }

    /// The shooter's usual lag: the least one of late. Nothing before the first shot.
    #[must_use]
    pub const fn usual_lag_us(&self) -> Option<u64> {
        self.lag.usual_us()
    }

    /// Takes another message of the shooter as evidence of lag: one that was sent at `sent_us` by
    /// their clock of the server's time, such as an input. So an honest lag that grows is known
    /// before the next shot.
    pub fn observe(&mut self, sent_us: u64, now_us: u64, policy: &FirePolicy) {
        self.now_us = self.now_us.max(now_us);
        let lag_us = self.now_us.saturating_sub(sent_us).min(policy.max_rewind_us);
        self.lag.observe(lag_us, self.now_us, policy.lag);
    }

    /// Judges a request that arrives at `now_us`. A time before the last call's counts as the last call's.
    ///
    /// What is accepted was fired at `now - max_rewind` or later and not after now, not before an
    /// accepted shot of a lower sequence and not after one of a higher.
    ///
    /// # Errors
    /// If the sequence came before, or is out of reach, or the policy refuses what it claims.
    pub fn accept(
        &mut self,
        now_us: u64,
        shooter: ActorId,
        request: &FireRequest,
        policy: &FirePolicy,
        counters: &mut FireCounters,
    ) -> Result<AcceptedFire, FireRefusal> {
        let now_us = self.now_us.max(now_us);
        let judged = self.check_sequence(request.sequence(), policy).and_then(|()| {
            let judged = self.judge(now_us, request, policy);
            self.observe(request.fire_us(), now_us, policy);
            self.view_delay.observe(request.view_delay_us().into(), now_us, policy.view_delay);
            judged
        });
        let (fire_us, view_delay_us, claims) = judged.inspect_err(|&refusal| counters.refuse(refusal))?;
        counters.accepted += 1;
        counters.late += u64::from(self.highest.is_some_and(|highest| request.sequence() < highest));
        for claim in FireClamp::ALL {
            if claims.0 & 1 << claim as u8 != 0 {
                counters.clamp(claim);
            }
        }
        self.remember(request.sequence(), fire_us);
        Ok(AcceptedFire {
            shooter,
            sequence: request.sequence(),
            rotation: request.rotation().normalise(),
            fire_us,
            view_delay_us,
            accepted_us: now_us,
        })
    }

    fn check_sequence(&self, sequence: u32, policy: &FirePolicy) -> Result<(), FireRefusal> {
        let Some(highest) = self.highest else { return Ok(()) };
        match highest.checked_sub(sequence) {
            None if sequence - highest > policy.max_sequence_jump => Err(FireRefusal::SequenceJump { sequence, highest }),
            None => Ok(()),
            Some(below) if below >= WINDOW => Err(FireRefusal::SequenceTooOld { sequence, highest }),
            Some(_) if self.has(sequence) => Err(FireRefusal::Duplicate { sequence }),
            Some(_) => Ok(()),
        }
    }

    /// The believed fire time and view delay.
    fn judge(&self, now_us: u64, request: &FireRequest, policy: &FirePolicy) -> Result<(u64, u32, Claims), FireRefusal> {
        let mut claims = Claims::default();
        let mut fire_us = request.fire_us();
        if fire_us > now_us {
            let tolerated = fire_us - now_us <= policy.future_tolerance_us;
            claims.note(FireClamp::Future, policy).or_else(|refusal| if tolerated { Ok(()) } else { Err(refusal) })?;
            fire_us = now_us;
        }
        let oldest_us = now_us.saturating_sub(policy.max_rewind_us);
        if fire_us < oldest_us {
            claims.note(FireClamp::Old, policy)?;
            fire_us = oldest_us;
        }
        let steady_us = now_us.saturating_sub(self.lag.limit_us(policy.lag));
        if fire_us < steady_us {
            claims.note(FireClamp::Unsteady, policy)?;
            fire_us = steady_us;
        }
        let order_us = self.neighbours_us(request.sequence());
        let (earlier_us, later_us) = (*order_us.start(), *order_us.end());
        if fire_us < earlier_us {
            claims.note(FireClamp::BeforeEarlier, policy)?;
            fire_us = earlier_us;
        }
        if fire_us > later_us {
            if later_us < oldest_us {
                return Err(FireRefusal::Claim(FireClamp::Overtaken));
            }
            claims.note(if later_us < steady_us { FireClamp::Overtaken } else { FireClamp::AfterLater }, policy)?;
            fire_us = later_us;
        }
        let mut view_delay_us = request.view_delay_us();
        if view_delay_us > policy.max_view_delay_us {
            claims.note(FireClamp::LongViewDelay, policy)?;
            view_delay_us = policy.max_view_delay_us;
        }
        let steady_us = u32::try_from(self.view_delay.limit_us(policy.view_delay)).unwrap_or(u32::MAX);
        if view_delay_us > steady_us {
            claims.note(FireClamp::UnsteadyViewDelay, policy)?;
            view_delay_us = steady_us;
        }
        Ok((fire_us, view_delay_us, claims))
    }

    /// The fire times of the accepted shots just below and above a sequence.
    fn neighbours_us(&self, sequence: u32) -> RangeInclusive<u64> {
        let Some(highest) = self.highest else { return 0..=u64::MAX };
        let lowest = highest.saturating_sub(WINDOW - 1);
        let fire_us = |sequence: &u32| self.fires_us[(sequence % WINDOW) as usize];
        let below = (lowest..sequence.min(highest.saturating_add(1))).rev().find(|&below| self.has(below));
        let above = (sequence.saturating_add(1)..=highest).find(|&above| self.has(above));
        below.as_ref().map_or(self.floor_us, fire_us)..=above.as_ref().map_or(u64::MAX, fire_us)
    }

    /// Whether a sequence of the window was accepted.
    fn has(&self, sequence: u32) -> bool {
        let below = self.highest.and_then(|highest| highest.checked_sub(sequence));
        below.is_some_and(|below| below < WINDOW && self.seen & 1 << below != 0)
    }

    fn remember(&mut self, sequence: u32, fire_us: u64) {
        let old = self.highest.unwrap_or(sequence);
        if let Some(up) = sequence.checked_sub(old).filter(|&up| up > 0) {
            let lowest = sequence.saturating_sub(WINDOW - 1);
            for gone in old.saturating_sub(WINDOW - 1)..lowest.min(old + 1) {
                if self.has(gone) {
                    self.floor_us = self.floor_us.max(self.fires_us[(gone % WINDOW) as usize]);
                }
            }
            self.seen = self.seen.checked_shl(up).unwrap_or(0);
        }
        let highest = old.max(sequence);
        self.highest = Some(highest);
        self.seen |= 1 << (highest - sequence);
        self.fires_us[(sequence % WINDOW) as usize] = fire_us;
    }
}
