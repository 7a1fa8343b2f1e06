//! Pausing, a program in the background and loading never cost the connection; commands come right through
//! rollbacks.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::control::{ControlCommand, Feed};
use snapback::sim::{DataFile, PadInput, RoundEnd, Winner, World, WorldData, WorldView, cues};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Command, EffectEvent, Frame, Outcome, PlayerHandle, RollbackConfig};
use snapback_harness::bot::Bot;
use snapback_harness::{Cluster, ClusterSettings, Pilot};
use std::sync::Arc;

const SECOND_US: u64 = 1_000_000;

/// Player, frame of the input, command.
type Script = &'static [(usize, i64, ControlCommand)];

/// A bot that commands what stands in a script.
struct Commander {
    bot: Bot,
    script: Script,
}

impl Pilot<World> for Commander {
    fn press(&mut self, frame: Frame, player: PlayerHandle, world: &World) -> PadInput {
        self.bot.press(frame, player, world)
    }

    fn command(&mut self, frame: Frame, player: PlayerHandle) -> Command {
        let own = self.script.iter().find(|(who, at, _)| (*who, *at) == (player.index(), frame.number()));
        own.map_or(Command::NONE, |(.., command)| (*command).into())
    }
}

/// 80 ms there and back, 5 % loss.
fn settings(frame_count: u32) -> ClusterSettings {
    let link =
        LinkSettings { delay_us: 40_000, jitter_us: 8_000, loss: Loss::Independent { per_million: 50_000 }, ..LinkSettings::default() };
    ClusterSettings { link, ..ClusterSettings::new(11, 2, frame_count) }
}

fn cluster(settings: &ClusterSettings, delay_frames: u8, script: Script) -> Cluster<World> {
    let mut files = WorldData::default_files();
    let DataFile { text, .. } = &mut files[0];
    *text = text.replace("command_delay_frames = 8", &format!("command_delay_frames = {delay_frames}"));
    let data = Arc::new(WorldData::load(&files).unwrap());
    let seed = settings.seed;
    let world = move || World::new(Arc::clone(&data));
    Cluster::new(settings, world, move |player| Box::new(Commander { bot: Bot::new(seed, player), script })).unwrap()
}

fn assert_agreed(cluster: &Cluster<World>, settings: &ClusterSettings) {
    assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
    let outcomes: Vec<_> = cluster.nodes().iter().map(|node| node.peer.outcome()).collect();
    assert_eq!(outcomes, [Some(&Outcome::Agreed); 2]);
}

/// Longer than the others wait for one who is silent.
fn longer_than_the_timeout_us() -> u64 {
    u64::from(RollbackConfig::default().disconnect_timeout_ms) * 1_000 * 2 + 5 * SECOND_US
}

#[test]
fn a_pause_of_two_minutes_by_either_side_costs_nothing() {
    const BY_HOST: Script = &[(0, 300, ControlCommand::Pause), (0, 7_500, ControlCommand::Resume)];
    const BY_JOINER: Script = &[(1, 300, ControlCommand::Pause), (1, 7_500, ControlCommand::Resume)];
    for (by, script) in [BY_HOST, BY_JOINER].into_iter().enumerate() {
        let settings = settings(8_000);
        let mut cluster = cluster(&settings, 8, script);
        cluster.run_until(60 * SECOND_US).unwrap();
        for node in cluster.nodes() {
            let view = *node.peer.session().unwrap().simulation().view();
            assert_eq!(view.header().control.paused_by(), Some(PlayerHandle::new(by as u8)));
        }
        cluster.run(200 * SECOND_US).unwrap();
        assert_agreed(&cluster, &settings);
        let view = WorldView::read(cluster.judge().truth()).unwrap();
        // Everything but the pause was played.
        assert_eq!(view.header().clock.frame_count, 800);
    }
}

#[test]
fn a_program_in_the_background_keeps_its_connection_and_plays_on() {
    for who in 0..2 {
        let settings = settings(1_200);
        let mut cluster = cluster(&settings, 8, &[]);
        cluster.run_until(5 * SECOND_US).unwrap();
        cluster.set_unfocused(who, true);
        cluster.run_until(5 * SECOND_US + longer_than_the_timeout_us()).unwrap();
        let frames: Vec<_> = cluster.nodes().iter().map(|node| node.peer.session().unwrap().current_frame().number()).collect();
        assert!(frames.iter().all(|frame| *frame < 400), "{frames:?}");
        cluster.set_unfocused(who, false);
        cluster.run(120 * SECOND_US).unwrap();
        assert_agreed(&cluster, &settings);
    }
}

#[test]
fn who_loads_for_long_is_waited_for() {
    for who in 0..2 {
        let mut settings = settings(600);
        settings.peers[who].load_us = longer_than_the_timeout_us();
        let mut cluster = cluster(&settings, 8, &[]);
        cluster.run_until(longer_than_the_timeout_us() - SECOND_US).unwrap();
        assert!(cluster.nodes().iter().all(|node| node.peer.outcome().is_none() && node.peer.start_at_us().is_none()));
        cluster.run(120 * SECOND_US).unwrap();
        assert_agreed(&cluster, &settings);
    }
}

/// With no delay every command comes as a surprise: frames are played as if there were none, and again with it.
/// Nobody ever guesses one. The judge compares each confirmed frame with a straight replay.
#[test]
fn commands_that_come_late_come_right() {
    const SCRIPT: Script = &[
        (0, 200, ControlCommand::Pause),
        (1, 230, ControlCommand::Resume),
        (0, 260, ControlCommand::Resume),
        (1, 300, ControlCommand::HandOver(Feed::Bot)),
        (1, 420, ControlCommand::HandOver(Feed::Player(PlayerHandle::new(1)))),
        (0, 500, ControlCommand::HandOver(Feed::Player(PlayerHandle::new(1)))),
        (1, 600, ControlCommand::Surrender),
    ];
    for delay_frames in [0, 1, 8] {
        let settings = settings(900);
        let mut cluster = cluster(&settings, delay_frames, SCRIPT);
        // Pauses as each peer was told of them, and how late.
        let mut told = vec![Vec::new(); 2];
        let mut seen = [Frame::INITIAL; 2];
        while !cluster.is_over() {
            cluster.advance().unwrap();
            for ((node, seen), told) in cluster.nodes().iter().zip(&mut seen).zip(&mut told) {
                let Some(session) = node.peer.session().filter(|session| session.current_frame() != *seen) else { continue };
                *seen = session.current_frame();
                for event in session.effect_events() {
                    if let EffectEvent::Raised(effect) = event
                        && effect.id.kind == cues::PAUSE
                    {
                        told.push((effect.frame.number(), *seen - effect.frame));
                    }
                    assert!(!matches!(event, EffectEvent::Retracted(effect) if effect.id.kind == cues::PAUSE), "a pause was guessed");
                }
            }
        }
        assert_agreed(&cluster, &settings);
        let begins = 200 + i64::from(delay_frames);
        assert!(told.iter().all(|told| told.len() == 1 && told[0].0 == begins), "{told:?}");
        let latest = told.iter().map(|told| told[0].1).max().unwrap();
        assert_eq!(latest > 0, delay_frames < 8, "{told:?}");
        let view = WorldView::read(cluster.judge().truth()).unwrap();
        let last = view.results().last.unwrap();
        assert_eq!((last.end, last.match_winner), (RoundEnd::Surrender, Some(Winner::Team(0))));
        assert_eq!(view.header().clock.frame_count, 900 - 60);
    }
}
