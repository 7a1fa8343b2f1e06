//! No seat and no side is favoured, whatever the state: fights that begin in any state at all, with
//! many ties, and their mirror images and other orders of the same seats.

use crate::cases::cases;
use crate::determinism::random_state;
use crate::leaves::leaves;
use crate::mirror::Table;
use crate::rig::{DEFAULT_DATA, Mashers, Rig, parts, whole};
use bytemuck::Zeroable;
use snapback_core::control::{ControlCommand, ControlRules, Feed, MatchControl};
use snapback_core::{FrameInputs, Fx, InputStatus, NameHash, PlayerInput, Rng, Simulation};
use snapback_sim::{Act, Fighter, MAX_FIGHTERS, PadInput, WorldHeader};
use std::sync::Arc;

const ATTACKS: u16 = PadInput::LIGHT | PadInput::HEAVY | PadInput::GRAB | PadInput::SPECIAL;

/// A fight in which everything is at random but who is who: near each other, on few places, so that
/// many are in the same one, equally near, or at the wall.
fn start(rng: &mut Rng, rig: &Rig) -> (WorldHeader, Vec<Fighter>) {
    let before = rig.fighters().to_vec();
    let players = before.len();
    let (mut header, mut fighters) = parts(&random_state(rng, rig, &leaves(rig.fighters().len())));
    (header.clock.phase, header.clock.hitstop_frames) = (1, 0);
    header.clock.timer_frames = header.clock.timer_frames.max(200);
    // Commands are a seat's own; a bot is as fair as a player.
    header.control = if rng.below(3) == 0 { bots(players) } else { MatchControl::zeroed() };
    let wall = rng.below(4) == 0;
    // Or too few throws would meet.
    let is_scramble = rng.below(3) == 0;
    for (f, before) in fighters.iter_mut().zip(&before) {
        let pick = |rng: &mut Rng, choices: &[i32]| Fx::from_int(choices[rng.below(choices.len() as u32) as usize]);
        (f.identity, f.rng) = (before.identity, before.rng);
        let x = pick(rng, &[-60, -30, -10, 0, 0, 10, 30, 60]);
        f.motion.position = [if wall { x + Fx::from_int(390) } else { x }, pick(rng, &[0, 0, 0, 40]), pick(rng, &[-30, 0, 0, 0, 30])];
        f.motion.position[0] = f.motion.position[0].clamp_to(Fx::from_int(-420), Fx::from_int(420));
        for speed in f.motion.velocity.iter_mut().chain([&mut f.motion.pushback]) {
            *speed = pick(rng, &[-5, 0, 0, 0, 5]);
        }
        f.motion.facing = if rng.below(2) == 0 { 1 } else { -1 };
        f.vitals.health = 1 + f.vitals.health % 1_000;
        if f.act() == Act::KnockedOut {
            f.action.act = Act::Stand as u8;
        }
        f.action.elapsed_frames %= 20;
        f.action.left_frames %= 20;
        f.hold.partner %= players as u8 + 1;
        f.hitboxes.reached &= ((1_u16 << players) - 1) as u8;
        if is_scramble && rng.below(3) > 0 {
            f.action.act = Act::Attack as u8;
            f.action.move_name = NameHash::of(["throw", "throw", "light"][rng.below(3) as usize]);
            f.action.elapsed_frames = 3 + rng.below(3) as u16;
            f.hitboxes.reached = 0;
            f.motion.position[1] = Fx::ZERO;
        }
        for p in &mut f.projectiles {
            p.position = [pick(rng, &[-60, -20, 0, 20, 60]), pick(rng, &[80, 105]), pick(rng, &[-30, 0, 30])];
            p.velocity = [pick(rng, &[-5, 5]), Fx::ZERO];
            p.facing = if rng.below(2) == 0 { 1 } else { -1 };
            p.pause_frames %= 3;
        }
        for pad in [&mut f.input.waiting, &mut f.input.last_press] {
            pad.buttons &= ATTACKS;
        }
    }
    (header, fighters)
}

