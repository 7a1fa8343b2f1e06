//! [`Stage`]: a world that a scene drives by pressing buttons, and nothing but that.

use snapback::control::ControlCommand;
use snapback::sim::{Act, Fighter, PadInput, Phase, Roster, World, WorldData};
use snapback::{Effects, Frame, FrameInputs, Fx, InputStatus, PlayerInput, SideEffectPolicy, Simulation};
use std::sync::Arc;

/// Who fights as whom.
pub(crate) type Seats<'a> = &'a [(&'a str, u8)];

/// What is presented to the recorder: a match by its inputs.
pub(crate) struct Take {
    pub(crate) name: String,
    pub(crate) note: String,
    pub(crate) seed: u64,
    pub(crate) roster: Roster,
    pub(crate) players: usize,
    pub(crate) pads: Vec<Vec<PadInput>>,
    /// Those that there are: the how manieth frame, whose it is, and which.
    pub(crate) commands: Vec<(usize, usize, ControlCommand)>,
    pub(crate) trace: bool,
    /// Rollbacks and the deepest of them, if a session played it.
    pub(crate) live: Option<(u64, u32)>,
}

/// A world and the inputs that brought it where it is.
pub(crate) struct Stage {
    world: World,
    frame: Frame,
    take: Take,
    effects: Effects,
}

/// No scene is longer: one that never comes to its end is a mistake.
const MOST_FRAMES: usize = 40_000;

impl Stage {
    pub(crate) fn new(data: &Arc<WorldData>, seats: Seats<'_>, seed: u64, name: &str, note: &str) -> Result<Self, String> {
        let roster = Roster::new(data, seats).map_err(|error| error.to_string())?;
        let mut world = World::with_roster(Arc::clone(data), roster);
        world.reset(seed, seats.len()).map_err(|error| error.to_string())?;
        let take = Take {
            name: name.to_owned(),
            note: note.to_owned(),
            seed,
            roster,
            players: seats.len(),
            pads: Vec::new(),
            commands: Vec::new(),
            trace: true,
            live: None,
        };
        Ok(Self { world, frame: Frame::ZERO, take, effects: Effects::with_capacity(0) })
    }

    pub(crate) fn finish(self) -> Take {
        self.take
    }

    pub(crate) fn without_trace(mut self) -> Self {
        self.take.trace = false;
        self
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    pub(crate) fn fighter(&self, seat: usize) -> Fighter {
        let fighters = self.world.view().fighters();
        fighters[seat % fighters.len()]
    }

    pub(crate) fn fighter_count(&self) -> usize {
        self.take.players
    }

    pub(crate) fn phase(&self) -> Phase {
        self.world.view().phase()
    }

    pub(crate) fn frames(&self) -> usize {
        self.take.pads.len()
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.frames() >= MOST_FRAMES
    }

    /// One frame with these buttons, by seat; seats left out press nothing.
    pub(crate) fn step(&mut self, buttons: &[u16]) {
        self.step_with(buttons, &[]);
    }

    /// One frame in which nothing is pressed and one commands something.
    pub(crate) fn command(&mut self, seat: usize, command: ControlCommand) {
        self.commands(&[(seat, command)]);
    }

    /// The same for several.
    pub(crate) fn commands(&mut self, commands: &[(usize, ControlCommand)]) {
        self.step_with(&[], commands);
    }

    fn step_with(&mut self, buttons: &[u16], commands: &[(usize, ControlCommand)]) {
        let pads: Vec<PadInput> = (0..self.take.players).map(|seat| PadInput::new(buttons.get(seat).copied().unwrap_or(0))).collect();
        let mut inputs: Vec<PlayerInput<PadInput>> =
            pads.iter().map(|pad| PlayerInput { input: *pad, ..PlayerInput::neutral(InputStatus::Confirmed) }).collect();
        for (seat, command) in commands {
            if let Some(input) = inputs.get_mut(*seat) {
                input.command = (*command).into();
            }
            self.take.commands.push((self.frames(), *seat, *command));
        }
        self.effects.begin(self.frame, SideEffectPolicy::TelemetryOnly);
        self.world.step(self.frame, &FrameInputs::new(&inputs), &mut self.effects);
        self.frame = self.frame.next();
        self.take.pads.push(pads);
    }

    pub(crate) fn wait(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.step(&[]));
    }

    /// Presses as on a keypad with buttons, a text for each seat: see [`words`].
    pub(crate) fn play(&mut self, texts: &[&str]) {
        let lines: Vec<Vec<&str>> = texts.iter().map(|text| words(text)).collect();
        let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..longest {
            let buttons: Vec<u16> = lines
                .iter()
                .enumerate()
                .map(|(seat, line)| keys(line.get(at).copied().unwrap_or("5"), self.fighter(seat).facing() > 0))
                .collect();
            self.step(&buttons);
        }
    }

    /// Waits until the fighters may act.
    pub(crate) fn fight(&mut self) {
        while self.phase() != Phase::Fight && !self.is_too_long() {
            self.step(&[]);
        }
    }

    /// Waits until both of the first two stand free in a fight, at the end of everything.
    pub(crate) fn settle(&mut self) {
        for _ in 0..600 {
            let is_free = |fighter: Fighter| fighter.act().is_free() && fighter.motion.pushback == Fx::ZERO;
            if self.phase() == Phase::Fight && is_free(self.fighter(0)) && is_free(self.fighter(1)) {
                return;
            }
            self.step(&[]);
        }
    }

    fn distance(&self) -> Fx {
        (self.fighter(1).x() - self.fighter(0).x()).abs()
    }

    /// The first walks until it is no further than this from the second, or as far as that.
    pub(crate) fn approach(&mut self, distance: i32) {
        let wanted = Fx::from_int(distance);
        for _ in 0..200 {
            if self.phase() != Phase::Fight || self.distance() <= wanted {
                break;
            }
            self.play(&["6"]);
        }
        for _ in 0..200 {
            let step = Fx::from_int(3);
            if self.phase() != Phase::Fight || self.distance() + step >= wanted {
                break;
            }
            self.play(&["4"]);
        }
        // A walk that has just ended must not look like the first tap of a dash.
        self.wait(13);
    }

    /// Both at rest, so far apart, then these texts for both, then rest again.
    pub(crate) fn try_at(&mut self, distance: i32, left: &str, right: &str) {
        self.settle();
        self.approach(distance);
        self.play(&[left, right]);
        self.settle();
    }

    /// How many rounds were decided.
    pub(crate) fn result_count(&self) -> u32 {
        self.world.view().results().count
    }

    /// Goes on with nothing pressed until the next round is decided.
    pub(crate) fn wait_for_result(&mut self) {
        let count = self.result_count();
        while self.result_count() == count && !self.is_too_long() {
            self.step(&[]);
        }
    }

    pub(crate) fn is_down(&self, seat: usize) -> bool {
        self.fighter(seat).act() == Act::Down
    }
}

/// `6` is forward, `5` nothing, `2L` down and light, `5*8` eight frames of nothing: one for a frame.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let expand = |word| {
        let (pad, count) = str::split_once(word, '*').unwrap_or((word, "1"));
        core::iter::repeat_n(pad, count.parse().unwrap_or(1))
    };
    text.split_whitespace().flat_map(expand).collect()
}

/// The buttons of a word for one who looks right or left.
pub(crate) fn keys(word: &str, looks_right: bool) -> u16 {
    let pad = PadInput::from_notation(word).unwrap_or_else(|| unreachable!("no pad {word}"));
    if looks_right { pad } else { pad.mirrored() }.buttons
}
