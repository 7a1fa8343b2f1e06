//! [`Contacts`]: which moves begin and connect, read from the effects.

use snapback_core::{Effect, NameHash};
use snapback_sim::{Fighter, WorldData, cues};
use std::collections::BTreeMap;

/// A move that begins.
pub(super) struct Swing<'a> {
    pub(super) seat: usize,
    pub(super) name: &'a str,
}

/// An attack that connects.
pub(super) struct Contact<'a> {
    pub(super) attacker: usize,
    pub(super) defender: usize,
    pub(super) name: &'a str,
    pub(super) is_guarded: bool,
    pub(super) is_counter: bool,
    pub(super) by_projectile: bool,
}

/// What one frame's effects say.
#[derive(Default)]
pub(super) struct Contacts<'a> {
    pub(super) swings: Vec<Swing<'a>>,
    pub(super) contacts: Vec<Contact<'a>>,
}

#[derive(Clone, Copy)]
enum Cue {
    Swing,
    Hit,
    Guarded,
}

/// The names behind the effects of moves.
pub(super) struct CueNames(BTreeMap<NameHash, (Cue, String)>);

impl CueNames {
    pub(super) fn of(data: &WorldData) -> Self {
        let characters = data.character_names().count();
        let moves = (0..characters).flat_map(|character| data.move_names(character));
        let all = moves.flat_map(|name| {
            [(cues::swing(name), Cue::Swing), (cues::hit(name), Cue::Hit), (cues::block(name), Cue::Guarded)]
                .map(|(hash, cue)| (hash, (cue, name.to_owned())))
        });
        Self(all.collect())
    }

    pub(super) fn read(&self, effects: &[Effect], fighters: &[Fighter]) -> Contacts<'_> {
        let mut found = Contacts::default();
        for effect in effects {
            let Some((cue, name)) = self.0.get(&effect.id.kind) else { continue };
            let source = effect.id.source;
            let by_projectile = source as usize >= fighters.len();
            let attacker = if by_projectile { seat_of_projectile(source, fighters.len()) } else { Some(source as usize) };
            let Some(attacker) = attacker else { continue };
            if matches!(cue, Cue::Swing) {
                found.swings.push(Swing { seat: attacker, name });
                continue;
            }
            found.contacts.push(Contact {
                attacker,
                defender: effect.id.key as usize % 16,
                name,
                is_guarded: matches!(cue, Cue::Guarded),
                is_counter: effect.data[3] & 8 != 0,
                by_projectile,
            });
        }
        found
    }
}

fn seat_of_projectile(source: u32, fighters: usize) -> Option<usize> {
    (0..fighters).find(|seat| (0..snapback_sim::fighter::PROJECTILE_SLOTS).any(|slot| cues::projectile(*seat, slot) == source))
}