/// The bot plays every seat.
fn bots(players: usize) -> MatchControl {
    let mut control = MatchControl::zeroed();
    let command = ControlCommand::HandOver(Feed::Bot).into();
    let inputs = [PlayerInput::<PadInput> { command, ..PlayerInput::neutral(InputStatus::Confirmed) }; MAX_FIGHTERS];
    let rules = ControlRules { delay_frames: 0, ..ControlRules::default() };
    control.step(&rules, &FrameInputs::new(&inputs[..players]));
    control
}

fn characters(rng: &mut Rng) -> &'static str {
    ["duelist", "warden"][rng.below(2) as usize]
}

#[test]
fn any_state_mirrors() {
    let mut rng = Rng::new(21, 6);
    for round in 0..u64::from(cases(1_500)) {
        let pairs: Vec<_> = (0..1 + round % 4)
            .map(|_| {
                let team = 2 * rng.below(2) as u8;
                ((characters(&mut rng), team), (characters(&mut rng), team + 1))
            })
            .collect();
        let table = Table::new(&pairs);
        let players = table.seats.len();
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.seats, round, players);
        let mut other = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &table.swapped(), round, players);
        let state = start(&mut rng, &rig);
        rig.take(&whole(&state.0, &state.1)).unwrap();
        let image = table.mirrored(state);
        other.take(&whole(&image.0, &image.1)).unwrap();
        let mut mashers = Mashers::new(round);
        for frame in 0..40 {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            other.step(&table.pads(pads));
            let expected = table.mirrored(parts(&rig.snapshot()));
            same(&rig, (round, frame), &expected, &parts(&other.snapshot()));
        }
    }
}

fn same(rig: &Rig, at: (u64, u32), expected: &(WorldHeader, Vec<Fighter>), found: &(WorldHeader, Vec<Fighter>)) {
    let difference = rig.world.layout().first_difference(&whole(&expected.0, &expected.1), &whole(&found.0, &found.1));
    assert_eq!(difference, None, "round and frame {at:?}");
}

/// The same fighters in other seats; the order within a team is part of who they are.
#[test]
fn the_order_of_the_seats_does_not_matter() {
    let mut rng = Rng::new(22, 6);
    for round in 0..u64::from(cases(1_500)) {
        let players = 2 + (round % 7) as usize;
        let teams = 2 + rng.below(3);
        let seats: Vec<_> =
            (0..players).map(|at| (characters(&mut rng), if at < 2 { at as u32 } else { rng.below(teams) } as u8)).collect();
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, round, players);
        // From each new seat to the old one: sorted by a random order of the teams.
        let keys: Vec<u32> = (0..4).map(|_| rng.next_u32()).collect();
        let mut from: Vec<usize> = (0..players).collect();
        from.sort_by_key(|seat| keys[usize::from(seats[*seat].1)]);
        let seat_of = |old: usize| from.iter().position(|seat| *seat == old).unwrap();
        let moved: Vec<_> = from.iter().map(|seat| seats[*seat]).collect();
        let mut other = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &moved, round, players);
        let reseat = |(header, fighters): (WorldHeader, Vec<Fighter>)| {
            let reseated = from.iter().map(|seat| {
                let mut f = fighters[*seat];
                let reached = f.hitboxes.reached;
                f.hitboxes.reached = (0..players).filter(|seat| reached & 1 << seat != 0).fold(0, |bits, seat| bits | 1 << seat_of(seat));
                if f.hold.partner > 0 {
                    f.hold.partner = seat_of(usize::from(f.hold.partner) - 1) as u8 + 1;
                }
                f
            });
            (header, reseated.collect::<Vec<Fighter>>())
        };
        let state = start(&mut rng, &rig);
        rig.take(&whole(&state.0, &state.1)).unwrap();
        let moved = reseat(state);
        other.take(&whole(&moved.0, &moved.1)).unwrap();
        let mut mashers = Mashers::new(round);
        for frame in 0..40 {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            let mut moved = [0; MAX_FIGHTERS];
            for (pad, seat) in moved.iter_mut().zip(&from) {
                *pad = pads[*seat];
            }
            other.step(&moved);
            let expected = reseat(parts(&rig.snapshot()));
            same(&rig, (round, frame), &expected, &parts(&other.snapshot()));
        }
    }
}
