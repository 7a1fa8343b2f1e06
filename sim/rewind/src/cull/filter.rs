//! [`CullFilter`]: the host's say in who is rewound.

use super::{CullPass, PendingRewind, PotentialTarget};

/// Chooses whom a rewind takes back.
///
/// Both methods have a default, and the default culls: whoever says nothing gets the targets whose box the
/// path touches. (The engine that this was learnt from keeps everyone unless told otherwise, which is
/// [`KeepAll`].)
///
/// ```
/// use snapback_rewind::ActorId;
/// use snapback_rewind::cull::{CullFilter, CullPass};
///
/// /// The boss is always worth it.
/// struct BossFight(ActorId);
/// impl CullFilter for BossFight {
///     fn filter(&mut self, pass: &mut CullPass<'_>) {
///         for at in 0..pass.len() {
///             if pass.target(at).is_some_and(|target| target.actor == self.0) {
///                 pass.keep(at);
///             }
///         }
///         pass.cull_by_path(&mut |pending, target| self.complex_collision(pending, target));
///     }
/// }
/// ```
pub trait CullFilter {
    /// Keeps the targets to rewind. The default is [`CullPass::cull_by_path`] with
    /// [`complex_collision`](Self::complex_collision).
    fn filter(&mut self, pass: &mut CullPass<'_>) {
        pass.cull_by_path(&mut |pending, target| self.complex_collision(pending, target));
    }

    /// Whether the path can hit what is in the box; asked only for targets whose box it touches. The
    /// default is that it can. An answer that knows only the present shape must not be no.
    fn complex_collision(&mut self, pending: &PendingRewind<'_>, target: &PotentialTarget) -> bool {
        let _ = (pending, target);
        true
    }
}

/// The default filter.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CullByPath;

impl CullFilter for CullByPath {}

/// No culling: every target but the instigator.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct KeepAll;

impl CullFilter for KeepAll {
    fn filter(&mut self, pass: &mut CullPass<'_>) {
        for at in 0..pass.len() {
            if !pass.is_instigator(at) {
                pass.keep(at);
            }
        }
    }
}
