//! The contract of a player: on every way to a frame the hash is the one of the first play, no
//! snapshot is believed, and a game that has changed is noticed once and plays on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::*;
use snapback_golden::format::MAX_FRAMES_WITHOUT_SNAPSHOT;
use snapback_golden::*;
use std::sync::Arc;
use support::{Crossing, crossing, settings};

fn replay(frames: u64) -> Arc<GoldenReplay> {
    Arc::new(GoldenReplay::read(crossing(settings(false), frames, &[])).unwrap())
}

fn first_play<S: Simulation>(player: &mut ReplayPlayer<S>) -> Vec<StateHash> {
    let mut hashes = Vec::new();
    while let Some(played) = player.step().unwrap() {
        assert_eq!(played, PlayedFrame { recorded: Some(played.computed), notices_change: false, ..played });
        assert_eq!(played.frame, player.replay().meta().first_frame() + hashes.len() as i64);
        hashes.push(played.computed);
    }
    assert_eq!(player.playback(), Playback::Ended);
    assert_eq!(hashes.len() as u64, player.replay().frame_count());
    hashes
}

/// Wanders for `moves` moves: seeks anywhere, steps, ticks, restarts.
fn wander<S: Simulation>(player: &mut ReplayPlayer<S>, hashes: &[StateHash], rng: &mut Rng, moves: usize) {
    let first = player.replay().meta().first_frame();
    let check = |played: PlayedFrame| {
        let expected = usize::try_from(played.frame - first).ok().and_then(|at| hashes.get(at));
        assert!(played.is_same() && played.recorded.as_ref() == expected, "{played:?}");
    };
    for _ in 0..moves {
        match rng.below(8) {
            0..=3 => {
                let frame = first + i64::from(rng.below(hashes.len() as u32 + 1)) - 1;
                let played = player.seek(frame).unwrap();
                assert_eq!((played.frame, player.frame()), (frame, frame));
                check(played);
            }
            4 => check(player.restart().unwrap()),
            5 | 6 => {
                player.play();
                player.tick(u64::from(rng.below(400_000)), |_, played| check(played)).unwrap();
                player.pause();
            }
            _ => {
                for _ in 0..rng.below(70) {
                    player.step().unwrap().into_iter().for_each(check);
                }
            }
        }
        check(player.played());
        let hash = player.simulation().hash(player.replay().meta().seed, player.frame(), player.snapshot());
        assert_eq!(hash, player.played().computed);
    }
    assert_eq!(player.game_changed(), None);
}

#[test]
fn every_way_to_a_frame_gives_its_hash() {
    let replay = replay(2_000);
    let mut player = ReplayPlayer::new(Crossing::new(), Arc::clone(&replay)).unwrap();
    let hashes = first_play(&mut player);
    wander(&mut player, &hashes, &mut Rng::new(1, 1), 400);
}

#[test]
fn two_players_of_one_replay_do_not_know_of_each_other() {
    let replay = replay(1_500);
    let mut one = ReplayPlayer::new(Crossing::new(), Arc::clone(&replay)).unwrap();
    let mut other = ReplayPlayer::new(Crossing::new(), replay).unwrap();
    let hashes = first_play(&mut one);
    let mut rng = Rng::new(2, 1);
    for _ in 0..100 {
        wander(&mut one, &hashes, &mut rng, 2);
        let (frame, hash) = (one.frame(), one.played().computed);
        wander(&mut other, &hashes, &mut rng, 2);
        assert_eq!((one.frame(), one.played().computed), (frame, hash));
    }
}

#[cfg(feature = "world")]
#[test]
fn the_fighting_world_gives_its_hashes_on_every_way() {
    use snapback_golden::world::world_of;
    use snapback_sim::{PadInput, WorldData};
    let data: Arc<WorldData> = Arc::default();
    let mut rng = Rng::new(5, 5);
    let mut held = [PadInput::new(0); 2];
    let inputs: Vec<Vec<PadInput>> = (0..3_000)
        .map(|_| {
            for pad in &mut held {
                if rng.below(6) == 0 {
                    *pad = PadInput::new(rng.below(1 << 14) as u16);
                }
            }
            held.to_vec()
        })
        .collect();
    let mut world = snapback_sim::World::new(Arc::clone(&data));
    let settings = RecordSettings { trace: false, first_frame: Frame::new(500), ..RecordSettings::generated(11, 2) };
    let replay = Arc::new(GoldenReplay::read(record(&mut world, settings, inputs).unwrap()).unwrap());
    let new = || ReplayPlayer::new(world_of(&data, replay.meta()).unwrap(), Arc::clone(&replay)).unwrap();
    let (mut one, mut other) = (new(), new());
    let hashes = first_play(&mut one);
    for _ in 0..40 {
        wander(&mut one, &hashes, &mut rng, 2);
        wander(&mut other, &hashes, &mut rng, 2);
    }
}

