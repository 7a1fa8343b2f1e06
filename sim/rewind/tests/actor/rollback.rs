//! As state of a game: rolled back in the middle of a rewind, and the same bits everywhere.

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::{
    Angle, Effects, Frame, FrameInputs, Fx, InputStatus, InvalidState, PlayerHandle, PlayerInput, Quat, ResetError, Rng, SideEffectPolicy,
    SimState, Simulation, SimulationId, SnapshotRing, StateLayout, Vec3,
};
use snapback_rewind::ActorRewind;
use snapback_rewind::actor::{AnimationPose, AnimationRewind, Body, MovementMode, Physics, RewindRules};

use crate::cases::cases;
use crate::faster;

const STEP_US: u32 = 16_667;
const PLAYERS: usize = 2;
const REWIND: u8 = 16;

/// A runner who can turn back time while a button is held.
#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
struct Runner {
    position: Vec3,
    velocity: Vec3,
    spin: Vec3,
    rotation: Quat,
    mode: MovementMode,
    reserved: [u8; 4],
    #[sim(section = "rewind")]
    past: ActorRewind<12>,
    #[sim(section = "rewind")]
    animation: AnimationRewind<12>,
    /// What the animation is driven by.
    shown_velocity: Vec3,
}

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
struct Runners {
    runners: [Runner; PLAYERS],
}

struct Track {
    state: Runners,
    rules: RewindRules,
}

impl Track {
    fn new() -> Self {
        let mut track = Self { state: Runners::zeroed(), rules: faster(3, 2) };
        track.reset(0, PLAYERS).unwrap();
        track
    }
}

impl Runner {
    fn body(&self, input: u8) -> Body {
        Body {
            position: self.position,
            rotation: self.rotation,
            linear_velocity: self.velocity,
            angular_velocity: self.spin,
            input_velocity: Vec3::from_ints(i32::from(input & 3) * 100, 0, 0),
            mode: self.mode,
        }
    }

    fn put(&mut self, body: &Body) {
        self.position = body.position;
        self.rotation = body.rotation;
        self.velocity = body.linear_velocity;
        self.spin = body.angular_velocity;
        self.mode = body.mode;
    }

    fn step(&mut self, rules: &RewindRules, input: u8) {
        let wants_back = input & REWIND != 0;
        if self.past.physics() == Physics::Off {
            if wants_back && let Ok(shown) = self.past.step_back(rules, STEP_US) {
                self.put(&shown.body);
                self.shown_velocity = self.animation.at(shown.time_us).unwrap_or_default().velocity;
            } else if let Ok(resumed) = self.past.resume() {
                self.put(&resumed.body);
                self.animation.resume(resumed.time_us);
            }
            return;
        }
        let push = |bit: u8| Fx::from_int(i32::from(input >> bit & 1));
        self.velocity += Vec3::new(push(0) - push(1), push(2), push(3));
        self.spin += Vec3::new(push(2), push(0), Fx::ZERO) * Fx::ratio(1, 60);
        self.position += self.velocity * Fx::ratio(1, 60);
        let turn = Quat::from_axis_angle(Vec3::new(Fx::ONE, push(1), push(3)), Angle::from_degrees(i32::from(input & 15)));
        self.rotation = (turn * self.rotation).normalise();
        self.mode = MovementMode(u32::from(input & 12));
        let body = self.body(input);
        let pose = AnimationPose { velocity: self.velocity, mode: self.mode };
        self.shown_velocity = pose.velocity;
        if let Some(at) = self.past.record(rules, STEP_US, &body) {
            self.animation.record(at, pose);
        }
        if wants_back && let Ok(shown) = self.past.begin(&body) {
            self.animation.begin(shown.time_us, pose);
        }
    }
}

impl Simulation for Track {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "runners", version: 1 }
    }

    fn config_hash(&self) -> u32 {
        self.rules.config_hash()
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Runners>()
    }

    fn fighter_count(&self) -> usize {
        PLAYERS
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        self.state = Runners::zeroed();
        for runner in &mut self.state.runners {
            runner.rotation = Quat::IDENTITY;
        }
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        for (seat, runner) in (0..).zip(&mut self.state.runners) {
            runner.step(&self.rules, inputs.input(PlayerHandle::new(seat)));
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.state, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.state, snapshot)
    }

    fn validate(&self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.layout().validate(snapshot)?;
        let runners: Runners = bytemuck::pod_read_unaligned(snapshot);
        for runner in &runners.runners {
            runner.past.validate()?;
            runner.animation.validate(runner.past.time_us())?;
        }
        Ok(())
    }
}

