//! [`DesyncInquiry`]: two peers whose states differ find out where, without trusting each other.

use super::evidence::Evidence;
use super::message::{CHUNK_BYTES, Hashes, Message};
use super::parts::Parts;
use super::report::{DesyncReport, Told};
use super::state::{InquiryEvent, InquiryState};
use core::fmt;
use snapback_core::{Frame, PlayerSet};
use std::collections::VecDeque;

/// Two peers whose states differ find out where. Sans-IO: messages are bytes for a reliable, ordered channel
/// between the two, such as [`MatchState`](snapback_transport::channel), which the host program carries.
///
/// It has three steps, in each of which both tell the same: the hashes of all frames since the last one that
/// was verified, which gives the first frame that differs; the hashes of the sections of that state; the
/// values of the sections that differ. It holds copies and outlives the [`Peer`](crate::Peer).
///
/// What a peer tells is not believed but shown: a lie changes the report and nothing else. Memory is bounded
/// by our own state, and so is time.
///
/// ```
/// # use snapback::desync::DesyncInquiry;
/// /// A turn of the host program, until the inquiry is over or its time is.
/// fn turn(inquiry: &mut DesyncInquiry, received: Vec<Vec<u8>>, send: &mut impl FnMut(Vec<u8>)) {
///     for message in received.iter().filter(|message| DesyncInquiry::is_message(message)) {
///         // An error ends the inquiry; the report has what was known by then.
///         let _ = inquiry.handle(message);
///     }
///     while let Some(message) = inquiry.poll_message() {
///         send(message);
///     }
///     if inquiry.state().is_over() {
///         println!("{}", inquiry.report());
///     }
/// }
/// ```
pub struct DesyncInquiry {
    evidence: Evidence,
    ours: Hashes,
    state: InquiryState,
    out: VecDeque<Vec<u8>>,
    told: Told,
    /// What the values of the peer are made of.
    values: Option<Values>,
}

struct Values {
    parts: Parts,
    canonical: Vec<u8>,
    differing: Vec<usize>,
    expected_bytes: usize,
    theirs: Vec<u8>,
}

/// Why a message was refused. The inquiry ends with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InquiryError {
    /// It is larger than [`MAX_INQUIRY_BYTES`](super::MAX_INQUIRY_BYTES).
    TooLong {
        /// Its size.
        len_bytes: usize,
    },
    /// It is no message of an inquiry.
    NotOne,
    /// It is of another version of the inquiry.
    Version {
        /// The peer's.
        theirs: u8,
    },
    /// It is not the one that comes next, or not of the frame that is inquired into.
    OutOfTurn,
}

impl fmt::Display for InquiryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { len_bytes } => write!(f, "a message of the inquiry has {len_bytes} bytes, which is too long"),
            Self::NotOne => f.write_str("a message is none of the inquiry"),
            Self::Version { theirs } => write!(f, "the peer inquires by version {theirs}; use the same version on both sides"),
            Self::OutOfTurn => f.write_str("a message of the inquiry is not the one that comes next"),
        }
    }
}

impl std::error::Error for InquiryError {}

impl DesyncInquiry {
    pub(crate) fn new(evidence: Evidence) -> Self {
        let ours = evidence.hashes();
        let out = VecDeque::from([Message::Hashes(ours.clone()).write()]);
        Self { evidence, ours, state: InquiryState::default(), out, told: Told::default(), values: None }
    }

    /// The players of the peer that it is with.
    #[must_use]
    pub fn players(&self) -> PlayerSet {
        self.evidence.there
    }

