//! [`WorldData`]: frame data, which decides what a step does but is no state.
//!
//! It is read from TOML: one file of rules (`data/rules.toml` of this crate is the default) and one
//! file for each character. The guide `docs/new-character.md` says what each field means. A decimal
//! stands in quotes: no float comes near the world.

mod boxes;
mod canonical;
mod character;
mod compile;
mod error;
mod mechanics;
mod moves;
mod read;
mod rules;
mod table;
mod validate;

pub(crate) use boxes::{BodyBox, ByPosture, MoveBox};
pub(crate) use character::CharacterTable;
pub(crate) use compile::{AIR, CROUCHING, Character, Move, STANDING, Trigger};
pub use error::DataError;
pub use mechanics::Mechanic;
pub(crate) use moves::{Height, Kind, MotionInput, Posture, ProjectileTable, Role};
pub(crate) use rules::{RulesTable, StageTable, StatusTable};

use canonical::{Canonical, Lines};
use read::Node;
use snapback_core::NameHash;
use snapback_core::control::ControlRules;
use table::{list, one};
use toml::Table;

/// The files that are compiled in.
const DEFAULT_FILES: [(&str, &str); 3] = [
    ("rules.toml", include_str!("../../data/rules.toml")),
    ("duelist.toml", include_str!("../../data/duelist.toml")),
    ("warden.toml", include_str!("../../data/warden.toml")),
];

/// Most characters in one set of data.
pub const MAX_CHARACTERS: usize = 16;
const MAX_STATUSES: usize = 32;

/// One file of frame data: its name, which only tells errors apart, and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFile {
    /// As errors call it.
    pub name: String,
    /// TOML.
    pub text: String,
}

/// Everything outside the state and the roster that decides what a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldData {
    pub(crate) stage: StageTable,
    pub(crate) rules: RulesTable,
    pub(crate) statuses: Vec<StatusTable>,
    /// Never empty.
    pub(crate) characters: Vec<Character>,
    hash: u32,
}

/// The file of what is the same for every character.
struct RulesFile {
    stage: StageTable,
    rules: RulesTable,
    statuses: Vec<StatusTable>,
}

impl WorldData {
    /// Reads frame data from files: one with the rules, and one for each character, whose numbers
    /// are in the order of their files.
    ///
    /// # Errors
    /// Names the file, the place, the field, and what to write there.
    ///
    /// ```
    /// use snapback_sim::WorldData;
    /// let mut files = WorldData::default_files();
    /// files[0].text = files[0].text.replace("half_width = \"420\"", "half_width = 420.5");
    /// assert_eq!(
    ///     WorldData::load(&files).unwrap_err().to_string(),
    ///     "rules.toml: stage of the file: half_width is the float 420.5; write it in quotes, such as \"420.5\""
    /// );
    /// ```
    pub fn load(files: &[DataFile]) -> Result<Self, DataError> {
        let mut rules: Option<(&str, RulesFile)> = None;
        let mut characters: Vec<(&str, CharacterTable)> = Vec::new();
        for DataFile { name, text } in files {
            let root: Table = text.parse().map_err(|error| syntax(name, text, &error))?;
            let node = Node::new(name, "the file".into(), &root);
            if !root.contains_key("rules") {
                characters.push((name, CharacterTable::read(node)?));
            } else if let Some((other, _)) = &rules {
                let problem = format!("are in {other} already");
                return Err(DataError::new(name, "the file", "rules", problem, "give one file with rules"));
            } else {
                rules = Some((name, rules_file(node)?));
            }
        }
        let every = || if files.is_empty() { "no file".into() } else { names_of(files) };
        let Some((rules_name, rules)) = rules else {
            return Err(DataError::new(&every(), "the files", "rules", "is missing", "add a file with the tables rules and stage"));
        };
        if !(1..=MAX_CHARACTERS).contains(&characters.len()) {
            let problem = format!("are {} files of characters", characters.len());
            let action = format!("give 1 to {MAX_CHARACTERS}, one for each character");
            return Err(DataError::new(&every(), "the files", "", problem, action));
        }
        validate::rules(rules_name, &rules.stage, &rules.statuses, &characters)?;
        for (number, (file, character)) in characters.iter().enumerate() {
            validate::character(file, character, &rules.statuses, &characters[..number])?;
        }
        validate::names(rules_name, &rules.statuses, &characters)?;
        let hash = hash_of(&rules, &characters);
        let RulesFile { stage, rules, statuses } = rules;
        let characters = characters.into_iter().map(|(file, table)| Character::new(file, table)).collect::<Result<_, _>>()?;
        Ok(Self { stage, rules, statuses, characters, hash })
    }

