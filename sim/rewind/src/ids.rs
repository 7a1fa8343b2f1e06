//! Who is who: actors and components of the host, hitboxes of the history, teams.

/// An actor of the host. The host gives the number; a destroyed actor's number may come again only
/// after its hitboxes are gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActorId(pub u64);

/// A component of an actor of the host, such as the capsule that a hitbox follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId(pub u64);

/// A registered hitbox. Never names another hitbox than the one that it was given for: the place of
/// one that is gone is used again under another generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HitboxId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl HitboxId {
    /// Its place: unique among the hitboxes that are in the history now. Ties of two hits go to the
    /// smaller one.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How often its place was used before.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// A team of the match, or none. None is no team: two actors without one are not in the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MatchTeam(pub(crate) u16);

impl MatchTeam {
    /// Without a team: neutral.
    pub const NONE: Self = Self(u16::MAX);

    /// Team `number`, or [`MatchTeam::NONE`] for 65,535.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Its number, unless it is none.
    #[must_use]
    pub const fn number(self) -> Option<u16> {
        if self.0 == Self::NONE.0 { None } else { Some(self.0) }
    }

    /// Whether both are in one team. Nobody shares [`MatchTeam::NONE`].
    ///
    /// ```
    /// use snapback_rewind::MatchTeam;
    /// assert!(MatchTeam::new(1).is_same(MatchTeam::new(1)));
    /// assert!(!MatchTeam::NONE.is_same(MatchTeam::NONE));
    /// ```
    #[must_use]
    pub const fn is_same(self, other: Self) -> bool {
        self.0 == other.0 && self.0 != Self::NONE.0
    }
}

impl Default for MatchTeam {
    fn default() -> Self {
        Self::NONE
    }
}
