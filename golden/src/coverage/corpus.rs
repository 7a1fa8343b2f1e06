//! [`Coverage`]: what the replays of a corpus show together.

use super::Vacuous;
use super::fields::any_seat;
use super::survey::{FIELDS, Goal, SECTIONS, Survey, input_bits};
use core::fmt;
use serde::Serialize;
use snapback_core::state::FieldPlace;
use snapback_core::{Simulation, StateLayout};
use std::collections::{BTreeMap, BTreeSet};

/// What the replays of a corpus show together: which goals are reached, and by which replays.
///
/// ```
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback_golden::{GoldenReplay, RecordSettings, coverage, record};
///
/// let file = record(&mut Race(0), RecordSettings::generated(7, 1), (0..60u8).map(|frame| vec![frame / 10])).unwrap();
/// let survey = coverage::survey(&GoldenReplay::read(file).unwrap(), |_| Ok(Race(0))).unwrap();
/// let mut corpus = coverage::Coverage::of(&Race(0));
/// corpus.add("slow start", survey);
/// assert!(corpus.vacuous().is_empty());
/// assert!(corpus.missing().iter().all(|missing| missing.group == "input bits"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Every goal, with the replays that reach it.
    goals: BTreeMap<Goal, BTreeSet<String>>,
    /// The groups, in the order in which they are shown.
    groups: Vec<&'static str>,
    replays: BTreeSet<String>,
    frames: u64,
    vacuous: Vec<VacuousReplay>,
}

/// A replay that proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VacuousReplay {
    /// Its name.
    pub replay: String,
    /// Why.
    pub reason: Vacuous,
}

/// The goals of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GroupCoverage<'a> {
    /// What kind of thing it is.
    pub group: &'static str,
    /// The goals that are reached.
    pub reached: Vec<Reached<'a>>,
    /// Those that are not.
    pub missing: Vec<&'a str>,
}

/// A goal and the replays that reach it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached<'a> {
    /// The goal.
    pub goal: &'a str,
    /// The replays.
    pub replays: Vec<&'a str>,
}

/// A goal that no replay reaches.
pub type Missing = Goal;

impl Coverage {
    /// No replays yet; the goals are the sections and fields of the state of `simulation`, and the
    /// bits of its inputs.
    #[must_use]
    pub fn of<S: Simulation>(simulation: &S) -> Self {
        let mut goals = BTreeSet::new();
        // A field that may have one value only is there for the layout's sake.
        let can_change = |field: &FieldPlace| field.range.is_none_or(|range| range.min != range.max);
        for field in simulation.layout().fields().into_iter().filter(can_change) {
            goals.insert(Goal::new(FIELDS, any_seat(&field.path)));
            goals.extend(field.section.map(|section| Goal::new(SECTIONS, section)));
        }
        goals.extend(input_bits(&StateLayout::of::<S::Input>()).map(|(.., goal)| goal));
        Self::of_goals(goals)
    }

    pub(super) fn of_goals(goals: impl IntoIterator<Item = Goal>) -> Self {
        let mut coverage = Self { goals: BTreeMap::new(), groups: Vec::new(), replays: BTreeSet::new(), frames: 0, vacuous: Vec::new() };
        coverage.want(goals);
        coverage
    }

    /// Adds goals of one's own.
    pub fn want(&mut self, goals: impl IntoIterator<Item = Goal>) {
        for goal in goals {
            if !self.groups.contains(&goal.group) {
                self.groups.push(goal.group);
            }
            self.goals.entry(goal).or_default();
        }
    }

    /// Takes what a replay shows. Goals that nobody asked for are left out.
    pub fn add(&mut self, name: &str, survey: Survey) {
        self.replays.insert(name.to_owned());
        self.frames += survey.frames;
        self.vacuous.extend(survey.vacuous.map(|reason| VacuousReplay { replay: name.to_owned(), reason }));
        for goal in survey.goals {
            if let Some(replays) = self.goals.get_mut(&goal) {
                replays.insert(name.to_owned());
            }
        }
    }

    /// How many replays there are.
    #[must_use]
    pub fn replay_count(&self) -> usize {
        self.replays.len()
    }

    /// How many frames they have together.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// The replays that prove nothing.
    #[must_use]
    pub fn vacuous(&self) -> &[VacuousReplay] {
        &self.vacuous
    }

    /// The goals that no replay reaches.
    #[must_use]
    pub fn missing(&self) -> Vec<&Missing> {
        self.goals.iter().filter(|(_, replays)| replays.is_empty()).map(|(goal, _)| goal).collect()
    }

    /// The replays that reach a goal.
    pub fn reached_by<'a>(&'a self, group: &'static str, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.goals.get(&Goal::new(group, name)).into_iter().flatten().map(String::as_str)
    }

    /// What is reached and what is not, kind by kind.
    #[must_use]
    pub fn groups(&self) -> Vec<GroupCoverage<'_>> {
        self.groups.iter().map(|group| self.group(group)).collect()
    }

    fn group(&self, group: &'static str) -> GroupCoverage<'_> {
        let mut found = GroupCoverage { group, reached: Vec::new(), missing: Vec::new() };
        for (goal, replays) in self.goals.iter().filter(|(goal, _)| goal.group == group) {
            if replays.is_empty() {
                found.missing.push(&goal.name);
            } else {
                found.reached.push(Reached { goal: &goal.name, replays: replays.iter().map(String::as_str).collect() });
            }
        }
        found
    }
}

impl Serialize for Coverage {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'a> {
            replays: usize,
            frames: u64,
            vacuous: &'a [VacuousReplay],
            groups: Vec<GroupCoverage<'a>>,
        }
        Shape { replays: self.replays.len(), frames: self.frames, vacuous: &self.vacuous, groups: self.groups() }.serialize(serializer)
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.replays.len() == 1 { "" } else { "s" };
        writeln!(f, "{} replay{plural}, {} frames", self.replays.len(), self.frames)?;
        for GroupCoverage { group, reached, missing } in self.groups() {
            writeln!(f, "{group:<16} {} of {}", reached.len(), reached.len() + missing.len())?;
            for name in missing {
                writeln!(f, "  missing: {name}")?;
            }
        }
        for VacuousReplay { replay, reason } in &self.vacuous {
            writeln!(f, "vacuous: {replay}: {reason}")?;
        }
        Ok(())
    }
}
