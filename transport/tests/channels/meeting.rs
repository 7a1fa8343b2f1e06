//! Who meets whom, and that they can talk.

use crate::net::{Match, Net, Profile, player};
use snapback_transport::channel::HubEvent;

#[test]
fn two_meet_and_talk_on_every_channel() {
    for profile in Profile::ALL {
        let mut net = Net::connected(1, &Match::new(*profile, 2));
        net.assert_talk("hello");
        assert_eq!(net.events(0), [HubEvent::Connected { player: player(1) }]);
        assert_eq!(net.events(1), [HubEvent::Connected { player: player(0) }]);
    }
}

#[test]
fn four_meet_by_the_hosts_introductions_and_talk_on_every_channel() {
    for profile in Profile::ALL {
        let mut net = Net::connected(2, &Match::new(*profile, 4));
        net.assert_talk("hello");
        for at in 0..4 {
            assert_eq!(net.events(at).len(), 3, "{:?}", net.events(at));
        }
    }
}
