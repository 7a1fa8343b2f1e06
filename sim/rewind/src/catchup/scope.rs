//! Overlap handling is off from before a spawn is finished until catch-up is over, on every way out.
//!
//! The guard lives in the frame of one function, which lends out the host but never the guard: there
//! is nothing to forget, to store or to leak.

use super::{ProjectileHost, Spawn};

struct Guard<'a, H: ProjectileHost> {
    host: &'a mut H,
    projectile: H::Projectile,
}

impl<'a, H: ProjectileHost> Guard<'a, H> {
    fn new(host: &'a mut H, projectile: H::Projectile) -> Self {
        let guard = Self { host, projectile };
        guard.host.set_overlap(projectile, false);
        guard
    }
}

impl<H: ProjectileHost> Drop for Guard<'_, H> {
    fn drop(&mut self) {
        self.host.set_overlap(self.projectile, true);
    }
}

/// Begins a spawn and runs `run` with the projectile's overlap handling off. It is on again when this
/// returns, however `run` ends: with a value, an early return, or a panic.
///
/// # Errors
/// If the host does not begin the spawn.
pub fn with_overlap_suppressed<H: ProjectileHost, R>(
    host: &mut H,
    spawn: &Spawn,
    run: impl FnOnce(&mut H, H::Projectile) -> R,
) -> Result<R, H::Error> {
    let projectile = host.begin_spawn(spawn)?;
    let guard = Guard::new(host, projectile);
    Ok(run(&mut *guard.host, projectile))
}
