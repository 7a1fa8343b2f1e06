//! Matches on recorded human inputs and recorded networks, where the data is at hand.
//!
//! The environment variable `SNAPBACK_DATA` names its folder; without it each test prints
//! `skipped: NAME` and passes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::golden::{RecordSettings, record};
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::link::{LinkTrace, Loss};
use snapback::{
    Effects, Frame, FrameInputs, InputStatus, PlayerHandle, PlayerInput, Rng, SideEffectPolicy, Simulation, SnapshotRing, StateHash,
};
use snapback_harness::recorded::FgFile;
use snapback_harness::{Cluster, ClusterSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a folder of the data with this extension, in order; none where there is no data.
fn files(test: &str, folder: &str, extension: &str) -> Option<Vec<PathBuf>> {
    let Some(data) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: {test}");
        return None;
    };
    let folder = Path::new(&data).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no .{extension} files", folder.display());
    Some(files)
}

/// A cluster whose players press what the recorded ones pressed, from `skip` frames on.
fn cluster(settings: &ClusterSettings, file: &FgFile, skip: usize) -> Cluster<World> {
    let data = Arc::new(WorldData::default());
    let columns: Vec<Vec<u16>> = file.ports().iter().map(|port| file.port(*port).unwrap()).collect();
    Cluster::new(
        settings,
        || World::new(Arc::clone(&data)),
        move |player| {
            let column = columns[player % columns.len()].clone();
            Box::new(move |frame: Frame, _: PlayerHandle, _: &World| PadInput::new(column[(frame.number() as usize + skip) % column.len()]))
        },
    )
    .unwrap()
}