    /// The files of the default frame data, to start one's own from. The first has the rules.
    #[must_use]
    pub fn default_files() -> Vec<DataFile> {
        DEFAULT_FILES.iter().map(|(name, text)| DataFile { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// The default data without one mechanic, or without several.
    ///
    /// ```
    /// use snapback_sim::{Mechanic, WorldData};
    /// let data = WorldData::default();
    /// assert_ne!(data.hash(), data.without(&[Mechanic::Chip]).hash());
    /// ```
    #[must_use]
    pub fn without(&self, mechanics: &[Mechanic]) -> Self {
        let mut changed = self.clone();
        for mechanic in mechanics {
            changed.rules.disabled = changed.rules.disabled.without(*mechanic);
        }
        changed.hash = NameHash::of(&format!("{:08x} {:016x}", self.hash, changed.rules.disabled.bits())).bits();
        changed
    }

    /// The names of the characters, in the order of their numbers.
    pub fn character_names(&self) -> impl Iterator<Item = &str> {
        self.characters.iter().map(|c| c.name.text.as_str())
    }

    /// The names of the moves of a character, in the order of its file; none for a number that no
    /// character has.
    pub fn move_names(&self, character: usize) -> impl Iterator<Item = &str> {
        self.characters.get(character).into_iter().flat_map(|c| c.moves.iter().map(|m| m.name.text.as_str()))
    }

    /// Whether a move of a character, or what it sends, can touch an enemy.
    #[must_use]
    pub fn can_touch(&self, character: usize, move_name: &str) -> bool {
        self.move_of(character, move_name).is_some_and(|own| own.kind != Kind::Other || own.projectile.is_some())
    }

    /// Whether a guard can stop it.
    #[must_use]
    pub fn can_be_guarded(&self, character: usize, move_name: &str) -> bool {
        let own = self.move_of(character, move_name);
        own.is_some_and(|own| (own.kind == Kind::Strike || own.projectile.is_some()) && own.height != Height::Unblockable)
    }

    fn move_of(&self, character: usize, move_name: &str) -> Option<&Move> {
        self.characters.get(character)?.find(NameHash::of(move_name))
    }

    /// What players may command.
    #[must_use]
    pub const fn control_rules(&self) -> ControlRules {
        self.rules.control()
    }

    /// A hash over every value, in a set order: how the text is laid out does not matter.
    #[must_use]
    pub const fn hash(&self) -> u32 {
        self.hash
    }

    /// A number that no character has means the first one, so that every state can be stepped.
    pub(crate) fn character(&self, index: u8) -> Option<&Character> {
        self.characters.get(usize::from(index)).or_else(|| self.characters.first())
    }

    pub(crate) fn status(&self, name: NameHash) -> Option<&StatusTable> {
        self.statuses.iter().find(|s| s.name.hash == name)
    }

    pub(crate) const fn has(&self, mechanic: Mechanic) -> bool {
        self.rules.disabled.has(mechanic)
    }
}

impl Default for WorldData {
    /// The frame data that is compiled in.
    #[allow(clippy::panic, reason = "the text is part of this crate and parsed by its tests")]
    fn default() -> Self {
        Self::load(&Self::default_files()).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn names_of(files: &[DataFile]) -> String {
    files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn rules_file(mut node: Node<'_>) -> Result<RulesFile, DataError> {
    let file = RulesFile {
        stage: one(StageTable::read)(&mut node, "stage")?,
        rules: one(RulesTable::read)(&mut node, "rules")?,
        statuses: list(0, MAX_STATUSES, StatusTable::read)(&mut node, "status")?,
    };
    node.finish()?;
    Ok(file)
}

fn hash_of(rules: &RulesFile, characters: &[(&str, CharacterTable)]) -> u32 {
    let mut out = Lines(String::new());
    rules.stage.write(&mut out, "stage");
    rules.rules.write(&mut out, "rules");
    rules.statuses.write(&mut out, "status");
    out.line("characters", characters.len());
    for (_, character) in characters {
        character.write(&mut out, "character");
    }
    NameHash::of(&out.0).bits()
}

fn syntax(file: &str, text: &str, error: &toml::de::Error) -> DataError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    let place = format!("line {}", before.matches('\n').count() + 1);
    let problem = error.message().lines().collect::<Vec<_>>().join(", ");
    DataError::new(file, &place, "", problem, "write it as TOML")
}

/// The texts behind the names of a move's effects.
fn cues_of(move_name: &str) -> [String; 3] {
    ["swing", "hit", "block"].map(|kind| format!("{kind}.{move_name}"))
}
