//! What a match must come to.

use super::ledger::Ledger;
use super::script::Script;
use crate::cluster::{Cluster, ClusterError};
use snapback::{Outcome, SessionError};

/// Whether the match came to what it must: every frame confirmed by all and everybody of one mind, or, if
/// the script allows it, a typed end.
///
/// # Errors
/// Says what is not as it must be.
pub fn check(cluster: &Cluster<Ledger>, script: &Script, ended: Result<(), ClusterError>) -> Result<(), String> {
    match ended {
        Ok(()) => {}
        // The outcomes below say more.
        Err(ClusterError::Ended { .. } | ClusterError::Session(SessionError::RestoreFailed { .. })) if script.may_end_early() => {}
        Err(error) => return Err(error.to_string()),
    }
    let mut is_whole = true;
    for (place, node) in cluster.nodes().iter().enumerate() {
        let breaks = script.breaks.is_some_and(|breaks| breaks.peer == place);
        match node.peer.outcome() {
            Some(Outcome::Agreed) => {}
            // Who goes last may not hear the last goodbye.
            Some(Outcome::Unverified { .. }) => {}
            Some(Outcome::Session(SessionError::RestoreFailed { .. })) if breaks => is_whole = false,
            Some(Outcome::Lost { .. } | Outcome::Abandoned { .. }) if script.may_end_early() => is_whole = false,
            Some(outcome) => return Err(format!("peer {place}: {outcome}")),
            None if script.breaks.is_some() => is_whole = false,
            None => return Err(format!("peer {place} has no outcome")),
        }
    }
    let (confirmed, last) = (cluster.judge().confirmed_by_all(), script.settings.last_frame);
    if is_whole && confirmed != last {
        return Err(format!("the match is over, and frame {confirmed} of {last} is the last that all have confirmed"));
    }
    Ok(())
}
