//! [`InquiryState`]: how far an inquiry is, as a table.

use core::fmt;

/// How far an inquiry is.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InquiryState {
    /// Our hashes of the frames since the last verified one are told; the peer's are awaited.
    #[default]
    Hashes,
    /// The frame is known, and our section hashes of it are told; the peer's are awaited.
    Sections,
    /// The sections are known, and our values of them are told; the peer's are awaited.
    Values,
    /// Everything is known that can be.
    Done,
    /// The peer told what nobody can have meant.
    Failed,
}

/// What moves an inquiry on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InquiryEvent {
    /// The peer's hashes came; a frame differs whose state both still have.
    HashesDiffer,
    /// The peer's hashes came; a frame differs, and not both still have a state that does.
    StateForgotten,
    /// The peer's hashes came; in no frame that both remember do they differ.
    HashesAgree,
    /// The peer's section hashes came; some differ.
    SectionsDiffer,
    /// The peer's section hashes came; none differs, although the hash of the whole does.
    SectionsAgree,
    /// The peer's values came to their end.
    ValuesCame,
    /// A message was not one, or not the one that comes next.
    Malformed,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub const INQUIRY: &[(InquiryState, InquiryEvent, InquiryState)] = &[
    (InquiryState::Hashes, InquiryEvent::HashesDiffer, InquiryState::Sections),
    (InquiryState::Hashes, InquiryEvent::StateForgotten, InquiryState::Done),
    (InquiryState::Hashes, InquiryEvent::HashesAgree, InquiryState::Done),
    (InquiryState::Hashes, InquiryEvent::Malformed, InquiryState::Failed),
    (InquiryState::Sections, InquiryEvent::SectionsDiffer, InquiryState::Values),
    (InquiryState::Sections, InquiryEvent::SectionsAgree, InquiryState::Done),
    (InquiryState::Sections, InquiryEvent::Malformed, InquiryState::Failed),
    (InquiryState::Values, InquiryEvent::ValuesCame, InquiryState::Done),
    (InquiryState::Values, InquiryEvent::Malformed, InquiryState::Failed),
];

impl InquiryState {
    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: InquiryEvent) -> Self {
        INQUIRY.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }

    /// Whether no message is awaited any more.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed)
    }
}

impl fmt::Display for InquiryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hashes => "waiting for the peer's hashes",
            Self::Sections => "waiting for the peer's section hashes",
            Self::Values => "waiting for the peer's values",
            Self::Done => "done",
            Self::Failed => "failed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stays() {
        let rows: Vec<String> = INQUIRY.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Hashes --HashesDiffer--> Sections
        Hashes --StateForgotten--> Done
        Hashes --HashesAgree--> Done
        Hashes --Malformed--> Failed
        Sections --SectionsDiffer--> Values
        Sections --SectionsAgree--> Done
        Sections --Malformed--> Failed
        Values --ValuesCame--> Done
        Values --Malformed--> Failed
        ");
    }

    #[test]
    fn each_row_stands_once_and_ends_are_ends() {
        for (n, (from, on, _)) in INQUIRY.iter().enumerate() {
            assert!(INQUIRY[..n].iter().all(|(f, o, _)| (f, o) != (from, on)));
            assert!(!from.is_over());
        }
    }
}
