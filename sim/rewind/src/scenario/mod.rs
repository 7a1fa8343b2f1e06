//! Scenarios: a shot and everything around it as a text that a designer writes, plays and looks at.
//!
//! | file | idea |
//! |---|---|
//! | `actor`, `stage`, `shot` | what a scenario has in it, and how it is read |
//! | `read`, `error` | a table of the text, and what is wrong with it |
//! | `play` | a server that records, and takes the shots |
//! | `fly` | its projectiles |
//! | `boxes` | whom a shot could have met at all |
//! | `why` | why a shot hit or missed, hitbox by hitbox |
//! | `refusal` | why the server did not take a shot |
//! | `outcome` | what came of it, its bytes and its hash |
//! | `verdict` | the same as a sentence |
//!
#![doc = include_str!("../../docs/scenarios.md")]

mod actor;
mod boxes;
mod error;
mod fly;
mod outcome;
mod play;
mod read;
mod refusal;
mod shot;
mod stage;
mod verdict;
mod why;

pub use actor::{Actor, Hitbox, Key};
pub use boxes::Culled;
pub use error::ScenarioError;
pub use outcome::{Considered, End, Nearest, Outcome, PathPoint, ShotOutcome, Strike, StruckThing, Why};
pub use play::{Film, Ghosts, Played};
pub use refusal::Refusal;
pub use shot::{After, Aim, Blast, BlastPolicy, Expect, Expected, Flight, ImpactRule, Shot, ShotKind};
pub use stage::{Obstacle, ObstacleKind, ObstacleShape};
pub use verdict::{cm, ms};

use read::{Node, Read, Source};
use toml::de::DeTable;

/// No file is longer.
pub const MAX_FILE_BYTES: usize = 256 * 1_024;
/// No scenario is longer.
const MAX_DURATION_US: u64 = 10_000_000;
const MAX_ACTORS: usize = 32;
const MAX_OBSTACLES: usize = 64;
/// No scenario has more shots.
pub const MAX_SHOTS: usize = 32;
/// Poses that are kept for looking at: hitboxes times ticks, once for the film and once for each projectile.
const MAX_POSES: u64 = 120_000;

/// A shot and everything around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// What it shows.
    pub name: String,
    /// What one learns from it.
    pub story: String,
    /// The time between two ticks of the server.
    pub tick_us: u64,
    /// How long it is.
    pub duration_us: u64,
    /// How far back a shot may reach.
    pub max_rewind_us: u64,
    /// No view delay is believed beyond this.
    pub max_view_delay_us: u64,
    /// Who is there.
    pub actors: Vec<Actor>,
    /// What stands around.
    pub obstacles: Vec<Obstacle>,
    /// Who fires.
    pub shots: Vec<Shot>,
}

impl Scenario {
    /// Reads a scenario. `file` is what errors call it.
    ///
    /// # Errors
    /// Says line, table, key, what is wrong and what to write instead. The text may be anything.
    ///
    /// ```
    /// use snapback_rewind::scenario::Scenario;
    /// let text = include_str!("../../scenarios/view_delay.toml");
    /// let scenario = Scenario::read("view_delay.toml", text)?;
    /// let played = scenario.play();
    /// let verdict = scenario.verdict(&played.outcome.shots[0]);
    /// assert!(verdict.starts_with("HIT. Anna's shot met Bert (head) where Bert was at 200 ms"));
    ///
    /// let error = Scenario::read("typo.toml", &text.replace("fire_ms", "fier_ms")).unwrap_err();
    /// assert_eq!((error.line, error.place.as_str()), (57, "shot \"rifle\""));
    /// # Ok::<(), snapback_rewind::scenario::ScenarioError>(())
    /// ```
    pub fn read(file: &str, text: &str) -> Result<Self, ScenarioError> {
        let source = Source { file, text };
        let whole = |byte: usize, problem: String, action: &str| ScenarioError {
            file: file.into(),
            line: source.line(byte),
            place: "the file".into(),
            field: String::new(),
            problem,
            action: action.into(),
        };
        if text.len() > MAX_FILE_BYTES {
            return Err(whole(0, format!("has {} bytes", text.len()), "make it shorter than 256 KiB"));
        }
        let table = DeTable::parse(text).map_err(|error| {
            let problem: String = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            let problem = problem.replace(read::is_unseen, " ");
            whole(error.span().map_or(0, |span| span.start), format!("is not TOML here: {problem}"), "mend the line")
        })?;
        Self::of(Node::new(source, read::WHOLE.into(), 0, table.get_ref()))
    }

    fn of(mut node: Node<'_>) -> Read<Self> {
        let name = node.text("name")?;
        let story = node.story("story", 2_000)?;
        let rate_hz = node.whole("tick_rate_hz", 10, 240)? as u64;
        let tick_us = 1_000_000 / rate_hz;
        let duration_us = node.must_time("duration", MAX_DURATION_US)?;
        let max_rewind_us = node.time("max_rewind", 1_000_000)?.unwrap_or(250_000);
        if max_rewind_us == 0 {
            return Err(node.error("max_rewind_ms", "is 0", "give at least one millisecond"));
        }
        let max_view_delay_us = node.time("max_view_delay", 1_000_000)?.unwrap_or(200_000);
        let mut actors: Vec<Actor> = Vec::new();
        for part in node.tables("actor", 1, MAX_ACTORS)? {
            let again = part.error("name", "is that of another actor", "give each a name of its own");
            let actor = Actor::read(part, duration_us)?;
            if actors.iter().any(|other| other.name == actor.name) {
                return Err(again);
            }
            actors.push(actor);
        }
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for part in node.tables("obstacle", 0, MAX_OBSTACLES)? {
            let again = part.error("name", "is that of another obstacle", "give each a name of its own");
            let obstacle = Obstacle::read(part)?;
            if obstacles.iter().any(|other| other.name == obstacle.name) {
                return Err(again);
            }
            obstacles.push(obstacle);
        }
        let names = shot::Names { actors: &actors, obstacles: &obstacles };
        let mut shots: Vec<Shot> = Vec::new();
        for part in node.tables("shot", 1, MAX_SHOTS)? {
            let again = part.error("name", "is that of another shot", "give each a name of its own");
            let early = part.error("fire_ms", "is before the shooter appears", "fire later, or let the shooter appear earlier");
            let shot = Shot::read(part, &names, duration_us)?;
            if shots.iter().any(|other| other.name == shot.name) {
                return Err(again);
            }
            if actors[shot.shooter].stand(shot.fire_us).is_none() {
                return Err(early);
            }
            shots.push(shot);
        }
        let hitboxes: u64 = actors.iter().map(|actor| actor.hitboxes.len() as u64).sum();
        let projectiles = shots.iter().filter(|shot| matches!(shot.kind, ShotKind::Projectile(_))).count() as u64;
        if hitboxes * (duration_us / tick_us + 1) * (1 + projectiles) > MAX_POSES {
            let problem =
                format!("is {} ms, with {hitboxes} hitboxes and {projectiles} projectiles {rate_hz} times a second", duration_us / 1_000);
            return Err(node.error("duration_ms", problem, "make it shorter, or leave some out"));
        }
        node.finish()?;
        Ok(Self { name, story, tick_us, duration_us, max_rewind_us, max_view_delay_us, actors, obstacles, shots })
    }

    /// Every hitbox with its actor, in the order in which places are given out.
    pub fn hitboxes(&self) -> impl Iterator<Item = (usize, &Actor, &Hitbox)> {
        self.actors.iter().enumerate().flat_map(|(at, actor)| actor.hitboxes.iter().map(move |hitbox| (at, actor, hitbox)))
    }
}
