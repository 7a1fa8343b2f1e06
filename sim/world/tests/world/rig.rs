//! [`Rig`]: a world that a test drives and rearranges.

use bytemuck::pod_read_unaligned;
use snapback_core::control::ControlCommand;
use snapback_core::{
    Effect, Effects, Frame, FrameInputs, InputStatus, InvalidState, NameHash, PlayerInput, Rng, SideEffectPolicy, Simulation, StateHash,
};
use snapback_sim::{Fighter, MAX_FIGHTERS, Mechanic, PadInput, Phase, Roster, World, WorldData, WorldHeader};
use std::sync::{Arc, LazyLock};

pub(crate) static DEFAULT_DATA: LazyLock<Arc<WorldData>> = LazyLock::new(Arc::default);

/// Without hitstop and counter hits, so that frames and damage are those of the moves alone.
pub(crate) static PLAIN_DATA: LazyLock<Arc<WorldData>> =
    LazyLock::new(|| Arc::new(DEFAULT_DATA.without(&[Mechanic::Hitstop, Mechanic::CounterHits])));

pub(crate) struct Rig {
    pub(crate) world: World,
    pub(crate) seed: u64,
    pub(crate) frame: Frame,
    pub(crate) policy: SideEffectPolicy,
    effects: Effects,
}

