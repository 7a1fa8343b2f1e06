//! What came of a shot as a sentence, for terminals and pages.

use super::outcome::{Considered, End, Nearest, ShotOutcome, Strike, StruckThing, Why};
use super::{Expect, Expected, Scenario};
use crate::Cadence;

/// A length in units as centimetres with one digit after the point.
#[must_use]
pub fn cm(units: i64) -> String {
    let tenths = (units.abs() * 1_000 + 8_192) / 16_384;
    format!("{}{}.{} cm", if units < 0 && tenths > 0 { "-" } else { "" }, tenths / 10, tenths % 10)
}

/// A time as milliseconds, to the nearest tenth.
#[must_use]
pub fn ms(time_us: u64) -> String {
    let tenths = (time_us + 50) / 100;
    if tenths.is_multiple_of(10) { format!("{} ms", tenths / 10) } else { format!("{}.{} ms", tenths / 10, tenths % 10) }
}

/// The shot's time, and where it met the target then.
fn when(time_us: u64, target_us: u64, target: &str) -> String {
    let (time, place) = (ms(time_us), ms(target_us));
    match target_us.checked_sub(time_us) {
        None | Some(0) => format!("{time} (where {target} was at {place})"),
        // A tick of the live flight: the shot moves, and everybody stands.
        Some(_) => format!("{time} (in the present, where {target} stands from the tick before {place} to it)"),
    }
}

impl Nearest {
    /// The shot's time, and where the hitbox was then, in words.
    #[must_use]
    pub fn when(&self) -> String {
        when(self.time_us, self.frame.time_us, "it")
    }
}

impl Scenario {
    /// A hitbox as `actor/hitbox`.
    #[must_use]
    pub fn hitbox_name(&self, place: usize) -> String {
        self.hitboxes().nth(place).map_or_else(|| "?".into(), |(_, actor, hitbox)| format!("{}/{}", actor.name, hitbox.name))
    }

    fn actor_of(&self, place: usize) -> &str {
        self.hitboxes().nth(place).map_or("?", |(_, actor, _)| &actor.name)
    }

    fn region_of(&self, place: usize) -> &str {
        self.hitboxes().nth(place).map_or("?", |(_, _, hitbox)| &hitbox.region)
    }

    /// What a thing is called.
    #[must_use]
    pub fn thing_name(&self, thing: StruckThing) -> String {
        match thing {
            StruckThing::Hitbox(place) => self.hitbox_name(place),
            StruckThing::Obstacle(place) => self.obstacles.get(place).map_or_else(|| "?".into(), |obstacle| obstacle.name.clone()),
        }
    }

    /// What came of a shot, as one or two sentences: first hit or miss, then why.
    #[must_use]
    pub fn verdict(&self, outcome: &ShotOutcome) -> String {
        let Some(shot) = self.shots.get(outcome.shot) else { return String::new() };
        let shooter = self.actors.get(shot.shooter).map_or("?", |actor| &actor.name);
        let first = outcome.strikes.iter().find(|strike| matches!(strike.thing, StruckThing::Hitbox(_)));
        let mut text = match (first, outcome.strikes.last(), outcome.end) {
            (_, _, End::Refused(reason)) => return format!("NOT TAKEN. The server did not take {shooter}'s shot: {reason}."),
            (Some(strike), ..) => self.hit_sentence(shooter, strike, outcome),
            (None, _, End::StillFlying) => format!("MISS. {shooter}'s shot met nobody."),
            (None, Some(strike), _) => format!("MISS. {shooter}'s shot ended at {}.", self.thing_name(strike.thing)),
            (None, None, _) => format!("MISS. {shooter}'s shot met nothing."),
        };
        if outcome.clamped {
            let (asked_us, used_us) = (shot.asked_us(), outcome.target_us);
            text +=
                &format!(" It asked for targets as of {}, which is more than the server believes: {} was used.", ms(asked_us), ms(used_us));
        }
        if first.is_none()
            && let Some(near) = self.nearest_miss(outcome)
        {
            text += &format!(" {}", self.why_sentence(near));
        }
        text + &self.present_sentence(first, outcome)
    }

