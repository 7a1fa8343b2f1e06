//! [`ReplayPlayer`]: a replay as something to watch: play, pause, seek, restart.

mod speed;

pub use speed::Speed;

use crate::verify::start;
use crate::{Change, FrameBlock, GoldenReplay, PlayError, ReplayFileError};
use core::borrow::Borrow;
use core::fmt;
use snapback_core::{Effects, Frame, FrameInputs, InvalidState, SideEffectPolicy, Simulation, StateHash, StateLayout};
use speed::Clock;
use std::sync::Arc;

/// Whether time passes for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playback {
    /// It stands still, and can be stepped.
    Paused,
    /// It follows the time that [`tick`](ReplayPlayer::tick) gives it.
    Playing,
    /// The last frame has been played. Seeking back leads to [`Paused`](Self::Paused).
    Ended,
}

/// A frame that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedFrame {
    /// The frame; the one before the first stands for the state in which the match starts.
    pub frame: Frame,
    /// The hash of the state that the simulation is in.
    pub computed: StateHash,
    /// The hash that was recorded; `None` for the start, of which the file keeps the state alone.
    pub recorded: Option<StateHash>,
    /// Whether here, or on the way of a seek to here, the player first
    /// [noticed](ReplayPlayer::game_changed) that the game is another one than was recorded. It says
    /// so once.
    pub notices_change: bool,
}

impl PlayedFrame {
    /// Whether the hash is the recorded one. The start has none to compare with.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.recorded.is_none_or(|recorded| recorded == self.computed)
    }
}

/// The game gives another state than the one that was recorded: it is another one by now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameChanged {
    /// The frame at which it was noticed; the one before the first means the start.
    pub frame: Frame,
    /// The recorded hash; `None` for the start.
    pub recorded: Option<StateHash>,
    /// The hash that was computed.
    pub computed: StateHash,
}

impl fmt::Display for GameChanged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, recorded, computed } = self;
        match recorded {
            Some(recorded) => write!(f, "the game has changed: frame {frame} was recorded with the hash {recorded} and gives {computed}"),
            None => write!(f, "the game has changed: the match starts in another state than was recorded"),
        }
    }
}

/// Why a player cannot go where it was told to go. If the way is refused it stays where it is, and
/// plays on from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeekError {
    /// The replay has no such frame.
    NoSuchFrame {
        /// The frame that was asked for.
        frame: Frame,
        /// The earliest that there is: the start.
        start: Frame,
        /// The last that there is.
        last: Frame,
    },
    /// The snapshot on the way is none of this game.
    InvalidSnapshot {
        /// The frame of the snapshot.
        frame: Frame,
        /// Why not.
        reason: InvalidState,
    },
    /// The snapshot on the way is another state than the one whose hash was recorded: somebody made
    /// it up, or the layout of the state has changed.
    WrongSnapshot {
        /// The frame of the snapshot.
        frame: Frame,
        /// The recorded hash of the frame.
        recorded: StateHash,
        /// The hash of the snapshot.
        snapshot: StateHash,
    },
    /// The replay does not hold what it promised, or the game does not start any more.
    Play(PlayError),
}

