//! Random play is real play: it hits, guards, knocks out, and never panics.

use crate::cases::{are_all, cases};
use crate::rig::{Mashers, Rig};
use snapback_core::NameHash;
use snapback_sim::{Act, MAX_FIGHTERS, RoundEnd, cues};
use std::collections::BTreeSet;

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
    moves: BTreeSet<NameHash>,
    others: BTreeSet<NameHash>,
}

fn play(seed: u64, players: usize, frames: usize, counts: &mut Counts) {
    let mut rig = Rig::mixed(seed, players);
    let mut mashers = Mashers::new(seed);
    let names: BTreeSet<String> = (0..2).flat_map(|c| rig.world.data().move_names(c)).map(str::to_owned).collect();
    let kinds = |of: fn(&str) -> NameHash| names.iter().map(|name| of(name)).collect::<BTreeSet<NameHash>>();
    let (hits, blocks, swings) = (kinds(cues::hit), kinds(cues::block), kinds(cues::swing));
    let mut results = 0;
    for _ in 0..frames {
        let pads = mashers.next(rig.fighters());
        rig.step(&pads);
        for effect in rig.effects() {
            counts.hits += usize::from(hits.contains(&effect.id.kind));
            counts.blocks += usize::from(blocks.contains(&effect.id.kind));
            if swings.contains(&effect.id.kind) {
                counts.swings += 1;
                counts.moves.insert(effect.id.kind);
            }
            counts.others.insert(effect.id.kind);
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
                RoundEnd::Surrender => unreachable!("nobody commands anything"),
            }
            counts.matches += u32::from(now.last.unwrap().match_winner.is_some());
        }
        let (half_width, fighters) = (420i64, rig.fighters());
        for fighter in fighters {
            assert!((-half_width..=half_width).contains(&fighter.x().round()));
            assert!((0..=600).contains(&fighter.y().round()), "{}", fighter.y());
            assert!((0..=1000).contains(&fighter.vitals.health) && (0..=1000).contains(&fighter.vitals.meter));
            assert_eq!(fighter.is_alive(), fighter.vitals.health > 0);
        }
    }
    counts.rounds += results;
}

/// Every move of every character and every kind of effect comes up: nothing is out of reach.
#[test]
fn random_play_comes_to_everything() {
    let mut all = Counts::default();
    for seed in 0..u64::from(cases(140)) {
        let players = 2 + seed as usize % 7;
        let mut counts = Counts::default();
        play(seed, players, 4_000, &mut counts);
        assert!(counts.hits > 5 && counts.swings > 30, "{players}: {counts:?}");
        all.jumps += counts.jumps;
        all.moves.extend(counts.moves);
        all.others.extend(counts.others);
        all.rounds += counts.rounds;
        all.knock_outs += counts.knock_outs;
        all.blocks += counts.blocks;
        all.falls += counts.falls;
    }
    if !are_all() {
        return;
    }
    assert!(all.rounds > 100 && all.knock_outs > 50 && all.blocks > 300 && all.falls > 1_000 && all.jumps > 300, "{all:?}");
    let data = snapback_sim::WorldData::default();
    for name in (0..2).flat_map(|c| data.move_names(c)) {
        assert!(all.moves.contains(&cues::swing(name)), "{name} was never begun");
    }
    let kinds = [
        cues::JUMP,
        cues::LAND,
        cues::KNOCK_OUT,
        cues::DASH,
        cues::SIDESTEP,
        cues::WALL_SPLAT,
        cues::ARMOUR,
        cues::GRAB,
        cues::TECH,
        cues::CLASH,
        cues::TELEPORT,
        cues::HEAT,
        cues::RAGE,
        cues::KI_CHARGE,
        cues::ROUND_START,
        cues::ROUND_FIGHT,
        cues::ROUND_END,
        cues::MATCH_END,
    ];
    for (at, kind) in kinds.iter().enumerate() {
        assert!(all.others.contains(kind), "kind {at} never came");
    }
}

#[test]
fn a_long_session_keeps_playing_match_after_match() {
    let mut counts = Counts::default();
    play(1, 2, cases(200_000) as usize, &mut counts);
    assert!(!are_all() || counts.matches > 10 && counts.times_over + counts.knock_outs > 20, "{counts:?}");
}

#[test]
fn everybody_holding_everything_is_no_trouble() {
    for players in 2..=MAX_FIGHTERS {
        let mut rig = Rig::new(1, players);
        for frame in 0..cases(8_000) {
            rig.step(&[if frame % 3 == 0 { 0 } else { u16::MAX }; MAX_FIGHTERS]);
        }
        assert!(rig.world.view().results().count > 0 || !are_all());
    }
}
