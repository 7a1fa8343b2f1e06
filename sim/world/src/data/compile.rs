//! What the step looks things up in, made once when data is loaded: no step compares a text.

use super::DataError;
use super::character::CharacterTable;
use super::moves::{Direction, MotionInput, MoveTable, Posture};
use super::table::{Name, Span};
use crate::cues;
use core::ops::Deref;
use snapback_core::NameHash;

/// A character, ready for the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Character {
    table: CharacterTable,
    pub(crate) moves: Vec<Move>,
    /// The moves in the order in which a press looks for one.
    pub(crate) triggers: Vec<Trigger>,
    /// A hash table from name hashes to moves: a place holds the number of a move and 1.
    places: Vec<u8>,
}

/// A move, ready for the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    table: MoveTable,
    /// Into which moves it can be cancelled after touching nothing, a guard, a body: one bit for
    /// each move.
    pub(crate) cancels: [u64; 3],
    /// The moves of these buttons and more: a plink goes on to one of them.
    pub(crate) plinks: u64,
    pub(crate) cues: MoveCues,
}

/// The names of a move's effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveCues {
    pub(crate) swing: NameHash,
    pub(crate) hit: NameHash,
    pub(crate) block: NameHash,
}

/// What begins a move, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trigger {
    pub(crate) buttons: u16,
    /// A bit for each direction on the keypad.
    pub(crate) directions: u16,
    pub(crate) stance: NameHash,
    pub(crate) motion: u8,
    /// A bit for each of standing, crouching, air.
    pub(crate) postures: u8,
    pub(crate) index: u8,
}

/// The bits of [`Trigger::postures`].
pub(crate) const STANDING: u8 = 1;
pub(crate) const CROUCHING: u8 = 2;
pub(crate) const AIR: u8 = 4;

/// A power of two well over the most moves, so that a look-up ends after a step or two.
const PLACES: usize = 256;

impl Deref for Character {
    type Target = CharacterTable;
    fn deref(&self) -> &CharacterTable {
        &self.table
    }
}

impl Deref for Move {
    type Target = MoveTable;
    fn deref(&self) -> &MoveTable {
        &self.table
    }
}

impl Character {
    pub(super) fn new(file: &str, mut table: CharacterTable) -> Result<Self, DataError> {
        let tables = core::mem::take(&mut table.r#move);
        let mut moves = Vec::new();
        for own in &tables {
            let place = format!("move \"{}\" of \"{}\"", own.name.text, table.name.text);
            let cancels = [("cancel_whiff", &own.cancel_whiff), ("cancel_block", &own.cancel_block), ("cancel_hit", &own.cancel_hit)];
            let mut masks = [0; 3];
            for (mask, (field, targets)) in masks.iter_mut().zip(cancels) {
                *mask = targets_of(file, &place, field, targets, &tables)?;
            }
            let more = |other: &&MoveTable| other.buttons & own.buttons == own.buttons && other.buttons != own.buttons;
            let plinks = mask_of(&tables, |other| more(&other));
            let name = &own.name.text;
            let cues = MoveCues { swing: cues::swing(name), hit: cues::hit(name), block: cues::block(name) };
            moves.push(Move { table: own.clone(), cancels: masks, plinks, cues });
        }
        let places = places(&moves);
        Ok(Self { table, triggers: triggers(&tables), moves, places })
    }

    /// The move of this name.
    pub(crate) fn find(&self, name: NameHash) -> Option<&Move> {
        if name == NameHash::NONE {
            return None;
        }
        let mut place = name.bits() as usize % PLACES;
        // As many steps as there are places: a full table could not keep it going.
        for _ in 0..PLACES {
            let index = self.places.get(place).copied()?.checked_sub(1)?;
            let found = self.moves.get(usize::from(index))?;
            if found.name.hash == name {
                return Some(found);
            }
            place = (place + 1) % PLACES;
        }
        None
    }

    /// The stance of this name.
    pub(crate) fn stance(&self, name: NameHash) -> Option<&super::character::StanceTable> {
        if name == NameHash::NONE { None } else { self.stance.iter().find(|s| s.name.hash == name) }
    }
}

impl Move {
    /// The hit of the move whose boxes are out in this frame, from 1; 0 for none.
    pub(crate) fn hit_at(&self, frame: u16) -> u8 {
        if !self.active().has(frame) {
            return 0;
        }
        self.hit_boxes.iter().find(|b| b.frames.has(frame)).map_or(0, |b| b.hit)
    }

