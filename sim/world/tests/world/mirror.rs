//! Neither seat is favoured: swap seats and sides, and everything is swapped and nothing else.
//!
//! The mirror exchanges left and right (x becomes -x; height and depth stay), and each seat of an
//! even team with the one in the same place of the odd team beside it.

use crate::cases::{are_all, cases};
use crate::matches::USUAL_MATCHES;
use crate::rig::{DEFAULT_DATA, Mashers, Rig, parts};
use snapback_core::Rng;
use snapback_sim::{Fighter, MAX_FIGHTERS, PadInput, Phase, WorldHeader};
use std::sync::Arc;

/// A character and a team.
pub(crate) type Seat = (&'static str, u8);

/// Who sits where, and who sits in whose seat in the mirror.
pub(crate) struct Table {
    pub(crate) seats: Vec<Seat>,
    partner: Vec<usize>,
}

impl Table {
    /// Pairs of seats, each of an even team and of the odd one beside it.
    pub(crate) fn new(pairs: &[(Seat, Seat)]) -> Self {
        let seats = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        let partner = (0..2 * pairs.len()).map(|seat| seat ^ 1).collect();
        Self { seats, partner }
    }

    /// The same fight with everybody in the seat of the partner: the teams stay with the seats.
    pub(crate) fn swapped(&self) -> Vec<Seat> {
        self.seats.iter().zip(&self.partner).map(|((_, team), partner)| (self.seats[*partner].0, *team)).collect()
    }

    pub(crate) fn pads(&self, pads: [u16; MAX_FIGHTERS]) -> Vec<u16> {
        self.partner.iter().map(|seat| PadInput::new(pads[*seat]).mirrored().buttons).collect()
    }

    fn fighter(&self, mut f: Fighter) -> Fighter {
        let m = &mut f.motion;
        (m.position[0], m.velocity[0], m.pushback) = (-m.position[0], -m.velocity[0], -m.pushback);
        (m.facing, m.jump_direction) = (-m.facing, -m.jump_direction);
        for pad in [&mut f.pad.held, &mut f.pad.pressed, &mut f.pad.released].into_iter().chain(&mut f.input.ring) {
            *pad = pad.mirrored();
        }
        let reached = f.hitboxes.reached;
        f.hitboxes.reached = (0..self.partner.len()).filter(|seat| reached & 1 << seat != 0).fold(0, |bits, s| bits | 1 << self.partner[s]);
        if f.hold.partner > 0 {
            f.hold.partner = self.partner[usize::from(f.hold.partner) - 1] as u8 + 1;
        }
        for p in &mut f.projectiles {
            (p.position[0], p.velocity[0], p.facing) = (-p.position[0], -p.velocity[0], -p.facing);
        }
        f.identity.team ^= 1;
        f
    }

    pub(crate) fn mirrored(&self, (mut header, fighters): (WorldHeader, Vec<Fighter>)) -> (WorldHeader, Vec<Fighter>) {
        header.rounds.wins.swap(0, 1);
        header.rounds.wins.swap(2, 3);
        let swap = |winner: u8| if winner < 2 { winner } else { ((winner - 2) ^ 1) + 2 };
        header.results.winner = swap(header.results.winner);
        header.results.match_winner = swap(header.results.match_winner);
        (header, self.partner.iter().map(|seat| self.fighter(fighters[*seat])).collect())
    }
}

const D: &str = "duelist";
const W: &str = "warden";

fn tables() -> Vec<Table> {
    vec![
        Table::new(&[((D, 0), (D, 1))]),
        Table::new(&[((D, 0), (W, 1))]),
        Table::new(&[((W, 0), (W, 1))]),
        Table::new(&[((D, 0), (W, 1)), ((W, 0), (D, 1))]),
        Table::new(&[((D, 0), (W, 1)), ((W, 2), (D, 3))]),
        Table::new(&[((D, 0), (W, 1)), ((W, 2), (D, 3)), ((D, 2), (D, 3))]),
        Table::new(&[((D, 0), (W, 1)), ((W, 2), (D, 3)), ((D, 0), (D, 1)), ((W, 2), (W, 3))]),
    ]
}

#[test]
fn swapped_seats_and_mirrored_pads_give_the_mirrored_match() {
    let mut trades: u32 = 0;
    for (seed, table) in (0..).zip(tables()).chain((10..).zip(tables())) {
        let players = table.seats.len();
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.seats, seed, players);
        let mut other = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.swapped(), seed, players);
        let mut mashers = Mashers::new(seed);
        for frame in 0..cases(8_000) {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            other.step(&table.pads(pads));
            let (found, expected) = (parts(&other.snapshot()), table.mirrored(parts(&rig.snapshot())));
            if found != expected {
                let whole = |(header, fighters): (WorldHeader, Vec<Fighter>)| crate::rig::whole(&header, &fighters);
                let layout = snapback_core::Simulation::layout(&rig.world);
                panic!("frame {frame} of seed {seed}: {:?}", layout.first_difference(&whole(expected), &whole(found)));
            }
            let hurt = |f: &Fighter| f.juggle.combo_hits > 0 && f.action.elapsed_frames == 0;
            trades += u32::from(rig.fighters().iter().filter(|f| hurt(f)).count() > 1);
        }
        assert!(rig.world.view().results().count > 1 || !are_all());
    }
    assert!(trades > cases(20), "{trades} frames with several hits");
}

/// Any pairs of characters and teams, and pads that no pad could send.
#[test]
fn random_matches_mirror() {
    for seed in 0..u64::from(cases(USUAL_MATCHES / 3)) {
        let mut rng = Rng::new(seed, 6);
        let one = |rng: &mut Rng| [D, W][rng.below(2) as usize];
        let pairs: Vec<(Seat, Seat)> = (0..1 + rng.below(4))
            .map(|_| {
                let team = 2 * rng.below(2) as u8;
                ((one(&mut rng), team), (one(&mut rng), team + 1))
            })
            .collect();
        let table = Table::new(&pairs);
        let players = table.seats.len();
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.seats, seed, players);
        let mut other = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.swapped(), seed, players);
        rig.skip_to(Phase::Fight);
        other.skip_to(Phase::Fight);
        let mut mashers = Mashers::new(seed);
        for frame in 0..400 {
            let mut pads = mashers.next(rig.fighters());
            if rng.below(10) == 0 {
                pads[rng.below(players as u32) as usize] = u16::MAX;
            }
            rig.step(&pads);
            other.step(&table.pads(pads));
            if frame % 20 == 19 {
                assert_eq!(parts(&other.snapshot()), table.mirrored(parts(&rig.snapshot())), "frame {frame} of seed {seed}");
            }
        }
    }
}

#[test]
fn a_mirrored_fight_stays_even() {
    for table in [Table::new(&[((D, 0), (D, 1))]), Table::new(&[((D, 0), (D, 1)), ((W, 0), (W, 1))])] {
        let players = table.seats.len();
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.seats, 3, players);
        let mut mashers = Mashers::new(3);
        for _ in 0..8_000 {
            let [a, b, ..] = mashers.next(rig.fighters());
            rig.step(&[a, PadInput::new(a).mirrored().buttons, b, PadInput::new(b).mirrored().buttons]);
            let state = parts(&rig.snapshot());
            assert_eq!(table.mirrored(state.clone()), state);
        }
        assert!(rig.world.view().header().rounds.wins == [0; 4]);
    }
}
