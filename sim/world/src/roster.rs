//! [`Roster`]: who fights as whom, and for which team.

use crate::data::WorldData;
use crate::{MAX_FIGHTERS, MAX_TEAMS, team_of};
use core::fmt;

/// One seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seat {
    /// The number of the character in the frame data.
    pub character: u8,
    /// The team, from 0.
    pub team: u8,
}

/// The seats of a match: chosen when a world is made, the same on every peer (the config hash
/// covers it). A match of fewer players takes the first seats.
///
/// ```
/// use snapback_sim::{Roster, World, WorldData};
/// use snapback_core::Simulation;
///
/// let data = WorldData::default();
/// // Three against each other, each alone.
/// let roster = Roster::new(&data, &[("warden", 0), ("duelist", 1), ("warden", 2)])?;
/// let mut world = World::with_roster(data, roster);
/// world.reset(1, 3).unwrap();
/// assert_eq!(world.view().fighters()[2].team(), 2);
/// # Ok::<(), snapback_sim::RosterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roster {
    seats: [Seat; MAX_FIGHTERS],
    len: usize,
}

/// A roster that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RosterError {
    /// What is wrong and what to do, in one line.
    pub reason: String,
}

impl fmt::Display for RosterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RosterError {}

impl Roster {
    /// A seat for each name of a character and number of a team.
    ///
    /// # Errors
    /// If there are too many seats, a name that no character has, or a team that there is not.
    pub fn new(data: &WorldData, seats: &[(&str, u8)]) -> Result<Self, RosterError> {
        if seats.len() > MAX_FIGHTERS {
            return Err(RosterError { reason: format!("a roster of {} seats was given; give at most {MAX_FIGHTERS}", seats.len()) });
        }
        let mut roster = Self { seats: [Seat::default(); MAX_FIGHTERS], len: seats.len() };
        for (seat, (name, team)) in roster.seats.iter_mut().zip(seats) {
            let Some(character) = data.character_names().position(|known| known == *name) else {
                let known: Vec<&str> = data.character_names().collect();
                return Err(RosterError { reason: format!("no character is called \"{name}\"; give one of {}", known.join(", ")) });
            };
            if usize::from(*team) >= MAX_TEAMS {
                return Err(RosterError { reason: format!("team {team} was given; give a team from 0 to {}", MAX_TEAMS - 1) });
            }
            *seat = Seat { character: u8::try_from(character).unwrap_or(0), team: *team };
        }
        Ok(roster)
    }

    /// Eight seats: even ones are team 0, odd ones team 1, and the characters take turns.
    #[must_use]
    pub fn standard(data: &WorldData) -> Self {
        let count = data.characters.len().max(1);
        let seat = |seat: usize| Seat { character: u8::try_from(seat % count).unwrap_or(0), team: team_of(seat) };
        Self { seats: core::array::from_fn(seat), len: MAX_FIGHTERS }
    }

    /// The seats.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats[..self.len.min(MAX_FIGHTERS)]
    }

    /// Whether `players` can fight: that many seats, and at least two teams among them.
    pub(crate) fn check(&self, players: usize) -> Result<(), RosterError> {
        let Some(seats) = self.seats().get(..players) else {
            return Err(RosterError { reason: format!("{players} players were asked for; the roster has {} seats", self.len) });
        };
        let first = seats.first().map_or(0, |seat| seat.team);
        if seats.iter().all(|seat| seat.team == first) {
            return Err(RosterError { reason: format!("the first {players} seats of the roster are all team {first}; mix the teams") });
        }
        Ok(())
    }

    /// The how manieth of its team the fighter at `seat` is, from 0.
    pub(crate) fn place(&self, seat: usize) -> u8 {
        let team = self.seats().get(seat).map(|own| own.team);
        let before = self.seats().iter().take(seat).filter(|other| Some(other.team) == team);
        u8::try_from(before.count()).unwrap_or(0)
    }

    /// One text for one roster.
    pub(crate) fn canonical(&self) -> String {
        self.seats().iter().map(|seat| format!("{}:{};", seat.character, seat.team)).collect()
    }
}
