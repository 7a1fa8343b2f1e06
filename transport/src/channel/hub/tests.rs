use super::introduction::{Control, Greeting, Introduction, Known};
use super::*;
use crate::channel::Topology;
use crate::channel::Violation;
use crate::credentials::{Fingerprint, IdentityKey, SeatSecret};
use crate::packet::Pairing;

const PLAYERS: u8 = 4;

fn at(seat: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + seat as u8], 7_001))
}

/// Hubs on links that take no time.
struct Room {
    now_us: u64,
    hubs: Vec<ChannelHub>,
    events: Vec<Vec<HubEvent>>,
}

impl Room {
    fn new(count: u8) -> Self {
        Self::with(count, |_| HubSecurity::InsecureLan)
    }

    #[cfg(feature = "dtls")]
    fn encrypted(count: u8) -> Self {
        use crate::secure::{Certificate, Identity, MatchSecret, SecureSettings};
        let (certificate, secret) = (Certificate::generate().unwrap(), MatchSecret([9; 32]));
        let host = certificate.fingerprint();
        Self::with(count, |seat| {
            let invitation = match seat {
                0 => HubInvitation::Issued(secret),
                seat => HubInvitation::Held { secret: secret.seat(seat), host },
            };
            let certificate = if seat == 0 { certificate.clone() } else { Certificate::generate().unwrap() };
            let settings = SecureSettings::new(7, certificate, Identity::from_seed(&[seat; 32]), [100 + seat; 32]);
            HubSecurity::Encrypted { settings: Box::new(settings), invitation }
        })
    }

    fn with(count: u8, security: impl Fn(u8) -> HubSecurity) -> Self {
        let hub = |seat: u8| {
            let role = if seat == 0 { HubRole::Host } else { HubRole::Join { host: at(0) } };
            let settings = HubSettings::new(7, PlayerHandle::new(seat), PLAYERS, u64::from(seat), role, security(seat));
            ChannelHub::new(settings, 0).unwrap()
        };
        let mut room = Self { now_us: 0, hubs: (0..count).map(hub).collect(), events: vec![Vec::new(); usize::from(count)] };
        room.run(1_000_000);
        assert!(room.hubs.iter().all(|hub| hub.connected().len() + 1 == usize::from(count)));
        room
    }

    fn run(&mut self, for_us: u64) {
        for _ in 0..for_us / 10_000 {
            self.now_us += 10_000;
            let mut buffer = [0; 1_200];
            for from in 0..self.hubs.len() {
                while let Some((to, len)) = self.hubs[from].poll_transmit(self.now_us, &mut buffer) {
                    if let Some(to) = (0..self.hubs.len()).find(|seat| at(*seat) == to) {
                        self.hubs[to].handle(self.now_us, at(from), &buffer[..len]);
                    }
                }
            }
            for (hub, events) in self.hubs.iter_mut().zip(&mut self.events) {
                events.extend(core::iter::from_fn(|| hub.poll_event()));
            }
        }
    }

    /// Says something to another hub that no hub says.
    fn whisper(&mut self, from: usize, to: u8, message: &[u8]) {
        let link = self.hubs[from].links.iter_mut().find(|link| link.seat == to).unwrap();
        link.live.as_mut().unwrap().connection.send_control(message).unwrap();
    }

    fn tell(&mut self, from: usize, to: u8, control: Control) {
        let mut message = [0; introduction::MAX_BYTES];
        let len = control.write(&mut message);
        self.whisper(from, to, &message[..len]);
    }
}

fn introduction(seat: u8) -> Introduction {
    Introduction { seat, instance: 5, address: at(9), known: None }
}

#[test]
fn nonsense_between_hubs_ends_the_connection_for_good() {
    let pairing = Pairing { fingerprint: Fingerprint([1; 32]), secret: SeatSecret([2; 32]) };
    let known = Some(Known { pairing, identity: IdentityKey([3; 32]) });
    let bad: [(usize, u8, Vec<u8>); 3] = [(0, 1, vec![]), (0, 1, vec![9]), (1, 0, vec![3, 0])];
    let mut cases: Vec<(usize, u8, Vec<u8>)> = bad.to_vec();
    let mut add = |from, to, control: Control| {
        let mut message = [0; introduction::MAX_BYTES];
        let len = control.write(&mut message);
        cases.push((from, to, message[..len].to_vec()));
    };
    // A greeting comes once.
    add(1, 0, Control::Greeting(Greeting { digest: Some(Topology::default().digest()), seat: 1, instance: 1 }));
    // Only the host introduces, and nobody introduces somebody to itself, the host, or one who cannot be.
    add(1, 0, Control::Introduce(introduction(2)));
    add(2, 1, Control::Introduce(introduction(3)));
    for seat in [0, 1, PLAYERS, 7, 8, 255] {
        add(0, 1, Control::Introduce(introduction(seat)));
    }
    // There is no encryption.
    add(0, 1, Control::Introduce(Introduction { known, ..introduction(2) }));
    for (from, to, message) in cases {
        let mut room = Room::new(3);
        room.whisper(from, to, &message);
        room.run(200_000);
        let (player, violation) = (PlayerHandle::new(from as u8), Violation::BadControl);
        let lost = HubEvent::Lost { player, reason: LostReason::Violation(violation), undelivered: vec![] };
        assert_eq!(room.events[usize::from(to)][2..], [lost], "{message:?}");
        room.run(60_000_000);
        assert_eq!(room.events[usize::from(to)].len(), 3, "it is let in again");
        let refused = room.hubs[usize::from(to)].send(room.now_us, player, Channel::Lobby, b"x");
        assert_eq!(refused, Err(SendError::Over(violation)));
    }
}