#[test]
fn playback_is_a_state() {
    let replay = replay(130);
    let mut player = ReplayPlayer::new(Crossing::new(), &*replay).unwrap();
    assert_eq!((player.playback(), player.frame()), (Playback::Paused, Frame::INITIAL));
    assert_eq!(player.tick(1_000_000, |_, _| panic!()).unwrap(), 0);
    player.play();
    assert_eq!(player.tick(1_000_000, |_, _| {}).unwrap(), 60);
    player.set_speed(Speed::QUADRUPLE);
    assert_eq!(player.tick(250_000, |_, _| {}).unwrap(), 60);
    player.set_speed(Speed::QUARTER);
    assert_eq!(player.tick(66_666, |_, _| {}).unwrap(), 0);
    player.pause();
    assert_eq!((player.playback(), player.tick(99, |_, _| {}).unwrap()), (Playback::Paused, 0));
    player.play();
    assert_eq!(player.tick(1, |_, _| {}).unwrap(), 1);
    assert_eq!(player.tick(u64::MAX, |_, _| {}).unwrap(), 9);
    assert_eq!((player.playback(), player.frame()), (Playback::Ended, Frame::new(129)));
    player.play();
    assert_eq!((player.playback(), player.step().unwrap()), (Playback::Ended, None));
    player.seek(Frame::new(100)).unwrap();
    assert_eq!(player.playback(), Playback::Paused);
    player.play();
    player.seek(Frame::new(20)).unwrap();
    assert_eq!(player.playback(), Playback::Playing);
    player.restart().unwrap();
    assert_eq!((player.playback(), player.frame()), (Playback::Playing, Frame::INITIAL));
    player.seek(Frame::new(129)).unwrap();
    assert_eq!(player.playback(), Playback::Ended);
}

#[test]
fn a_frame_that_is_not_there_is_named() {
    let replay = replay(130);
    let mut player = ReplayPlayer::new(Crossing::new(), &*replay).unwrap();
    let error = player.seek(Frame::new(130)).unwrap_err();
    assert_eq!(error.to_string(), "frame 130 is not in the replay; seek from -1 to 129");
    assert!(player.seek(Frame::new(-2)).is_err());
    assert!(player.seek(Frame::new(i64::MAX)).is_err());
}

/// The game, called something else, with a field more, or with its steps counted.
struct Altered {
    game: Crossing,
    name: &'static str,
    has_lighthouse: bool,
    steps: u64,
}

impl Altered {
    fn new() -> Self {
        let game = Crossing::new();
        Self { name: game.id().name, game, has_lighthouse: false, steps: 0 }
    }
}

impl Simulation for Altered {
    type Input = support::Helm;
    fn id(&self) -> SimulationId {
        SimulationId { name: self.name, ..self.game.id() }
    }
    fn config_hash(&self) -> u32 {
        self.game.config_hash()
    }
    fn layout(&self) -> StateLayout {
        if self.has_lighthouse { StateLayout::with_tail::<support::Harbour, u32>("lighthouse", 1) } else { self.game.layout() }
    }
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.game.reset(seed, players)
    }
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, support::Helm>, effects: &mut Effects) {
        self.steps += 1;
        self.game.step(frame, inputs, effects);
    }
    fn capture(&self, out: &mut [u8]) {
        let (harbour, lighthouse) = out.split_at_mut(size_of::<support::Harbour>());
        self.game.capture(harbour);
        lighthouse.fill(1);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.game.restore(&snapshot[..size_of::<support::Harbour>()])
    }
}

