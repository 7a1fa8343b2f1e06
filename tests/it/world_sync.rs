//! The fighting world under the sync test: rolled back on every frame, nothing is left out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::sim::{PadInput, World, WorldData};
use snapback::{LocalInput, PlayerHandle, RollbackConfig, Simulation, SyncTestSession};
use snapback_harness::Pilot;
use snapback_harness::bot::Bot;
use std::sync::Arc;

#[test]
fn bots_fight_two_minutes_rolled_back_on_every_frame() {
    let data = Arc::new(WorldData::default());
    for (players, distance) in [(2, 1), (2, 8), (3, 7), (4, 12)] {
        let world = World::new(Arc::clone(&data));
        let mut test = SyncTestSession::new(world, 3, players, distance, RollbackConfig::default()).unwrap();
        let mut bots: Vec<Bot> = (0..players).map(|player| Bot::new(9, player)).collect();
        for _ in 0..7_200 {
            let next = test.current_frame().next();
            let world = test.simulation();
            let inputs: Vec<LocalInput<PadInput>> = bots
                .iter_mut()
                .zip(0..)
                .map(|(bot, seat)| LocalInput::new(PlayerHandle::new(seat), bot.press(next, PlayerHandle::new(seat), world)))
                .collect();
            test.tick(&inputs).unwrap_or_else(|error| panic!("{players} players, distance {distance}: {error}"));
        }
        let mut snapshot = vec![0; test.simulation().layout().size_bytes()];
        test.simulation().capture(&mut snapshot);
        let rounds = World::results_of(&snapshot).unwrap().count;
        assert!(rounds >= 3, "{rounds} rounds in two minutes: the bots do not fight");
    }
}
