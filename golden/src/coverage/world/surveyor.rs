//! [`WorldSurveyor`]: what a replay of the fighting world shows.

use super::contacts::{Contacts, CueNames};
use super::edges::{self, Scene};
use super::mechanics::{MechanicWatch, Without};
use super::summary::{RoundLine, WorldSummary};
use crate::coverage::survey::{Goal, Moment, watch};
use crate::coverage::{Coverage, Survey, Vacuous};
use crate::world::world_of;
use crate::{GoldenReplay, PlayError};
use snapback_core::{Effect, NameHash, Simulation};
use snapback_sim::{Act, Fighter, Mechanic, World, WorldData, WorldView};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const BEGUN: &str = "moves begun";
const HIT: &str = "moves that hit";
const GUARDED: &str = "moves guarded";
const MECHANICS: &str = "mechanics";
const ACTS: &str = "acts";
const EDGES: &str = "edge cases";

/// More than a frame of eight fighters raises.
const EFFECTS_CAPACITY: usize = 512;

/// Surveys replays of the fighting world, one after another or on several threads.
pub struct WorldSurveyor {
    data: Arc<WorldData>,
    without: Without,
    cues: CueNames,
    /// Each character's moves by the hash of their names.
    moves: Vec<BTreeMap<NameHash, String>>,
}

impl WorldSurveyor {
    /// For replays that are played with this frame data.
    #[must_use]
    pub fn new(data: &Arc<WorldData>) -> Self {
        let names = |character| data.move_names(character).map(|name| (NameHash::of(name), name.to_owned())).collect();
        let moves = (0..data.character_names().count()).map(names).collect();
        Self { data: Arc::clone(data), without: Without::each(data), cues: CueNames::of(data), moves }
    }