/// Every recorded match, its own number of players, at 80 ms with jitter and loss.
#[test]
fn recorded_players_on_a_usual_link() {
    let Some(files) = files("recorded_players_on_a_usual_link", "inputs", "fg") else { return };
    let mut rollbacks = 0;
    for (seed, path) in files.iter().enumerate() {
        let file = FgFile::parse(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let link =
            LinkSettings { delay_us: 40_000, jitter_us: 5_000, loss: Loss::Independent { per_million: 20_000 }, ..LinkSettings::default() };
        let settings = ClusterSettings { link, ..ClusterSettings::new(seed as u64, file.ports().len(), 1_200) };
        let mut cluster = cluster(&settings, &file, 300);
        cluster.run(120_000_000).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
        rollbacks += cluster.nodes()[0].peer.session().unwrap().stats().rollbacks;
    }
    assert!(rollbacks > 100 * files.len() as u64, "only {rollbacks} rollbacks in {} matches", files.len());
}

/// Recorded players on every recorded network; one file of inputs for each.
#[test]
fn recorded_players_on_recorded_networks() {
    let Some(traces) = files("recorded_players_on_recorded_networks", "net", "csv") else { return };
    let Some(inputs) = files("recorded_players_on_recorded_networks", "inputs", "fg") else { return };
    let traces: Vec<_> = traces.into_iter().filter(|path| path.file_stem().is_some_and(|name| name != "index")).collect();
    for (seed, path) in traces.iter().enumerate() {
        let trace = LinkTrace::parse(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = FgFile::parse(&std::fs::read(&inputs[seed % inputs.len()]).unwrap()).unwrap();
        let settings = ClusterSettings { trace: Some(trace), ..ClusterSettings::new(seed as u64, 2, 1_800) };
        let mut cluster = cluster(&settings, &file, 300);
        cluster.run(600_000_000).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame, "{}", path.display());
    }
}

/// A world without a session, and its last states.
struct Solo {
    world: World,
    seed: u64,
    ring: SnapshotRing,
    effects: Effects,
}

impl Solo {
    /// How many states are kept: rewinds go back over all but one of them.
    const KEPT: u32 = 12;

    fn new(data: &Arc<WorldData>, seed: u64, players: usize) -> Self {
        let mut world = World::new(Arc::clone(data));
        world.reset(seed, players).unwrap();
        let mut ring = SnapshotRing::new(Self::KEPT as usize, world.layout().size_bytes());
        ring.save(Frame::INITIAL, |out| world.capture(out));
        Self { world, seed, ring, effects: Effects::with_capacity(64) }
    }

    fn step(&mut self, frame: Frame, policy: SideEffectPolicy, pads: &[PlayerInput<PadInput>]) {
        self.effects.clear();
        self.effects.begin(frame, policy);
        self.world.step(frame, &FrameInputs::new(pads), &mut self.effects);
        self.ring.save(frame, |out| self.world.capture(out));
    }

    fn rewind_to(&mut self, frame: Frame) {
        self.world.restore(self.ring.get(frame).unwrap()).unwrap();
    }

    fn hash(&self, frame: Frame) -> StateHash {
        self.world.hash(self.seed, frame, self.ring.get(frame).unwrap())
    }
}

/// What `pads` lead to: the hash after every hundredth frame and after the last one, and whether
/// anybody was hit. With a generator, every fourth frame or so comes after wrong guesses: an earlier
/// state is restored, played on with pads that nobody pressed, restored again, and played on rightly.
fn solo(data: &Arc<WorldData>, seed: u64, pads: &[Vec<PlayerInput<PadInput>>], mut guesses: Option<Rng>) -> (Vec<StateHash>, bool) {
    let mut solo = Solo::new(data, seed, pads[0].len());
    let (mut hashes, mut was_hit) = (Vec::new(), false);
    for (at, right) in pads.iter().enumerate() {
        let frame = Frame::new(at as i64);
        if let Some(rng) = guesses.as_mut().filter(|_| at > 0)
            && rng.below(4) == 0
        {
            let depth = (1 + rng.below(Solo::KEPT - 1)).min(at as u32);
            let first = at - depth as usize;
            let before = Frame::new(first as i64).previous();
            solo.rewind_to(before);
            // As a session guesses, or what no session would.
            let held = pads[first.saturating_sub(1)].clone();
            for wrong in first..first + 1 + rng.below(depth) as usize {
                let mut guess = held.clone();
                if rng.below(2) == 0 {
                    guess.iter_mut().for_each(|player| player.input = PadInput::new(rng.next_u32() as u16));
                }
                guess.iter_mut().for_each(|player| player.status = InputStatus::Predicted);
                solo.step(Frame::new(wrong as i64), SideEffectPolicy::Emit, &guess);
            }
            solo.rewind_to(before);
            for (known, right) in pads.iter().enumerate().take(at).skip(first) {
                solo.step(Frame::new(known as i64), SideEffectPolicy::SuppressCosmetics, right);
            }
        }
        solo.step(frame, SideEffectPolicy::Emit, right);
        was_hit |= solo.world.view().fighters().iter().any(|fighter| fighter.juggle.combo_hits > 0);
        if at % 100 == 99 || at + 1 == pads.len() {
            hashes.push(solo.hash(frame));
        }
    }
    (hashes, was_hit)
}

/// 3,000 frames of every recorded match, or all of a shorter one, on the world alone.
#[test]
fn recorded_players_come_to_the_same_state_after_random_rollbacks() {
    let Some(files) = files("recorded_players_come_to_the_same_state_after_random_rollbacks", "inputs", "fg") else { return };
    let data = Arc::new(WorldData::default());
    let mut fights = 0;
    for (seed, path) in (0u64..).zip(&files) {
        let file = FgFile::parse(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let columns: Vec<Vec<u16>> = file.ports().iter().map(|port| file.port(*port).unwrap()).collect();
        let pressed = |frame: usize| columns.iter().map(move |column| PadInput::new(column[frame]));
        let known = |input| PlayerInput { input, ..PlayerInput::neutral(InputStatus::Confirmed) };
        let pads: Vec<Vec<_>> = (0..file.frame_count().min(3_000)).map(|frame| pressed(frame).map(known).collect()).collect();
        let (straight, was_hit) = solo(&data, seed, &pads, None);
        let (rolled_back, _) = solo(&data, seed, &pads, Some(Rng::new(seed, 1)));
        assert_eq!(straight, rolled_back, "{}: hashes of every hundredth frame", path.display());
        fights += usize::from(was_hit);
    }
    assert!(fights * 2 > files.len(), "people hit each other in only {fights} of {} matches", files.len());
}

/// 15 minutes of two people, one recording after another.
#[test]
fn a_quarter_of_an_hour_of_people_takes_less_than_400_kilobytes() {
    const FRAMES: usize = 54_000;
    let Some(inputs) = files("replay_size", "inputs", "fg") else { return };
    let mut pads: Vec<Vec<PadInput>> = Vec::new();
    for path in &inputs {
        let file = FgFile::parse(&std::fs::read(path).unwrap()).unwrap();
        if let [one, other] = file.ports() {
            let (one, other) = (file.port(*one).unwrap(), file.port(*other).unwrap());
            pads.extend(one.into_iter().zip(other).map(|(one, other)| vec![PadInput::new(one), PadInput::new(other)]));
        }
    }
    assert!(pads.len() > 4 * FRAMES);
    for pads in pads.chunks_exact(FRAMES) {
        let mut world = World::new(WorldData::default());
        let settings = RecordSettings { trace: false, ..RecordSettings::generated(7, 2) };
        let file = record(&mut world, settings, pads.iter().cloned()).unwrap();
        assert!(file.len() < 400_000, "{} bytes", file.len());
    }
}
