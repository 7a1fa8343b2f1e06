//! `MatchControl` beside a plain model of what it promises, over random commands.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../src/cases.rs"]
mod cases;

use bytemuck::Zeroable;
use cases::cases;
use snapback_core::control::{ControlCommand, ControlRules, Feed, MatchControl, NetMode, PENDING_PER_PLAYER};
use snapback_core::{Command, FrameInputs, InputStatus, PlayerHandle, PlayerInput, Rng, SimState, StateLayout};

/// Said by `seat` to take effect at frame `due`.
struct Said {
    due: u64,
    seat: usize,
    command: ControlCommand,
}

/// What the docs say, with no thought for size.
#[derive(Default)]
struct Model {
    frame: u64,
    waiting: Vec<Said>,
    paused_by: Option<usize>,
    pauses: [u64; 8],
    pause_frames: [u64; 8],
    surrendered: Vec<usize>,
    feeds: [Option<Feed>; 8],
    mode: NetMode,
}

impl Model {
    fn step(&mut self, rules: &ControlRules, players: &[PlayerInput<u8>]) -> bool {
        for (seat, player) in players.iter().enumerate() {
            let waiting = self.waiting.iter().filter(|said| said.seat == seat).count();
            if let Some(command) = ControlCommand::decode(&player.command).filter(|_| waiting < PENDING_PER_PLAYER) {
                self.waiting.push(Said { due: self.frame + u64::from(rules.delay_frames.min(60)), seat, command });
            }
        }
        let (mut due, later): (Vec<_>, Vec<_>) = core::mem::take(&mut self.waiting).into_iter().partition(|said| said.due <= self.frame);
        self.waiting = later;
        due.sort_by_key(|said| said.seat);
        for Said { seat, command, .. } in due {
            if self.surrendered.contains(&seat) {
                continue;
            }
            match command {
                ControlCommand::Pause => {
                    let has_pauses = self.pauses[seat] < u64::from(rules.pauses_per_player);
                    let has_frames = self.pause_frames[seat] < u64::from(rules.pause_frames_per_player);
                    if self.paused_by.is_none() && has_pauses && has_frames {
                        self.paused_by = Some(seat);
                        self.pauses[seat] += 1;
                    }
                }
                ControlCommand::Resume => self.paused_by = self.paused_by.filter(|by| *by != seat),
                ControlCommand::Surrender => {
                    self.surrendered.push(seat);
                    self.feeds[seat] = None;
                    self.paused_by = self.paused_by.filter(|by| *by != seat);
                }
                ControlCommand::HandOver(Feed::Player(to)) if to.index() >= players.len() => {}
                ControlCommand::HandOver(feed) => self.feeds[seat] = Some(feed).filter(|feed| *feed != own(seat)),
                ControlCommand::Mode(mode) => self.mode = mode,
            }
        }
        if let Some(by) = self.paused_by {
            let is_gone = players[by].status == InputStatus::Disconnected;
            if is_gone || self.pause_frames[by] == u64::from(rules.pause_frames_per_player) {
                self.paused_by = None;
            } else {
                self.pause_frames[by] += 1;
            }
        }
        self.frame += 1;
        self.paused_by.is_some()
    }

    fn begin_match(&mut self) {
        self.paused_by = None;
        self.surrendered.clear();
        (self.pauses, self.pause_frames) = ([0; 8], [0; 8]);
    }
}

fn player(seat: usize) -> PlayerHandle {
    PlayerHandle::new(seat as u8)
}

fn own(seat: usize) -> Feed {
    Feed::Player(player(seat))
}

/// Mostly commands that mean something, often the same ones; now and then anything at all.
fn command(rng: &mut Rng) -> Command {
    let meant = match rng.below(12) {
        0..=2 => ControlCommand::Pause,
        3..=5 => ControlCommand::Resume,
        6 => ControlCommand::Surrender,
        7 => ControlCommand::HandOver(Feed::Bot),
        8 => ControlCommand::HandOver(Feed::Player(PlayerHandle::new(rng.below(9) as u8))),
        9 => ControlCommand::Mode(NetMode::ALL[rng.below(3) as usize]),
        _ => return Command::new(rng.below(70) as u8, &rng.next_u32().to_le_bytes()[..rng.below(3) as usize]).unwrap_or(Command::NONE),
    };
    meant.into()
}

