//! The setup text of a world: who fights as whom.

use crate::format::ReplayMeta;
use snapback_sim::{Roster, World, WorldData};
use std::sync::Arc;

/// The setup of a world's replays: `duelist:0 warden:1`, a character and a team for every seat.
#[must_use]
pub fn setup_text(world: &World) -> String {
    let names: Vec<&str> = world.data().character_names().collect();
    let seat = |seat: &snapback_sim::Seat| format!("{}:{}", names.get(usize::from(seat.character)).copied().unwrap_or("?"), seat.team);
    world.roster().seats().iter().map(seat).collect::<Vec<_>>().join(" ")
}

/// The world that a replay was recorded on, with this frame data. An empty setup is the standard
/// roster.
///
/// # Errors
/// If the setup is none, or names a character that the data does not have.
pub fn world_of(data: &Arc<WorldData>, meta: &ReplayMeta) -> Result<World, String> {
    world_with(data, &meta.setup)
}

/// The world with this setup text, which may be empty.
///
/// # Errors
/// If the setup is none, or names a character that the data does not have.
pub fn world_with(data: &Arc<WorldData>, setup: &str) -> Result<World, String> {
    if setup.trim().is_empty() {
        return Ok(World::new(Arc::clone(data)));
    }
    let mut seats = Vec::new();
    for word in setup.split_ascii_whitespace() {
        let seat = word.split_once(':').and_then(|(name, team)| Some((name, team.parse::<u8>().ok()?)));
        seats.push(seat.ok_or_else(|| format!("\"{word}\" in the setup is no seat; a seat is written character:team"))?);
    }
    let roster = Roster::new(data, &seats).map_err(|error| error.to_string())?;
    Ok(World::with_roster(Arc::clone(data), roster))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GoldenReplay, RecordSettings, record, verify};
    use snapback_sim::PadInput;

    #[test]
    fn a_roster_survives_its_text() {
        let data: Arc<WorldData> = Arc::default();
        let roster = Roster::new(&data, &[("warden", 0), ("duelist", 1), ("warden", 3)]).unwrap();
        let mut world = World::with_roster(Arc::clone(&data), roster);
        let settings = RecordSettings { setup: setup_text(&world), ..RecordSettings::generated(3, 3) };
        assert_eq!(settings.setup, "warden:0 duelist:1 warden:3");
        let file = record(&mut world, settings, (0..900u16).map(|frame| vec![PadInput::new(frame.wrapping_mul(77)); 3])).unwrap();
        let verified = verify(&GoldenReplay::read(file).unwrap(), |meta| world_of(&data, meta)).unwrap();
        assert!(verified.is_same(), "{verified:?}");
        assert!(verified.changes.is_empty());
    }
}
