//! Many candidates: two to eight players of all kinds, in all rosters.

use crate::mash::Masher;
use crate::sparring::{Sparring, Style};
use crate::stage::{Stage, Take};
use snapback::Rng;
use snapback::sim::{Phase, WorldData};
use snapback_harness::Pilot;
use snapback_harness::bot::Bot;
use std::sync::Arc;

/// How many candidates there are of each number of fighters, from two on.
const COUNTS: [u64; 7] = [150, 50, 50, 24, 24, 16, 24];

enum Player {
    Sparring(Sparring),
    Masher(Masher),
    Bot(Bot),
}

pub(crate) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let mut takes = Vec::new();
    for (players, count) in (2..).zip(COUNTS) {
        for number in 0..count {
            takes.push(take(data, players, number)?);
        }
    }
    Ok(takes)
}

fn take(data: &Arc<WorldData>, players: usize, number: u64) -> Result<Take, String> {
    let seed = 0xC0_0000 + players as u64 * 1_000 + number;
    let mut rng = Rng::new(seed, 0x726F_7374);
    let team_count = 2 + rng.below(players.min(4) as u32 - 1) as usize;
    let seats: Vec<(&str, u8)> = (0..players)
        .map(|seat| {
            let team = if seat < team_count { seat } else { rng.below(team_count as u32) as usize };
            (["duelist", "warden"][rng.below(2) as usize], team as u8)
        })
        .collect();
    // One in five knows nothing, one in ten is a bot.
    let kind = number % 10;
    let (word, what) = match kind {
        4 | 9 => ("mash", "who hold any buttons"),
        7 => ("bots", "who are new to the game"),
        _ => ("spar", "who know every move"),
    };
    let mut all: Vec<Player> = (0..players)
        .map(|seat| {
            let (_, style) = Style::ALL[rng.below(Style::ALL.len() as u32) as usize];
            match kind {
                4 | 9 => Player::Masher(Masher::new(seed, seat)),
                7 => Player::Bot(Bot::new(seed, seat)),
                _ => Player::Sparring(Sparring::new(seed, seat, style)),
            }
        })
        .collect();
    let name = format!("{word}-{players}-fighters-{team_count}-teams-{number}");
    let note = format!("{players} players {what}, in {team_count} teams.");
    let mut stage = Stage::new(data, &seats, seed, &name, &note)?;
    let frames = match players {
        2 => 1_500,
        3 | 4 => 1_200,
        _ => 900,
    };
    while stage.frames() < frames {
        let world = stage.world();
        let buttons: Vec<u16> = all
            .iter_mut()
            .zip(0..)
            .map(|(player, seat)| match player {
                // The intro is for waiting: long motions would begin in it.
                Player::Sparring(_) if world.view().phase() == Phase::Intro => 0,
                Player::Sparring(sparring) => sparring.next(usize::from(seat), world),
                Player::Masher(masher) => masher.next(),
                Player::Bot(bot) => bot.press(snapback::Frame::ZERO, snapback::PlayerHandle::new(seat), world).buttons,
            })
            .collect();
        stage.step(&buttons);
    }
    debug_assert_eq!(stage.fighter_count(), players);
    Ok(stage.finish())
}
