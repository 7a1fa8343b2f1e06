//! Predictors: what they are told, and that nobody else can tell which one a peer has.

use crate::game::{OTHER, two_players};
use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::*;
use std::cell::RefCell;
use std::rc::Rc;

/// A pad with a stick.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct Pad {
    buttons: u16,
    stick: [i8; 2],
}

impl StickInput for Pad {
    const STICKS: usize = 1;

    fn stick(&self, _: usize) -> [i16; 2] {
        self.stick.map(i16::from)
    }

    fn set_stick(&mut self, _: usize, axes: [i16; 2]) {
        self.stick = axes.map(|axis| i8::try_from(axis).unwrap());
    }
}

const RIM: i8 = 80;

/// A player whose stick goes from end to end in a few frames, rests there, and sometimes goes round.
fn thumbed(rng: &mut Rng, frames: usize) -> Vec<Pad> {
    let (mut pad, mut aim) = (Pad::zeroed(), [0i8; 2]);
    let mut next = || {
        if pad.stick == aim && rng.chance(200_000) {
            let end = [-RIM, 0, RIM][rng.below(3) as usize];
            aim = [[end, 0], [0, end], [end, end]][rng.below(3) as usize];
        }
        let step = 16 + 8 * rng.below(6) as i8;
        for (axis, aim) in pad.stick.iter_mut().zip(aim) {
            *axis += aim.saturating_sub(*axis).clamp(-step, step);
        }
        if rng.chance(100_000) {
            pad.buttons ^= 1 << rng.below(4);
        }
        pad
    };
    (0..frames).map(|_| next()).collect()
}

/// A digest of everything that anybody pressed.
struct Digest(u64);

impl Simulation for Digest {
    type Input = Pad;

