//! Whose world this is: histories live on authority only.

use core::fmt;

/// What the world is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldKind {
    /// A running game.
    Game,
    /// A game that runs inside an editor.
    PlayInEditor,
    /// An editor's own world.
    Editor,
    /// A preview of an asset in an editor.
    EditorPreview,
    /// A world that is not active now.
    Inactive,
    /// A world that is being torn down, or none.
    Invalid,
}

/// Who decides in this world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetRole {
    /// This program decides: a server, or a game without one.
    Authority,
    /// Another program decides.
    Client,
}

/// Why a world keeps no history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAuthority {
    /// A client: the server keeps it.
    Client,
    /// An editor, a preview, or no active world.
    World(WorldKind),
}

impl fmt::Display for NotAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client => write!(f, "a client keeps no rewind history: ask on the server"),
            Self::World(kind) => write!(f, "a world of kind {kind:?} keeps no rewind history: only a running game does"),
        }
    }
}

impl std::error::Error for NotAuthority {}

/// Whether a world may keep a history.
///
/// # Errors
/// If it is a client's, an editor's, a preview's, inactive or invalid.
pub const fn check_authority(kind: WorldKind, role: NetRole) -> Result<(), NotAuthority> {
    match (kind, role) {
        (WorldKind::Game | WorldKind::PlayInEditor, NetRole::Authority) => Ok(()),
        (WorldKind::Game | WorldKind::PlayInEditor, NetRole::Client) => Err(NotAuthority::Client),
        (other, _) => Err(NotAuthority::World(other)),
    }
}
