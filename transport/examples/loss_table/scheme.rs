//! What is sent beside the packet of the frame.

use snapback_transport::fec::NeedState;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Never,
    Always,
    ByNeed,
}

impl When {
    pub(crate) fn is_on(self, need: NeedState) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::ByNeed => need == NeedState::On,
        }
    }
}

/// Which frame is sent a second time, and when.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// The newest, in the middle between two frames.
    HalfAFrameLater,
    /// The newest, at once.
    AtOnce,
    /// The one so many frames before the newest, together with it.
    FramesLater(i64),
}

#[derive(Clone, Copy)]
pub(crate) struct Scheme {
    pub(crate) name: &'static str,
    pub(crate) parity: When,
    /// Whether the parity waits for the middle between two frames.
    pub(crate) parity_waits: bool,
    pub(crate) copies: When,
    pub(crate) again: Again,
}

const NONE: Scheme = Scheme { name: "none", parity: When::Never, parity_waits: false, copies: When::Never, again: Again::HalfAFrameLater };

pub(crate) const SCHEMES: &[Scheme] = &[
    NONE,
    Scheme { name: "parity of 4", parity: When::Always, ..NONE },
    Scheme { name: "parity of 4, half a frame later", parity: When::Always, parity_waits: true, ..NONE },
    Scheme { name: "parity of 4 by need", parity: When::ByNeed, ..NONE },
    Scheme { name: "copy at once", copies: When::Always, again: Again::AtOnce, ..NONE },
    Scheme { name: "copy 3 frames later", copies: When::Always, again: Again::FramesLater(3), ..NONE },
    Scheme { name: "copy half a frame later", copies: When::Always, ..NONE },
    Scheme { name: "copy half a frame later by need", copies: When::ByNeed, ..NONE },
    Scheme { name: "parity and copy by need", parity: When::ByNeed, copies: When::ByNeed, ..NONE },
];