    fn hit_sentence(&self, shooter: &str, strike: &Strike, outcome: &ShotOutcome) -> String {
        let StruckThing::Hitbox(place) = strike.thing else { return String::new() };
        let (actor, region) = (self.actor_of(place), self.region_of(place));
        let ago_us = outcome.accepted_us.saturating_sub(strike.target_us);
        let how = if strike.by_blast { "The explosion of " } else { "" };
        let others = outcome.strikes.iter().filter(|other| matches!(other.thing, StruckThing::Hitbox(_))).count() - 1;
        let more = if others > 0 { format!(" And {others} more hit{}.", if others == 1 { "" } else { "s" }) } else { String::new() };
        let late = strike.time_us > outcome.accepted_us;
        let when = match strike.target_us.checked_sub(outcome.accepted_us) {
            None | Some(0) if !late => {
                format!("where {actor} was at {}, {} before the server took the shot", ms(strike.target_us), ms(ago_us))
            }
            _ => format!("on its further flight, at {}", when(strike.time_us, strike.target_us, actor)),
        };
        format!("HIT. {how}{shooter}'s shot met {actor} ({region}) {when}.{more}")
    }

    /// Whom the reader will ask about: who stood in the way, else who came nearest.
    fn nearest_miss<'a>(&self, outcome: &'a ShotOutcome) -> Option<&'a Considered> {
        let shooter = self.shots.get(outcome.shot)?.shooter;
        let is_other = |considered: &&Considered| self.hitboxes().nth(considered.hitbox).is_some_and(|(actor, ..)| actor != shooter);
        let rank = |considered: &&Considered| match considered.why {
            Why::BehindObstacle | Why::BehindAnother | Why::Sheltered => (0, 0),
            Why::SameTeam | Why::NotDamageable | Why::Gone | Why::NotYet | Why::Projectile => (2, 0),
            _ => (1, considered.nearest.map_or(i64::MAX, |nearest| nearest.gap_units)),
        };
        outcome.considered.iter().filter(is_other).min_by_key(rank)
    }

    /// Why one hitbox was hit or not.
    #[must_use]
    pub fn why_sentence(&self, considered: &Considered) -> String {
        self.reason_sentence(considered) + &self.stale_sentence(considered).map_or_else(String::new, |stale| format!(" {stale}"))
    }

    /// How far a hitbox that the server does not record at every tick truly was from where the server had it, when the two
    /// were nearest. Nothing if that is under a centimetre.
    #[must_use]
    pub fn stale_sentence(&self, considered: &Considered) -> Option<String> {
        let frame = considered.nearest?.frame;
        let (_, actor, hitbox) = self.hitboxes().nth(considered.hitbox)?;
        let Cadence::FixedHz { hz } = hitbox.cadence else { return None };
        let truth = actor.stand(frame.time_us)?.sample(hitbox)?.position.to_array();
        let apart = frame.centre.to_array().into_iter().zip(truth).map(|(had, was)| i128::from(had) - i128::from(was));
        let off_units = apart.map(|part| part * part).sum::<i128>().unsigned_abs().isqrt() as i64;
        (off_units >= 164).then(|| {
            format!(
                "It is recorded {hz} times a second: its sample was stale, and it truly was {} from there at {}.",
                cm(off_units),
                ms(frame.time_us)
            )
        })
    }

    fn reason_sentence(&self, considered: &Considered) -> String {
        let name = self.hitbox_name(considered.hitbox);
        let gap = considered.nearest.map_or_else(String::new, |nearest| format!("{} away at {}", cm(nearest.gap_units), nearest.when()));
        match considered.why {
            Why::Hit => format!("{name} was hit."),
            Why::Passed => format!("It passed {name}: {gap}."),
            Why::Apart => format!("{name} was never near: {gap}."),
            Why::BehindObstacle => format!("{name} stood in the line of the shot, behind what stopped it."),
            Why::BehindAnother => format!("{name} stood in the line of the shot, behind another that was hit."),
            Why::Sheltered => format!("The explosion reached {name}, but something stood in between."),
            Why::Shooter => format!("{name} is the shooter's own."),
            Why::SameTeam => format!("{name} is of the shooter's team, which this shot spares."),
            Why::NotDamageable => format!("{name} cannot be damaged."),
            Why::Blocking => format!("{name} blocks, and this shot leaves such out."),
            Why::Projectile => format!("{name} is a projectile, and this shot leaves such out."),
            Why::NotProjectile => format!("{name} is no projectile, and this shot meets projectiles only."),
            Why::NotYet => format!("{name} was not there yet at the time the shot looked at."),
            Why::Gone => format!("{name} was gone by the time the shot looked at."),
            Why::Unknown => format!("Nothing is recorded of {name} at the time the shot looked at."),
        }
    }

    fn present_sentence(&self, first: Option<&Strike>, outcome: &ShotOutcome) -> String {
        match (first.map(|strike| strike.thing), outcome.without_rewind) {
            (hit, without) if hit == without => String::new(),
            // What is hit after the catch-up is another story.
            _ if first.is_some_and(|strike| strike.time_us > outcome.accepted_us) => String::new(),
            (_, Some(other @ StruckThing::Hitbox(_))) => {
                format!(" Without looking into the past it would have met {}, where it is now.", self.thing_name(other))
            }
            (Some(_), Some(other)) => format!(" Without looking into the past it would have ended at {}.", self.thing_name(other)),
            (Some(_), None) => " Without looking into the past it would have missed.".into(),
            (None, _) => String::new(),
        }
    }

    /// What is not as the file expects: one line for each, nothing if all is. A shot that was refused never is unless the file
    /// expects a refusal, even where it expects nothing.
    #[must_use]
    pub fn surprises(&self, outcome: &ShotOutcome) -> Vec<String> {
        let Some(shot) = self.shots.get(outcome.shot) else { return Vec::new() };
        let mut surprises = Vec::new();
        let refusal = if let End::Refused(reason) = outcome.end { Some(reason) } else { None };
        let expected = match &shot.expect {
            Some(Expect { what: Expected::Refused { because }, .. }) => Some(because),
            _ => None,
        };
        match (refusal, expected) {
            // Nothing else is true of it then, and a shot that was never flown is no miss.
            (Some(reason), None) => return vec![format!("the shot was refused ({reason}), and that was not expected")],
            (Some(reason), Some(because)) if because.as_ref().is_some_and(|because| because != reason.name()) => {
                let because = because.as_deref().unwrap_or_default();
                return vec![format!(
                    "a refusal because of \"{because}\" was expected, and it was refused because of \"{}\"",
                    reason.name()
                )];
            }
            (Some(_), Some(_)) => return surprises,
            (None, Some(_)) => surprises.push("a refusal was expected, and the server took the shot".to_owned()),
            (None, None) => {}
        }
        let Some(expect) = &shot.expect else { return surprises };
        let hits: Vec<&Strike> = outcome.strikes.iter().filter(|strike| matches!(strike.thing, StruckThing::Hitbox(_))).collect();
        let struck = |strike: &Strike| match strike.thing {
            StruckThing::Hitbox(place) => (self.actor_of(place), self.region_of(place)),
            StruckThing::Obstacle(_) => ("", ""),
        };
        let first = hits.first().map(|strike| struck(strike));
        let came = first.map_or("nobody was hit".to_owned(), |(actor, region)| format!("\"{actor}\" was hit ({region})"));
        match &expect.what {
            Expected::Hit { actor, region } => {
                let right = first.is_some_and(|(hit, at)| hit == actor && region.as_ref().is_none_or(|region| region == at));
                if !right {
                    let region = region.as_ref().map_or_else(String::new, |region| format!(" ({region})"));
                    surprises.push(format!("a hit of \"{actor}\"{region} was expected, and {came}"));
                }
            }
            Expected::BlockedBy(name) => {
                let ended = outcome.strikes.last().map(|strike| self.thing_name(strike.thing));
                if !hits.is_empty() || ended.as_ref() != Some(name) || outcome.end != End::Struck {
                    let ended = ended.map_or("met nothing".into(), |ended| format!("ended at \"{ended}\""));
                    surprises.push(format!("the shot was expected to end at \"{name}\", and it {ended}"));
                }
            }
            Expected::Miss { actor, because } => {
                if hits.iter().any(|strike| struck(strike).0 == actor) {
                    surprises.push(format!("a miss of \"{actor}\" was expected, and it was hit"));
                }
                let reasons: Vec<&str> =
                    outcome.considered.iter().filter(|one| self.actor_of(one.hitbox) == actor).map(|one| one.why.name()).collect();
                if let Some(because) = because
                    && !reasons.contains(&because.as_str())
                {
                    surprises.push(format!(
                        "\"{actor}\" was expected to be missed because of \"{because}\", and it is \"{}\"",
                        reasons.join("\", \"")
                    ));
                }
            }
            Expected::Nobody if !hits.is_empty() => surprises.push(format!("nobody was expected to be hit, and {came}")),
            Expected::Nobody | Expected::Refused { .. } => {}
        }
        if let (Some(expected), Some(strike)) = (expect.target_ms, hits.first())
            && (strike.target_us + 500) / 1_000 != expected
        {
            surprises.push(format!(
                "the target was expected where it was at {expected} ms, and it was hit where it was at {}",
                ms(strike.target_us)
            ));
        }
        if let Some(expected) = expect.clamped
            && expected != outcome.clamped
        {
            surprises.push(format!("clamped = {expected} was expected, and the target time is {}", ms(outcome.target_us)));
        }
        let names: Vec<&str> = hits.iter().map(|strike| struck(strike).0).collect();
        if let Some(expected) = &expect.hits
            && names != expected.iter().map(String::as_str).collect::<Vec<_>>()
        {
            surprises.push(format!("hits {expected:?} were expected, and they are {names:?}"));
        }
        surprises
    }
}
