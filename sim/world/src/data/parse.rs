//! From text to [`WorldData`]: which fields there are and what range each has.

use super::read::Node;
use super::{BoxData, ByPosture, CharacterData, DataError, Guard, MoveCues, MoveData, MovePosture, RulesData, StageData, WorldData};
use crate::cues;
use crate::pad::PadInput;
use toml::Table;

/// Longest a round, a pause or an act may last.
const MAX_PHASE_FRAMES: i64 = 36_000;
const MAX_ACT_FRAMES: i64 = 600;
const MAX_SPEED: i32 = 100;
const MAX_LENGTH: i32 = 1_000;
const MAX_VITALS: i64 = 10_000;
const MAX_CHARACTERS: usize = 16;
const MAX_MOVES: usize = 16;
const MAX_BOXES: usize = 8;

const BUTTONS: [(&str, u16); 2] = [("light", PadInput::LIGHT), ("heavy", PadInput::HEAVY)];
const POSTURES: [(&str, MovePosture); 3] =
    [("standing", MovePosture::Standing), ("crouching", MovePosture::Crouching), ("any", MovePosture::Any)];
const GUARDS: [(&str, Guard); 3] = [("any", Guard::Any), ("standing", Guard::Standing), ("crouching", Guard::Crouching)];

pub(super) fn world(file: &str, text: &str) -> Result<WorldData, DataError> {
    let root: Table = text.parse().map_err(|error| syntax(file, text, &error))?;
    let mut node = Node::new(file, "the file".into(), &root);
    let data = WorldData {
        stage: stage(node.table("stage", "stage".into())?)?,
        rules: rules(node.table("rules", "rules".into())?)?,
        characters: node.tables("fighter", 1, MAX_CHARACTERS)?.into_iter().map(character).collect::<Result<_, _>>()?,
    };
    node.finish()?;
    Ok(data)
}

fn syntax(file: &str, text: &str, error: &toml::de::Error) -> DataError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    DataError {
        file: file.into(),
        place: format!("line {}", before.matches('\n').count() + 1),
        field: String::new(),
        problem: error.message().lines().collect::<Vec<_>>().join(", "),
        action: "write it as TOML".into(),
    }
}

fn stage(mut node: Node<'_>) -> Result<StageData, DataError> {
    let data = StageData {
        half_width: node.decimal("half_width", 100, 10_000)?,
        start_near: node.decimal("start_near", 1, 10_000)?,
        start_far: node.decimal("start_far", 1, 10_000)?,
    };
    node.finish()?;
    Ok(data)
}

fn rules(mut node: Node<'_>) -> Result<RulesData, DataError> {
    let data = RulesData {
        round_frames: whole(&mut node, "round_frames", 1, MAX_PHASE_FRAMES)?,
        intro_frames: whole(&mut node, "intro_frames", 1, MAX_PHASE_FRAMES)?,
        round_end_frames: whole(&mut node, "round_end_frames", 1, MAX_PHASE_FRAMES)?,
        match_end_frames: whole(&mut node, "match_end_frames", 1, MAX_PHASE_FRAMES)?,
        rounds_to_win: whole(&mut node, "rounds_to_win", 1, 9)?,
        max_rounds: whole(&mut node, "max_rounds", 1, 99)?,
        buffer_frames: whole(&mut node, "buffer_frames", 1, 60)?,
    };
    node.finish()?;
    Ok(data)
}

fn character(mut node: Node<'_>) -> Result<CharacterData, DataError> {
    let name = node.text("name")?.to_owned();
    node.rename(format!("fighter \"{name}\""));
    let data = CharacterData {
        health: whole(&mut node, "health", 1, MAX_VITALS)?,
        meter_max: whole(&mut node, "meter_max", 0, MAX_VITALS)?,
        walk_forward: node.decimal("walk_forward", 0, MAX_SPEED)?,
        walk_back: node.decimal("walk_back", 0, MAX_SPEED)?,
        jump_start_frames: whole(&mut node, "jump_start_frames", 1, MAX_ACT_FRAMES)?,
        jump_up: node.decimal("jump_up", 1, MAX_SPEED)?,
        jump_forward: node.decimal("jump_forward", 0, MAX_SPEED)?,
        jump_back: node.decimal("jump_back", 0, MAX_SPEED)?,
        gravity: node.decimal("gravity", 0, MAX_SPEED)?,
        landing_frames: whole(&mut node, "landing_frames", 1, MAX_ACT_FRAMES)?,
        down_frames: whole(&mut node, "down_frames", 1, MAX_ACT_FRAMES)?,
        friction: node.decimal("friction", 0, MAX_SPEED)?,
        push_box: push_box(node.table("push_box", format!("push_box of \"{name}\""))?)?,
        hurt_boxes: hurt_boxes(node.table("hurt_boxes", format!("hurt_boxes of \"{name}\""))?)?,
        moves: node.tables("move", 1, MAX_MOVES)?.into_iter().map(|n| attack(n, &name)).collect::<Result<_, _>>()?,
        name,
    };
    node.finish()?;
    Ok(data)
}

