//! Recordings of networks and of people.

use crate::options::Options;
use crate::section::Section;
use snapback::transport::link::LinkTrace;
use snapback_harness::recorded::FgFile;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What two people pressed, frame by frame.
#[derive(Clone, Debug)]
pub(crate) struct Thumbs([Vec<u16>; 2]);

impl Thumbs {
    /// What the player of a seat presses at a frame. A match that is over begins again.
    pub(crate) fn pressed(&self, seat: usize, frame: i64) -> u16 {
        let pressed = &self.0[seat];
        pressed[frame.max(0) as usize % pressed.len()]
    }
}

/// Every recording that was asked for, each with a match of its own.
pub(crate) fn sections(folder: &Path, options: &Options) -> Result<Vec<Section>, String> {
    let matches = matches(&folder.join("inputs"))?;
    let mut sections = Vec::new();
    for path in files(&folder.join("net"), "csv")? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_wanted = options.names.is_empty() || options.names.iter().any(|wanted| name.contains(wanted.as_str()));
        if name == "index" || !is_wanted {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let trace = LinkTrace::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        for window in 0..options.windows {
            let thumbs = Rc::clone(&matches[sections.len() % matches.len()]);
            let from_us = trace.duration_us() / options.windows * window;
            sections.push(Section::new(name.clone(), trace.clone(), from_us, sections.len() as u64, thumbs, options));
        }
    }
    if sections.is_empty() { Err(format!("no recording in {} has such a name", folder.join("net").display())) } else { Ok(sections) }
}

fn matches(folder: &Path) -> Result<Vec<Rc<Thumbs>>, String> {
    let mut matches = Vec::new();
    for path in files(folder, "fg")? {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = FgFile::parse(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        if let [first, second] = *file.ports()
            && let (Ok(first), Ok(second)) = (file.port(first), file.port(second))
        {
            let thumbs = Thumbs([first, second]);
            // Who never pressed anything did not play; and the first seconds are a countdown.
            if thumbs.0.iter().all(|pressed| pressed.iter().any(|input| *input != 0)) {
                matches.push(Rc::new(Thumbs(thumbs.0.map(|pressed| pressed.into_iter().skip(300).collect()))));
            }
        }
    }
    if matches.is_empty() { Err(format!("{} has no match of two people", folder.display())) } else { Ok(matches) }
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    Ok(paths)
}
