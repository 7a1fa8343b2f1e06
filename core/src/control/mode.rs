//! [`NetMode`]: how a match is played over its network.

use core::fmt;

/// How a match is played over its network. The state only notes it, so that everybody and every recording
/// says the same; what a peer does about it is its own.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum NetMode {
    /// Predict and roll back.
    #[default]
    Rollback,
    /// Predict less and delay more.
    Hybrid,
    /// Wait for every input.
    Delay,
}

impl NetMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Rollback, Self::Hybrid, Self::Delay];

    pub(super) const fn to_byte(self) -> u8 {
        self as u8 + 1
    }

    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte.checked_sub(1)?)).copied()
    }
}

impl fmt::Display for NetMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rollback => "rollback",
            Self::Hybrid => "hybrid",
            Self::Delay => "delay",
        })
    }
}
