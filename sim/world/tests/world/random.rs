//! Random play is real play: it hits, guards, knocks out, and never panics.

use crate::rig::{Mashers, Rig};
use snapback_sim::{Act, MAX_FIGHTERS, RoundEnd, cues};

#[derive(Debug, Default)]
struct Counts {
    hits: usize,
    blocks: usize,
    swings: usize,
    jumps: usize,
    falls: usize,
    rounds: u32,
    knock_outs: usize,
    double_knock_outs: usize,
    times_over: usize,
    matches: u32,
}

fn play(seed: u64, players: usize, frames: usize, counts: &mut Counts) {
    let mut rig = Rig::new(seed, players);
    let mut mashers = Mashers::new(seed);
    let mut results = 0;
    for _ in 0..frames {
        let pads = mashers.next(rig.fighters());
        rig.step(&pads);
        for name in ["light", "low", "heavy"] {
            counts.hits += rig.raised(cues::hit(name));
            counts.blocks += rig.raised(cues::block(name));
            counts.swings += rig.raised(cues::swing(name));
        }
        counts.jumps += rig.raised(cues::JUMP);
        counts.falls += rig.fighters().iter().filter(|f| f.act() == Act::Down && f.action.elapsed_frames == 0).count();
        let mut ids: Vec<_> = rig.effects().iter().map(|e| e.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
        let now = rig.world.view().results();
        assert!(now.count == results || now.count == results + 1, "one result a frame");
        if now.count != results {
            results = now.count;
            match now.last.unwrap().end {
                RoundEnd::KnockOut => counts.knock_outs += 1,
                RoundEnd::DoubleKnockOut => counts.double_knock_outs += 1,
                RoundEnd::TimeOver => counts.times_over += 1,
            }
            counts.matches += u32::from(now.last.unwrap().match_winner.is_some());
        }
        let (half_width, fighters) = (420i64, rig.fighters());
        for fighter in fighters {
            assert!((-half_width..=half_width).contains(&fighter.x().round()));
            assert!((0..=400).contains(&fighter.y().round()), "{}", fighter.y());
            assert!((0..=1000).contains(&fighter.vitals.health) && (0..=1000).contains(&fighter.vitals.meter));
            assert_eq!(fighter.is_alive(), fighter.vitals.health > 0);
        }
    }
    counts.rounds += results;
}

#[test]
fn three_hundred_seeds_of_random_play() {
    let mut by_players = [(); MAX_FIGHTERS + 1].map(|()| Counts::default());
    for seed in 0..300 {
        let players = 2 + seed as usize % 3;
        play(seed, players, 4_000, &mut by_players[players]);
    }
    for (players, counts) in by_players.iter().enumerate().skip(2) {
        println!("{players} players: {counts:?}");
        assert!(counts.hits > 1_000 && counts.blocks > 200 && counts.swings > counts.hits, "{counts:?}");
        assert!(counts.jumps > 1_000 && counts.falls > 200, "{counts:?}");
        assert!(counts.rounds > 50 && counts.knock_outs > 20, "{counts:?}");
    }
}

#[test]
fn a_long_session_keeps_playing_match_after_match() {
    let mut counts = Counts::default();
    play(1, 2, 200_000, &mut counts);
    assert!(counts.matches > 10 && counts.times_over + counts.knock_outs > 20, "{counts:?}");
}

#[test]
fn everybody_holding_everything_is_no_trouble() {
    for players in 2..=4 {
        let mut rig = Rig::new(1, players);
        for frame in 0..8_000 {
            rig.step(&[if frame % 3 == 0 { 0 } else { u16::MAX }; 4]);
        }
        assert!(rig.world.view().results().count > 0);
    }
}
