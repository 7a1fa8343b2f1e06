//! What a move is: how it is begun, what it does, what can follow.

use super::DataError;
use super::boxes::{BodyBox, MoveBox, move_boxes};
use super::canonical::{Canonical, Lines, by_number};
use super::character::MAX_VITALS;
use super::read::Node;
use super::rules::{MAX_SHARE, MAX_SPEED, MAX_TIMER_FRAMES};
use super::table::{Name, Span, any_name, choice, decimal, maybe, names, one, or, own_name, span, sum, table, truth, whole};
use crate::fighter::Attribute;
use crate::pad::PadInput;
use snapback_core::Fx;

const MAX_ACT_FRAMES: u16 = 300;
const MAX_LENGTH: i32 = 1_000;
const MAX_NAMES: usize = 32;

/// What a move does to the one it touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Strike,
    Throw,
    /// Touches nobody.
    Other,
}

/// From which posture a move begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Posture {
    Standing,
    Crouching,
    /// Standing or crouching.
    Ground,
    Air,
}

/// What stops a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Height {
    /// Guarded standing or crouching; passes over one who crouches.
    High,
    /// Guarded standing and crouching.
    Mid,
    /// Guarded crouching.
    Low,
    /// Guarded standing.
    Overhead,
    Unblockable,
}

/// Which direction is held with the button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Any,
    Neutral,
    Forward,
    Back,
    Down,
    Up,
}

/// Which motion goes before the button, as a bit of what the input memory has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MotionInput {
    None = 0,
    Quarter = 1,
    QuarterBack = 2,
    Dragon = 4,
    Charge = 8,
}

/// What else a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Normal,
    HeatBurst,
    HeatSmash,
    RageArt,
    KiCharge,
}

by_number!(Kind, Posture, Height, Direction, MotionInput, Role, Attribute);

const BUTTONS: &[(&str, u16)] =
    &[("light", PadInput::LIGHT), ("heavy", PadInput::HEAVY), ("grab", PadInput::GRAB), ("special", PadInput::SPECIAL)];
const KINDS: &[(&str, Kind)] = &[("strike", Kind::Strike), ("throw", Kind::Throw), ("none", Kind::Other)];
const POSTURES: &[(&str, Posture)] =
    &[("standing", Posture::Standing), ("crouching", Posture::Crouching), ("ground", Posture::Ground), ("air", Posture::Air)];
const HEIGHTS: &[(&str, Height)] = &[
    ("high", Height::High),
    ("mid", Height::Mid),
    ("low", Height::Low),
    ("overhead", Height::Overhead),
    ("unblockable", Height::Unblockable),
];
const DIRECTIONS: &[(&str, Direction)] = &[
    ("any", Direction::Any),
    ("neutral", Direction::Neutral),
    ("forward", Direction::Forward),
    ("back", Direction::Back),
    ("down", Direction::Down),
    ("up", Direction::Up),
];
const MOTIONS: &[(&str, MotionInput)] = &[
    ("none", MotionInput::None),
    ("236", MotionInput::Quarter),
    ("214", MotionInput::QuarterBack),
    ("623", MotionInput::Dragon),
    ("charge", MotionInput::Charge),
];
const ROLES: &[(&str, Role)] = &[
    ("normal", Role::Normal),
    ("heat_burst", Role::HeatBurst),
    ("heat_smash", Role::HeatSmash),
    ("rage_art", Role::RageArt),
    ("ki_charge", Role::KiCharge),
];
const ATTRIBUTES: &[(&str, Attribute)] =
    &[("damage", Attribute::Damage), ("damage_taken", Attribute::Defence), ("speed", Attribute::Speed), ("meter", Attribute::Meter)];

