//! Recording what corrections do, if somebody wants to know.

use super::error::SessionError;
use super::predictor::InputPredictor;
use super::session::RollbackSession;
use crate::telemetry::{ReplayedFrame, RollbackEvent, RollbackLog, players};
use snapback_core::limits::MAX_PLAYERS;
use snapback_core::{Frame, InputStatus, PlayerInput, Simulation};

/// What a frame was stepped with before it is played again.
pub(super) type Before<I> = [PlayerInput<I>; MAX_PLAYERS];

impl<S: Simulation, P: InputPredictor<S::Input>> RollbackSession<S, P> {
    /// Records the last `capacity` corrections from now on, and forgets those recorded before; 0 records none.
    /// Every frame that is played again is hashed for it. Allocates now and never again.
    pub fn record_rollbacks(&mut self, capacity: usize) {
        let most_replayed = self.settings().config.max_rollback_frames as usize;
        self.log = (capacity > 0).then(|| Box::new(RollbackLog::new(capacity, most_replayed)));
    }

    /// The recorded corrections from `number` on, the oldest first: those that are still kept.
    ///
    /// ```
    /// # use snapback::{RollbackSession, Simulation};
    /// fn deepest<S: Simulation>(session: &RollbackSession<S>) -> u32 {
    ///     session.rollback_events(0).map(|event| event.depth_frames).max().unwrap_or(0)
    /// }
    /// ```
    pub fn rollback_events(&self, number: u64) -> impl Iterator<Item = &RollbackEvent> + '_ {
        self.log.iter().flat_map(move |log| log.since(number))
    }

    /// Has effects counted and none of them told: [`effects`](Self::effects) and
    /// [`effect_events`](Self::effect_events) stay empty. For a run that nobody watches. What is simulated,
    /// confirmed and recorded is the same.
    ///
    /// # Errors
    /// If a frame has been played: the host may have been told of effects that would never be confirmed.
    pub fn set_telemetry_only(&mut self) -> Result<(), SessionError> {
        if self.current_frame() >= self.settings().first_frame {
            let reason = "effects cannot be left out of a match that has begun; say so before the first tick".to_owned();
            return Err(SessionError::Settings { reason });
        }
        self.is_telemetry_only = true;
        Ok(())
    }

    pub(super) fn record_begin(&mut self, wrong: Frame, present: Frame, goes_on: bool) {
        if self.log.is_none() {
            return;
        }
        // What the host was shown.
        let hash = self.state_hash(present);
        if let (Some(log), Some(hash)) = (&mut self.log, hash) {
            log.begin(wrong, present, hash, goes_on);
        }
    }

    /// What the next frame was stepped with, if that is recorded.
    pub(super) fn record_before(&self) -> Option<Before<S::Input>> {
        self.log.as_ref()?;
        let mut before = [PlayerInput::neutral(InputStatus::Predicted); MAX_PLAYERS];
        for (place, used) in before.iter_mut().zip(self.used.frame(self.current_frame().next())) {
            *place = *used;
        }
        Some(before)
    }

    /// The current frame was played again.
    pub(super) fn record_replayed(&mut self, before: Option<Before<S::Input>>) {
        let Some(before) = before else { return };
        let frame = self.current_frame();
        let Some(hash) = self.state_hash(frame) else { return };
        let used = self.used.frame(frame);
        let is_changed = |seat: usize| {
            used.get(seat).zip(before.get(seat)).is_some_and(|(now, then)| now.input != then.input || now.command != then.command)
        };
        let is_confirmed = |seat: usize| used.get(seat).is_some_and(|now| now.status == InputStatus::Confirmed);
        let replayed =
            ReplayedFrame { frame, hash, changed: players(used.len(), is_changed), confirmed: players(used.len(), is_confirmed) };
        if let Some(log) = &mut self.log {
            log.replay(replayed);
        }
    }

    /// The correction has come to the present, unless it takes more ticks: half-way states are not hashed.
    pub(super) fn record_end(&mut self, is_done: bool) {
        if self.log.is_none() || !is_done {
            return;
        }
        let hash = self.state_hash(self.current_frame());
        if let (Some(log), Some(hash)) = (&mut self.log, hash) {
            log.end(hash);
        }
    }

    /// How many effects the game has raised, told or not, resimulated ones too.
    #[must_use]
    pub fn raised_effects(&self) -> u64 {
        self.effects.raised_count()
    }
}
