//! [`Filter`]: which messages of another end ggrs may see.

use super::message::{Body, Heard, Inputs};
use super::runs::Runs;
use std::collections::VecDeque;

/// How far a player's newest input may be ahead of our own newest, in frames. Honest ones are ahead by a
/// prediction window and an input delay at most, both at most 30; ggrs keeps 128 inputs of a player and panics at
/// the next.
const MOST_AHEAD_FRAMES: i32 = 60;

/// The most inputs in one packet: ggrs gives a peer up that owes it more acknowledgements.
const MOST_INPUTS: usize = 129;

/// No match of ggrs lasts longer than a year: its frames have 32 bits.
const LAST_FRAME: i32 = i32::MAX / 2;

/// Pings whose echo may still come: six seconds' worth.
const PINGS: usize = 32;

/// What another end of an [`EncryptedSocket`](super::EncryptedSocket) is to this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GgrsPeer {
    /// It plays: a `PlayerType::Remote`.
    Player {
        /// For how many players, usually 1.
        players: usize,
    },
    /// It watches us: a `PlayerType::Spectator`.
    Spectator,
    /// We watch it: it is the host of a `SpectatorSession`.
    Host,
}

/// What both ends of a ggrs match have agreed on, without which messages cannot be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GgrsRules {
    /// How many players there are.
    pub player_count: usize,
    /// [`InputBlock::BYTES`](super::InputBlock::BYTES).
    pub input_bytes: usize,
    /// Whether checksums are exchanged: `DesyncDetection::On`.
    pub checksums: bool,
}

/// Why a message, or a part of it, was kept from ggrs. Each but the first two would make ggrs 0.13 panic, or keep
/// memory without bounds, in one build or another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusedMessage {
    /// It is none.
    Malformed,
    /// It acknowledges frames that were never sent.
    Acknowledgement,
    /// Its sender has no inputs to send.
    NotAPlayer,
    /// Its inputs are not what inputs are.
    Inputs,
    /// Its frames are too far ahead, or a gap is before them.
    Frames,
    /// It says that a player is gone: that is taken out of it, and the rest passes. ggrs would play everything
    /// again from the last frame of that player that any peer owns up to, and panics if that is further back than
    /// it can go; a peer that never owned up to any can say so at any time. What this costs where three or more
    /// play stands at [`EncryptedSocket`](super::EncryptedSocket).
    Disconnect,
    /// It answers a ping that was never sent.
    Echo,
    /// It is a checksum that nobody asked for, or of a frame that is not due.
    Checksum,
}

impl RefusedMessage {
    pub(super) const COUNT: usize = 8;
}

/// Checks what one other end says. Knows what it was told itself, from the messages that it passes out.
#[derive(Debug)]
pub(super) struct Filter {
    peer: GgrsPeer,
    rules: GgrsRules,
    runs: Runs,
    /// The newest frame for which it has sent inputs, and for which it was sent some.
    heard_frame: i32,
    sent_frame: i32,
    checked_frame: i32,
    pings: VecDeque<u128>,
}

impl Filter {
    pub(super) fn new(peer: GgrsPeer, rules: GgrsRules) -> Self {
        Self {
            peer,
            rules,
            runs: Runs::default(),
            heard_frame: -1,
            sent_frame: -1,
            checked_frame: -1,
            pings: VecDeque::with_capacity(PINGS),
        }
    }

    /// Takes note of a message that goes out to that end.
    pub(super) fn note(&mut self, heard: &Heard<'_>, local_players: usize) {
        match &heard.body {
            Body::QualityReport { ping, .. } => {
                if self.pings.len() == PINGS {
                    self.pings.pop_front();
                }
                self.pings.push_back(*ping);
            }
            Body::Input(inputs) => {
                // A spectator is sent everybody's.
                let players = if self.peer == GgrsPeer::Spectator { self.rules.player_count } else { local_players };
                if let Some(count) = self.runs.count(inputs.bytes, players * self.rules.input_bytes, MOST_INPUTS) {
                    self.sent_frame = self.sent_frame.max(last_of(inputs.start_frame, count));
                }
            }
            _ => {}
        }
    }

    /// Whether ggrs may see a message of that end. What it must not see of one that it may is
    /// [taken out](Self::take_out) afterwards.
    pub(super) fn check(&mut self, heard: &Heard<'_>) -> Result<(), RefusedMessage> {
        match &heard.body {
            Body::SyncRequest { .. } | Body::SyncReply { .. } | Body::QualityReport { .. } | Body::KeepAlive => Ok(()),
            Body::Input(inputs) => self.check_inputs(inputs),
            Body::InputAck { ack_frame } => self.check_ack(*ack_frame),
            Body::QualityReply { pong } if self.pings.contains(pong) => Ok(()),
            Body::QualityReply { .. } => Err(RefusedMessage::Echo),
            Body::ChecksumReport { frame, .. } => self.check_checksum(*frame),
        }
    }

    /// Makes a message say nothing that ggrs must not believe. Whether it did.
    pub(super) fn take_out(&self, heard: &mut Heard<'_>) -> bool {
        let Body::Input(inputs) = &mut heard.body else { return false };
        // A host is all that its spectator knows of anybody.
        if self.peer == GgrsPeer::Host {
            return false;
        }
        let mut any = false;
        for status in &mut inputs.statuses {
            any |= core::mem::take(&mut status.disconnected);
        }
        any
    }

    fn check_ack(&self, ack_frame: i32) -> Result<(), RefusedMessage> {
        if (-1..=self.sent_frame).contains(&ack_frame) { Ok(()) } else { Err(RefusedMessage::Acknowledgement) }
    }

    fn check_inputs(&mut self, inputs: &Inputs<'_>) -> Result<(), RefusedMessage> {
        let players = match self.peer {
            GgrsPeer::Player { players } => players,
            GgrsPeer::Host => self.rules.player_count,
            GgrsPeer::Spectator => return Err(RefusedMessage::NotAPlayer),
        };
        self.check_ack(inputs.ack_frame)?;
        if inputs.statuses.len() != self.rules.player_count {
            return Err(RefusedMessage::Inputs);
        }
        let is_player = self.peer != GgrsPeer::Host;
        let count = self.runs.count(inputs.bytes, players * self.rules.input_bytes, MOST_INPUTS).ok_or(RefusedMessage::Inputs)?;
        // The first inputs may begin later than frame 0, by the input delay.
        let latest_start = if self.heard_frame < 0 { MOST_AHEAD_FRAMES } else { self.heard_frame + 1 };
        if !(0..=latest_start).contains(&inputs.start_frame) {
            return Err(RefusedMessage::Frames);
        }
        let newest = last_of(inputs.start_frame, count);
        if newest > LAST_FRAME || is_player && newest > self.sent_frame + MOST_AHEAD_FRAMES {
            return Err(RefusedMessage::Frames);
        }
        self.heard_frame = self.heard_frame.max(newest);
        Ok(())
    }

    /// In order and one for a frame: then ggrs keeps a bounded number of them.
    fn check_checksum(&mut self, frame: i32) -> Result<(), RefusedMessage> {
        let is_expected = self.rules.checksums && matches!(self.peer, GgrsPeer::Player { .. });
        if !is_expected || frame <= self.checked_frame || frame > self.sent_frame + MOST_AHEAD_FRAMES {
            return Err(RefusedMessage::Checksum);
        }
        self.checked_frame = frame;
        Ok(())
    }
}

fn last_of(start_frame: i32, count: usize) -> i32 {
    start_frame.saturating_add(i32::try_from(count).unwrap_or(i32::MAX)).saturating_sub(1)
}
