//! A hitbox's past as text, one line for a tick.

use core::fmt::{self, Write as _};

use crate::history::{TickPose, flags, presence};
use crate::{HitboxId, LookupError, MatchTeam, NotAuthority, RewindHistory};

/// Why there is nothing to dump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpError {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// It is not registered, or not any more.
    Unknown,
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAuthority(reason) => reason.fmt(f),
            Self::Unknown => LookupError::Unknown.fmt(f),
        }
    }
}

impl std::error::Error for DumpError {}

impl RewindHistory {
    /// The past of one hitbox as text: a head, and a line for each tick that is kept, the oldest first,
    /// with its time, where the pose is from, centre, half axis, radius and half height in units,
    /// team, flags (`d`amageable, `b`locking, `p`rojectile), the game's flags, and epoch.
    ///
    /// # Errors
    /// If this is not authority, or the hitbox is not registered.
    pub fn dump(&self, id: HitboxId) -> Result<String, DumpError> {
        self.authority().map_err(DumpError::NotAuthority)?;
        let desc = self.desc(id).ok_or(DumpError::Unknown)?;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "hitbox {}.{} actor {} component {} name {:08x} region {:08x} {:?}",
            id.index(),
            id.generation(),
            desc.actor.0,
            desc.component.0,
            desc.name.bits(),
            desc.region.bits(),
            desc.cadence,
        );
        let _ = match self.lifetime(id) {
            None => writeln!(text, "no snapshot yet"),
            Some(life) => match life.gone_us {
                None => writeln!(text, "born {}", life.born_us),
                Some(gone_us) => writeln!(text, "born {} gone {gone_us}", life.born_us),
            },
        };
        for (time_us, pose, meta) in self.rows_of(id) {
            if pose.presence == presence::ABSENT {
                let _ = writeln!(text, "{time_us} absent");
                continue;
            }
            let _ = line(&mut text, time_us, pose, meta.state_flags);
        }
        Ok(text)
    }
}

fn line(text: &mut String, time_us: u64, pose: &TickPose, state_flags: u32) -> fmt::Result {
    let from = match pose.presence {
        presence::SAMPLED => "sampled",
        presence::BETWEEN => "between",
        _ => "held",
    };
    let has = |flag: u8, letter: char| if pose.flags & flag == 0 { '-' } else { letter };
    let kind = if has(flags::CAPSULE, 'c') == 'c' { "capsule" } else { "sphere" };
    let [x, y, z] = pose.c;
    write!(text, "{time_us} {from} {kind} at {x},{y},{z}")?;
    if kind == "capsule" {
        let [x, y, z] = pose.e;
        write!(text, " axis {x},{y},{z}")?;
    }
    write!(text, " r {} h {}", pose.radius, pose.half_height)?;
    match MatchTeam(pose.team).number() {
        Some(team) => write!(text, " team {team}")?,
        None => write!(text, " team -")?,
    }
    let marks = [has(flags::DAMAGEABLE, 'd'), has(flags::BLOCKING, 'b'), has(flags::PROJECTILE, 'p')];
    writeln!(text, " {} state {state_flags:x} epoch {}", marks.iter().collect::<String>(), pose.epoch)
}
