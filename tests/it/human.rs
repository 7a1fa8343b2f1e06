//! Matches on recorded human inputs and recorded networks, where the data is at hand.
//!
//! The environment variable `SNAPBACK_DATA` names its folder; without it each test prints
//! `skipped: NAME` and passes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::link::{LinkTrace, Loss};
use snapback::{Frame, PlayerHandle};
use snapback_harness::recorded::FgFile;
use snapback_harness::{Cluster, ClusterSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a folder of the data with this extension, in order; none where there is no data.
fn files(test: &str, folder: &str, extension: &str) -> Option<Vec<PathBuf>> {
    let Some(data) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: {test}");
        return None;
    };
    let folder = Path::new(&data).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no .{extension} files", folder.display());
    Some(files)
}

/// A cluster whose players press what the recorded ones pressed, from `skip` frames on.
fn cluster(settings: &ClusterSettings, file: &FgFile, skip: usize) -> Cluster<World> {
    let data = Arc::new(WorldData::default());
    let columns: Vec<Vec<u16>> = file.ports().iter().map(|port| file.port(*port).unwrap()).collect();
    Cluster::new(
        settings,
        || World::new(Arc::clone(&data)),
        move |player| {
            let column = columns[player % columns.len()].clone();
            Box::new(move |frame: Frame, _: PlayerHandle, _: &World| PadInput::new(column[(frame.number() as usize + skip) % column.len()]))
        },
    )
    .unwrap()
}

/// Every recorded match, its own number of players, at 80 ms with jitter and loss.
#[test]
fn recorded_players_on_a_usual_link() {
    let Some(files) = files("recorded_players_on_a_usual_link", "inputs", "fg") else { return };
    let mut rollbacks = 0;
    for (seed, path) in files.iter().enumerate() {
        let file = FgFile::parse(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let link =
            LinkSettings { delay_us: 40_000, jitter_us: 5_000, loss: Loss::Independent { per_million: 20_000 }, ..LinkSettings::default() };
        let settings = ClusterSettings { link, ..ClusterSettings::new(seed as u64, file.ports().len(), 1_200) };
        let mut cluster = cluster(&settings, &file, 300);
        cluster.run(120_000_000).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
        rollbacks += cluster.nodes()[0].peer.session().unwrap().stats().rollbacks;
    }
    assert!(rollbacks > 100 * files.len() as u64, "only {rollbacks} rollbacks in {} matches", files.len());
}

/// Recorded players on every recorded network; one file of inputs for each.
#[test]
fn recorded_players_on_recorded_networks() {
    let Some(traces) = files("recorded_players_on_recorded_networks", "net", "csv") else { return };
    let Some(inputs) = files("recorded_players_on_recorded_networks", "inputs", "fg") else { return };
    let traces: Vec<_> = traces.into_iter().filter(|path| path.file_stem().is_some_and(|name| name != "index")).collect();
    for (seed, path) in traces.iter().enumerate() {
        let trace = LinkTrace::parse(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = FgFile::parse(&std::fs::read(&inputs[seed % inputs.len()]).unwrap()).unwrap();
        let settings = ClusterSettings { trace: Some(trace), ..ClusterSettings::new(seed as u64, 2, 1_800) };
        let mut cluster = cluster(&settings, &file, 300);
        cluster.run(600_000_000).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame, "{}", path.display());
    }
}
