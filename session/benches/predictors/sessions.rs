//! The check of the model: the same inputs through two real sessions over a fixed latency.

use crate::model::{self, Counts};
use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::{
    Effects, Frame, FrameInputs, InputPredictor, InputSample, InputStatus, InvalidState, LocalInput, PlayerHandle, PlayerInput, PlayerSet,
    ResetError, RollbackConfig, RollbackSession, SessionSettings, SimInput, SimState, Simulation, SimulationId, StateHash, StateLayout,
};
use std::collections::VecDeque;
use std::marker::PhantomData;

const INPUT_DELAY: u8 = 2;
const SEED: u64 = 7;

/// A digest of every input ever pressed: a state is right only if all of them were.
struct Digest<I> {
    state: DigestState,
    input: PhantomData<I>,
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct DigestState {
    digest: u64,
}

impl<I> Digest<I> {
    fn new() -> Self {
        Self { state: DigestState::zeroed(), input: PhantomData }
    }
}

impl<I: SimInput> Simulation for Digest<I> {
    type Input = I;

    fn id(&self) -> SimulationId {
        SimulationId { name: "digest", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<DigestState>()
    }

    fn reset(&mut self, seed: u64, _: usize) -> Result<(), ResetError> {
        self.state.digest = seed;
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, I>, _: &mut Effects) {
        for seat in 0..2 {
            for byte in bytemuck::bytes_of(&inputs.input(PlayerHandle::new(seat))) {
                self.state.digest = (self.state.digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3).rotate_left(29);
            }
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.state, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.state, snapshot)
    }
}

/// One end of the match, and what is on its way to it.
struct End<I: SimInput, P> {
    session: RollbackSession<Digest<I>, P>,
    player: PlayerHandle,
    /// What its player presses at each frame.
    pressed: Vec<I>,
    sent: Frame,
    arriving: VecDeque<(usize, InputSample<I>)>,
    shown: Vec<StateHash>,
}

impl<I: SimInput, P: InputPredictor<I>> End<I, P> {
    fn new(seat: usize, pressed: Vec<I>, latency: usize, predictor: P) -> Self {
        let player = PlayerHandle::new(seat as u8);
        let window = latency as u32 + u32::from(INPUT_DELAY);
        let config = RollbackConfig { prediction_window_frames: window, max_rollback_frames: window, ..RollbackConfig::default() };
        let settings =
            SessionSettings { config, input_delay_frames: INPUT_DELAY, ..SessionSettings::new(SEED, 2, PlayerSet::EMPTY.with(player)) };
        let session = RollbackSession::with_predictor(Digest::new(), settings, predictor).unwrap();
        Self { session, player, pressed, sent: Frame::INITIAL, arriving: VecDeque::new(), shown: Vec::new() }
    }

    /// What comes after the recording is never played.
    fn pressed_at(&self, frame: usize) -> I {
        self.pressed.get(frame).copied().unwrap_or_else(I::zeroed)
    }

    fn receive(&mut self, tick: usize) -> Vec<InputSample<I>> {
        let arrived = self.arriving.iter().take_while(|(due, _)| *due <= tick).count();
        self.arriving.drain(..arrived).map(|(_, sample)| sample).collect()
    }

    fn tick(&mut self, tick: usize) {
        let arrived = self.receive(tick);
        let at = tick + usize::from(INPUT_DELAY);
        let local = LocalInput::new(self.player, self.pressed_at(at));
        let report = self.session.tick(&[local], &arrived).unwrap();
        assert_eq!((report.frame, report.reason), (Frame::new(tick as i64), None));
        self.shown.push(self.session.state_hash(report.frame).unwrap());
    }

    /// What has not been sent yet.
    fn send(&mut self) -> Vec<InputSample<I>> {
        let first = self.sent.next().number();
        self.sent = self.session.newest_local_frame();
        let unsent = first..=self.sent.number();
        unsent.map(|frame| InputSample::new(Frame::new(frame), self.player, self.pressed_at(frame as usize))).collect()
    }
}

/// Plays both players against each other and compares what the sessions counted with what the model counts.
pub(crate) fn check<I: SimInput, P: InputPredictor<I> + Copy>(first: &[I], second: &[I], latency: usize, predictor: P) {
    let ticks = first.len().min(second.len());
    // The delay has no input for the first frames.
    let pressed = [first, second].map(|stream| {
        let mut pressed = stream[..ticks].to_vec();
        pressed[..usize::from(INPUT_DELAY)].fill(I::zeroed());
        pressed
    });
    let mut ends = [0, 1].map(|seat| End::new(seat, pressed[seat].clone(), latency, predictor));
    let one_way_ticks = latency + usize::from(INPUT_DELAY);
    for tick in 0..ticks {
        for end in &mut ends {
            end.tick(tick);
        }
        for seat in 0..2 {
            let sent = ends[seat].send();
            ends[1 - seat].arriving.extend(sent.into_iter().map(|sample| (tick + one_way_ticks, sample)));
        }
    }
    let really = straight(&pressed);
    for (seat, end) in ends.iter().enumerate() {
        let stats = end.session.stats();
        let wrong_frames = end.shown.iter().zip(&really).filter(|(shown, really)| shown != really).count() as u64;
        let counted =
            Counts { frames: stats.frames, rollbacks: stats.rollbacks, resimulated_frames: stats.resimulated_frames, wrong_frames };
        assert_eq!(counted, model::play(&pressed[1 - seat], latency, &predictor), "seat {seat}, latency {latency}");
    }
}

/// The hash of every frame without any rollback.
fn straight<I: SimInput>(pressed: &[Vec<I>; 2]) -> Vec<StateHash> {
    let mut digest = Digest::new();
    digest.reset(SEED, 2).unwrap();
    let mut effects = Effects::with_capacity(0);
    let hash = |(frame, (first, second)): (i64, (&I, &I))| {
        let players = [*first, *second].map(|input| PlayerInput { input, ..PlayerInput::neutral(InputStatus::Confirmed) });
        digest.step(Frame::new(frame), &FrameInputs::new(&players), &mut effects);
        digest.hash(SEED, Frame::new(frame), bytemuck::bytes_of(&digest.state))
    };
    (0..).zip(pressed[0].iter().zip(&pressed[1])).map(hash).collect()
}
