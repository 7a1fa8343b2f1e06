//! Projectiles: sent, on their way, and against each other.

use super::Turn;
use super::boxes::Area;
use crate::cues;
use crate::data::{Mechanic, Move, ProjectileTable, WorldData};
use crate::fighter::{Fighter, PROJECTILE_SLOTS, Projectile, X, Y, Z};
use bytemuck::Zeroable;
use snapback_core::{EffectId, Effects, Fx};

/// Sends a projectile from the first free place; with none free there is none.
pub(super) fn send(data: &WorldData, fighter: &mut Fighter, own: &Move, sent: &ProjectileTable) {
    if !data.has(Mechanic::Projectiles) {
        return;
    }
    let [x, y, z] = fighter.motion.position;
    let (along, speed) = (fighter.forward(sent.forward), fighter.forward(sent.speed));
    let facing = match speed.signum() {
        0 => fighter.facing(),
        side => side as i8,
    };
    let Some(place) = fighter.projectiles.iter_mut().find(|p| !p.is_live()) else {
        return;
    };
    *place = Projectile {
        position: [x + along, y + sent.up, z],
        velocity: [speed, Fx::ZERO],
        move_name: own.name.hash,
        serial: place.serial.wrapping_add(1),
        left_frames: sent.frames,
        hits_left: sent.hits,
        facing,
        ..Projectile::zeroed()
    };
}

/// Moves the projectiles of a fighter on.
pub(super) fn advance(turn: &Turn<'_>, fighter: &mut Fighter) {
    for projectile in fighter.projectiles.iter_mut().filter(|p| p.is_live()) {
        let sent = sent_by(turn.character, projectile).filter(|_| turn.is_fight && projectile.left_frames > 0 && projectile.hits_left > 0);
        let Some(sent) = sent else {
            projectile.end();
            continue;
        };
        projectile.left_frames -= 1;
        projectile.pause_frames = projectile.pause_frames.saturating_sub(1);
        if let Some(depth) = turn.sight.depth {
            let z = projectile.position[Z];
            projectile.velocity[1] = z.approach(depth, sent.tracking) - z;
        }
        projectile.position[X] += projectile.velocity[0];
        projectile.position[Z] += projectile.velocity[1];
        if projectile.position[X].abs() > turn.data.stage.half_width + Fx::from_int(100) || projectile.position[Y] < Fx::ZERO {
            projectile.end();
        }
    }
}

/// What the data says about a projectile.
pub(super) fn sent_by<'a>(character: &'a crate::data::Character, projectile: &Projectile) -> Option<&'a ProjectileTable> {
    character.find(projectile.move_name)?.projectile.as_ref()
}

/// Where a projectile hits, if it is on its way and does not pause.
pub(super) fn area(data: &WorldData, fighter: &Fighter, slot: usize) -> Option<Area> {
    let projectile = fighter.projectiles.get(slot)?;
    if !projectile.is_live() || projectile.hits_left == 0 {
        return None;
    }
    let sent = sent_by(data.character(fighter.identity.character)?, projectile)?;
    Some(Area::of_projectile(projectile, &sent.r#box))
}

/// Projectiles of different teams that meet take a hit from each other: all are found first, against
/// what each had, then all lose.
pub(super) fn clash(data: &WorldData, fighters: &mut [Fighter], effects: &mut Effects) {
    if fighters.iter().filter(|f| f.projectiles.iter().any(Projectile::is_live)).count() < 2 || !data.has(Mechanic::ProjectileClash) {
        return;
    }
    let mut lost = [[0_u8; PROJECTILE_SLOTS]; crate::MAX_FIGHTERS];
    for (seat, own) in fighters.iter().enumerate() {
        for (slot, lost) in lost[seat].iter_mut().enumerate() {
            let Some(area) = area(data, own, slot) else { continue };
            let enemies = fighters.iter().filter(|other| other.team() != own.team());
            let meets = |other: &Fighter, slot| super::shots::area(data, other, slot).is_some_and(|it| it.overlaps(&area));
            *lost = enemies.map(|other| (0..PROJECTILE_SLOTS).filter(|slot| meets(other, *slot)).count()).sum::<usize>() as u8;
        }
    }
    for (seat, (fighter, lost)) in fighters.iter_mut().zip(lost).enumerate() {
        for (slot, (projectile, lost)) in fighter.projectiles.iter_mut().zip(lost).enumerate() {
            if lost > 0 {
                let id = EffectId { source: cues::projectile(seat, slot), kind: cues::CLASH, key: 0 };
                effects.emit(id, [super::whole(projectile.position[X]), super::whole(projectile.position[Y]), 0, 0]);
                spend(projectile, lost);
            }
        }
    }
}

/// Takes hits from a projectile; without any left it is gone.
pub(super) fn spend(projectile: &mut Projectile, hits: u8) {
    projectile.hits_left = projectile.hits_left.saturating_sub(hits);
    if projectile.hits_left == 0 {
        projectile.end();
    }
}
