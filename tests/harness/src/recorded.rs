//! [`FgFile`]: recorded human inputs.

use core::fmt;

/// Larger files are refused before they are read into frames.
pub const MAX_FILE_BYTES: usize = 64 << 20;

const MAGIC: &[u8; 8] = b"H6FG0001";

/// A recorded match of digital inputs: a `.fg` file.
///
/// 8 bytes `H6FG0001`, a little-endian `u32` H, 4 zero bytes, H bytes of JSON padded with spaces,
/// then one little-endian `u16` per player per frame, frame by frame, players in the order of the
/// header's `ports`. Its bits are those of [`PadInput`](snapback::sim::PadInput), all ten of them,
/// in the same order:
///
/// | bit | recorded | our button |
/// |---|---|---|
/// | 0, 1, 2, 3 | up, down, left, right | `UP`, `DOWN`, `LEFT`, `RIGHT` |
/// | 4 | A | `LIGHT` |
/// | 5 | B | `HEAVY` |
/// | 6 | Z | `GRAB` |
/// | 7 | X or Y | `JUMP` |
/// | 8 | shield (L, R or a trigger) | `GUARD` |
/// | 9 | C-stick | `SPECIAL` |
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FgFile {
    ports: Vec<u8>,
    buttons: Vec<u16>,
}

/// Why bytes are not a file of recorded inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FgError {
    /// It does not begin like one.
    NotAnInputFile,
    /// It is larger than [`MAX_FILE_BYTES`].
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// It ends inside its header.
    CutHeader,
    /// Its header is not what it should be.
    BadHeader {
        /// What is wrong with it.
        reason: String,
    },
    /// It has fewer or more frames than its header says.
    WrongLength {
        /// What the header says, in bytes after the header.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// It has no player at that port.
    NoSuchPort {
        /// What was asked for.
        port: u8,
        /// What it has.
        ports: Vec<u8>,
    },
}

impl fmt::Display for FgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnInputFile => f.write_str("it does not begin with H6FG0001: give a .fg file of recorded inputs"),
            Self::TooLarge { bytes } => write!(f, "it has {bytes} bytes, more than the {MAX_FILE_BYTES} that are read"),
            Self::CutHeader => f.write_str("it ends inside its header: copy it again"),
            Self::BadHeader { reason } => write!(f, "its header is not valid: {reason}"),
            Self::WrongLength { expected, found } => {
                write!(f, "its header promises {expected} bytes of inputs and it has {found}: copy it again")
            }
            Self::NoSuchPort { port, ports } => write!(f, "it has no player at port {port}: its ports are {ports:?}"),
        }
    }
}

impl std::error::Error for FgError {}

#[derive(serde::Deserialize)]
struct Header {
    frames: usize,
    players: usize,
    ports: Vec<u8>,
}

impl FgFile {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, FgError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(FgError::TooLarge { bytes: bytes.len() });
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(FgError::NotAnInputFile)?;
        let (header_len, rest) = rest.split_first_chunk::<4>().ok_or(FgError::CutHeader)?;
        let (_, rest) = rest.split_first_chunk::<4>().ok_or(FgError::CutHeader)?;
        let (json, inputs) = rest.split_at_checked(u32::from_le_bytes(*header_len) as usize).ok_or(FgError::CutHeader)?;
        let Header { frames, players, ports } =
            serde_json::from_slice(json).map_err(|error| FgError::BadHeader { reason: error.to_string() })?;
        if players == 0 || ports.len() != players || frames == 0 {
            let reason = format!("{frames} frames of {players} players at {} ports", ports.len());
            return Err(FgError::BadHeader { reason });
        }
        let expected = frames.saturating_mul(players).saturating_mul(2);
        if inputs.len() != expected {
            return Err(FgError::WrongLength { expected, found: inputs.len() });
        }
        let buttons = inputs.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
        Ok(Self { ports, buttons })
    }

    /// The ports that have players, in the order of the file.
    #[must_use]
    pub fn ports(&self) -> &[u8] {
        &self.ports
    }

    /// How many frames there are.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.buttons.len() / self.ports.len().max(1)
    }

    /// The inputs of the player at `port`, frame by frame.
    ///
    /// # Errors
    /// If there is no player at that port.
    pub fn port(&self, port: u8) -> Result<Vec<u16>, FgError> {
        let place = self.ports.iter().position(|p| *p == port).ok_or_else(|| FgError::NoSuchPort { port, ports: self.ports.clone() })?;
        Ok(self.buttons.iter().skip(place).step_by(self.ports.len().max(1)).copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(json: &str, inputs: &[u16]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(json.as_bytes());
        bytes.extend(inputs.iter().flat_map(|input| input.to_le_bytes()));
        bytes
    }

    #[test]
    fn players_come_from_the_ports_and_all_ten_bits_are_kept() {
        let bytes = file(r#"{"frames":2,"players":2,"ports":[1,4],"game":"x"}   "#, &[0x3FF, 1, 0x200, 2]);
        let parsed = FgFile::parse(&bytes).unwrap();
        assert_eq!((parsed.ports(), parsed.frame_count()), (&[1, 4][..], 2));
        assert_eq!(parsed.port(1), Ok(vec![0x3FF, 0x200]));
        assert_eq!(parsed.port(4), Ok(vec![1, 2]));
        assert_eq!(parsed.port(2), Err(FgError::NoSuchPort { port: 2, ports: vec![1, 4] }));
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = file(r#"{"frames":2,"players":1,"ports":[1]}"#, &[1, 2]);
        for len in 0..bytes.len() {
            assert!(FgFile::parse(&bytes[..len]).is_err(), "{len}");
        }
        assert!(matches!(FgFile::parse(&file("{}", &[])), Err(FgError::BadHeader { .. })));
        assert!(matches!(FgFile::parse(&file(r#"{"frames":1,"players":0,"ports":[]}"#, &[])), Err(FgError::BadHeader { .. })));
    }
}