    /// Whether a message that came over the channel is one of an inquiry.
    #[must_use]
    pub fn is_message(message: &[u8]) -> bool {
        Message::is_one(message)
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> InquiryState {
        self.state
    }

    /// The next message for the peer. There may be some even when it is over: the peer still needs them.
    pub fn poll_message(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    /// Whether there is a message for the peer that [`poll_message`](Self::poll_message) has not given out yet.
    #[must_use]
    pub fn has_message(&self) -> bool {
        !self.out.is_empty()
    }

    /// Takes a message of the peer. Once it is over, nothing more is taken.
    ///
    /// # Errors
    /// If nobody can have meant it. That ends the inquiry.
    pub fn handle(&mut self, message: &[u8]) -> Result<(), InquiryError> {
        if self.state.is_over() {
            return Ok(());
        }
        let event = Message::read(message).and_then(|message| match (self.state, message) {
            (InquiryState::Hashes, Message::Hashes(theirs)) => {
                let event = self.take_hashes(&theirs);
                self.told.theirs = Some(theirs);
                Ok(Some(event))
            }
            (InquiryState::Sections, Message::Sections { frame, hashes }) => self.take_sections(frame, &hashes).map(Some),
            (InquiryState::Values, Message::Values { frame, total, offset, bytes }) => self.take_values(frame, total, offset, &bytes),
            _ => Err(InquiryError::OutOfTurn),
        });
        match event {
            Ok(event) => {
                self.state = event.map_or(self.state, |event| self.state.after(event));
                Ok(())
            }
            Err(error) => {
                self.state = self.state.after(InquiryEvent::Malformed);
                self.told.error = Some(error);
                Err(error)
            }
        }
    }

    /// What is known so far.
    #[must_use]
    pub fn report(&self) -> DesyncReport {
        DesyncReport::of(&self.evidence, &self.told, self.state)
    }

    fn take_hashes(&mut self, theirs: &Hashes) -> InquiryEvent {
        let ours = &self.ours;
        let last = ours.last().min(theirs.last());
        let mut frame = ours.first.max(theirs.first);
        // Both have at least the states from here on, if they have any.
        let (states_first, states_last) = (ours.states_first.max(theirs.states_first), ours.states_last().min(theirs.states_last()));
        let mut shown = None;
        while frame <= last {
            let (Some([our_hash, our_inputs]), Some([their_hash, their_inputs])) = (ours.of(frame), theirs.of(frame)) else { break };
            if our_inputs != their_inputs && self.told.inputs_frame.is_none() {
                self.told.inputs_frame = Some(frame);
            }
            if our_hash != their_hash {
                self.told.first.get_or_insert((frame, our_hash, their_hash));
                if frame >= states_first && frame <= states_last {
                    shown.get_or_insert((frame, their_hash));
                }
            }
            self.told.compared = Some(self.told.compared.map_or((frame, frame), |(from, _)| (from, frame)));
            frame = frame.next();
        }
        let Some((frame, their_hash)) = shown else {
            return if self.told.first.is_some() { InquiryEvent::StateForgotten } else { InquiryEvent::HashesAgree };
        };
        let Some(canonical) = self.evidence.canonical(frame) else { return InquiryEvent::StateForgotten };
        self.told.state_frame = Some(frame);
        self.told.their_hash = their_hash;
        let parts = Parts::of(&self.evidence.layout);
        self.out.push_back(Message::Sections { frame, hashes: parts.hashes(&canonical) }.write());
        self.values = Some(Values { parts, canonical, differing: Vec::new(), expected_bytes: 0, theirs: Vec::new() });
        InquiryEvent::HashesDiffer
    }

    fn take_sections(&mut self, frame: Frame, theirs: &[u32]) -> Result<InquiryEvent, InquiryError> {
        let Some(values) = &mut self.values else { return Err(InquiryError::OutOfTurn) };
        let ours = values.parts.hashes(&values.canonical);
        if Some(frame) != self.told.state_frame || theirs.len() != ours.len() {
            return Err(InquiryError::OutOfTurn);
        }
        values.differing = (0..ours.len()).filter(|part| ours.get(*part) != theirs.get(*part)).collect();
        self.told.sections = values.differing.iter().map(|part| values.parts.name(*part)).collect();
        if values.differing.is_empty() {
            return Ok(InquiryEvent::SectionsAgree);
        }
        let told = values.parts.values(&values.differing, &values.canonical);
        values.expected_bytes = told.len();
        for (chunk, index) in told.chunks(CHUNK_BYTES).zip(0..) {
            let (total, offset) = (told.len() as u32, (index * CHUNK_BYTES) as u32);
            self.out.push_back(Message::Values { frame, total, offset, bytes: chunk.to_vec() }.write());
        }
        Ok(InquiryEvent::SectionsDiffer)
    }

    fn take_values(&mut self, frame: Frame, total: u32, offset: u32, bytes: &[u8]) -> Result<Option<InquiryEvent>, InquiryError> {
        let Some(values) = &mut self.values else { return Err(InquiryError::OutOfTurn) };
        let is_next =
            Some(frame) == self.told.state_frame && total as usize == values.expected_bytes && offset as usize == values.theirs.len();
        if !is_next || bytes.is_empty() || bytes.len() > values.expected_bytes - values.theirs.len() {
            return Err(InquiryError::OutOfTurn);
        }
        values.theirs.extend_from_slice(bytes);
        if values.theirs.len() < values.expected_bytes {
            return Ok(None);
        }
        let mut theirs = values.canonical.clone();
        values.parts.put(&values.differing, &values.theirs, &mut theirs);
        self.told.their_state = Some(theirs);
        Ok(Some(InquiryEvent::ValuesCame))
    }

    /// What both have of the frames in dispute, for a bundle.
    #[cfg(feature = "golden")]
    pub(super) fn known(&self) -> (&Evidence, &Told) {
        (&self.evidence, &self.told)
    }
}