table! {
    struct MoveTable {
        name: Name = own_name("move"),
        buttons: u16 = sum(BUTTONS),
        motion: MotionInput = or(MotionInput::None, choice(MOTIONS)),
        direction: Direction = or(Direction::Any, choice(DIRECTIONS)),
        posture: Posture = or(Posture::Standing, choice(POSTURES)),
        /// The stance that it is done from; none means from no stance.
        stance: Name = or(Name::default(), any_name()),
        /// The stance that it ends in.
        enter_stance: Name = or(Name::default(), any_name()),
        role: Role = or(Role::Normal, choice(ROLES)),
        kind: Kind = or(Kind::Strike, choice(KINDS)),
        tags: Vec<Name> = or(Vec::new(), names(MAX_NAMES)),

        /// Start-up, active and recovery.
        frames: Parts = parts,
        cancel_frames: Span = or(Span::ALWAYS, span()),
        /// What it can be cancelled into: names of moves, or tags.
        cancel_hit: Vec<Name> = or(Vec::new(), names(MAX_NAMES)),
        cancel_block: Vec<Name> = or(Vec::new(), names(MAX_NAMES)),
        cancel_whiff: Vec<Name> = or(Vec::new(), names(MAX_NAMES)),

        height: Height = or(Height::Mid, choice(HEIGHTS)),
        damage: i32 = or(0, whole(0, MAX_VITALS)),
        chip: i32 = or(0, whole(0, MAX_VITALS)),
        /// What is left of the damage of the rest of the combo, in thousandths.
        scaling: u16 = or(900, whole(0, 1_000)),
        hitstun_frames: u16 = or(15, whole(1, i64::from(MAX_ACT_FRAMES))),
        blockstun_frames: u16 = or(10, whole(1, i64::from(MAX_ACT_FRAMES))),
        hitstop_frames: u16 = or(6, whole(0, 60)),
        /// How long everything stands still when it begins.
        freeze_frames: u16 = or(0, whole(0, 120)),
        hit_pushback: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        block_pushback: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        launch_up: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        knockdown: bool = or(false, truth()),
        wall_splat: bool = or(false, truth()),
        /// Whether it reaches one who lies on the ground.
        hits_down: bool = or(false, truth()),
        juggle_cost: u16 = or(10, whole(0, 1_000)),
        gravity_gain: u16 = or(100, whole(0, 9_000)),
        counter_damage_share: i32 = or(1_200, whole(0, MAX_SHARE)),
        counter_hitstun_frames: u16 = or(6, whole(0, i64::from(MAX_ACT_FRAMES))),
        counter_launch_up: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),

        meter_cost: i32 = or(0, whole(0, MAX_VITALS)),
        meter_on_hit: i32 = or(0, whole(0, MAX_VITALS)),
        // Those before can be looked at.
        meter_on_block: i32 = or(meter_on_hit / 2, whole(0, MAX_VITALS)),
        cooldown_frames: u16 = or(0, whole(0, MAX_TIMER_FRAMES)),
        uses_per_round: u16 = or(0, whole(0, 999)),
        armour_hits: u8 = or(0, whole(0, 15)),
        armour_frames: Span = or(Span::ALWAYS, span()),
        invulnerable_frames: Span = or(Span::NEVER, span()),

        /// How fast it follows the enemy's depth before it can hit.
        tracking: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        step_frames: Span = or(Span::NEVER, span()),
        step_speed: Fx = or(Fx::ZERO, decimal(-MAX_SPEED, MAX_SPEED)),
        rise_frame: u16 = or(0, whole(0, i64::from(MAX_ACT_FRAMES))),
        rise_speed: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        /// How far forward it is suddenly somewhere else, when its start-up is over.
        teleport: Fx = or(Fx::ZERO, decimal(-MAX_LENGTH, MAX_LENGTH)),

        throw_frames: u16 = or(20, whole(1, i64::from(MAX_ACT_FRAMES))),
        /// What escapes from it.
        tech_buttons: u16 = or(PadInput::GRAB, sum(BUTTONS)),
        status_on_hit: Name = or(Name::default(), any_name()),
        status_on_self: Name = or(Name::default(), any_name()),
        attribute: Attribute = or(Attribute::Damage, choice(ATTRIBUTES)),
        /// What it adds to `attribute` until the round ends, in thousandths.
        attribute_gain: i16 = or(0, whole(-MAX_SHARE, MAX_SHARE)),

        hit_boxes: Vec<MoveBox> = move_boxes,
        hurt_boxes: Vec<MoveBox> = move_boxes,
        push_boxes: Vec<MoveBox> = move_boxes,
        projectile: Option<ProjectileTable> = maybe(ProjectileTable::read),
    }
}

table! {
    struct ProjectileTable {
        /// The frame of the move in which it appears.
        frame: u16 = whole(1, i64::from(MAX_ACT_FRAMES)),
        /// Where it appears: forward and above the feet.
        forward: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        up: Fx = decimal(0, MAX_LENGTH),
        speed: Fx = decimal(-MAX_SPEED, MAX_SPEED),
        /// How fast it follows the depth of the enemy.
        tracking: Fx = or(Fx::ZERO, decimal(0, MAX_SPEED)),
        frames: u16 = whole(1, MAX_TIMER_FRAMES),
        hits: u8 = or(1, whole(1, 15)),
        /// Frames between two hits.
        pause_frames: u8 = or(8, whole(1, 60)),
        /// Around its middle.
        r#box: BodyBox = one(BodyBox::read),
    }
}

/// The three parts of a move, in frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    pub(crate) startup: u16,
    pub(crate) active: u16,
    pub(crate) recovery: u16,
}

impl Canonical for Parts {
    fn write(&self, out: &mut Lines, name: &str) {
        let Self { startup, active, recovery } = self;
        out.line(name, format_args!("{startup}+{active}+{recovery}"));
    }
}

/// Three numbers such as `"5+3+8"`.
fn parts(node: &mut Node<'_>, field: &'static str) -> Result<Parts, DataError> {
    let text = node.text(field)?;
    let numbers: Vec<u16> = text.split('+').map_while(|part| part.trim().parse().ok()).collect();
    match numbers[..] {
        [startup @ 1..=MAX_ACT_FRAMES, active @ 1..=MAX_ACT_FRAMES, recovery @ 0..=MAX_ACT_FRAMES] if text.split('+').count() == 3 => {
            Ok(Parts { startup, active, recovery })
        }
        _ => {
            let action = format!("give start-up, active and recovery frames, each up to {MAX_ACT_FRAMES}, such as \"5+3+8\"");
            Err(node.error(field, format!("is \"{text}\""), action))
        }
    }
}

impl MoveTable {
    pub(crate) const fn active(&self) -> Span {
        let Parts { startup, active, .. } = self.frames;
        Span { from: startup, until: startup.saturating_add(active).saturating_sub(1) }
    }

    pub(crate) const fn total_frames(&self) -> u16 {
        let Parts { startup, active, recovery } = self.frames;
        startup.saturating_add(active).saturating_add(recovery)
    }
}