impl Rig {
    /// Before the first frame, with duelists in all seats.
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        Self::with_data(Arc::clone(&DEFAULT_DATA), seed, players)
    }

    pub(crate) fn with_data(data: impl Into<Arc<WorldData>>, seed: u64, players: usize) -> Self {
        let seats: Vec<_> = (0..MAX_FIGHTERS).map(|seat| ("duelist", (seat % 2) as u8)).collect();
        Self::with_roster(data, &seats, seed, players)
    }

    pub(crate) fn with_roster(data: impl Into<Arc<WorldData>>, seats: &[(&str, u8)], seed: u64, players: usize) -> Self {
        let data = data.into();
        let roster = Roster::new(&data, seats).unwrap();
        let mut world = World::with_roster(data, roster);
        world.reset(seed, players).unwrap();
        let effects = Effects::with_capacity(64);
        Self { world, seed, frame: Frame::ZERO, policy: SideEffectPolicy::Emit, effects }
    }

    /// Before the first frame, with the standard roster: all characters.
    pub(crate) fn mixed(seed: u64, players: usize) -> Self {
        let seats: Vec<_> = (0..MAX_FIGHTERS).map(|seat| (["duelist", "warden"][seat % 2], (seat % 2) as u8)).collect();
        Self::with_roster(Arc::clone(&DEFAULT_DATA), &seats, seed, players)
    }

    /// At the first frame of fight.
    pub(crate) fn fighting(players: usize) -> Self {
        let mut rig = Self::new(7, players);
        rig.skip_to(Phase::Fight);
        rig
    }

    /// These two in the fight, `distance` apart around the middle.
    pub(crate) fn pair(data: &Arc<WorldData>, characters: [&str; 2], distance: i32) -> Self {
        let mut rig = Self::with_roster(Arc::clone(data), &[(characters[0], 0), (characters[1], 1)], 7, 2);
        rig.skip_to(Phase::Fight);
        rig.part(distance);
        rig
    }

    fn part(&mut self, distance: i32) {
        self.edit(|_, fighters| {
            fighters[0].motion.position[0] = snapback_core::Fx::ratio(-distance, 2);
            fighters[1].motion.position[0] = snapback_core::Fx::ratio(distance, 2);
        });
    }

    /// Two duelists in the fight, `distance` apart around the middle, without hitstop and counter
    /// hits.
    pub(crate) fn apart(distance: i32) -> Self {
        let mut rig = Self::with_data(Arc::clone(&PLAIN_DATA), 7, 2);
        rig.skip_to(Phase::Fight);
        rig.part(distance);
        rig
    }

    pub(crate) fn skip_to(&mut self, phase: Phase) {
        for _ in 0..40_000 {
            if self.world.view().phase() == phase {
                return;
            }
            self.step(&[]);
        }
        unreachable!("the world never came to {phase:?}");
    }

    pub(crate) fn with_capacity(mut self, capacity: usize) -> Self {
        self.effects = Effects::with_capacity(capacity);
        self
    }

    /// One frame with these buttons, by seat; seats left out press nothing.
    pub(crate) fn step(&mut self, buttons: &[u16]) {
        self.command(buttons, &[]);
    }

    /// The same with commands, each for a seat.
    pub(crate) fn command(&mut self, buttons: &[u16], commands: &[(usize, ControlCommand)]) {
        let mut players = [PlayerInput::<PadInput>::neutral(InputStatus::Confirmed); MAX_FIGHTERS];
        for (player, buttons) in players.iter_mut().zip(buttons) {
            player.input = PadInput::new(*buttons);
        }
        for (seat, command) in commands {
            players[*seat].command = (*command).into();
        }
        self.effects.clear();
        self.effects.begin(self.frame, self.policy);
        let count = self.fighters().len();
        self.world.step(self.frame, &FrameInputs::new(&players[..count]), &mut self.effects);
        self.frame = self.frame.next();
    }

    pub(crate) fn steps(&mut self, count: usize, buttons: &[u16]) {
        for _ in 0..count {
            self.step(buttons);
        }
    }

    /// Presses as on a keypad with buttons, for the fighter at `seat`, one word a frame: `6` is
    /// forward, `5` nothing, `2L` down and light. `5*8` is eight frames of nothing.
    pub(crate) fn play(&mut self, seat: usize, text: &str) {
        for word in text.split_whitespace() {
            let (pad, count) = word.split_once('*').map_or((word, 1), |(pad, count)| (pad, count.parse().unwrap()));
            for _ in 0..count {
                let mut pads = [0; MAX_FIGHTERS];
                pads[seat] = keys(pad, self.fighters()[seat].facing() > 0);
                self.step(&pads);
            }
        }
    }

    /// The same for two at once; the shorter one presses nothing at its end.
    pub(crate) fn duel(&mut self, left: &str, right: &str) {
        let words = |text: &str| -> Vec<String> {
            let expand = |word: &str| {
                let (pad, count) = word.split_once('*').map_or((word, 1), |(pad, count)| (pad, count.parse().unwrap()));
                vec![pad.to_owned(); count]
            };
            text.split_whitespace().flat_map(expand).collect()
        };
        let (left, right) = (words(left), words(right));
        for at in 0..left.len().max(right.len()) {
            let pad = |words: &[String], looks_right| keys(words.get(at).map_or("5", String::as_str), looks_right);
            let [one, other] = [0, 1].map(|seat| self.fighters()[seat].facing() > 0);
            self.step(&[pad(&left, one), pad(&right, other)]);
        }
    }

    /// The effects of the last step.
    pub(crate) fn effects(&self) -> &[Effect] {
        self.effects.kept()
    }

    pub(crate) fn raised(&self, kind: NameHash) -> usize {
        self.effects().iter().filter(|e| e.id.kind == kind).count()
    }

    pub(crate) fn fighters(&self) -> &[Fighter] {
        self.world.view().fighters()
    }

    pub(crate) fn health(&self) -> Vec<i32> {
        self.fighters().iter().map(|f| f.vitals.health).collect()
    }

    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let mut out = vec![0; self.world.layout().size_bytes()];
        self.world.capture(&mut out);
        out
    }

    pub(crate) fn hash(&self) -> StateHash {
        self.world.hash(self.seed, self.frame.previous(), &self.snapshot())
    }

    /// Rearranges the state the way a restore does: capture, change, restore.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut WorldHeader, &mut [Fighter])) {
        let (mut header, mut fighters) = parts(&self.snapshot());
        change(&mut header, &mut fighters);
        self.take(&whole(&header, &fighters)).unwrap();
    }

    /// Takes a state that nobody has checked, as from a file: validate, then restore.
    pub(crate) fn take(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.world.validate(snapshot)?;
        self.world.restore(snapshot)
    }
}

