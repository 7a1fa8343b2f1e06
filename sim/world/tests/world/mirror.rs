//! Neither seat is favoured: swap seats and sides, and everything is swapped and nothing else.

use crate::rig::{Mashers, Rig, parts};
use snapback_sim::{Fighter, PadInput, WorldHeader, cues};

fn mirrored_fighter(mut f: Fighter) -> Fighter {
    f.motion.position[0] = -f.motion.position[0];
    f.motion.velocity[0] = -f.motion.velocity[0];
    f.motion.pushback = -f.motion.pushback;
    f.motion.facing = -f.motion.facing;
    f.motion.jump_direction = -f.motion.jump_direction;
    f.input.held = f.input.held.mirrored();
    f.action.reached = (f.action.reached & 0b0101) << 1 | (f.action.reached & 0b1010) >> 1;
    f
}

fn mirrored((mut header, mut fighters): (WorldHeader, Vec<Fighter>)) -> (WorldHeader, Vec<Fighter>) {
    header.rounds.wins.swap(0, 1);
    let swap = |winner: u8| if winner < 2 { winner } else { 5 - winner };
    header.results.winner = swap(header.results.winner);
    header.results.match_winner = swap(header.results.match_winner);
    for pair in fighters.chunks_exact_mut(2) {
        pair.swap(0, 1);
    }
    (header, fighters.into_iter().map(mirrored_fighter).collect())
}

#[test]
fn swapped_seats_and_mirrored_pads_give_the_mirrored_match() {
    let mut trades = 0;
    for (seed, players) in [(1, 2), (2, 2), (3, 2), (4, 4), (5, 4)] {
        let (mut rig, mut other) = (Rig::new(seed, players), Rig::new(seed, players));
        let mut mashers = Mashers::new(seed);
        for frame in 0..12_000 {
            let pads = mashers.next(rig.fighters());
            let swapped = [1, 0, 3, 2].map(|s: usize| PadInput::new(pads[s]).mirrored().buttons);
            rig.step(&pads);
            other.step(&swapped);
            assert_eq!(parts(&other.snapshot()), mirrored(parts(&rig.snapshot())), "frame {frame} of seed {seed}");
            let hits = ["light", "low", "heavy"].map(|m| rig.raised(cues::hit(m)));
            trades += usize::from(hits.iter().sum::<usize>() > 1);
        }
        assert!(rig.world.view().results().count > 2);
    }
    assert!(trades > 20, "{trades} frames with several hits");
}

#[test]
fn a_mirrored_fight_stays_even() {
    for players in [2, 4] {
        let mut rig = Rig::new(3, players);
        let mut mashers = Mashers::new(3);
        for _ in 0..8_000 {
            let [a, b, ..] = mashers.next(rig.fighters());
            rig.step(&[a, PadInput::new(a).mirrored().buttons, b, PadInput::new(b).mirrored().buttons]);
            let state = parts(&rig.snapshot());
            assert_eq!(mirrored(state.clone()), state);
        }
        assert!(rig.world.view().header().rounds.wins == [0, 0]);
    }
}
