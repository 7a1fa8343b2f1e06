//! Copies of one projectile: who has which, and that only the authority's damages.
//!
//! | copy | lives on | damages | collides | trail |
//! |---|---|---|---|---|
//! | [`AuthorityProjectile`](ProjectileRole::AuthorityProjectile) | the server | yes | yes | none |
//! | [`LocalDummy`](ProjectileRole::LocalDummy) | the shooter's machine, for its whole life | never | for looks: its impact is drawn at once | active at once |
//! | [`RemoteCopy`](ProjectileRole::RemoteCopy) | others' machines, if projectiles are replicated | never | no | the [mask](crate::trail), if it opts in |
//!
//! The server's projectile may be replicated or not ([`ProjectileReplication`]); impacts and effects reach
//! everybody either way. The shooter never gets it: they keep the dummy.

use core::fmt;

use crate::{ActorId, NetRole, NotAuthority, WorldKind, host};

/// Which copy of a projectile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProjectileRole {
    /// The server's: the one that is real.
    AuthorityProjectile,
    /// The one that the shooter's machine shows at once.
    LocalDummy,
    /// What others see.
    RemoteCopy,
}

/// Whether the server's projectile is sent to anybody.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ProjectileReplication {
    /// To nobody: others see impacts and effects only.
    #[default]
    EffectsOnly,
    /// To everybody but the shooter.
    Projectile,
}

impl ProjectileReplication {
    /// What the machine of `viewer` has of a projectile of `shooter`. A viewer without an actor, such as a
    /// spectator, is nobody's shooter.
    #[must_use]
    pub fn copy_for(self, shooter: ActorId, viewer: Option<ActorId>) -> Option<ProjectileRole> {
        match self {
            _ if viewer == Some(shooter) => Some(ProjectileRole::LocalDummy),
            Self::Projectile => Some(ProjectileRole::RemoteCopy),
            Self::EffectsOnly => None,
        }
    }

    /// Whether the server sends its projectile to `viewer`.
    #[must_use]
    pub fn sends_to(self, shooter: ActorId, viewer: Option<ActorId>) -> bool {
        self.copy_for(shooter, viewer) == Some(ProjectileRole::RemoteCopy)
    }
}

/// The right to damage. Whatever damages asks for one, and nothing but an authority's projectile can show it:
/// there is no other way to make one.
///
/// ```compile_fail
/// let forged = snapback_rewind::replicate::DamageRight(());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DamageRight(());

/// Why a projectile does not damage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDamage {
    /// It is a dummy, or a copy.
    Copy(ProjectileRole),
    /// Its world is not ours to judge.
    NotAuthority(NotAuthority),
}

impl fmt::Display for NoDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy(role) => write!(f, "a projectile in the role {role:?} never damages: the server's does"),
            Self::NotAuthority(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for NoDamage {}

impl DamageRight {
    /// The right of a projectile in this role, in a world of this kind.
    ///
    /// # Errors
    /// If it is a dummy or a copy, or the world is a client's, an editor's, inactive or invalid.
    pub const fn of(role: ProjectileRole, kind: WorldKind, net: NetRole) -> Result<Self, NoDamage> {
        match (role, Self::of_authority(kind, net)) {
            (ProjectileRole::AuthorityProjectile, Ok(right)) => Ok(right),
            (ProjectileRole::AuthorityProjectile, Err(reason)) => Err(NoDamage::NotAuthority(reason)),
            (role, _) => Err(NoDamage::Copy(role)),
        }
    }

    /// The right of the server's own projectile, in a world of this kind.
    ///
    /// # Errors
    /// If the world is a client's, an editor's, inactive or invalid.
    pub const fn of_authority(kind: WorldKind, net: NetRole) -> Result<Self, NotAuthority> {
        match host::check_authority(kind, net) {
            Ok(()) => Ok(Self(())),
            Err(reason) => Err(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ProjectileRole::{AuthorityProjectile, LocalDummy, RemoteCopy};

    const SHOOTER: ActorId = ActorId(1);

    #[test]
    fn the_firing_client_keeps_its_dummy_and_never_gets_the_replicated_projectile() {
        for replication in [ProjectileReplication::EffectsOnly, ProjectileReplication::Projectile] {
            assert_eq!(replication.copy_for(SHOOTER, Some(SHOOTER)), Some(LocalDummy));
            assert!(!replication.sends_to(SHOOTER, Some(SHOOTER)));
        }
    }

    #[test]
    fn replicating_the_projectile_to_others_is_optional() {
        for viewer in [Some(ActorId(2)), None] {
            assert_eq!(ProjectileReplication::Projectile.copy_for(SHOOTER, viewer), Some(RemoteCopy));
            assert!(ProjectileReplication::Projectile.sends_to(SHOOTER, viewer));
            assert_eq!(ProjectileReplication::default().copy_for(SHOOTER, viewer), None);
            assert!(!ProjectileReplication::default().sends_to(SHOOTER, viewer));
        }
    }

    #[test]
    fn the_local_dummy_never_damages_nor_does_a_remote_copy() {
        use NetRole::{Authority, Client};
        for role in [LocalDummy, RemoteCopy] {
            for net in [Authority, Client] {
                assert_eq!(DamageRight::of(role, WorldKind::Game, net), Err(NoDamage::Copy(role)));
            }
        }
        assert!(DamageRight::of(AuthorityProjectile, WorldKind::Game, Authority).is_ok());
        assert!(DamageRight::of(AuthorityProjectile, WorldKind::PlayInEditor, Authority).is_ok());
        assert_eq!(DamageRight::of(AuthorityProjectile, WorldKind::Game, Client), Err(NoDamage::NotAuthority(NotAuthority::Client)));
        for kind in [WorldKind::Editor, WorldKind::EditorPreview, WorldKind::Inactive, WorldKind::Invalid] {
            assert!(DamageRight::of(AuthorityProjectile, kind, Authority).is_err(), "{kind:?}");
        }
    }
}