#[test]
fn a_seek_takes_no_more_steps_than_there_are_between_snapshots() {
    let replay = replay(5_000);
    let mut player = ReplayPlayer::new(Altered::new(), &*replay).unwrap();
    let mut rng = Rng::new(3, 3);
    for _ in 0..200 {
        let before = player.simulation().steps;
        player.seek(Frame::new(i64::from(rng.below(5_000)))).unwrap();
        assert!(player.simulation().steps - before <= MAX_FRAMES_WITHOUT_SNAPSHOT as u64);
    }
    // From where it is, if that is nearer.
    player.seek(Frame::new(1_000)).unwrap();
    let before = player.simulation().steps;
    player.seek(Frame::new(1_001)).unwrap();
    assert_eq!(player.simulation().steps - before, 1);
    player.seek(Frame::new(599)).unwrap();
    assert_eq!(player.simulation().steps - before, 1, "the snapshot of the frame itself needs no step");
}

#[test]
fn a_game_that_has_changed_is_noticed_once_and_plays_on() {
    let replay = replay(1_300);
    let mut player = ReplayPlayer::new(Crossing { wind_shift: 1, ..Crossing::new() }, &*replay).unwrap();
    let mut noticed = Vec::new();
    player.play();
    player.tick(u64::MAX, |_, played| noticed.extend(played.notices_change.then_some(played))).unwrap();
    assert_eq!((player.playback(), player.frame()), (Playback::Ended, Frame::new(1_299)));
    let [played] = noticed[..] else { panic!("noticed {} times", noticed.len()) };
    let changed = player.game_changed().unwrap();
    assert!(!played.is_same());
    assert_eq!((changed.frame, changed.recorded, changed.computed), (played.frame, played.recorded, played.computed));
    assert!(changed.to_string().starts_with(&format!("the game has changed: frame {} was recorded with the hash", changed.frame)));
    // It is the frame that `verify` names.
    let verified = verify(&replay, |_| Ok(Crossing { wind_shift: 1, ..Crossing::new() })).unwrap();
    let Verdict::Diverged(divergence) = verified.verdict else { panic!() };
    assert_eq!((divergence.frame, divergence.actual), (changed.frame, changed.computed));
    // A snapshot leads back to what was recorded, and nothing is said twice.
    assert!(!player.seek(Frame::new(1_299)).unwrap().notices_change);
    assert!(player.seek(Frame::new(599)).unwrap().is_same());
    player.restart().unwrap();
    while let Some(played) = player.step().unwrap() {
        assert!(!played.notices_change);
    }
    // A seek notices too.
    let mut player = ReplayPlayer::new(Crossing { wind_shift: 1, ..Crossing::new() }, &*replay).unwrap();
    assert!(player.seek(Frame::new(598)).unwrap().notices_change);
    assert!(!player.seek(Frame::new(598)).unwrap().notices_change);
}

#[test]
fn another_game_is_refused() {
    let file = crossing(settings(true), 10, &[]);
    let replay = GoldenReplay::read(file).unwrap();
    let other = Altered { name: "other", ..Altered::new() };
    assert!(matches!(ReplayPlayer::new(other, &replay), Err(PlayError::OtherSimulation { .. })));
}

#[test]
fn a_game_with_other_fields_plays_on_and_takes_no_snapshot() {
    let replay = replay(700);
    let mut player = ReplayPlayer::new(Altered { has_lighthouse: true, ..Altered::new() }, &*replay).unwrap();
    let changed = player.game_changed().unwrap();
    assert_eq!((changed.frame, changed.recorded), (Frame::INITIAL, None));
    assert_eq!(changed.to_string(), "the game has changed: the match starts in another state than was recorded");
    assert!(matches!(player.changes(), [Change::Layout { .. }]));
    // The recorded hash is that of the recorded bytes, whatever the layout is now.
    let Verdict::Diverged(found) = verify(&replay, |_| Ok(Altered { has_lighthouse: true, ..Altered::new() })).unwrap().verdict else {
        panic!("it differs")
    };
    let (mut old, mut state) = (Crossing::new(), vec![0; size_of::<support::Harbour>()]);
    old.reset(replay.meta().seed, replay.meta().players.into()).unwrap();
    old.capture(&mut state);
    assert_eq!((found.frame, found.expected), (Frame::INITIAL, old.hash(replay.meta().seed, Frame::INITIAL, &state)));
    assert_ne!(found.expected, found.actual);
    assert!(!player.seek(Frame::new(500)).unwrap().is_same());
    assert!(matches!(player.seek(Frame::new(650)), Err(SeekError::InvalidSnapshot { frame, .. }) if frame == Frame::new(599)));
    assert_eq!(player.frame(), Frame::new(500));
    player.play();
    assert_eq!(player.tick(u64::MAX, |_, _| {}).unwrap(), 199);
    player.restart().unwrap();
}