/// A word such as `2L` for one who looks right or left.
pub(crate) fn keys(word: &str, looks_right: bool) -> u16 {
    let pad = PadInput::from_notation(word).unwrap_or_else(|| unreachable!("no pad {word}"));
    if looks_right { pad } else { pad.mirrored() }.buttons
}

pub(crate) fn parts(snapshot: &[u8]) -> (WorldHeader, Vec<Fighter>) {
    let (head, tail) = snapshot.split_at(size_of::<WorldHeader>());
    (pod_read_unaligned(head), tail.chunks_exact(size_of::<Fighter>()).map(pod_read_unaligned).collect())
}

pub(crate) fn whole(header: &WorldHeader, fighters: &[Fighter]) -> Vec<u8> {
    let mut bytes = bytemuck::bytes_of(header).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(fighters));
    bytes
}

/// Players who blindly hold some buttons for a while and then others: mostly what people press,
/// sometimes any bits at all, sometimes every one.
pub(crate) struct Mashers {
    rng: Rng,
    habits: [(&'static [u16], usize); MAX_FIGHTERS],
    held: [u16; MAX_FIGHTERS],
    frames_left: [u32; MAX_FIGHTERS],
}

/// For one who looks right; one who looks left does the same mirrored. Motions and double taps are
/// written out, a pad for a few frames each.
const HABITS: [&[u16]; 26] = {
    use PadInput as P;
    const D: u16 = P::DOWN;
    const F: u16 = P::RIGHT;
    const B: u16 = P::LEFT;
    const L: u16 = P::LIGHT;
    const H: u16 = P::HEAVY;
    const S: u16 = P::SPECIAL;
    const Z: u16 = P::GRAB;
    [
        &[0],
        &[F],
        &[F],
        &[L],
        &[F | L],
        &[H],
        &[F | H],
        &[D | L],
        &[D | H],
        &[P::GUARD],
        &[P::GUARD | D],
        &[B],
        &[B | D],
        &[F | P::UP],
        &[u16::MAX],
        &[D, D | F, F | L],
        &[D, D | F, F | H],
        &[F, D, D | F | H],
        &[D, D | B, B | L],
        &[B, B, B, B, B, B, B, B, B, B, B, B, B, F | H],
        &[F, 0, F],
        &[B, 0, B],
        &[P::GUARD, P::GUARD | P::UP],
        &[Z],
        &[D | S, 0, 0, L],
        &[H | S],
    ]
};

impl Mashers {
    pub(crate) fn new(seed: u64) -> Self {
        let idle: (&'static [u16], usize) = (&[], 0);
        Self { rng: Rng::new(seed, 99), habits: [idle; MAX_FIGHTERS], held: [0; MAX_FIGHTERS], frames_left: [0; MAX_FIGHTERS] }
    }

    pub(crate) fn next(&mut self, fighters: &[Fighter]) -> [u16; MAX_FIGHTERS] {
        for seat in 0..MAX_FIGHTERS {
            if self.frames_left[seat] == 0 {
                let looks_right = fighters.get(seat).is_none_or(|f| f.facing() > 0);
                let pad = self.press(seat);
                self.held[seat] = if looks_right { pad } else { pad.mirrored() }.buttons;
            }
            self.frames_left[seat] -= 1;
        }
        self.held
    }

    fn press(&mut self, seat: usize) -> PadInput {
        let (pads, at) = &mut self.habits[seat];
        if let Some(next) = pads.get(*at) {
            *at += 1;
            self.frames_left[seat] = 2 + self.rng.below(2);
            return PadInput::new(*next);
        }
        let buttons = match HABITS.get(self.rng.below(28) as usize) {
            None => self.rng.next_u32() as u16 | (self.rng.next_u32() & self.rng.next_u32()) as u16,
            Some([one]) => *one,
            Some(habit) => {
                (*pads, *at) = (habit, 1);
                self.frames_left[seat] = 2 + self.rng.below(2);
                return PadInput::new(habit[0]);
            }
        };
        self.frames_left[seat] = 1 + self.rng.below(20);
        PadInput::new(buttons)
    }
}
