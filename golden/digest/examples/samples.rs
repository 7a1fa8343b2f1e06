//! `samples FOLDER [FRAMES]`: writes replays to try things on. `matches/` holds four generated
//! matches, `page/` one good file and one for every way in which a file is not good.

#![allow(clippy::unwrap_used, reason = "a tool of the tests: it fails by panicking")]

use snapback_core::{Command, Effects, Frame, FrameInputs, InputStatus, PlayerInput, Rng, SideEffectPolicy, Simulation};
use snapback_golden::world::setup_text;
use snapback_golden::{RecordSettings, Recorder};
use snapback_sim::{PadInput, Roster, World, WorldData};
use std::path::Path;
use std::sync::Arc;

/// Where the input of the diverging file is another one than was played.
const FLIPPED: Frame = Frame::new(1_200);

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "target/samples".to_owned());
    let frames = args.next().map_or(3_600, |frames| frames.parse().unwrap());
    let write = |name: &str, bytes: &[u8]| {
        let path = Path::new(&folder).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let duel = [("duelist", 0), ("warden", 1)];
    write("matches/duel.snbk", &recorded(&duel, 1, frames, true, false));
    write("matches/mirror.snbk", &recorded(&[("warden", 0), ("warden", 1)], 2, frames, false, false));
    write("matches/teams.snbk", &recorded(&[("duelist", 0), ("warden", 0), ("duelist", 1), ("warden", 1)], 3, frames, false, false));
    write("matches/plain.snbk", &recorded(&[("duelist", 0), ("duelist", 1)], 4, frames, false, false));

    let good = recorded(&duel, 1, 3_600, true, false);
    write("page/good.snbk", &good);
    write("page/diverging.snbk", &recorded(&duel, 1, 3_600, true, true));
    write("page/diverging-plain.snbk", &recorded(&duel, 1, 3_600, false, true));
    let middle = good.len() / 2;
    let mut damaged = good.clone();
    *damaged.get_mut(middle).unwrap() ^= 1;
    write("page/damaged.snbk", &damaged);
    write("page/cut.snbk", good.get(..middle).unwrap());
    let mut newer = good;
    *newer.get_mut(4).unwrap() = 9;
    write("page/newer.snbk", &newer);
    write("page/garbage.snbk", b"<img src=x onerror=alert(1)>");
    write("page/empty.snbk", b"");
}

/// A match of players who hold some buttons for a while and then others. With `flip`, the file says
/// of one frame that something else was pressed than what was played.
fn recorded(seats: &[(&str, u8)], seed: u64, frames: u32, trace: bool, flip: bool) -> Vec<u8> {
    let data: Arc<WorldData> = Arc::default();
    let roster = Roster::new(&data, seats).unwrap();
    let mut world = World::with_roster(data, roster);
    world.reset(seed, seats.len()).unwrap();
    let mut settings = RecordSettings { trace, setup: setup_text(&world), ..RecordSettings::generated(seed, seats.len()) };
    "made up to try things on".clone_into(&mut settings.provenance.note);
    let mut recorder = Recorder::new(Vec::new(), &world, settings).unwrap();
    let mut snapshot = vec![0; world.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    let mut players: Vec<Player> = (0..seats.len()).map(|seat| Player::new(seed, seat)).collect();
    let mut frame = Frame::ZERO;
    for _ in 0..frames {
        let mut inputs: Vec<_> = players.iter_mut().map(Player::input).collect();
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(&inputs), &mut effects);
        world.capture(&mut snapshot);
        if flip && frame == FLIPPED {
            let first = inputs.first_mut().unwrap();
            first.input = PadInput::new(first.input.buttons ^ PadInput::GUARD);
        }
        recorder.record(frame, &inputs, world.hash(seed, frame, &snapshot), &snapshot).unwrap();
        frame = frame.next();
    }
    recorder.finish().unwrap()
}

struct Player {
    rng: Rng,
    held: u16,
    frames_left: u32,
}

impl Player {
    fn new(seed: u64, seat: usize) -> Self {
        Self { rng: Rng::new(seed, seat as u64), held: 0, frames_left: 0 }
    }

    fn input(&mut self) -> PlayerInput<PadInput> {
        if self.frames_left == 0 {
            self.held = (self.rng.next_u32() & self.rng.next_u32()) as u16;
            self.frames_left = 1 + self.rng.below(11);
        }
        self.frames_left -= 1;
        PlayerInput { input: PadInput::new(self.held).cleaned(), command: Command::NONE, status: InputStatus::Confirmed }
    }
}