    /// No replays yet, and all goals that there are.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::of(&World::new(Arc::clone(&self.data)));
        for (character, name) in self.data.character_names().enumerate() {
            for own in self.data.move_names(character) {
                let goal = format!("{name} {own}");
                let (touches, guardable) = (self.data.can_touch(character, own), self.data.can_be_guarded(character, own));
                let groups = [(BEGUN, true), (HIT, touches), (GUARDED, guardable)];
                coverage.want(groups.into_iter().filter(|(_, wanted)| *wanted).map(|(group, _)| Goal::new(group, goal.clone())));
            }
        }
        coverage.want(Mechanic::ALL.iter().map(|(name, _)| Goal::new(MECHANICS, *name)));
        coverage.want(Act::ALL.iter().map(|act| Goal::new(ACTS, format!("{act:?}"))));
        coverage.want(edges::edges().map(|(name, _)| Goal::new(EDGES, *name)));
        coverage.want(edges::all_sizes().map(|name| Goal::new(EDGES, name)));
        coverage
    }

    /// What a replay shows.
    ///
    /// # Errors
    /// If the replay cannot be played at all.
    pub fn survey(&self, replay: &GoldenReplay) -> Result<Survey, PlayError> {
        let mut goals = BTreeSet::new();
        let mut mechanics = None;
        let mut unseen: Vec<_> = edges::edges().collect();
        let rules = self.data.control_rules();
        let (mut connects, mut acts) = (false, 0_u32);
        let mut before: Option<WorldView> = None;
        let mut survey = watch(
            replay,
            |meta| world_of(&self.data, meta),
            EFFECTS_CAPACITY,
            |moment: &Moment<'_, World>| {
                let after = *moment.simulation.view();
                let watch = mechanics.get_or_insert_with(|| {
                    goals.extend(edges::sizes(&after).map(|name| Goal::new(EDGES, name)));
                    let meta = replay.meta();
                    MechanicWatch::new(&self.without, *moment.simulation.roster(), meta.seed, meta.players.into())
                });
                watch.see(moment.frame, moment.inputs, moment.after);
                for fighter in after.fighters() {
                    acts |= 1 << fighter.act() as u32;
                }
                let contacts = self.cues.read(moment.effects.kept(), after.fighters());
                connects |= !contacts.contacts.is_empty();
                self.note_moves(&contacts, &after, &mut goals);
                if let Some(before) = &before {
                    let scene = Scene {
                        before,
                        after: &after,
                        effects: moment.effects.kept(),
                        contacts: &contacts,
                        rules: &rules,
                        is_throw: &|fighter: &Fighter| self.is_throw(fighter),
                    };
                    unseen.retain(|(name, is)| {
                        let seen = is(&scene);
                        if seen {
                            goals.insert(Goal::new(EDGES, *name));
                        }
                        !seen
                    });
                }
                before = Some(after);
            },
        )?;
        let exercised = mechanics.map(|watch: MechanicWatch| watch.exercised).unwrap_or_default();
        survey.goals.extend(exercised.into_iter().map(|name| Goal::new(MECHANICS, name)));
        survey.goals.extend(goals);
        let done = Act::ALL.iter().filter(|act| acts >> **act as u32 & 1 != 0);
        survey.goals.extend(done.map(|act| Goal::new(ACTS, format!("{act:?}"))));
        survey.vacuous = survey.vacuous.or((!connects).then_some(Vacuous::NoHit));
        Ok(survey)
    }

    fn note_moves(&self, contacts: &Contacts<'_>, view: &WorldView, goals: &mut BTreeSet<Goal>) {
        let mut note = |group, seat: usize, name: &str| {
            goals.extend(self.character_of(view, seat).map(|character| Goal::new(group, format!("{character} {name}"))));
        };
        for swing in &contacts.swings {
            note(BEGUN, swing.seat, swing.name);
        }
        for contact in &contacts.contacts {
            note(if contact.is_guarded { GUARDED } else { HIT }, contact.attacker, contact.name);
        }
    }

    fn character_of(&self, view: &WorldView, seat: usize) -> Option<&str> {
        self.data.character_names().nth(view.fighters().get(seat)?.identity.character.into())
    }

    fn is_throw(&self, fighter: &Fighter) -> bool {
        let character = usize::from(fighter.identity.character);
        let own = self.moves.get(character).and_then(|moves| moves.get(&fighter.action.move_name));
        own.is_some_and(|own| self.data.can_touch(character, own) && !self.data.can_be_guarded(character, own))
    }

    /// The replay on half a page.
    ///
    /// # Errors
    /// If the replay cannot be played at all.
    pub fn summary(&self, replay: &GoldenReplay) -> Result<WorldSummary, PlayError> {
        let mut rounds = Vec::new();
        let mut moves: BTreeMap<(String, String), [u32; 3]> = BTreeMap::new();
        let (mut digest, mut effects) = (crc32fast::Hasher::new(), 0);
        let mut last = None;
        let survey = watch(
            replay,
            |meta| world_of(&self.data, meta),
            EFFECTS_CAPACITY,
            |moment: &Moment<'_, World>| {
                let view = *moment.simulation.view();
                for effect in moment.effects.kept() {
                    effects += 1;
                    digest.update(&bytes_of(effect));
                }
                let contacts = self.cues.read(moment.effects.kept(), view.fighters());
                let mut count = |seat: usize, name: &str, which: usize| {
                    let Some(character) = self.character_of(&view, seat) else { return };
                    let counts = moves.entry((character.to_owned(), name.to_owned())).or_default();
                    counts.iter_mut().skip(which).take(1).for_each(|count| *count += 1);
                };
                contacts.swings.iter().for_each(|swing| count(swing.seat, swing.name, 0));
                contacts.contacts.iter().for_each(|contact| count(contact.attacker, contact.name, if contact.is_guarded { 2 } else { 1 }));
                if let Some(result) = view.results().last.filter(|_| view.results().count as usize > rounds.len()) {
                    rounds.push(RoundLine { frame: moment.frame.number(), result });
                }
                let hash = moment.simulation.hash(replay.meta().seed, moment.frame, moment.after);
                last = Some((view, hash.bits()));
            },
        )?;
        let fighters = last.iter().flat_map(|(view, _)| view.fighters()).enumerate().map(|(seat, fighter)| {
            let character = last.and_then(|(view, _)| self.character_of(&view, seat)).unwrap_or("?");
            let vitals = fighter.vitals;
            format!("{character}, health {}, meter {}, {:?}", vitals.health, vitals.meter, fighter.act())
        });
        Ok(WorldSummary {
            note: replay.meta().provenance.note.clone(),
            setup: replay.meta().setup.clone(),
            frames: survey.frames,
            last_hash: last.map_or(0, |(_, hash)| hash),
            digest: replay.digest(),
            effects_digest: digest.finalize(),
            effects,
            rounds,
            fighters: fighters.collect(),
            moves,
        })
    }
}

/// An effect as bytes that are the same on every machine.
fn bytes_of(effect: &Effect) -> Vec<u8> {
    let id = effect.id;
    let numbers = [id.source, id.kind.bits(), id.key].into_iter().chain(effect.data.map(i32::cast_unsigned));
    effect.frame.number().to_le_bytes().into_iter().chain(numbers.flat_map(u32::to_le_bytes)).collect()
}
