//! Scenes that run up to something.

mod commands;
mod duels;
mod groups;
mod results;

use crate::stage::Take;
use snapback::sim::WorldData;
use std::sync::Arc;

pub(crate) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let mut takes = results::takes(data)?;
    takes.extend(duels::takes(data)?);
    takes.extend(groups::takes(data)?);
    takes.extend(commands::takes(data)?);
    Ok(takes)
}
