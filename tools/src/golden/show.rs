//! `snapback golden show`: what a replay says of itself.

use super::files;
use super::options::ShowOptions;
use crate::error::{CliError, Code};
use crate::out;
use core::fmt::Write;
use snapback_golden::GoldenReplay;
use snapback_golden::format::{Acceptance, Source};

pub(super) fn run(options: &ShowOptions) -> Result<Code, CliError> {
    let replay = files::read(&options.file)?;
    out::say(text(&replay).trim_end())?;
    Ok(Code::Agreed)
}

fn text(replay: &GoldenReplay) -> String {
    let (meta, summary) = (replay.meta(), replay.summary().unwrap_or_default());
    let provenance = &meta.provenance;
    let source = match provenance.source {
        Source::Live => format!("live, through {} rollbacks, the deepest of {} frames", summary.rollbacks, summary.max_rollback_frames),
        Source::Generated => "generated".to_owned(),
    };
    let rows = [
        ("note", provenance.note.clone()),
        ("simulation", format!("{} version {}, config {:08x}", meta.simulation, meta.simulation_version, meta.config_hash)),
        ("setup", meta.setup.clone()),
        ("match", format!("seed {}, {} players, {} frames from {}", meta.seed, meta.players, replay.frame_count(), meta.first_frame)),
        ("state", format!("{} bytes, layout {:08x}", meta.state_bytes, meta.layout_fingerprint)),
        ("recorded", format!("{source}, by {} on {}", provenance.build, provenance.platform)),
        ("trace", if meta.has_trace { "the state after every frame" } else { "none: hashes and snapshots" }.to_owned()),
        ("digest", format!("{:08x}", replay.digest())),
        ("signed", if replay.is_signed() { "yes" } else { "no" }.to_owned()),
    ];
    let mut text = String::new();
    for (what, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "{what:<11} {value}");
    }
    for Acceptance { reason, simulation_version, first_frame, replaced_digest, .. } in replay.acceptances() {
        let change = format!("version {simulation_version}, new from frame {first_frame} on, in place of {replaced_digest:08x}");
        let _ = writeln!(text, "accepted    {reason} ({change})");
    }
    text
}
