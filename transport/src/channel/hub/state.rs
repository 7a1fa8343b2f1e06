//! [`LinkState`]: the life of the link to one player, as a table.

/// Where the link to a player stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinkState {
    /// There is no connection; whoever may dial is awaited.
    Waiting,
    /// There is no connection; this end knocks.
    Dialing,
    /// The peer has shown who it is, and both ends compare what they run.
    Greeting,
    /// Messages flow.
    Open,
    /// Nothing was heard for a while. Messages wait.
    Silent,
    /// The peer has left, or runs something else. What it still says is read for a moment; then it may
    /// come back.
    Parting,
    /// This end leaves, or nobody need come back. What is still to be said is said for a moment.
    Leaving,
    /// Nothing comes any more.
    Over,
}

/// What moves a link on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinkEvent {
    /// This end begins to knock.
    Dialed,
    /// The peer has shown who it is, with a connection of its own.
    Met,
    /// Both have greeted.
    Greeted,
    /// Nothing was heard for the time of an interruption.
    FellSilent,
    /// Something was heard again.
    Heard,
    /// The peer leaves, or does not fit, and may come back.
    Parted,
    /// This end leaves, or the peer does for good.
    Left,
    /// The connection is let go.
    Dropped,
    /// The player is not talked to any more.
    Ended,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub(super) const LINK: &[(LinkState, LinkEvent, LinkState)] = &[
    (LinkState::Waiting, LinkEvent::Dialed, LinkState::Dialing),
    (LinkState::Waiting, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Waiting, LinkEvent::Ended, LinkState::Over),
    (LinkState::Dialing, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Dialing, LinkEvent::Dropped, LinkState::Waiting),
    (LinkState::Dialing, LinkEvent::Ended, LinkState::Over),
    (LinkState::Greeting, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Greeting, LinkEvent::Greeted, LinkState::Open),
    (LinkState::Greeting, LinkEvent::Parted, LinkState::Parting),
    (LinkState::Greeting, LinkEvent::Left, LinkState::Leaving),
    (LinkState::Greeting, LinkEvent::Dropped, LinkState::Waiting),
    (LinkState::Greeting, LinkEvent::Ended, LinkState::Over),
    (LinkState::Open, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Open, LinkEvent::FellSilent, LinkState::Silent),
    (LinkState::Open, LinkEvent::Parted, LinkState::Parting),
    (LinkState::Open, LinkEvent::Left, LinkState::Leaving),
    (LinkState::Open, LinkEvent::Dropped, LinkState::Waiting),
    (LinkState::Open, LinkEvent::Ended, LinkState::Over),
    (LinkState::Silent, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Silent, LinkEvent::Heard, LinkState::Open),
    (LinkState::Silent, LinkEvent::Parted, LinkState::Parting),
    (LinkState::Silent, LinkEvent::Left, LinkState::Leaving),
    (LinkState::Silent, LinkEvent::Dropped, LinkState::Waiting),
    (LinkState::Silent, LinkEvent::Ended, LinkState::Over),
    (LinkState::Parting, LinkEvent::Met, LinkState::Greeting),
    (LinkState::Parting, LinkEvent::Left, LinkState::Leaving),
    (LinkState::Parting, LinkEvent::Dropped, LinkState::Waiting),
    (LinkState::Parting, LinkEvent::Ended, LinkState::Over),
    (LinkState::Leaving, LinkEvent::Dropped, LinkState::Over),
    (LinkState::Leaving, LinkEvent::Ended, LinkState::Over),
];

impl LinkState {
    /// The state after `event`; the same one if the event means nothing in it.
    pub(super) fn after(self, event: LinkEvent) -> Self {
        LINK.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }

    /// Whether the player was announced as connected and is not lost.
    pub(super) fn is_connected(self) -> bool {
        matches!(self, Self::Open | Self::Silent)
    }

    /// Whether silence ends the connection.
    pub(super) fn may_be_given_up(self) -> bool {
        matches!(self, Self::Greeting | Self::Silent)
    }

    /// Whether the connection is on its way out.
    pub(super) fn is_ending(self) -> bool {
        matches!(self, Self::Parting | Self::Leaving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph() {
        let rows: Vec<String> = LINK.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Waiting --Dialed--> Dialing
        Waiting --Met--> Greeting
        Waiting --Ended--> Over
        Dialing --Met--> Greeting
        Dialing --Dropped--> Waiting
        Dialing --Ended--> Over
        Greeting --Met--> Greeting
        Greeting --Greeted--> Open
        Greeting --Parted--> Parting
        Greeting --Left--> Leaving
        Greeting --Dropped--> Waiting
        Greeting --Ended--> Over
        Open --Met--> Greeting
        Open --FellSilent--> Silent
        Open --Parted--> Parting
        Open --Left--> Leaving
        Open --Dropped--> Waiting
        Open --Ended--> Over
        Silent --Met--> Greeting
        Silent --Heard--> Open
        Silent --Parted--> Parting
        Silent --Left--> Leaving
        Silent --Dropped--> Waiting
        Silent --Ended--> Over
        Parting --Met--> Greeting
        Parting --Left--> Leaving
        Parting --Dropped--> Waiting
        Parting --Ended--> Over
        Leaving --Dropped--> Over
        Leaving --Ended--> Over
        ");
    }

    #[test]
    fn each_row_stands_once_and_over_is_the_only_end() {
        for (n, (from, on, _)) in LINK.iter().enumerate() {
            assert!(LINK[..n].iter().all(|(f, o, _)| (f, o) != (from, on)));
            assert_ne!(*from, LinkState::Over);
            assert_eq!(from.after(LinkEvent::Ended), LinkState::Over);
        }
    }
}