impl fmt::Display for SeekError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFrame { frame, start, last } => write!(f, "frame {frame} is not in the replay; seek from {start} to {last}"),
            Self::InvalidSnapshot { frame, reason } => write!(f, "the snapshot of frame {frame} cannot be restored: {reason}"),
            Self::WrongSnapshot { frame, recorded, snapshot } => write!(
                f,
                "the snapshot of frame {frame} has the hash {snapshot} and {recorded} was recorded: it is not trusted; play from the start"
            ),
            Self::Play(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SeekError {}

impl From<PlayError> for SeekError {
    fn from(error: PlayError) -> Self {
        Self::Play(error)
    }
}

impl From<ReplayFileError> for SeekError {
    fn from(error: ReplayFileError) -> Self {
        Self::Play(error.into())
    }
}

/// Plays a replay on a simulation, forward, backward and at any speed.
///
/// The replay is owned, borrowed or shared (`GoldenReplay`, `&GoldenReplay`, `Arc<GoldenReplay>`);
/// players know nothing of each other. The hash of every frame is the same on every way to it, as
/// long as the game is the one that was recorded. If it is another one by now, playing goes on:
/// [`game_changed`](Self::game_changed) tells, and a seek across a snapshot leads back to the
/// recorded states.
///
/// ```
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback_golden::{GoldenReplay, Playback, RecordSettings, ReplayPlayer, Speed, record};
///
/// let file = record(&mut Race(0), RecordSettings::generated(7, 1), (0..120).map(|_| vec![1])).unwrap();
/// let replay = GoldenReplay::read(file).unwrap();
/// let mut player = ReplayPlayer::new(Race(0), &replay).unwrap();
/// player.set_speed(Speed::HALF);
/// player.play();
/// // A second at half the speed of 60 frames a second.
/// let frames = player.tick(1_000_000, |game, played| assert_eq!(game.0, played.frame.number() as u64 + 1)).unwrap();
/// assert_eq!((frames, player.frame()), (30, Frame::new(29)));
/// assert!(player.seek(Frame::new(119)).unwrap().is_same());
/// assert_eq!(player.playback(), Playback::Ended);
/// player.seek(Frame::new(10)).unwrap();
/// assert_eq!(player.simulation().0, 11);
/// ```
pub struct ReplayPlayer<S: Simulation, R = Arc<GoldenReplay>> {
    replay: R,
    simulation: S,
    layout: StateLayout,
    changes: Vec<Change>,
    /// The state after `frame`.
    snapshot: Vec<u8>,
    frame: Frame,
    computed: StateHash,
    block: FrameBlock<S::Input>,
    /// The number of the block that is in `block`.
    loaded: Option<usize>,
    playback: Playback,
    clock: Clock,
    game_changed: Option<GameChanged>,
    effects: Effects,
}

impl<S: Simulation, R: Borrow<GoldenReplay>> ReplayPlayer<S, R> {
    /// A player before the first frame, paused.
    ///
    /// # Errors
    /// If `simulation` is another game than the replay is of, or does not start.
    pub fn new(mut simulation: S, replay: R) -> Result<Self, PlayError> {
        let changes = start(replay.borrow(), &mut simulation)?;
        let layout = simulation.layout();
        let mut player = Self {
            snapshot: vec![0; layout.size_bytes()],
            frame: replay.borrow().meta().first_frame().previous(),
            computed: StateHash::from_bits(0),
            clock: Clock::new(replay.borrow().meta().frame_hz),
            replay,
            simulation,
            layout,
            changes,
            block: FrameBlock::new(),
            loaded: None,
            playback: Playback::Paused,
            game_changed: None,
            effects: Effects::with_capacity(0),
        };
        player.arrive_at_start()?;
        Ok(player)
    }

    /// The replay.
    pub fn replay(&self) -> &GoldenReplay {
        self.replay.borrow()
    }

    /// The game, for its picture: in the state after [`frame`](Self::frame).
    pub const fn simulation(&self) -> &S {
        &self.simulation
    }

    /// The state after [`frame`](Self::frame), as the game captured it.
    pub fn snapshot(&self) -> &[u8] {
        &self.snapshot
    }

    /// The last frame that was played; the one before the first at the start.
    pub const fn frame(&self) -> Frame {
        self.frame
    }

    /// That frame with both hashes.
    pub fn played(&self) -> PlayedFrame {
        let recorded = self.replay().hash(self.frame);
        PlayedFrame { frame: self.frame, computed: self.computed, recorded, notices_change: false }
    }

    /// Whether time passes.
    pub const fn playback(&self) -> Playback {
        self.playback
    }

    /// What the game says is different about it since the recording, before any frame is played.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Where it was first noticed that the game gives other states than were recorded.
    pub const fn game_changed(&self) -> Option<GameChanged> {
        self.game_changed
    }

    /// How fast time passes.
    pub const fn speed(&self) -> Speed {
        self.clock.speed()
    }

    /// Changes how fast time passes, from now on. What has passed of the next frame stays passed.
    pub const fn set_speed(&mut self, speed: Speed) {
        self.clock.set_speed(speed);
    }

    /// Lets time pass. Does nothing at the end: [`restart`](Self::restart) or [`seek`](Self::seek) first.
    pub fn play(&mut self) {
        if self.playback == Playback::Paused {
            self.playback = Playback::Playing;
        }
    }

    /// Lets time stand still. What has passed of the next frame stays passed.
    pub fn pause(&mut self) {
        if self.playback == Playback::Playing {
            self.playback = Playback::Paused;
        }
    }

    /// Lets `delta_us` microseconds pass if it [plays](Playback::Playing), shows every frame that
    /// became due, and returns how many. No time is lost or gained between ticks, however long.
    ///
    /// # Errors
    /// If the inputs of a frame are not what they should be.
    pub fn tick(&mut self, delta_us: u64, mut visit: impl FnMut(&S, PlayedFrame)) -> Result<u64, PlayError> {
        if self.playback != Playback::Playing {
            return Ok(0);
        }
        let due = self.clock.advance(delta_us);
        let mut frames = 0;
        while frames < due {
            let Some(played) = self.step()? else { break };
            frames += 1;
            visit(&self.simulation, played);
        }
        Ok(frames)
    }

    /// Plays the next frame, paused or not; `None` at the end.
    ///
    /// # Errors
    /// If its inputs are not what they should be.
    pub fn step(&mut self) -> Result<Option<PlayedFrame>, PlayError> {
        let next = self.frame.next();
        let Some(number) = self.replay().block_of(next) else {
            self.settle();
            return Ok(None);
        };
        self.load(number)?;
        let start = self.replay().block_start(number).unwrap_or(next);
        let index = usize::try_from(next - start).unwrap_or(usize::MAX);
        let Some((inputs, recorded)) = self.block.frame(index) else { return Ok(None) };
        self.effects.begin(next, SideEffectPolicy::TelemetryOnly);
        self.simulation.step(next, &FrameInputs::new(inputs), &mut self.effects);
        Ok(Some(self.arrive(next, Some(recorded))))
    }

    /// Goes to `frame`, forward or back: from the nearest snapshot before it, or from where it is
    /// if that is nearer. That takes at most
    /// [`MAX_FRAMES_WITHOUT_SNAPSHOT`](crate::format::MAX_FRAMES_WITHOUT_SNAPSHOT) steps. The start is the frame before the first.
    ///
    /// # Errors
    /// If there is no such frame, or the file is not to be trusted on the way.
    pub fn seek(&mut self, frame: Frame) -> Result<PlayedFrame, SeekError> {
        let (start, last) = (self.start(), self.replay().last_frame());
        if !(start..=last).contains(&frame) {
            return Err(SeekError::NoSuchFrame { frame, start, last });
        }
        let was_changed = self.game_changed.is_some();
        let from = self.replay().snapshot_frame_before(frame);
        if frame < self.frame || from > self.frame {
            if from <= start { self.arrive_at_start()? } else { self.restore(from)? }
        }
        self.clock.start_frame();
        while self.frame < frame && self.step()?.is_some() {}
        self.settle();
        Ok(PlayedFrame { notices_change: self.game_changed.is_some() && !was_changed, ..self.played() })
    }

    /// Begins anew, midway or at the end, and keeps playing if it plays.
    ///
    /// # Errors
    /// If the game does not start any more.
    pub fn restart(&mut self) -> Result<PlayedFrame, SeekError> {
        self.seek(self.start())
    }

    fn start(&self) -> Frame {
        self.replay().meta().first_frame().previous()
    }

    /// The start is the game's own and not the file's: nothing of a stranger has to be restored.
    fn arrive_at_start(&mut self) -> Result<(), PlayError> {
        let (frame, recorded) = self.replay().snapshot_before(self.start())?;
        start(self.replay.borrow(), &mut self.simulation)?;
        self.arrive(frame, None);
        let mut canonical = vec![0; self.snapshot.len()];
        let is_same = self.layout.encode(&self.snapshot, &mut canonical).is_ok() && canonical == recorded;
        if !is_same {
            self.notice(GameChanged { frame, recorded: None, computed: self.computed });
        }
        self.settle();
        Ok(())
    }

    fn restore(&mut self, frame: Frame) -> Result<(), SeekError> {
        let invalid = |reason| SeekError::InvalidSnapshot { frame, reason };
        let (_, canonical) = self.replay().snapshot_before(frame)?;
        let mut snapshot = vec![0; self.layout.size_bytes()];
        self.layout.decode(&canonical, &mut snapshot).map_err(invalid)?;
        self.simulation.validate(&snapshot).map_err(invalid)?;
        let recorded = self.replay().hash(frame).unwrap_or(StateHash::from_bits(0));
        let hash = self.simulation.hash(self.replay().meta().seed, frame, &snapshot);
        if hash != recorded {
            return Err(SeekError::WrongSnapshot { frame, recorded, snapshot: hash });
        }
        self.simulation.restore(&snapshot).map_err(invalid)?;
        self.arrive(frame, Some(recorded));
        Ok(())
    }

    fn load(&mut self, number: usize) -> Result<(), ReplayFileError> {
        if self.loaded != Some(number) {
            // A block that does not read leaves a mixture behind.
            self.loaded = None;
            self.replay.borrow().read_block(number, &mut self.block)?;
            self.loaded = Some(number);
        }
        Ok(())
    }

    fn arrive(&mut self, frame: Frame, recorded: Option<StateHash>) -> PlayedFrame {
        self.frame = frame;
        self.simulation.capture(&mut self.snapshot);
        self.computed = self.simulation.hash(self.replay.borrow().meta().seed, frame, &self.snapshot);
        let computed = self.computed;
        let differs = recorded.is_some_and(|recorded| recorded != computed);
        let notices_change = differs && self.notice(GameChanged { frame, recorded, computed });
        self.settle();
        PlayedFrame { frame, computed, recorded, notices_change }
    }

    /// `false` if it has been noticed before.
    fn notice(&mut self, changed: GameChanged) -> bool {
        let is_first = self.game_changed.is_none();
        self.game_changed = self.game_changed.or(Some(changed));
        is_first
    }

    /// Brings the playback in line with the frame.
    fn settle(&mut self) {
        self.playback = match self.playback {
            _ if self.frame >= self.replay().last_frame() => Playback::Ended,
            Playback::Ended => Playback::Paused,
            playback => playback,
        };
    }
}
