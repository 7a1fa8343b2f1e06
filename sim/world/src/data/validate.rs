//! What must hold between fields, once each is in its own range.

use super::boxes::{BodyBox, MoveBox};
use super::character::CharacterTable;
use super::moves::{Kind, MoveTable, Role};
use super::rules::{StageTable, StatusTable};
use super::table::{Name, Span};
use super::{DataError, cues_of};
use crate::fighter::ABILITY_SLOTS;
use crate::pad::PadInput;
use snapback_core::{Fx, NameHash};

/// How many fighters start on one side at most.
const SIDE: i32 = 4;

/// Where an error is.
struct At<'a> {
    file: &'a str,
    place: String,
}

impl At<'_> {
    fn error<T>(&self, field: &str, problem: impl Into<String>, action: impl Into<String>) -> Result<T, DataError> {
        Err(DataError::new(self.file, &self.place, field, problem, action))
    }
}

pub(super) fn rules(
    file: &str,
    stage: &StageTable,
    statuses: &[StatusTable],
    characters: &[(&str, CharacterTable)],
) -> Result<(), DataError> {
    let at = At { file, place: "stage".into() };
    let outermost = stage.start_near + stage.start_spacing * Fx::from_int(SIDE - 1);
    if outermost > stage.half_width {
        let action = format!("give less, so that {SIDE} fighters a side start within half_width, which is {}", stage.half_width);
        return at.error("start_spacing", format!("is {}", stage.start_spacing), action);
    }
    let reach = characters.iter().map(|(_, c)| c.push_box.standing.front).max().unwrap_or(Fx::ZERO);
    if stage.start_near < reach {
        let action = format!("give at least {reach}, so that no push boxes overlap at the start");
        return at.error("start_near", format!("is {}", stage.start_near), action);
    }
    for (number, own) in statuses.iter().enumerate() {
        if statuses[..number].iter().any(|other| other.name == own.name) {
            let at = At { file, place: format!("status \"{}\"", own.name.text) };
            return at.error("name", "is used twice", "give each status a name of its own");
        }
    }
    Ok(())
}

pub(super) fn character(
    file: &str,
    own: &CharacterTable,
    statuses: &[StatusTable],
    before: &[(&str, CharacterTable)],
) -> Result<(), DataError> {
    let at = At { file, place: format!("character \"{}\"", own.name.text) };
    if let Some((other, _)) = before.iter().find(|(_, c)| c.name == own.name) {
        return at.error("name", format!("is that of the character in {other} too"), "give each character a name of its own");
    }
    if own.gravity == Fx::ZERO {
        return at.error("gravity", "is 0", "give more than 0, so that jumps end");
    }
    if own.friction == Fx::ZERO {
        return at.error("friction", "is 0", "give more than 0, so that pushbacks end");
    }
    let bodies = [("push_box", vec![&own.push_box.standing, &own.push_box.crouching, &own.push_box.air])]
        .into_iter()
        .chain([("hurt_boxes", own.hurt_boxes.standing.iter().chain(&own.hurt_boxes.crouching).chain(&own.hurt_boxes.air).collect())]);
    for (field, boxes) in bodies {
        for body in boxes {
            let place = format!("{field} of \"{}\"", own.name.text);
            right_way_round(&At { file, place }, body)?;
        }
    }
    for (number, stance) in own.stance.iter().enumerate() {
        if own.stance[..number].iter().any(|other| other.name == stance.name) {
            let at = At { file, place: format!("stance \"{}\" of \"{}\"", stance.name.text, own.name.text) };
            return at.error("name", "is used twice", "give each stance a name of its own");
        }
    }
    for (number, one) in own.r#move.iter().enumerate() {
        let at = At { file, place: format!("move \"{}\" of \"{}\"", one.name.text, own.name.text) };
        if own.r#move[..number].iter().any(|other| other.name == one.name) {
            return at.error("name", "is used twice", "give each move a name of its own");
        }
        attack(&at, one, own, statuses)?;
    }
    let limited = own.r#move.iter().filter(|m| m.cooldown_frames > 0 || m.uses_per_round > 0).count();
    if limited > ABILITY_SLOTS {
        let problem = format!("has {limited} moves with cooldown_frames or uses_per_round");
        return at.error("move", problem, format!("leave it with at most {ABILITY_SLOTS} of them"));
    }
    for (button, name) in [(PadInput::LIGHT, "light"), (PadInput::HEAVY, "heavy")] {
        if !own.r#move.iter().any(|m| m.buttons == button && m.stance.is_none()) {
            return at.error("move", format!("has none for the button \"{name}\" alone"), "add one");
        }
    }
    Ok(())
}

