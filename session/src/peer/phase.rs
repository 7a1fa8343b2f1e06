//! [`PeerPhase`]: the life of a peer in a match, as a table.

/// Where a peer is in a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PeerPhase {
    /// Connecting to everybody, loading, waiting at the start barrier.
    Gathering,
    /// Everybody is ready and the time of the first frame is fixed.
    Countdown,
    /// Frames are played.
    Playing,
    /// Every frame is confirmed, or the match was ended: saying goodbye.
    Farewell,
    /// Nothing more will be sent.
    Over,
}

/// What moves a peer on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhaseEvent {
    /// The time of the first frame is known.
    StartFixed,
    /// The time of the first frame has come.
    StartReached,
    /// The last frame is confirmed and every peer has our inputs.
    AllConfirmed,
    /// This side ends the match.
    Ended,
    /// Every peer has heard our goodbye, or had the time to.
    SaidGoodbye,
    /// The match cannot go on and there is nobody to tell.
    Failed,
}

/// Every transition there is. An event in a phase that has no row changes nothing.
pub const PHASES: &[(PeerPhase, PhaseEvent, PeerPhase)] = &[
    (PeerPhase::Gathering, PhaseEvent::StartFixed, PeerPhase::Countdown),
    (PeerPhase::Gathering, PhaseEvent::Ended, PeerPhase::Farewell),
    (PeerPhase::Gathering, PhaseEvent::Failed, PeerPhase::Over),
    (PeerPhase::Countdown, PhaseEvent::StartReached, PeerPhase::Playing),
    (PeerPhase::Countdown, PhaseEvent::Ended, PeerPhase::Farewell),
    (PeerPhase::Countdown, PhaseEvent::Failed, PeerPhase::Over),
    (PeerPhase::Playing, PhaseEvent::AllConfirmed, PeerPhase::Farewell),
    (PeerPhase::Playing, PhaseEvent::Ended, PeerPhase::Farewell),
    (PeerPhase::Playing, PhaseEvent::Failed, PeerPhase::Over),
    (PeerPhase::Farewell, PhaseEvent::SaidGoodbye, PeerPhase::Over),
];

impl PeerPhase {
    /// The phase after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: PhaseEvent) -> Self {
        PHASES.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph() {
        let rows: Vec<String> = PHASES.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Gathering --StartFixed--> Countdown
        Gathering --Ended--> Farewell
        Gathering --Failed--> Over
        Countdown --StartReached--> Playing
        Countdown --Ended--> Farewell
        Countdown --Failed--> Over
        Playing --AllConfirmed--> Farewell
        Playing --Ended--> Farewell
        Playing --Failed--> Over
        Farewell --SaidGoodbye--> Over
        ");
    }

    #[test]
    fn each_row_stands_once_and_over_is_the_only_end() {
        for (n, (from, on, _)) in PHASES.iter().enumerate() {
            assert!(PHASES[..n].iter().all(|(f, o, _)| (f, o) != (from, on)));
        }
        for phase in [PeerPhase::Gathering, PeerPhase::Countdown, PeerPhase::Playing, PeerPhase::Farewell] {
            assert!(PHASES.iter().any(|(from, _, _)| *from == phase));
        }
        assert!(PHASES.iter().all(|(from, _, _)| *from != PeerPhase::Over));
    }
}