fn push_box(mut node: Node<'_>) -> Result<ByPosture<BoxData>, DataError> {
    let mut one = |posture| node.table(posture, format!("{posture} push_box")).and_then(rectangle);
    let data = ByPosture { standing: one("standing")?, crouching: one("crouching")?, air: one("air")? };
    node.finish()?;
    Ok(data)
}

fn hurt_boxes(mut node: Node<'_>) -> Result<ByPosture<Vec<BoxData>>, DataError> {
    let data = ByPosture {
        standing: boxes(&mut node, "standing", 1)?,
        crouching: boxes(&mut node, "crouching", 1)?,
        air: boxes(&mut node, "air", 1)?,
    };
    node.finish()?;
    Ok(data)
}

fn attack(mut node: Node<'_>, character: &str) -> Result<MoveData, DataError> {
    let name = node.text("name")?.to_owned();
    node.rename(format!("move \"{name}\" of \"{character}\""));
    let data = MoveData {
        button: node.choice("button", &BUTTONS)?,
        posture: node.choice("posture", &POSTURES)?,
        guard: node.choice("guard", &GUARDS)?,
        startup_frames: whole(&mut node, "startup_frames", 1, MAX_ACT_FRAMES)?,
        active_frames: whole(&mut node, "active_frames", 1, MAX_ACT_FRAMES)?,
        recovery_frames: whole(&mut node, "recovery_frames", 0, MAX_ACT_FRAMES)?,
        damage: whole(&mut node, "damage", 0, MAX_VITALS)?,
        block_damage: whole(&mut node, "block_damage", 0, MAX_VITALS)?,
        hitstun_frames: whole(&mut node, "hitstun_frames", 1, MAX_ACT_FRAMES)?,
        blockstun_frames: whole(&mut node, "blockstun_frames", 1, MAX_ACT_FRAMES)?,
        hit_pushback: node.decimal("hit_pushback", 0, MAX_SPEED)?,
        block_pushback: node.decimal("block_pushback", 0, MAX_SPEED)?,
        launch_up: node.decimal("launch_up", 0, MAX_SPEED)?,
        meter_on_hit: whole(&mut node, "meter_on_hit", 0, MAX_VITALS)?,
        meter_on_block: whole(&mut node, "meter_on_block", 0, MAX_VITALS)?,
        hit_boxes: boxes(&mut node, "hit_boxes", 1)?,
        hurt_boxes: boxes(&mut node, "hurt_boxes", 0)?,
        cues: MoveCues { swing: cues::swing(&name), hit: cues::hit(&name), block: cues::block(&name) },
        name,
    };
    node.finish()?;
    Ok(data)
}

fn boxes<'a>(node: &mut Node<'a>, field: &'a str, min: usize) -> Result<Vec<BoxData>, DataError> {
    node.tables(field, min, MAX_BOXES)?.into_iter().map(rectangle).collect()
}

fn rectangle(mut node: Node<'_>) -> Result<BoxData, DataError> {
    let data = BoxData {
        back: node.decimal("back", -MAX_LENGTH, MAX_LENGTH)?,
        front: node.decimal("front", -MAX_LENGTH, MAX_LENGTH)?,
        bottom: node.decimal("bottom", -MAX_LENGTH, MAX_LENGTH)?,
        top: node.decimal("top", -MAX_LENGTH, MAX_LENGTH)?,
    };
    if data.back >= data.front {
        return Err(node.error("front", format!("is {}", data.front), format!("give more than back, which is {}", data.back)));
    }
    if data.bottom >= data.top {
        return Err(node.error("top", format!("is {}", data.top), format!("give more than bottom, which is {}", data.bottom)));
    }
    node.finish()?;
    Ok(data)
}

/// A whole number whose range fits its type: every range above does.
fn whole<'a, T: TryFrom<i64>>(node: &mut Node<'a>, field: &'a str, min: i64, max: i64) -> Result<T, DataError> {
    let value = node.whole(field, min, max)?;
    T::try_from(value).map_err(|_| node.error(field, format!("is {value}"), "give a smaller number"))
}