fn attack(at: &At<'_>, own: &MoveTable, character: &CharacterTable, statuses: &[StatusTable]) -> Result<(), DataError> {
    let total = own.total_frames();
    for (field, stance) in [("stance", &own.stance), ("enter_stance", &own.enter_stance)] {
        if !stance.is_none() && !character.stance.iter().any(|s| s.name == *stance) {
            return at.error(
                field,
                format!("is \"{}\", which is no stance of this character", stance.text),
                "add a [[stance]] of that name",
            );
        }
    }
    for (field, status) in [("status_on_hit", &own.status_on_hit), ("status_on_self", &own.status_on_self)] {
        if !status.is_none() && !statuses.iter().any(|s| s.name == *status) {
            return at.error(
                field,
                format!("is \"{}\", which is no status of the rules", status.text),
                "add a [[status]] of that name to them",
            );
        }
    }
    let spans = [
        ("cancel_frames", own.cancel_frames),
        ("armour_frames", own.armour_frames),
        ("invulnerable_frames", own.invulnerable_frames),
        ("step_frames", own.step_frames),
    ];
    for (field, span) in spans {
        if span != Span::ALWAYS && span.until >= total && span != Span::NEVER {
            return outside(at, field, span, total);
        }
    }
    if own.rise_frame >= total {
        return at.error("rise_frame", format!("is {}", own.rise_frame), format!("give less than {total}, the length of the move"));
    }
    if own.rise_frame == 0 && own.rise_speed > Fx::ZERO {
        return at.error("rise_frame", format!("is 0 and rise_speed is {}", own.rise_speed), "give 1 or more, so that the move rises");
    }
    match (own.kind, own.hit_boxes.is_empty()) {
        (Kind::Other, false) => return at.error("hit_boxes", "has entries and kind is \"none\"", "leave them out, or change kind"),
        (Kind::Strike | Kind::Throw, true) if own.projectile.is_none() => {
            return at.error("hit_boxes", "has no entries", "add some, or a projectile, or kind = \"none\"");
        }
        _ => {}
    }
    if own.role == Role::RageArt && own.kind == Kind::Other {
        return at.error("role", "is \"rage_art\" and kind is \"none\"", "make it a strike or a throw");
    }
    for (field, boxes) in [("hit_boxes", &own.hit_boxes), ("hurt_boxes", &own.hurt_boxes), ("push_boxes", &own.push_boxes)] {
        for (number, one) in boxes.iter().enumerate() {
            let place = format!("{field} {} of {}", number + 1, at.place);
            move_box(&At { file: at.file, place }, field, one, own)?;
        }
    }
    hits(at, own)?;
    if let Some(projectile) = &own.projectile {
        if projectile.frame >= total {
            return at.error(
                "projectile.frame",
                format!("is {}", projectile.frame),
                format!("give less than {total}, the length of the move"),
            );
        }
        right_way_round(&At { file: at.file, place: format!("projectile box of {}", at.place) }, &projectile.r#box)?;
    }
    Ok(())
}

/// In each frame boxes of one hit, and each hit in one go: only so does it reach an enemy once.
fn hits(at: &At<'_>, own: &MoveTable) -> Result<(), DataError> {
    let (mut known, mut before) = (0_u16, 0);
    for frame in own.active().from..=own.active().until {
        let mut found = own.hit_boxes.iter().filter(|b| b.frames.has(frame)).map(|b| b.hit);
        let hit = found.next().unwrap_or(0);
        if let Some(other) = found.find(|other| *other != hit) {
            let problem = format!("has boxes of hits {hit} and {other} in frame {frame}");
            return at.error("hit_boxes", problem, "give each hit frames of its own");
        }
        if hit != 0 && hit != before && known & 1 << hit != 0 {
            let problem = format!("has hit {hit} for a second time in frame {frame}");
            return at.error("hit_boxes", problem, "give it another number, or frames without a gap");
        }
        known |= 1 << hit;
        before = hit;
    }
    Ok(())
}

fn outside(at: &At<'_>, field: &str, span: Span, total: u16) -> Result<(), DataError> {
    at.error(field, format!("is \"{}-{}\"", span.from, span.until), format!("give frames below {total}, the length of the move"))
}

fn move_box(at: &At<'_>, field: &str, one: &MoveBox, own: &MoveTable) -> Result<(), DataError> {
    right_way_round(at, &one.body())?;
    if one.frames == Span::ALWAYS {
        return Ok(());
    }
    let active = own.active();
    if field == "hit_boxes" && (one.frames.from < active.from || one.frames.until > active.until) {
        let problem = format!("is \"{}-{}\"", one.frames.from, one.frames.until);
        return at.error("frames", problem, format!("give active frames only, which are \"{}-{}\"", active.from, active.until));
    }
    if one.frames.until >= own.total_frames() {
        return outside(at, "frames", one.frames, own.total_frames());
    }
    Ok(())
}

fn right_way_round(at: &At<'_>, body: &BodyBox) -> Result<(), DataError> {
    if body.back >= body.front {
        return at.error("front", format!("is {}", body.front), format!("give more than back, which is {}", body.back));
    }
    if body.bottom >= body.top {
        return at.error("top", format!("is {}", body.top), format!("give more than bottom, which is {}", body.bottom));
    }
    Ok(())
}

/// The state and the effects know everything by the hash of its name: two names must not share one.
pub(super) fn names(rules_file: &str, statuses: &[StatusTable], characters: &[(&str, CharacterTable)]) -> Result<(), DataError> {
    let mut known = Known::default();
    for status in statuses {
        known.add(rules_file, &format!("status \"{}\"", status.name.text), &status.name)?;
    }
    for (file, character) in characters {
        let of = &character.name.text;
        known.add(file, &format!("character \"{of}\""), &character.name)?;
        for stance in &character.stance {
            known.add(file, &format!("stance \"{}\" of \"{of}\"", stance.name.text), &stance.name)?;
        }
        for own in &character.r#move {
            let place = format!("move \"{}\" of \"{of}\"", own.name.text);
            known.add(file, &place, &own.name)?;
            for cue in cues_of(&own.name.text) {
                known.add(file, &place, &Name::new(&cue))?;
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Known(Vec<(NameHash, String)>);

impl Known {
    fn add(&mut self, file: &str, place: &str, name: &Name) -> Result<(), DataError> {
        if name.hash == NameHash::NONE {
            return Err(DataError::new(file, place, "name", "has the hash 0, which stands for no name", "rename it"));
        }
        match self.0.iter().find(|(hash, text)| *hash == name.hash && *text != name.text) {
            Some((_, other)) => {
                Err(DataError::new(file, place, "name", format!("has the same hash as \"{other}\""), "rename one of the two"))
            }
            None => {
                self.0.push((name.hash, name.text.clone()));
                Ok(())
            }
        }
    }
}