    fn id(&self) -> SimulationId {
        SimulationId { name: "digest", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, seed: u64, _: usize) -> Result<(), ResetError> {
        self.0 = seed;
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, Pad>, _: &mut Effects) {
        for seat in 0..inputs.player_count() {
            for byte in bytemuck::bytes_of(&inputs.input(PlayerHandle::new(seat as u8))) {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

/// One peer of a match, whatever its predictor.
struct Seat<P> {
    session: RollbackSession<Digest, P>,
    player: PlayerHandle,
    pressed: Vec<Pad>,
    known: Frame,
    hashes: Vec<StateHash>,
}

impl<P: InputPredictor<Pad>> Seat<P> {
    fn new(seat: u8, pressed: &[Pad], predictor: P) -> Self {
        let player = PlayerHandle::new(seat);
        let settings = SessionSettings { local_players: PlayerSet::EMPTY.with(player), ..two_players() };
        let session = RollbackSession::with_predictor(Digest(0), settings, predictor).unwrap();
        Self { session, player, pressed: pressed.to_vec(), known: Frame::INITIAL, hashes: Vec::new() }
    }

    /// One tick in which what the other pressed until `until` has come.
    fn tick(&mut self, other: &[Pad], until: Frame) {
        let player = PlayerHandle::new(1 - self.player.index() as u8);
        while self.known < until {
            self.known = self.known.next();
            let input = other[self.known.number() as usize];
            self.session.confirm(&InputSample::new(self.known, player, input)).unwrap();
        }
        let next = self.session.current_frame().next();
        self.session.tick(&[LocalInput::new(self.player, self.pressed[next.number() as usize])], &[]).unwrap();
        while let Some(frame) = self.session.confirmed(Frame::new(self.hashes.len() as i64)) {
            self.hashes.push(frame.state_hash);
        }
    }
}

/// Plays two peers with these predictors over links whose latency varies. The hashes that each confirmed, and
/// how often each rolled back.
fn play<A: InputPredictor<Pad>, B: InputPredictor<Pad>>(seed: u64, first: A, second: B) -> [(Vec<StateHash>, u64); 2] {
    const FRAMES: usize = 600;
    let mut rng = Rng::new(seed, 0);
    let pressed = [thumbed(&mut rng, FRAMES), thumbed(&mut rng, FRAMES)];
    let (mut here, mut there) = (Seat::new(0, &pressed[0], first), Seat::new(1, &pressed[1], second));
    let last = Frame::new(FRAMES as i64 - 1);
    while here.session.current_frame() < last || there.session.current_frame() < last {
        let late = [rng.below(9), rng.below(9)].map(i64::from);
        let known = [here.session.current_frame(), there.session.current_frame()];
        if here.session.current_frame() < last {
            here.tick(&pressed[1], known[1] - late[0]);
        }
        if there.session.current_frame() < last {
            there.tick(&pressed[0], known[0] - late[1]);
        }
    }
    [(here.hashes, here.session.stats().rollbacks), (there.hashes, there.session.stats().rollbacks)]
}

#[test]
fn peers_with_different_predictors_confirm_the_same_frames() {
    let stick = MovingStick { rim: RIM.into() };
    let mut rollbacks = [[0; 2]; 3];
    for seed in 0..50 {
        let alike = play(seed, RepeatLast, RepeatLast);
        let one = play(seed, RepeatLast, stick);
        let other = play(seed, stick, Neutral);
        for [(first, _), (second, _)] in [&alike, &one, &other] {
            let both = first.len().min(second.len());
            assert!(both > 550, "seed {seed}: {both} frames are confirmed by both");
            assert_eq!(first[..both], second[..both], "seed {seed}");
            assert_eq!(first[..both], alike[0].0[..both], "seed {seed}: the predictors decided what happened");
        }
        for (sum, [(_, here), (_, there)]) in rollbacks.iter_mut().zip([&alike, &one, &other]) {
            *sum = [sum[0] + here, sum[1] + there];
        }
    }
    // They did guess differently, and each of them for itself.
    let [alike, one, other] = rollbacks;
    assert!(one[0] == alike[0] && one[1] < alike[1], "{rollbacks:?}");
    assert!(other[0] < alike[0] && other[1] > alike[1], "{rollbacks:?}");
}

/// What one call was told and what it said.
#[derive(Clone, Copy, Debug)]
struct Call {
    frame: Frame,
    newest: Option<(Frame, Pad)>,
    used: [Pad; 2],
    said: Pad,
}

/// Guesses something else for every frame, and writes down what it was told.
struct Witness(Rc<RefCell<Vec<Call>>>);

impl InputPredictor<Pad> for Witness {
    fn predict(&self, player: PlayerHandle, frame: Frame, past: &InputPast<'_, Pad>) -> Pad {
        assert_eq!(player, OTHER);
        let [last, before] = past.used;
        let said = Pad { buttons: last.buttons.wrapping_mul(3).wrapping_add(before.buttons).wrapping_add(1), stick: last.stick };
        self.0.borrow_mut().push(Call { frame, newest: past.newest.map(|(at, input)| (at, *input)), used: [*last, *before], said });
        said
    }
}

/// Also where a correction takes several ticks, and where the history is as short as it may be and as a power of
/// two: the inputs of frames before it must not be taken for others.
#[test]
fn a_guess_sees_what_the_two_frames_before_were_stepped_with() {
    let mut guesses_while_catching_up = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed, 1);
        let max_rollback_frames = 1 + rng.below(8);
        let snapshot_history_frames = [10, 14, 15, 16, 31, 90][rng.below(6) as usize];
        let prediction_window_frames = snapshot_history_frames.min(32) - 2;
        let config = RollbackConfig { max_rollback_frames, snapshot_history_frames, prediction_window_frames, ..RollbackConfig::default() };
        let first_frame = Frame::new([0, 1, 65_530][rng.below(3) as usize]);
        let settings = SessionSettings { config, first_frame, ..two_players() };
        let calls = Rc::default();
        let mut session = RollbackSession::with_predictor(Digest(0), settings, Witness(Rc::clone(&calls))).unwrap();
        let mut known = first_frame.previous();
        let (mut pressed, mut seen) = (Vec::new(), 0);
        while session.current_frame() < first_frame + 300 {
            for _ in 0..if rng.chance(200_000) { rng.below(40) } else { 0 } {
                if known < session.current_frame() {
                    known = known.next();
                    let input = Pad { buttons: rng.below(3) as u16, stick: [0; 2] };
                    session.confirm(&InputSample::new(known, OTHER, input)).unwrap();
                    pressed.push(input);
                }
            }
            session.tick(&[LocalInput::new(PlayerHandle::new(0), Pad::zeroed())], &[]).unwrap();
            for call in calls.borrow_mut().drain(..) {
                // Whatever was guessed in this tick for a frame, the frames before it were stepped for good.
                let used = |frame| session.inputs(frame).map_or_else(Pad::zeroed, |inputs| inputs[OTHER.index()].input);
                let context = format!("seed {seed}: {call:?}");
                assert_eq!(call.used, [used(call.frame.previous()), used(call.frame.previous().previous())], "{context}");
                assert_eq!(call.said, used(call.frame), "{context}");
                assert_eq!(call.newest.map(|(at, _)| at), (known >= first_frame).then_some(known), "{context}");
                let was_pressed = |(at, input): (Frame, Pad)| pressed[(at - first_frame) as usize] == input;
                assert!(call.newest.is_none_or(was_pressed), "{context}");
                assert!(call.frame > known, "{context}");
                seen += 1;
                guesses_while_catching_up += u32::from(session.state() == SessionState::CatchingUp);
            }
        }
        assert!(seen >= 300, "seed {seed}: {seen} guesses");
    }
    assert!(guesses_while_catching_up > 100, "{guesses_while_catching_up}");
}

#[test]
fn a_right_guess_is_not_made_again_and_a_wrong_one_begins_the_chain_anew() {
    let stick = MovingStick { rim: RIM.into() };
    let mut session = RollbackSession::with_predictor(Digest(0), two_players(), stick).unwrap();
    let at = |stick| Pad { buttons: 0, stick };
    let come = |session: &mut RollbackSession<Digest, MovingStick>, known: &[(i64, [i8; 2])]| {
        let samples: Vec<_> = known.iter().map(|(frame, stick)| InputSample::new(Frame::new(*frame), OTHER, at(*stick))).collect();
        let report = session.tick(&[LocalInput::new(PlayerHandle::new(0), at([0, 0]))], &samples).unwrap();
        let used = (0..=report.frame.number()).map(|frame| session.inputs(Frame::new(frame)).unwrap()[1].input.stick[0]);
        (report.rollback_frames, used.collect::<Vec<_>>())
    };
    come(&mut session, &[]);
    come(&mut session, &[]);
    // It leaves rest in frame 0: in frame 1 it will have arrived, and stay.
    assert_eq!(come(&mut session, &[(0, [40, 0])]), (2, vec![40, 80, 80]));
    assert_eq!(come(&mut session, &[(1, [80, 0])]), (0, vec![40, 80, 80, 80]));
    // It goes back instead of staying, and will be at rest.
    assert_eq!(come(&mut session, &[(2, [48, 0])]), (2, vec![40, 80, 48, 0, 0]));
    assert_eq!(come(&mut session, &[(3, [0, 0])]), (0, vec![40, 80, 48, 0, 0, 0]));
}
