//! Makes the corpus: `cargo run -p snapback-tests --release --example make_corpus -- golden/corpus`.
//!
//! Everything is drawn from seeds and from what the world does, so that the same world gives the
//! same files, byte by byte. When the world changes on purpose, this makes all of it anew.
//!
//! | module | what it holds |
//! |---|---|
//! | `stage` | a world that a scene drives by pressing buttons |
//! | `tables` | scenes that try one move after another |
//! | `scenes` | scenes that run up to something |
//! | `sparring`, `mash` | players who know every move, and who know nothing |
//! | `crowds` | many candidates of two to eight such players, out of which few are chosen |
//! | `live` | matches of real sessions over bad links |
//! | `choose` | which of the candidates show something that no other replay shows |

mod choose;
mod crowds;
mod live;
mod mash;
mod scenes;
mod sparring;
mod stage;
mod tables;

use snapback::Simulation;
use snapback::golden::world::setup_text;
use snapback::golden::{GoldenReplay, RecordError, RecordSettings, Recorder};
use snapback::sim::{World, WorldData};
use snapback::{Command, Effects, Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy};
use stage::Take;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("give the folder of the corpus, such as golden/corpus")?;
    let data: Arc<WorldData> = Arc::default();
    let mut takes = tables::takes(&data)?;
    takes.extend(scenes::takes(&data)?);
    takes.extend(live::takes(&data)?);
    let fixed = takes.iter().map(|take| replay_of(&data, take)).collect::<Result<Vec<_>, _>>()?;
    let candidates = crowds::takes(&data)?;
    let recorded = candidates.iter().map(|take| replay_of(&data, take)).collect::<Result<Vec<_>, _>>()?;
    let chosen = choose::chosen(&data, &fixed, &recorded)?;
    let all =
        takes.iter().zip(fixed).chain(candidates.iter().zip(recorded).enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, it)| it));
    empty(&folder)?;
    let (mut count, mut bytes) = (0, 0);
    for (take, replay) in all {
        let path = folder.join(format!("{}.snbk", take.name));
        std::fs::write(&path, replay.bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{:<32} {:>6} frames {:>8} bytes", take.name, replay.frame_count(), replay.bytes().len());
        count += 1;
        bytes += replay.bytes().len();
    }
    println!("{count} replays, {bytes} bytes");
    Ok(())
}

/// Removes the replays that are there.
fn empty(folder: &PathBuf) -> Result<(), String> {
    let problem = |error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(problem)?;
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.extension().is_some_and(|extension| extension == "snbk") {
            std::fs::remove_file(&path).map_err(problem)?;
        }
    }
    Ok(())
}

fn replay_of(data: &Arc<WorldData>, take: &Take) -> Result<GoldenReplay, String> {
    let file = record(data, take).map_err(|error| format!("{}: {error}", take.name))?;
    GoldenReplay::read(file).map_err(|error| format!("{}: {error}", take.name))
}

fn record(data: &Arc<WorldData>, take: &Take) -> Result<Vec<u8>, RecordError> {
    let mut world = World::with_roster(Arc::clone(data), take.roster);
    world.reset(take.seed, take.players).map_err(|error| RecordError::WrongShape { reason: error.to_string() })?;
    let mut settings = if take.live.is_some() {
        RecordSettings::live(take.seed, take.players)
    } else {
        RecordSettings::generated(take.seed, take.players)
    };
    settings.trace = take.trace;
    settings.setup = setup_text(&world);
    settings.provenance.note.clone_from(&take.note);
    // The same file on every machine.
    "make_corpus".clone_into(&mut settings.provenance.build);
    "any".clone_into(&mut settings.provenance.platform);
    let mut recorder = Recorder::new(Vec::new(), &world, settings)?;
    let mut snapshot = vec![0; world.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    for (frame, pads) in (0..).map(Frame::new).zip(&take.pads) {
        let confirmed = |input: &_| PlayerInput { input: *input, command: Command::NONE, status: InputStatus::Confirmed };
        let mut inputs: Vec<_> = pads.iter().map(confirmed).collect();
        for (_, seat, command) in take.commands.iter().filter(|(at, ..)| *at as i64 == frame.number()) {
            if let Some(input) = inputs.get_mut(*seat) {
                input.command = (*command).into();
            }
        }
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(&inputs), &mut effects);
        world.capture(&mut snapshot);
        recorder.record(frame, &inputs, world.hash(take.seed, frame, &snapshot), &snapshot)?;
    }
    if let Some((rollbacks, deepest)) = take.live {
        recorder.note_rollbacks(rollbacks, deepest);
    }
    recorder.finish()
}
