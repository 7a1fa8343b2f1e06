//! [`World`]: the simulation.

use crate::data::WorldData;
use crate::header::WorldHeader;
use crate::pad::PadInput;
use crate::picture::Picture;
use crate::result::Results;
use crate::roster::Roster;
use crate::step;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, MIN_FIGHTERS};
use bytemuck::Zeroable;
use snapback_core::{Effects, Frame, FrameInputs, InvalidState, NameHash, ResetError, Simulation, SimulationId, StateLayout};
use std::sync::Arc;

/// Two to eight fighters, match after match.
#[derive(Clone, Debug)]
pub struct World {
    data: Arc<WorldData>,
    roster: Roster,
    state: WorldView,
}

impl World {
    /// A world of two fighters and seed 0, until it is reset, with the standard roster.
    #[must_use]
    pub fn new(data: impl Into<Arc<WorldData>>) -> Self {
        let data = data.into();
        let roster = Roster::standard(&data);
        Self::with_roster(data, roster)
    }

    /// The same with a roster of one's own. A number that no character has means the first one.
    #[must_use]
    pub fn with_roster(data: impl Into<Arc<WorldData>>, roster: Roster) -> Self {
        let mut world = Self { data: data.into(), roster, state: WorldView::new(WorldHeader::zeroed(), MIN_FIGHTERS) };
        world.start(0, MIN_FIGHTERS);
        world
    }

    fn start(&mut self, seed: u64, fighter_count: usize) {
        self.state = WorldView::new(WorldHeader::new(seed), fighter_count);
        step::start(&self.data, &self.roster, seed, &mut self.state);
    }

    /// The state, to look at.
    #[must_use]
    pub const fn view(&self) -> &WorldView {
        &self.state
    }

    /// The state, to draw.
    #[must_use]
    pub fn picture(&self) -> Picture {
        Picture::of(&self.state)
    }

    /// The frame data.
    #[must_use]
    pub fn data(&self) -> &WorldData {
        &self.data
    }

    /// Who fights as whom.
    #[must_use]
    pub const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The results in captured bytes; `None` if they are no valid state of a world.
    #[must_use]
    pub fn results_of(snapshot: &[u8]) -> Option<Results> {
        WorldView::read(snapshot).map(|view| view.results())
    }
}

impl Simulation for World {
    type Input = PadInput;

    fn id(&self) -> SimulationId {
        SimulationId { name: "snapback-duel", version: 4 }
    }

    fn config_hash(&self) -> u32 {
        NameHash::of(&format!("{:08x} {}", self.data.hash(), self.roster.canonical())).bits()
    }

    fn layout(&self) -> StateLayout {
        self.state.layout()
    }

    fn fighter_count(&self) -> usize {
        self.state.fighters().len()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if !(MIN_FIGHTERS..=MAX_FIGHTERS).contains(&players) {
            let reason = format!("{players} players were asked for; this world takes {MIN_FIGHTERS} to {MAX_FIGHTERS}");
            return Err(ResetError { reason });
        }
        self.roster.check(players).map_err(|error| ResetError { reason: error.reason })?;
        self.start(seed, players);
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, PadInput>, effects: &mut Effects) {
        step::step(&self.data, &mut self.state, inputs, effects);
    }

    fn capture(&self, out: &mut [u8]) {
        self.state.capture(out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.state.restore(snapshot)
    }
}
