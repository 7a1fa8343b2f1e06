//! [`FireGate`]: the clocks of all shooters, of bounded number.

use core::fmt;

use super::{AcceptedFire, FireClock, FireCounters, FirePolicy, FireRefusal, FireRequest};
use crate::{ActorId, InvalidRewindConfig};

/// Where fire requests of all shooters arrive.
///
/// All memory is taken when it is made. Only who was [admitted](Self::admit) can fire, so that
/// strangers cost nothing; whoever is gone must be [removed](Self::remove).
///
/// ```
/// use snapback_core::Quat;
/// use snapback_rewind::{ActorId, fire::{FireGate, FirePolicy, FireRefusal, FireRequest}};
/// let mut gate = FireGate::new(FirePolicy::default(), 64).unwrap();
/// gate.admit(ActorId(7), None, 0).unwrap();
/// let request = FireRequest::new(1, Quat::IDENTITY, 950_000, 100_000).unwrap();
/// let shot = gate.accept(1_000_000, ActorId(7), &request).unwrap();
/// assert_eq!((shot.fire_us, shot.view_delay_us), (950_000, 100_000));
/// assert_eq!(gate.accept(1_000_000, ActorId(7), &request), Err(FireRefusal::Duplicate { sequence: 1 }));
/// ```
#[derive(Clone, Debug)]
pub struct FireGate {
    policy: FirePolicy,
    max_shooters: usize,
    /// In the order of ids.
    shooters: Vec<(ActorId, FireClock)>,
    counters: FireCounters,
}

/// Why a shooter is not admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdmitError {
    /// The shooter is there already.
    AlreadyAdmitted,
    /// There is no room.
    Full {
        /// How many are admitted.
        max_shooters: usize,
    },
}

impl fmt::Display for AdmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyAdmitted => write!(f, "the shooter is admitted already"),
            Self::Full { max_shooters } => write!(f, "{max_shooters} shooters are admitted, which is all: remove who is gone"),
        }
    }
}

impl std::error::Error for AdmitError {}

impl FireGate {
    /// A gate for up to `max_shooters`, 1 to 65,536.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(policy: FirePolicy, max_shooters: usize) -> Result<Self, InvalidRewindConfig> {
        policy.validate()?;
        if !(1..=1 << 16).contains(&max_shooters) {
            return Err(InvalidRewindConfig { field: "max_shooters", value: max_shooters as u64, min: 1, max: 1 << 16 });
        }
        Ok(Self { policy, max_shooters, shooters: Vec::with_capacity(max_shooters), counters: FireCounters::default() })
    }

    /// The numbers it was made with.
    #[must_use]
    pub const fn policy(&self) -> &FirePolicy {
        &self.policy
    }

    /// What became of all requests so far.
    #[must_use]
    pub const fn counters(&self) -> &FireCounters {
        &self.counters
    }

    /// How many shooters are admitted.
    #[must_use]
    pub fn shooters(&self) -> usize {
        self.shooters.len()
    }

    /// Lets an actor fire, from now on. `lag_us` is their lag if it is known, such as half of the connection's
    /// round trip, or what [`FireClock::usual_lag_us`] said about the same player's last actor. Without
    /// it the first shot's lag is believed.
    ///
    /// # Errors
    /// If the actor is there already, or there is no room.
    pub fn admit(&mut self, shooter: ActorId, lag_us: Option<u64>, now_us: u64) -> Result<(), AdmitError> {
        let at = self.find(shooter).err().ok_or(AdmitError::AlreadyAdmitted)?;
        if self.shooters.len() >= self.max_shooters {
            return Err(AdmitError::Full { max_shooters: self.max_shooters });
        }
        let clock = lag_us.map_or_else(FireClock::default, |lag_us| FireClock::with_lag(lag_us, now_us));
        self.shooters.insert(at, (shooter, clock));
        Ok(())
    }

    /// Forgets an actor that is gone. Whether it was there.
    pub fn remove(&mut self, shooter: ActorId) -> bool {
        let found = self.find(shooter);
        if let Ok(at) = found {
            self.shooters.remove(at);
        }
        found.is_ok()
    }

    /// The clock of a shooter.
    #[must_use]
    pub fn clock(&self, shooter: ActorId) -> Option<&FireClock> {
        Some(&self.shooters.get(self.find(shooter).ok()?)?.1)
    }

    /// Takes another message of a shooter as evidence of lag: see [`FireClock::observe`]. Strangers'
    /// are ignored.
    pub fn observe(&mut self, shooter: ActorId, sent_us: u64, now_us: u64) {
        if let Ok(at) = self.find(shooter) {
            self.shooters[at].1.observe(sent_us, now_us, &self.policy);
        }
    }

    /// Judges a request that arrives at `now_us`: see [`FireClock::accept`].
    ///
    /// `now_us` is the time of the server's tick that handles it, the newest of the history: then a
    /// projectile's life in the history begins when it was accepted.
    ///
    /// # Errors
    /// Counted by reason.
    pub fn accept(&mut self, now_us: u64, shooter: ActorId, request: &FireRequest) -> Result<AcceptedFire, FireRefusal> {
        let Ok(at) = self.find(shooter) else {
            self.counters.refuse(FireRefusal::UnknownShooter);
            return Err(FireRefusal::UnknownShooter);
        };
        self.shooters[at].1.accept(now_us, shooter, request, &self.policy, &mut self.counters)
    }

    /// The same for the bytes of a request, which may be anything.
    ///
    /// # Errors
    /// Counted by reason.
    pub fn accept_bytes(&mut self, now_us: u64, shooter: ActorId, bytes: &[u8]) -> Result<AcceptedFire, FireRefusal> {
        match FireRequest::decode(bytes) {
            Ok(request) => self.accept(now_us, shooter, &request),
            Err(reason) => {
                self.counters.refuse(FireRefusal::Malformed(reason));
                Err(FireRefusal::Malformed(reason))
            }
        }
    }

    fn find(&self, shooter: ActorId) -> Result<usize, usize> {
        self.shooters.binary_search_by_key(&shooter, |(id, _)| *id)
    }
}
