//! [`CliError`]: one line that says what was wrong and what to do, and the exit code that goes with it.

use core::fmt;

/// How the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// Every frame is confirmed and everybody agrees.
    Agreed,
    /// Peers disagree.
    Disagreed,
    /// What the user asked for is impossible.
    Usage,
    /// A replay is damaged, or of something that this build does not know.
    Corrupt,
    /// The network, a peer or the system does not play along.
    Environment,
    /// Ctrl-C.
    Interrupted,
    /// SIGTERM.
    Terminated,
}

impl Code {
    /// As the shell sees it.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Agreed => 0,
            Self::Disagreed => 1,
            Self::Usage => 2,
            Self::Corrupt => 3,
            Self::Environment => 4,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// The code with this number; anything unknown is the environment's fault.
    pub(crate) const fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Agreed,
            1 => Self::Disagreed,
            2 => Self::Usage,
            3 => Self::Corrupt,
            130 => Self::Interrupted,
            143 => Self::Terminated,
            _ => Self::Environment,
        }
    }
}

/// One line that says what was wrong and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CliError {
    code: Code,
    message: String,
}

impl CliError {
    pub(crate) fn new(code: Code, message: impl fmt::Display) -> Self {
        // One line, whatever a library put into its message.
        let message = message.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { code, message }
    }

    /// The user asked for something impossible.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Code::Usage, message)
    }

    /// The network, a peer or the system does not play along.
    pub(crate) fn environment(message: impl fmt::Display) -> Self {
        Self::new(Code::Environment, message)
    }

    /// Nobody is there to be told.
    pub(crate) fn silent(code: Code) -> Self {
        Self { code, message: String::new() }
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.message.is_empty()
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// The same, with the place in front.
    pub(crate) fn at(self, place: impl fmt::Display) -> Self {
        Self { message: format!("{place}: {}", self.message), ..self }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CliError {}
