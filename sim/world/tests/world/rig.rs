//! [`Rig`]: a world that a test drives and rearranges.

use bytemuck::pod_read_unaligned;
use snapback_core::{
    Effect, Effects, Frame, FrameInputs, InputStatus, InvalidState, NameHash, PlayerInput, Rng, SideEffectPolicy, Simulation, StateHash,
};
use snapback_sim::{Fighter, MAX_FIGHTERS, PadInput, Phase, World, WorldData, WorldHeader};
use std::sync::{Arc, LazyLock};

static DEFAULT_DATA: LazyLock<Arc<WorldData>> = LazyLock::new(Arc::default);

pub(crate) struct Rig {
    pub(crate) world: World,
    pub(crate) seed: u64,
    pub(crate) frame: Frame,
    pub(crate) policy: SideEffectPolicy,
    effects: Effects,
}

impl Rig {
    /// Before the first frame.
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        Self::with_data(Arc::clone(&DEFAULT_DATA), seed, players)
    }

    pub(crate) fn with_data(data: impl Into<Arc<WorldData>>, seed: u64, players: usize) -> Self {
        let mut world = World::new(data);
        world.reset(seed, players).unwrap();
        let effects = Effects::with_capacity(64);
        Self { world, seed, frame: Frame::ZERO, policy: SideEffectPolicy::Emit, effects }
    }

    /// At the first frame of fight.
    pub(crate) fn fighting(players: usize) -> Self {
        let mut rig = Self::new(7, players);
        rig.skip_to(Phase::Fight);
        rig
    }

    /// Two fighters in the fight, `distance` apart around the middle.
    pub(crate) fn apart(distance: i32) -> Self {
        let mut rig = Self::fighting(2);
        rig.edit(|_, fighters| {
            fighters[0].motion.position[0] = snapback_core::Fx::ratio(-distance, 2);
            fighters[1].motion.position[0] = snapback_core::Fx::ratio(distance, 2);
        });
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
        let mut players = [PlayerInput::<PadInput>::neutral(InputStatus::Confirmed); MAX_FIGHTERS];
        for (player, buttons) in players.iter_mut().zip(buttons) {
            player.input = PadInput::new(*buttons);
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
    held: [u16; MAX_FIGHTERS],
    frames_left: [u32; MAX_FIGHTERS],
}

/// For one who looks right; one who looks left does the same mirrored.
const HABITS: [u16; 14] = [
    0,
    PadInput::RIGHT,
    PadInput::RIGHT,
    PadInput::LIGHT,
    PadInput::RIGHT | PadInput::LIGHT,
    PadInput::HEAVY,
    PadInput::RIGHT | PadInput::HEAVY,
    PadInput::DOWN | PadInput::LIGHT,
    PadInput::GUARD,
    PadInput::GUARD | PadInput::DOWN,
    PadInput::LEFT,
    PadInput::LEFT | PadInput::DOWN,
    PadInput::RIGHT | PadInput::UP,
    u16::MAX,
];

impl Mashers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed, 99), held: [0; MAX_FIGHTERS], frames_left: [0; MAX_FIGHTERS] }
    }

    pub(crate) fn next(&mut self, fighters: &[Fighter]) -> [u16; MAX_FIGHTERS] {
        for (seat, (held, left)) in self.held.iter_mut().zip(&mut self.frames_left).enumerate() {
            if *left == 0 {
                *left = 1 + self.rng.below(20);
                let habit = HABITS.get(self.rng.below(16) as usize).copied();
                let looks_right = fighters.get(seat).is_none_or(|f| f.facing() > 0);
                let pad = PadInput::new(habit.unwrap_or(self.rng.next_u32() as u16));
                *held = if looks_right { pad } else { pad.mirrored() }.buttons;
            }
            *left -= 1;
        }
        self.held
    }
}
