//! Coverage of any simulation: what is counted as shown, and what is refused as vacuous.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::*;
use snapback_golden::coverage::{Coverage, Survey, Vacuous, WorldSurveyor, survey};
use snapback_golden::format::{Provenance, Source};
use snapback_golden::{GoldenReplay, RecordSettings, Recorder, record};
use snapback_sim::{PadInput, World, WorldData};
use std::sync::Arc;

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
struct Tally {
    #[sim(section = "clock")]
    ticks: u32,
    #[sim(section = "points")]
    points: [u32; 2],
    #[sim(section = "points", range = 0..=0)]
    reserved: u32,
}

/// Points for pressing 1; nothing for anything else.
struct Game(Tally);

impl Simulation for Game {
    type Input = u8;
    fn id(&self) -> SimulationId {
        SimulationId { name: "tally", version: 1 }
    }
    fn layout(&self) -> StateLayout {
        StateLayout::of::<Tally>()
    }
    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        self.0 = Tally::zeroed();
        Ok(())
    }
    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        self.0.ticks = self.0.ticks.wrapping_add(3);
        if self.0.ticks > 3 * 90 {
            self.0.points[1] = 1;
        }
        for (points, seat) in self.0.points.iter_mut().zip(0..) {
            *points += u32::from(inputs.input(PlayerHandle::new(seat)) == 1);
        }
    }
    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

fn game() -> Game {
    Game(Tally::zeroed())
}

/// `frames` frames in which the first of two presses what `press` says.
fn surveyed(frames: u8, press: impl Fn(u8) -> u8) -> Survey {
    let file = record(&mut game(), RecordSettings::generated(1, 2), (0..frames).map(|frame| vec![press(frame), 0])).unwrap();
    survey(&GoldenReplay::read(file).unwrap(), |_| Ok(game())).unwrap()
}

#[test]
fn a_replay_in_which_something_happens_is_not_vacuous() {
    let survey = surveyed(60, |frame| u8::from(frame == 7));
    assert_eq!((survey.vacuous, survey.frames, survey.input_changes, survey.commands), (None, 60, 2, 0));
    let mut coverage = Coverage::of(&game());
    coverage.add("one press", survey);
    insta::assert_snapshot!(coverage, @"
    1 replay, 60 frames
    fields           2 of 2
    input bits       1 of 8
      missing: value bit 1
      missing: value bit 2
      missing: value bit 3
      missing: value bit 4
      missing: value bit 5
      missing: value bit 6
      missing: value bit 7
    sections         2 of 2
    ");
    assert_eq!(coverage.reached_by("fields", "points[*]").collect::<Vec<_>>(), ["one press"]);
}

#[test]
fn what_proves_nothing_is_refused() {
    assert_eq!(surveyed(0, |_| 1).vacuous, Some(Vacuous::NoFrames));
    // Even though a field changes by itself, and the clock counts.
    assert_eq!(surveyed(120, |_| 0).vacuous, Some(Vacuous::NobodyActs));
    assert_eq!(surveyed(80, |_| 2).vacuous, Some(Vacuous::StateOnlyCounts));
    assert_eq!(surveyed(120, |_| 2).vacuous, Some(Vacuous::InputsChangeNothing));
    // A counter, seen from outside, is what a point in every frame is, too.
    assert_eq!(surveyed(80, |_| 1).vacuous, Some(Vacuous::StateOnlyCounts));
    assert_eq!(surveyed(80, |frame| frame % 2).vacuous, None);
}

#[test]
fn a_command_is_an_act() {
    let command = Command::new(Command::FIRST_GAME_KIND, &[1]).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &game(), RecordSettings::generated(1, 1)).unwrap();
    let mut replayed = game();
    for frame in (0..100).map(Frame::new) {
        let inputs = [PlayerInput { input: 0, command, status: InputStatus::Confirmed }];
        replayed.step(frame, &FrameInputs::new(&inputs), &mut Effects::with_capacity(0));
        let snapshot = bytemuck::bytes_of(&replayed.0);
        recorder.record(frame, &inputs, replayed.hash(1, frame, snapshot), snapshot).unwrap();
    }
    let survey = survey(&GoldenReplay::read(recorder.finish().unwrap()).unwrap(), |_| Ok(game())).unwrap();
    assert_eq!((survey.commands, survey.vacuous), (100, Some(Vacuous::InputsChangeNothing)));
}

#[test]
fn a_live_recording_needs_a_rollback() {
    let live = |rollbacks| {
        let settings = RecordSettings { provenance: Provenance::here(Source::Live, ""), ..RecordSettings::generated(1, 2) };
        let mut recorder = Recorder::new(Vec::new(), &game(), settings).unwrap();
        let mut replayed = game();
        for frame in (0..60).map(Frame::new) {
            let input = u8::from(frame.number() % 2 == 0);
            let inputs = [PlayerInput { input, ..PlayerInput::neutral(InputStatus::Confirmed) }; 2];
            replayed.step(frame, &FrameInputs::new(&inputs), &mut Effects::with_capacity(0));
            let snapshot = bytemuck::bytes_of(&replayed.0);
            recorder.record(frame, &inputs, replayed.hash(1, frame, snapshot), snapshot).unwrap();
        }
        recorder.note_rollbacks(rollbacks, 3);
        survey(&GoldenReplay::read(recorder.finish().unwrap()).unwrap(), |_| Ok(game())).unwrap().vacuous
    };
    assert_eq!((live(0), live(1)), (Some(Vacuous::NoRollback), None));
}

fn world_survey(press: impl Fn(u16) -> u16) -> Survey {
    let data: Arc<WorldData> = Arc::default();
    let mut world = World::new(Arc::clone(&data));
    let pads = (0..400).map(|frame| vec![PadInput::new(press(frame)), PadInput::new(0)]);
    let file = record(&mut world, RecordSettings::generated(1, 2), pads).unwrap();
    WorldSurveyor::new(&data).survey(&GoldenReplay::read(file).unwrap()).unwrap()
}

#[test]
fn a_fight_without_a_hit_is_refused() {
    let walk = |frame| if frame % 2 == 0 { PadInput::RIGHT } else { 0 };
    assert_eq!(world_survey(|_| 0).vacuous, Some(Vacuous::NobodyActs));
    assert_eq!(world_survey(walk).vacuous, Some(Vacuous::NoHit));
    let hit = world_survey(|frame| if frame < 130 { PadInput::RIGHT } else { (frame % 30 / 15) * PadInput::LIGHT });
    assert_eq!(hit.vacuous, None);
    assert!(hit.goals.iter().any(|goal| goal.group == "moves that hit" && goal.name == "duelist light"));
}

#[test]
fn coverage_is_data_for_other_programs_too() {
    let mut coverage = Coverage::of(&game());
    coverage.add("idle", surveyed(10, |_| 0));
    let json = serde_json::to_value(&coverage).unwrap();
    assert_eq!(json["vacuous"][0]["reason"], "nobody_acts");
    assert_eq!(json["groups"][0]["reached"][0]["replays"][0], "idle");
    assert_eq!(json["groups"][0]["missing"][0], "points[*]");
}
