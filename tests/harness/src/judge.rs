//! [`Judge`]: whether every confirmed frame is what it must be.

use core::fmt;
use snapback::golden::StraightReplay;
use snapback::{ConfirmedFrame, Divergence, Frame, PlayerHandle, PlayerInput, ResetError, SimInput, Simulation, SnapshotRing, StateHash};

/// What a judge found.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// A peer's state for a confirmed frame is not what the inputs give without rollback.
    State {
        /// The peer.
        peer: usize,
        /// Expected is the straight replay, actual the peer.
        divergence: Divergence,
    },
    /// Two peers confirmed different inputs for a frame.
    Input {
        /// The peer that differs from the ones before it.
        peer: usize,
        /// The frame.
        frame: Frame,
        /// The player.
        player: PlayerHandle,
        /// What the others confirmed.
        expected: String,
        /// What this peer confirmed.
        actual: String,
    },
    /// A peer's confirmed frames have a hole.
    Skipped {
        /// The peer.
        peer: usize,
        /// The frame that was expected next.
        expected: Frame,
        /// The frame that came.
        actual: Frame,
    },
}

impl Fault {
    /// The frame at which the fault shows.
    #[must_use]
    pub fn frame(&self) -> Frame {
        match self {
            Self::State { divergence, .. } => divergence.frame,
            Self::Input { frame, .. } => *frame,
            Self::Skipped { expected, .. } => *expected,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State { peer, divergence } => write!(f, "peer {peer} does not have what its inputs give: {divergence}"),
            Self::Input { peer, frame, player, expected, actual } => {
                write!(f, "peer {peer} confirmed another input of player {player} for frame {frame}: {actual} and not {expected}")
            }
            Self::Skipped { peer, expected, actual } => write!(f, "peer {peer} confirmed frame {actual} while frame {expected} was next"),
        }
    }
}

impl std::error::Error for Fault {}

/// Compares every frame that a peer confirms with what the other peers confirmed and with a
/// straight replay of the same inputs: two peers that share a bug do not pass.
///
/// Memory grows by the inputs and a hash for each frame.
pub struct Judge<S: Simulation> {
    replay: StraightReplay<S>,
    player_count: usize,
    first_frame: Frame,
    inputs: Vec<PlayerInput<S::Input>>,
    hashes: Vec<StateHash>,
    snapshots: SnapshotRing,
    next: Vec<Frame>,
}

impl<S: Simulation> Judge<S> {
    /// A judge of `peer_count` peers. `simulation` is a fresh one like theirs.
    ///
    /// # Errors
    /// If the simulation does not start.
    pub fn new(simulation: S, seed: u64, player_count: usize, first_frame: Frame, peer_count: usize) -> Result<Self, ResetError> {
        let replay = StraightReplay::new(simulation, seed, player_count, first_frame)?;
        // Enough to name the field when the slowest peer confirms a frame long after the first.
        let snapshots = SnapshotRing::new(256, replay.layout().size_bytes());
        Ok(Self {
            replay,
            player_count,
            first_frame,
            inputs: Vec::new(),
            hashes: Vec::new(),
            snapshots,
            next: vec![first_frame; peer_count],
        })
    }

    /// The frame that `peer` should confirm next.
    pub fn next_frame(&self, peer: usize) -> Frame {
        self.next.get(peer).copied().unwrap_or(self.first_frame)
    }

    /// The last frame that every peer has confirmed.
    pub fn confirmed_by_all(&self) -> Frame {
        self.next.iter().min().map_or(self.first_frame, |next| *next).previous()
    }

    /// Takes a frame that `peer` confirmed. The first peer to confirm a frame is judged by the
    /// straight replay alone, the others by both.
    ///
    /// # Errors
    /// Says what is not as it must be.
    pub fn confirm(&mut self, peer: usize, claim: &ConfirmedFrame<'_, S::Input>) -> Result<(), Fault> {
        let expected = self.next_frame(peer);
        if claim.frame != expected {
            return Err(Fault::Skipped { peer, expected, actual: claim.frame });
        }
        let at = (claim.frame - self.first_frame) as usize;
        if at == self.hashes.len() {
            self.inputs.extend_from_slice(claim.inputs);
            self.hashes.push(self.replay.step(claim.inputs));
            self.snapshots.save(claim.frame, |out| out.copy_from_slice(self.replay.snapshot()));
        } else {
            self.compare_inputs(peer, at, claim)?;
        }
        let truth = self.snapshots.get(claim.frame);
        let hash = self.hashes.get(at).copied().unwrap_or(StateHash::from_bits(0));
        if hash != claim.state_hash || truth.is_some_and(|truth| truth != claim.snapshot) {
            let field = truth.and_then(|truth| self.replay.layout().first_difference(truth, claim.snapshot));
            let divergence = Divergence { frame: claim.frame, expected: hash, actual: claim.state_hash, field };
            return Err(Fault::State { peer, divergence });
        }
        if let Some(next) = self.next.get_mut(peer) {
            *next = next.next();
        }
        Ok(())
    }

    fn compare_inputs(&self, peer: usize, at: usize, claim: &ConfirmedFrame<'_, S::Input>) -> Result<(), Fault> {
        for (seat, claimed) in claim.inputs.iter().enumerate() {
            let Some(known) = self.inputs.get(at * self.player_count + seat) else { continue };
            if known.input != claimed.input || known.command != claimed.command {
                return Err(Fault::Input {
                    peer,
                    frame: claim.frame,
                    player: PlayerHandle::new(seat as u8),
                    expected: shown(known),
                    actual: shown(claimed),
                });
            }
        }
        Ok(())
    }

    /// The hash of every frame that any peer has confirmed, in order.
    pub fn hashes(&self) -> &[StateHash] {
        &self.hashes
    }

    /// Every player's input for `frame`, if any peer has confirmed it.
    pub fn inputs(&self, frame: Frame) -> Option<&[PlayerInput<S::Input>]> {
        let at = usize::try_from(frame - self.first_frame).ok()? * self.player_count;
        self.inputs.get(at..at + self.player_count)
    }

    /// The state that the inputs give, as far as the straight replay has come.
    pub fn truth(&self) -> &[u8] {
        self.replay.snapshot()
    }
}

fn shown<I: SimInput>(input: &PlayerInput<I>) -> String {
    format!("{:?} ({:?})", input.input, input.command)
}