/// Buttons that are held for a while: 40 % of the time somebody rewinds.
fn script(seed: u64, frames: usize) -> Vec<[u8; PLAYERS]> {
    let mut rng = Rng::new(seed, 9);
    let mut held = [0; PLAYERS];
    let frame = |_| {
        for pressed in &mut held {
            if rng.chance(100_000) {
                *pressed = rng.below(16) as u8 | if rng.chance(400_000) { REWIND } else { 0 };
            }
        }
        held
    };
    (0..frames).map(frame).collect()
}

fn step(track: &mut Track, frame: usize, pressed: [u8; PLAYERS], effects: &mut Effects) {
    let inputs = pressed.map(|input| PlayerInput { input, ..PlayerInput::neutral(InputStatus::Confirmed) });
    let frame = Frame::new(frame as i64);
    effects.begin(frame, SideEffectPolicy::Emit);
    track.step(frame, &FrameInputs::new(&inputs), effects);
}

fn captured(track: &Track) -> Vec<u8> {
    let mut bytes = vec![0; track.layout().size_bytes()];
    track.capture(&mut bytes);
    bytes
}

#[test]
fn captured_and_restored_in_the_middle_of_a_rewind_it_goes_on_to_the_bit() {
    let mut effects = Effects::with_capacity(4);
    let (mut mid_rewind, mut rewound_frames) = (0, 0);
    for seed in 0..u64::from(cases(60)) {
        let right = script(seed, 300);
        let guess = script(seed + 1_000, 300);
        // What it is if every input is known at once.
        let mut straight = Track::new();
        let mut expected = Vec::new();
        for (frame, pressed) in right.iter().enumerate() {
            step(&mut straight, frame, *pressed, &mut effects);
            expected.push(captured(&straight));
        }
        // Guessed ahead from everywhere, taken back, and put right.
        let mut track = Track::new();
        let mut ring = SnapshotRing::new(20, track.layout().size_bytes());
        let mut rng = Rng::new(seed, 10);
        for frame in 0..right.len() {
            step(&mut track, frame, right[frame], &mut effects);
            ring.save(Frame::new(frame as i64), |out| track.capture(out));
            assert_eq!(captured(&track), expected[frame], "seed {seed}, frame {frame}");
            let ahead = rng.below(12) as usize;
            for (ahead, pressed) in guess[frame..].iter().take(ahead).enumerate() {
                step(&mut track, frame + ahead + 1, *pressed, &mut effects);
            }
            mid_rewind += u32::from(ahead > 0 && expected_is_rewinding(&expected[frame]));
            rewound_frames += ahead;
            let snapshot = ring.get(Frame::new(frame as i64)).unwrap();
            assert_eq!(track.validate(snapshot), Ok(()), "seed {seed}, frame {frame}");
            track.restore(snapshot).unwrap();
        }
    }
    assert!(mid_rewind > 500 * cases(60) / 60 / 10, "{mid_rewind} of {rewound_frames}");
}

fn expected_is_rewinding(snapshot: &[u8]) -> bool {
    let runners: Runners = bytemuck::pod_read_unaligned(snapshot);
    runners.runners.iter().any(|runner| runner.past.physics() == Physics::Off)
}

#[test]
fn both_rings_forget_the_same_samples() {
    let mut effects = Effects::with_capacity(4);
    let mut track = Track::new();
    for (frame, pressed) in script(3, 2_000).into_iter().enumerate() {
        step(&mut track, frame, pressed, &mut effects);
        for runner in &track.state.runners {
            assert!(runner.past.samples().map(|it| it.time()).eq(runner.animation.samples().map(|it| it.time())), "frame {frame}");
        }
    }
}

#[test]
fn the_game_fits_its_budget_with_both_rings() {
    let track = Track::new();
    let size_bytes = track.layout().size_bytes();
    assert_eq!(size_bytes, PLAYERS * (120 + 160 + 12 * 128 + 48 + 12 * 40));
    assert!(snapback_core::snapshot::check_budget(size_bytes, track.fighter_count(), 8_192).is_ok());
    assert_eq!(track.layout().sections(), ["rewind"]);
}

/// The same on every machine and in every profile. They change with the `version` of the simulation only.
#[test]
fn stored_hashes() {
    let mut effects = Effects::with_capacity(4);
    let mut track = Track::new();
    let mut hashes = Vec::new();
    for (frame, pressed) in script(7, 1_200).into_iter().enumerate() {
        step(&mut track, frame, pressed, &mut effects);
        if frame % 200 == 199 {
            hashes.push(track.hash(7, Frame::new(frame as i64), &captured(&track)).to_string());
        }
    }
    insta::assert_snapshot!(hashes.join(" "), @"f53aff57 1e762c68 88730491 3338fe23 bd5eb165 7a1d85c4");
}
