//! What a player's process tells the duel: length-prefixed messages on its stdout.
//!
//! A message is a little-endian `u32` length and as many bytes, the first of which says what it is:
//! a confirmed frame, in binary because there is one for every frame, or anything else as JSON.

use crate::progress::Live;
use crate::report::PeerReport;
use crate::side_channels::ChannelNews;
use crate::telemetry::kept::NewLines;
use serde::{Deserialize, Serialize};
use snapback::sim::PadInput;
use snapback::{Command, ConfirmedFrame, Frame, InputStatus, PlayerInput, StateHash};
use std::io::{self, ErrorKind, Read, Write};

/// Far above any message; a longer one is a broken pipe.
const MAX_MESSAGE_BYTES: usize = 1 << 20;

const FRAME: u8 = 0;
const NOTE: u8 = 1;

/// Bytes of one player's input: buttons, status, command kind, command payload.
const INPUT_BYTES: usize = 2 + 1 + 1 + PAYLOAD_BYTES;
const PAYLOAD_BYTES: usize = snapback::limits::MAX_COMMAND_BYTES;

/// A confirmed frame as a peer claims it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FrameClaim {
    pub(crate) frame: Frame,
    pub(crate) state_hash: StateHash,
    pub(crate) inputs: Vec<PlayerInput<PadInput>>,
    pub(crate) snapshot: Vec<u8>,
}

/// Everything that is not a frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Note {
    /// The host listens; these are its tickets, one for each of the others or one for all of them.
    Ready { tickets: Vec<String> },
    /// It plays for this player.
    Seated { player: usize },
    /// How it goes.
    Progress { live: Live, report: Box<PeerReport> },
    /// What is new in its rings.
    Recorded(NewLines),
    /// What came over the channels.
    Channels(ChannelNews),
    /// A file that it was to leave could not be written.
    Unwritten { message: String },
    /// Every frame was played and confirmed.
    Done { live: Live, report: Box<PeerReport> },
    /// It did not come to that.
    Failed { code: u8, message: String },
}

/// One message.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Frame(FrameClaim),
    Note(Note),
}

/// Writes a confirmed frame.
pub(crate) fn write_frame(out: &mut impl Write, frame: &ConfirmedFrame<'_, PadInput>) -> io::Result<()> {
    let len = 1 + 8 + 4 + 1 + frame.inputs.len() * INPUT_BYTES + frame.snapshot.len();
    out.write_all(&(len as u32).to_le_bytes())?;
    out.write_all(&[FRAME])?;
    out.write_all(&frame.frame.number().to_le_bytes())?;
    out.write_all(&frame.state_hash.bits().to_le_bytes())?;
    out.write_all(&[frame.inputs.len() as u8])?;
    for PlayerInput { input, command, status } in frame.inputs {
        let mut payload = [0; PAYLOAD_BYTES];
        for (byte, given) in payload.iter_mut().zip(command.payload()) {
            *byte = *given;
        }
        out.write_all(&input.buttons.to_le_bytes())?;
        out.write_all(&[u8::from(*status == InputStatus::Disconnected), command.kind()])?;
        out.write_all(&payload)?;
    }
    out.write_all(frame.snapshot)
}

/// Writes anything else.
pub(crate) fn write_note(out: &mut impl Write, note: &Note) -> io::Result<()> {
    let json = serde_json::to_vec(note).map_err(io::Error::from)?;
    out.write_all(&(json.len() as u32 + 1).to_le_bytes())?;
    out.write_all(&[NOTE])?;
    out.write_all(&json)?;
    out.flush()
}

/// The next message; none at the end.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Option<Message>> {
    let mut len = [0; 4];
    match input.read_exact(&mut len) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let len = u32::from_le_bytes(len) as usize;
    if len == 0 || len > MAX_MESSAGE_BYTES {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; len];
    input.read_exact(&mut bytes)?;
    let message = match bytes.split_first() {
        Some((&FRAME, body)) => parse_frame(body).map(Message::Frame),
        Some((&NOTE, body)) => serde_json::from_slice(body).ok().map(Message::Note),
        _ => None,
    };
    message.map(Some).ok_or_else(|| ErrorKind::InvalidData.into())
}

fn parse_frame(body: &[u8]) -> Option<FrameClaim> {
    let (frame, body) = body.split_first_chunk::<8>()?;
    let (hash, body) = body.split_first_chunk::<4>()?;
    let (count, body) = body.split_first()?;
    let (inputs, snapshot) = body.split_at_checked(usize::from(*count) * INPUT_BYTES)?;
    let inputs = inputs.as_chunks::<INPUT_BYTES>().0.iter().map(|[low, high, gone, kind, payload @ ..]| {
        let status = if *gone == 0 { InputStatus::Confirmed } else { InputStatus::Disconnected };
        let input = PadInput::new(u16::from_le_bytes([*low, *high]));
        Command::new(*kind, payload).map(|command| PlayerInput { input, command, status })
    });
    Some(FrameClaim {
        frame: Frame::new(i64::from_le_bytes(*frame)),
        state_hash: StateHash::from_bits(u32::from_le_bytes(*hash)),
        inputs: inputs.collect::<Option<_>>()?,
        snapshot: snapshot.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_out_as_they_went_in_and_every_cut_is_noticed() {
        let inputs = [
            PlayerInput { input: PadInput::new(0x3FF), command: Command::new(64, &[1, 2]).unwrap(), status: InputStatus::Confirmed },
            PlayerInput { input: PadInput::new(1), command: Command::NONE, status: InputStatus::Disconnected },
        ];
        let frame = ConfirmedFrame { frame: Frame::new(77), inputs: &inputs, state_hash: StateHash::from_bits(9), snapshot: &[1, 2, 3] };
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &frame).unwrap();
        write_note(&mut bytes, &Note::Failed { code: 4, message: "x".to_owned() }).unwrap();
        let mut input = bytes.as_slice();
        let Some(Message::Frame(claim)) = read(&mut input).unwrap() else { panic!("no frame") };
        assert_eq!((claim.frame, claim.state_hash), (frame.frame, frame.state_hash));
        assert_eq!((claim.inputs.as_slice(), claim.snapshot.as_slice()), (frame.inputs, frame.snapshot));
        assert!(matches!(read(&mut input), Ok(Some(Message::Note(Note::Failed { code: 4, .. })))));
        assert!(matches!(read(&mut input), Ok(None)));
        for len in 4..20 {
            assert!(read(&mut &bytes[..len]).is_err(), "{len}");
        }
        assert!(read(&mut [0; 8].as_slice()).is_err());
        assert!(read(&mut [255; 8].as_slice()).is_err());
    }
}