    pub(crate) fn is_cancellable(&self, frame: u16) -> bool {
        self.cancel_frames.has(frame)
    }

    pub(crate) fn is_armoured(&self, frame: u16) -> bool {
        self.armour_hits > 0 && self.armour_frames.has(frame)
    }

    pub(crate) fn has_step(&self) -> bool {
        self.step_frames != Span::NEVER
    }
}

fn mask_of(tables: &[MoveTable], mut is_in: impl FnMut(&MoveTable) -> bool) -> u64 {
    tables.iter().enumerate().fold(0, |mask, (index, own)| mask | u64::from(is_in(own)) << (index % 64))
}

/// The moves that a list of names and tags means.
fn targets_of(file: &str, place: &str, field: &str, targets: &[Name], tables: &[MoveTable]) -> Result<u64, DataError> {
    let mut all = 0;
    for target in targets {
        let mask = mask_of(tables, |own| own.name == *target || own.tags.contains(target));
        if mask == 0 {
            let problem = format!("has \"{}\", which is neither a move nor a tag of this character", target.text);
            return Err(DataError::new(file, place, field, problem, "give the name of a move, or a tag that a move has"));
        }
        all |= mask;
    }
    Ok(all)
}

fn places(moves: &[Move]) -> Vec<u8> {
    let mut places = vec![0; PLACES];
    for (own, number) in moves.iter().zip(1..) {
        let mut place = own.name.hash.bits() as usize % PLACES;
        while places.get(place).is_some_and(|taken| *taken != 0) {
            place = (place + 1) % PLACES;
        }
        if let Some(free) = places.get_mut(place) {
            *free = number;
        }
    }
    places
}

/// Those of a stance first, then those of more buttons, of the harder motion, of a direction; then
/// as they stand in the file.
fn triggers(tables: &[MoveTable]) -> Vec<Trigger> {
    let mut ranked: Vec<_> = tables.iter().zip(0..).map(|(own, index)| (rank(own), index, trigger(own, index))).collect();
    ranked.sort_by_key(|(rank, index, _)| (*rank, *index));
    ranked.into_iter().map(|(_, _, trigger)| trigger).collect()
}

fn rank(own: &MoveTable) -> (bool, u32, u8, bool) {
    let motion = match own.motion {
        MotionInput::Dragon => 0,
        MotionInput::Charge => 1,
        MotionInput::Quarter | MotionInput::QuarterBack => 2,
        MotionInput::None => 3,
    };
    (own.stance.is_none(), 16 - own.buttons.count_ones(), motion, own.direction == Direction::Any)
}

fn trigger(own: &MoveTable, index: u8) -> Trigger {
    let keys: &[u16] = match own.direction {
        Direction::Any => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        Direction::Neutral => &[5],
        Direction::Forward => &[6, 3, 9],
        Direction::Back => &[4, 1, 7],
        Direction::Down => &[1, 2, 3],
        Direction::Up => &[7, 8, 9],
    };
    let postures = match own.posture {
        Posture::Standing => STANDING,
        Posture::Crouching => CROUCHING,
        Posture::Ground => STANDING | CROUCHING,
        Posture::Air => AIR,
    };
    Trigger {
        buttons: own.buttons,
        directions: keys.iter().fold(0, |bits, key| bits | 1 << key),
        stance: own.stance.hash,
        motion: own.motion as u8,
        postures,
        index,
    }
}