#[test]
fn it_does_what_the_model_does() {
    let layout = StateLayout::of::<MatchControl>();
    let (mut paused, mut spent, mut handed, mut surrendered, mut begun) = (0, 0, 0, 0, 0);
    for case in 0..cases(600) {
        let mut rng = Rng::new(u64::from(case), 0xC0);
        let rules = ControlRules {
            delay_frames: [0, 1, 3, 8, 60, 200][rng.below(6) as usize],
            pauses_per_player: rng.below(4) as u8,
            pause_frames_per_player: rng.below(30) as u16,
        };
        let count = 1 + rng.below(8) as usize;
        let (mut control, mut model) = (MatchControl::zeroed(), Model::default());
        let mut gone = [false; 8];
        for frame in 0..400 {
            let mut inputs = vec![PlayerInput::<u8>::neutral(InputStatus::Confirmed); count];
            for (seat, input) in inputs.iter_mut().enumerate() {
                input.input = 10 + seat as u8;
                gone[seat] |= rng.below(3_000) == 0;
                if gone[seat] {
                    input.status = InputStatus::Disconnected;
                } else if rng.below(8) == 0 {
                    input.command = command(&mut rng);
                }
            }
            let before = control;
            let inputs_seen = FrameInputs::new(&inputs);
            let orders = control.step(&rules, &inputs_seen);
            let is_paused = model.step(&rules, &inputs);
            let context = || format!("case {case} frame {frame}");
            assert_eq!((orders.is_paused, control.paused_by().map(PlayerHandle::index)), (is_paused, model.paused_by), "{}", context());
            let changed = before.paused_by() != control.paused_by();
            assert_eq!(orders.pause_began, changed && is_paused, "{}", context());
            assert_eq!(orders.pause_ended, changed && before.paused_by().is_some(), "{}", context());
            assert_eq!((orders.mode, control.mode()), (model.mode, model.mode), "{}", context());
            for seat in 0..8 {
                let has_surrendered = model.surrendered.contains(&seat);
                assert_eq!(orders.surrendered.contains(player(seat)), has_surrendered, "{}", context());
                let was = before.surrendered().contains(player(seat));
                assert_eq!(orders.new_surrenders.contains(player(seat)), has_surrendered && !was, "{}", context());
                let feed = model.feeds[seat].unwrap_or(own(seat));
                assert_eq!((orders.feed_of(player(seat)), control.feed_of(player(seat))), (feed, feed), "{}", context());
                assert_eq!(orders.new_feeds.contains(player(seat)), before.feed_of(player(seat)) != feed, "{}", context());
                let expected = match feed {
                    _ if has_surrendered => Some(0),
                    Feed::Player(by) if by.index() < count => Some(10 + by.index() as u8),
                    Feed::Player(_) => Some(0),
                    Feed::Bot => None,
                };
                assert_eq!(orders.input(player(seat), &inputs_seen), expected, "{}", context());
                let pauses = u64::from(rules.pauses_per_player) - model.pauses[seat];
                let frames = u64::from(rules.pause_frames_per_player) - model.pause_frames[seat];
                assert_eq!(control.pauses_left(player(seat), &rules), (pauses as u8, frames as u16), "{}", context());
            }
            assert_eq!(layout.validate(bytemuck::bytes_of(&control)), Ok(()), "{}", context());
            paused += u32::from(is_paused);
            spent += u32::from(orders.pause_ended);
            handed += orders.new_feeds.len();
            surrendered += orders.new_surrenders.len();
            if rng.below(150) == 0 {
                control.begin_match();
                model.begin_match();
                begun += 1;
            }
        }
    }
    let count = cases(600);
    assert!(
        paused > 20 * count && spent > 2 * count && handed > 2 * count as usize && surrendered > count as usize && begun > count,
        "{paused} {spent} {handed} {surrendered} {begun}"
    );
}

/// Any state that a file may hold can be stepped, and gives one again.
#[test]
fn states_that_are_hostile_but_in_range_can_be_stepped() {
    let layout = StateLayout::of::<MatchControl>();
    let mut rng = Rng::new(3, 3);
    for _ in 0..cases(20_000) {
        let mut bytes = [0; size_of::<MatchControl>()];
        for field in layout.fields() {
            let range = field.range.map_or((0, u16::MAX.into()), |range| (range.min, range.max));
            let value = range.0 + i128::from(rng.next_u32()) % (range.1 - range.0 + 1);
            let len = field.scalar.size_bytes();
            bytes[field.offset_bytes..field.offset_bytes + len].copy_from_slice(&value.to_le_bytes()[..len]);
        }
        if layout.validate(&bytes).is_err() {
            continue;
        }
        let mut control: MatchControl = bytemuck::pod_read_unaligned(&bytes);
        let rules = ControlRules { delay_frames: 2, pauses_per_player: 2, pause_frames_per_player: 9 };
        for _ in 0..8 {
            let players: [PlayerInput<u8>; 3] =
                core::array::from_fn(|_| PlayerInput { command: command(&mut rng), ..PlayerInput::neutral(InputStatus::Confirmed) });
            control.step(&rules, &FrameInputs::new(&players));
            assert_eq!(layout.validate(bytemuck::bytes_of(&control)), Ok(()));
        }
        control.begin_match();
    }
}

/// A budget is exactly as many frames as it says, over several pauses, and then there are none left.
#[test]
fn a_pause_ends_by_itself_when_its_budget_is_used() {
    let rules = ControlRules { delay_frames: 4, pauses_per_player: 3, pause_frames_per_player: 100 };
    let mut control = MatchControl::zeroed();
    let mut paused = Vec::new();
    for frame in 0..400 {
        let mut players = [PlayerInput::<u8>::neutral(InputStatus::Confirmed); 2];
        players[0].command = match frame {
            10 | 100 | 300 => ControlCommand::Pause.into(),
            40 => ControlCommand::Resume.into(),
            _ => Command::NONE,
        };
        // Whoever has not paused cannot end it.
        players[1].command = if frame % 3 == 0 { ControlCommand::Resume.into() } else { Command::NONE };
        if control.step(&rules, &FrameInputs::new(&players)).is_paused {
            paused.push(frame);
        }
    }
    assert_eq!(paused, (14..44).chain(104..174).collect::<Vec<_>>());
    assert_eq!(control.pauses_left(PlayerHandle::new(0), &rules), (1, 0));
}

/// The names and places of its fields are those of every recording of a game that embeds it.
#[test]
fn the_layout_stays() {
    assert_eq!(size_of::<MatchControl>(), 88);
    assert_eq!(MatchControl::LAYOUT.size_bytes, 88);
    let fields = StateLayout::of::<MatchControl>().fields();
    let shown = |path: &str| fields.iter().find(|field| field.path == path).map(|field| field.offset_bytes);
    let places =
        ["seats[1].pause_frames_used", "seats[1].pauses_used", "seats[1].feed", "seats[1].pending[1].kind", "paused_by", "mode"].map(shown);
    assert_eq!(places, [10, 12, 13, 17, 80, 82].map(Some));
}