/// The host may say where a player is as often as it likes: a connection that stands stays, and only a
/// program that was started anew is dialled.
#[test]
fn an_introduction_to_somebody_known_changes_nothing() {
    let mut room = Room::new(3);
    let instance = room.hubs[1].instance;
    for _ in 0..50 {
        room.tell(0, 2, Control::Introduce(Introduction { seat: 1, instance, address: at(1), known: None }));
        room.tell(0, 1, Control::Introduce(Introduction { seat: 2, instance: 77, address: at(2), known: None }));
        room.run(100_000);
    }
    assert!(room.events.iter().all(|events| events.len() == 2), "{:?}", room.events);
    room.tell(0, 2, Control::Introduce(Introduction { seat: 1, instance: instance + 1, address: at(1), known: None }));
    room.run(1_000_000);
    let lost = |seat, reason| HubEvent::Lost { player: PlayerHandle::new(seat), reason, undelivered: vec![] };
    // Whom it dials sees that it was not started anew.
    let again = |seat| HubEvent::Connected { player: PlayerHandle::new(seat) };
    assert_eq!(
        (&room.events[2][2..], &room.events[1][2..]),
        (&[lost(1, LostReason::Replaced), again(1)][..], &[lost(2, LostReason::Silent), again(2)][..])
    );
}

/// A host that means harm says that a player is where another one is.
#[cfg(feature = "dtls")]
#[test]
fn an_introduction_at_the_address_of_another_player_breaks_nothing() {
    for (taken, is_known) in [(2, true), (0, true), (2, false)] {
        let mut room = Room::encrypted(4);
        let known = room.hubs[0].wire.known(3, 1);
        let instance = room.hubs[1].instance;
        if !is_known {
            // It is gone, so that the later one dials again.
            room.hubs[1].close(room.now_us);
            room.run(5_000_000);
        }
        let before: Vec<usize> = room.events.iter().map(Vec::len).collect();
        room.tell(0, 3, Control::Introduce(Introduction { seat: 1, instance: instance + 1, address: at(taken), known }));
        room.run(40_000_000);
        assert_eq!(room.events.iter().map(Vec::len).collect::<Vec<_>>(), before, "{taken} {is_known}: {:?}", room.events[3]);
        assert!(room.hubs[3].rejects().any(|(reject, _)| reject == Reject::BadField));
    }
}

#[test]
fn a_hub_that_nobody_asks_for_events_keeps_the_newest() {
    let mut room = Room::new(2);
    for number in 0..1_000u64 {
        let player = PlayerHandle::new((number % 3) as u8);
        room.hubs[0].push_event(HubEvent::Interrupted { player });
    }
    assert_eq!(room.hubs[0].events.len(), MAX_EVENTS);
    assert_eq!(room.hubs[0].events.back(), Some(&HubEvent::Interrupted { player: PlayerHandle::new(0) }));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let settings = |player, count, role| HubSettings::new(7, PlayerHandle::new(player), count, 1, role, HubSecurity::InsecureLan);
    let (host, join) = (HubRole::Host, HubRole::Join { host: at(0) });
    let refused = |settings: HubSettings| ChannelHub::new(settings, 0).err().map(|error| error.to_string());
    assert_eq!(refused(settings(0, 2, host)), None);
    assert_eq!(refused(settings(7, 8, join)), None);
    for (player, count, role) in [(0, 1, host), (0, 9, host), (1, 2, host), (0, 2, join), (2, 2, join), (200, 2, join)] {
        assert!(refused(settings(player, count, role)).is_some(), "{player} of {count}");
    }
    for bytes in [0, 547, 1_201] {
        assert!(refused(HubSettings { datagram_budget_bytes: bytes, ..settings(0, 2, host) }).is_some());
    }
    assert!(refused(HubSettings { interrupt_after_us: 99_999, ..settings(0, 2, host) }).is_some());
    assert!(refused(HubSettings { give_up_after_us: 2_999_999, ..settings(0, 2, host) }).is_some());
}

#[test]
fn players_take_turns_to_be_sent_to() {
    let mut room = Room::new(PLAYERS);
    for seat in 1..PLAYERS {
        for _ in 0..9 {
            room.hubs[0].send(room.now_us, PlayerHandle::new(seat), Channel::Lobby, &[7; 1_000]).unwrap();
        }
    }
    let mut buffer = [0; 1_200];
    let sent: Vec<SocketAddr> = (0..27).map(|_| room.hubs[0].poll_transmit(room.now_us, &mut buffer).unwrap().0).collect();
    for turn in sent.chunks(3) {
        assert!((1..4).all(|seat| turn.contains(&at(seat))), "{sent:?}");
    }
}
