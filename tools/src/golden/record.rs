//! `snapback golden record` and `repair`.

use super::files;
use super::options::{RecordOptions, RepairOptions};
use crate::error::{CliError, Code};
use crate::{frame_data, out};
use snapback::sim::World;
use snapback::{Command, Effects, Frame, FrameInputs, InputStatus, PlayerHandle, PlayerInput, SideEffectPolicy, Simulation};
use snapback_golden::coverage::WorldSurveyor;
use snapback_golden::format::{Provenance, Source};
use snapback_golden::world::{setup_text, world_with};
use snapback_golden::{GoldenReplay, RecordSettings, Recorder};

pub(super) fn run(options: &RecordOptions) -> Result<Code, CliError> {
    if options.out.exists() && !options.force {
        let path = options.out.display();
        return Err(CliError::usage(format_args!("{path} is there already; choose another name, or write over it with --force")));
    }
    let seats = u8::try_from(options.roster.split_ascii_whitespace().count()).unwrap_or(u8::MAX);
    let players = options.players.unwrap_or(if seats == 0 { 2 } else { seats });
    let data = frame_data::load(options.data.data.as_deref())?;
    let pilots = options.inputs.load(players.into())?;
    let mut world = world_with(&data, &options.roster).map_err(|reason| CliError::usage(reason).at("--roster"))?;
    world.reset(options.seed, players.into()).map_err(CliError::usage)?;
    let settings = RecordSettings {
        trace: !options.no_trace,
        setup: setup_text(&world),
        provenance: Provenance::here(Source::Generated, &options.note),
        ..RecordSettings::generated(options.seed, players.into())
    };
    let mut pilots: Vec<_> = (0..usize::from(players)).map(|player| pilots.pilot(options.seed, player, player)).collect();
    let press = |frame, world: &World| {
        pilots.iter_mut().zip(0..).map(|(pilot, player)| pilot.press(frame, PlayerHandle::new(player), world)).collect()
    };
    let bytes = play(&mut world, options, settings, press).map_err(CliError::usage)?;
    let replay = GoldenReplay::read(bytes).map_err(|error| files::damaged(&options.out, &error))?;
    let survey = WorldSurveyor::new(&data).survey(&replay).map_err(|error| files::unplayable(&options.out, &error))?;
    if let Some(reason) = survey.vacuous {
        return Err(CliError::usage(format_args!("the replay would prove nothing: {reason}; record more frames or other inputs")));
    }
    files::write(&options.out, replay.bytes())?;
    out::say(format_args!(
        "{}: {} frames of {players} players, digest {:08x}, {} bytes",
        options.out.display(),
        replay.frame_count(),
        replay.digest(),
        replay.bytes().len()
    ))?;
    Ok(Code::Agreed)
}

/// Plays straight. What a bot presses depends on the world, so that inputs come a frame at a time.
fn play(
    world: &mut World,
    options: &RecordOptions,
    settings: RecordSettings,
    mut press: impl FnMut(Frame, &World) -> Vec<snapback::sim::PadInput>,
) -> Result<Vec<u8>, snapback_golden::RecordError> {
    let mut recorder = Recorder::new(Vec::new(), world, settings)?;
    let mut snapshot = vec![0; world.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    for frame in (0..i64::from(options.frames)).map(Frame::new) {
        let confirmed = |input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
        let inputs: Vec<_> = press(frame, world).into_iter().map(confirmed).collect();
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(&inputs), &mut effects);
        world.capture(&mut snapshot);
        recorder.record(frame, &inputs, world.hash(options.seed, frame, &snapshot), &snapshot)?;
    }
    recorder.finish()
}

pub(super) fn repair(options: &RepairOptions) -> Result<Code, CliError> {
    let bytes = files::replay_bytes(&options.file)?;
    let len = bytes.len();
    let replay = GoldenReplay::recover(bytes).map_err(|error| files::damaged(&options.file, &error))?;
    let file = options.file.display();
    if replay.is_complete() {
        out::say(format_args!("{file} is whole: there is nothing to repair"))?;
        return Ok(Code::Agreed);
    }
    if replay.frame_count() == 0 {
        return Err(CliError::new(Code::Corrupt, format_args!("{file} was cut off in its first second: no frame is whole")));
    }
    let out = options.out.as_ref().unwrap_or(&options.file);
    let whole = replay.completed().map_err(|error| CliError::new(Code::Corrupt, error).at(file))?;
    let lost = len.saturating_sub(replay.whole_bytes());
    files::write(out, &whole)?;
    let dropped = if lost == 0 { String::new() } else { format!("; {lost} bytes at the end were not, and are dropped") };
    out::say(format_args!("{}: {} frames are whole{dropped}", out.display(), replay.frame_count()))?;
    Ok(Code::Agreed)
}
