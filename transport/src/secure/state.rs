//! [`AssociationState`]: the life of an encrypted connection, as a table.

/// Where an encrypted connection stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssociationState {
    /// Knocking at the listener's door; the dialler's side only.
    Knocking,
    /// The DTLS handshake is under way.
    Handshaking,
    /// DTLS is connected: both sides prove the seat's secret and their identities.
    Proving,
    /// Packets flow.
    Established,
    /// It ended; nothing flows any more.
    Closed,
}

/// What moves an encrypted connection on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssociationEvent {
    /// The listener answered a knock.
    CookieCame,
    /// The DTLS handshake is done.
    Connected,
    /// The other side's proof is right.
    Proved,
    /// The DTLS connection broke.
    Died,
    /// The time for the handshake is over, or the other side closed.
    Ended,
}

/// Every transition there is. An event in a state that has no row changes nothing.
///
/// What breaks a pending handshake may be a stranger's spoofed datagram: a dialler begins again until
/// its time is over. A listener forgets the attempt, for the dialler knocks again.
pub const ASSOCIATION: &[(AssociationState, AssociationEvent, AssociationState)] = &[
    (AssociationState::Knocking, AssociationEvent::CookieCame, AssociationState::Handshaking),
    (AssociationState::Knocking, AssociationEvent::Ended, AssociationState::Closed),
    (AssociationState::Handshaking, AssociationEvent::Connected, AssociationState::Proving),
    (AssociationState::Handshaking, AssociationEvent::Died, AssociationState::Knocking),
    (AssociationState::Handshaking, AssociationEvent::Ended, AssociationState::Closed),
    (AssociationState::Proving, AssociationEvent::Proved, AssociationState::Established),
    (AssociationState::Proving, AssociationEvent::Died, AssociationState::Knocking),
    (AssociationState::Proving, AssociationEvent::Ended, AssociationState::Closed),
    (AssociationState::Established, AssociationEvent::Died, AssociationState::Closed),
    (AssociationState::Established, AssociationEvent::Ended, AssociationState::Closed),
];

impl AssociationState {
    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: AssociationEvent) -> Self {
        ASSOCIATION.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }

    /// Whether the handshake is still under way.
    #[must_use]
    pub fn is_pending(self) -> bool {
        matches!(self, Self::Knocking | Self::Handshaking | Self::Proving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph() {
        let rows: Vec<String> = ASSOCIATION.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Knocking --CookieCame--> Handshaking
        Knocking --Ended--> Closed
        Handshaking --Connected--> Proving
        Handshaking --Died--> Knocking
        Handshaking --Ended--> Closed
        Proving --Proved--> Established
        Proving --Died--> Knocking
        Proving --Ended--> Closed
        Established --Died--> Closed
        Established --Ended--> Closed
        ");
    }

    #[test]
    fn each_row_stands_once_and_closed_is_the_only_end() {
        for (n, (from, on, _)) in ASSOCIATION.iter().enumerate() {
            assert!(ASSOCIATION[..n].iter().all(|(f, o, _)| (f, o) != (from, on)));
            assert_ne!(*from, AssociationState::Closed);
        }
    }
}
