//! What must hold between fields, once each is in its own range.

use super::{CharacterData, DataError, MovePosture, WorldData};
use crate::pad::PadInput;
use snapback_core::{Fx, NameHash};

pub(super) fn world(file: &str, data: &WorldData) -> Result<(), DataError> {
    stage(file, data)?;
    let mut names: Vec<&str> = Vec::new();
    for fighter in &data.characters {
        if names.contains(&fighter.name.as_str()) {
            return Err(error(
                file,
                &format!("fighter \"{}\"", fighter.name),
                "name",
                "is used twice",
                "give each fighter a name of its own",
            ));
        }
        names.push(&fighter.name);
        character(file, fighter)?;
    }
    cues(file, data)
}

fn stage(file: &str, data: &WorldData) -> Result<(), DataError> {
    let stage = &data.stage;
    if stage.start_far > stage.half_width {
        let action = format!("give at most half_width, which is {}", stage.half_width);
        return Err(error(file, "stage", "start_far", &format!("is {}", stage.start_far), &action));
    }
    if stage.start_near >= stage.start_far {
        let action = format!("give less than start_far, which is {}", stage.start_far);
        return Err(error(file, "stage", "start_near", &format!("is {}", stage.start_near), &action));
    }
    let reach = data.characters.iter().map(|c| c.push_box.standing.front).max().unwrap_or(Fx::ZERO);
    if stage.start_near < reach {
        let action = format!("give at least {reach}, so that no push boxes overlap at the start");
        return Err(error(file, "stage", "start_near", &format!("is {}", stage.start_near), &action));
    }
    Ok(())
}

fn character(file: &str, fighter: &CharacterData) -> Result<(), DataError> {
    let place = format!("fighter \"{}\"", fighter.name);
    if fighter.gravity == Fx::ZERO {
        return Err(error(file, &place, "gravity", "is 0", "give more than 0, so that jumps end"));
    }
    if fighter.friction == Fx::ZERO {
        return Err(error(file, &place, "friction", "is 0", "give more than 0, so that pushbacks end"));
    }
    for (button, name) in [(PadInput::LIGHT, "light"), (PadInput::HEAVY, "heavy")] {
        let standing = |posture| matches!(posture, MovePosture::Standing | MovePosture::Any);
        if !fighter.moves.iter().any(|m| m.button == button && standing(m.posture)) {
            let problem = format!("has no standing move for the button \"{name}\"");
            return Err(error(file, &place, "move", &problem, "add one with posture \"standing\" or \"any\""));
        }
    }
    for (number, own) in fighter.moves.iter().enumerate() {
        for other in fighter.moves.iter().take(number) {
            let place = format!("move \"{}\" of \"{}\"", own.name, fighter.name);
            if own.name == other.name {
                return Err(error(file, &place, "name", "is used twice", "give each move a name of its own"));
            }
            let clash = own.posture == other.posture || own.posture == MovePosture::Any || other.posture == MovePosture::Any;
            if own.button == other.button && clash {
                let problem = format!("is that of \"{}\" too, from the same posture", other.name);
                return Err(error(file, &place, "button", &problem, "give it another button or posture"));
            }
        }
    }
    Ok(())
}

/// Two effects of different names must not look like one.
fn cues(file: &str, data: &WorldData) -> Result<(), DataError> {
    let mut known: Vec<(NameHash, &str)> = Vec::new();
    for fighter in &data.characters {
        for own in &fighter.moves {
            for cue in [own.cues.swing, own.cues.hit, own.cues.block] {
                if let Some((_, other)) = known.iter().find(|(hash, name)| *hash == cue && *name != own.name) {
                    let place = format!("move \"{}\" of \"{}\"", own.name, fighter.name);
                    let problem = format!("gives an effect the same number as the move \"{other}\" does");
                    return Err(error(file, &place, "name", &problem, "rename one of the two"));
                }
                known.push((cue, &own.name));
            }
        }
    }
    Ok(())
}

fn error(file: &str, place: &str, field: &str, problem: &str, action: &str) -> DataError {
    DataError { file: file.into(), place: place.into(), field: field.into(), problem: problem.into(), action: action.into() }
}
