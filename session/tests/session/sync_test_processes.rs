//! What only another process shows: a test starts its own program once more and compares the traces.

use crate::game::*;
use snapback::*;
use std::process::Command as Process;

/// Set in the second process; its value is what a faulty game reads.
const CHILD: &str = "SNAPBACK_SYNC_TEST_CHILD";

/// Where the trace begins in what the second process prints: the test harness prints too.
const BEGIN: &str = "trace of another process\n";
const END: &str = "end of the trace\n";

/// A game that reads its environment from frame 30 on, if it is faulty: no test in one process sees it.
struct ReadsEnvironment {
    game: Game,
    read: u8,
}

impl ReadsEnvironment {
    fn new(is_faulty: bool) -> Self {
        let read = if is_faulty { u8::from(std::env::var_os(CHILD).is_some()) } else { 0 };
        Self { game: Game::new(), read }
    }
}

impl Simulation for ReadsEnvironment {
    type Input = u8;
    fn id(&self) -> SimulationId {
        self.game.id()
    }
    fn layout(&self) -> StateLayout {
        self.game.layout()
    }
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.game.reset(seed, players)
    }
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        self.game.step(frame, inputs, effects);
        if frame >= Frame::new(30) {
            self.game.memory.last[5] = self.read;
        }
    }
    fn capture(&self, out: &mut [u8]) {
        self.game.capture(out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.game.restore(snapshot)
    }
}

fn play(is_faulty: bool) -> SyncTestTrace {
    let test = SyncTestSession::new(ReadsEnvironment::new(is_faulty), 3, 2, 4, RollbackConfig::default());
    let mut test = test.unwrap().keep_trace();
    let mut rng = Rng::new(6, 0);
    for _ in 0..100 {
        test.tick(&[ME, OTHER].map(|player| LocalInput::new(player, rng.next_u32() as u8))).unwrap();
    }
    test.trace().unwrap().clone()
}

/// What this test prints when it runs in another process, with another environment.
fn in_another_process(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let output = Process::new(program).args([test, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let (_, after) = printed.split_once(BEGIN).unwrap_or_else(|| panic!("no trace in {printed}"));
    after.split_once(END).unwrap().0.to_owned()
}

fn compare(test: &str, is_faulty: bool) -> Result<(), SyncTestError> {
    let trace = play(is_faulty);
    if std::env::var_os(CHILD).is_some() {
        println!("{BEGIN}{}{END}", trace.text());
        return Ok(());
    }
    trace.compare(&in_another_process(test))
}

#[test]
fn another_process_gives_the_same_trace() {
    compare("sync_test_processes::another_process_gives_the_same_trace", false).unwrap();
}

#[test]
fn what_a_step_reads_from_the_environment_is_found_by_another_process() {
    let found = compare("sync_test_processes::what_a_step_reads_from_the_environment_is_found_by_another_process", true);
    if std::env::var_os(CHILD).is_none() {
        let SyncTestError::OtherProcess(difference) = found.unwrap_err() else { panic!() };
        assert_eq!((difference.frame, difference.field.as_str()), (Some(Frame::new(30)), "last[5]"));
        assert!(difference.to_string().starts_with("in another process frame 30 differs; first field last[5]: "), "{difference}");
    }
}

#[test]
fn a_trace_of_another_match_is_not_compared_frame_by_frame() {
    let trace = play(false);
    let other = trace.text().replacen("seed 3", "seed 4", 1);
    let SyncTestError::OtherProcess(difference) = trace.compare(&other).unwrap_err() else { panic!() };
    assert_eq!(difference.frame, None);
    assert_eq!(trace.compare(trace.text()), Ok(()));
}
