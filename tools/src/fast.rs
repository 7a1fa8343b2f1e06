//! A duel on virtual time: all peers in this process, no waiting, the same on every run.

use crate::cli::DuelOptions;
use crate::duel::{Duel, Played, explained};
use crate::error::CliError;
use crate::golden::live::LiveRecording;
use crate::interrupt;
use crate::match_loop::session_failed;
use crate::plant::{PLANTED_PEER, PlantedWorld};
use crate::progress::ProgressLine;
use crate::pulse::Pulse;
use crate::report::{DivergenceReport, PeerReport, player_at};
use crate::results::ResultLog;
use crate::telemetry::kept;
use core::cell::Cell;
use snapback::Frame;
use snapback_harness::cluster::{Cluster, ClusterError, ClusterSettings, Node};

/// The virtual time that a match may take for each frame on the worst link, and to connect.
const FRAME_LIMIT_US: u64 = 500_000;
const CONNECT_LIMIT_US: u64 = 120_000_000;

/// Steps between two looks at the real clock, which only the progress line needs.
const STEPS_PER_LOOK: u64 = 4_096;

/// Plays on virtual time.
pub(crate) fn play(options: &DuelOptions, duel: &Duel) -> Result<Played, CliError> {
    let mut cluster = cluster(options, duel)?;
    let mut recording = LiveRecording::start(&options.play.live, &duel.data, options.seed, options.players.into())?;
    let limit_us = duel.frames.saturating_mul(FRAME_LIMIT_US).saturating_add(CONNECT_LIMIT_US);
    let mut seen = vec![Seen::default(); usize::from(options.players)];
    let mut log = ResultLog::default();
    let mut next = Frame::ZERO;
    let mut progress = ProgressLine::delayed();
    let mut steps: u64 = 0;
    for node in cluster.nodes_mut() {
        options.play.telemetry.record(&mut node.peer)?;
    }
    let mut run = || loop {
        if interrupt::asked().is_some() {
            break Ok(None);
        }
        // Looks at the outcomes once everybody is done.
        let step = if cluster.is_over() { cluster.run(limit_us).map(|()| true) } else { cluster.advance().map(|()| false) };
        match step {
            Ok(true) => break Ok(None),
            Ok(false) if cluster.now_us() > limit_us => break Err(too_slow(&cluster)),
            Ok(false) => {}
            Err(ClusterError::Fault(fault)) => break Ok(Some(DivergenceReport::of_fault(&fault, |peer| player(&cluster, peer)))),
            Err(ClusterError::TimedOut { .. }) => break Err(too_slow(&cluster)),
            Err(error) => break Err(failed(&cluster, &error)),
        }
        for (seen, node) in seen.iter_mut().zip(cluster.nodes()) {
            seen.look(cluster.now_us(), node);
        }
        while next < cluster.judge().next_frame(0) {
            let session = cluster.nodes_mut().first_mut().and_then(|node| node.peer.session_mut());
            if let Some(frame) = session.and_then(|session| session.confirmed(next)) {
                log.look(frame.snapshot);
                if let Some(recording) = &mut recording {
                    recording.take(frame.frame, frame.inputs, frame.state_hash, frame.snapshot)?;
                }
            }
            next = next.next();
        }
        steps += 1;
        if steps.is_multiple_of(STEPS_PER_LOOK) {
            progress.show(&[format!("{}/{} agreed, on virtual time", agreed(&cluster), duel.frames)]);
        }
    };
    let ended: Result<Option<DivergenceReport>, CliError> = run();
    let buried = bury(options, &cluster, !matches!(ended, Ok(None)) || agreed(&cluster) < duel.frames);
    let divergence = ended?;
    let mut unwritten: Vec<CliError> = buried.err().into_iter().collect();
    if let Some(recording) = recording {
        let session = cluster.nodes().first().and_then(|node| node.peer.session());
        let (rollbacks, deepest) = session.map_or((0, 0), |session| (session.stats().rollbacks, session.stats().max_depth));
        unwritten.extend(recording.finish(rollbacks, deepest).err());
    }
    let report = |(node, seen): (&Node<PlantedWorld>, &Seen)| {
        let mut report = PeerReport::of(&node.peer, &seen.pulse);
        if options.play.telemetry.net_graph {
            report.take_samples(&node.peer);
        }
        report
    };
    let peers = cluster.nodes().iter().zip(&seen).map(report).collect();
    Ok(Played { frames: agreed(&cluster), log, peers, chat: Vec::new(), chat_left_out: 0, divergence, unwritten })
}

/// Writes the post-mortems, if there are to be any.
fn bury(options: &DuelOptions, cluster: &Cluster<PlantedWorld>, is_bad: bool) -> Result<(), CliError> {
    let Some(file) = options.play.telemetry.post_mortem_file(is_bad) else { return Ok(()) };
    cluster
        .nodes()
        .iter()
        .enumerate()
        .try_for_each(|(peer, node)| kept::write(&kept::of_player(file, player(cluster, peer)), &node.peer.post_mortem().to_string()))
}

fn cluster(options: &DuelOptions, duel: &Duel) -> Result<Cluster<PlantedWorld>, CliError> {
    let players = usize::from(options.players);
    let frames = u32::try_from(duel.frames).unwrap_or(u32::MAX);
    let mut settings = ClusterSettings::new(options.seed, players, frames);
    settings.link = duel.link.settings();
    settings.trace = duel.link.load_trace()?;
    settings.set_delays(&vec![options.play.delay; players]);
    // A cluster makes its peers in order, then the judge's world.
    let made = Cell::new(0);
    let world = || {
        let place = made.replace(made.get() + 1);
        PlantedWorld::new(&duel.data, options.plant_desync.filter(|_| place == PLANTED_PEER).map(Frame::new))
    };
    let (pilots, seed) = (duel.pilots.clone(), options.seed);
    Cluster::new(&settings, world, move |player| Box::new(pilots.pilot(seed, player, player))).map_err(|error| match error {
        ClusterError::Session(error) => session_failed(&error),
        error => CliError::environment(error),
    })
}

fn player(cluster: &Cluster<PlantedWorld>, peer: usize) -> usize {
    cluster.nodes().get(peer).and_then(|node| player_at(&node.peer)).unwrap_or(peer)
}

fn agreed(cluster: &Cluster<PlantedWorld>) -> u64 {
    u64::try_from(cluster.judge().confirmed_by_all().next().number()).unwrap_or(0)
}

fn too_slow(cluster: &Cluster<PlantedWorld>) -> CliError {
    CliError::environment(format_args!(
        "after {} s of virtual time only {} frames are confirmed by everybody: the link is too bad, lower --rtt or --loss",
        cluster.now_us() / 1_000_000,
        agreed(cluster)
    ))
}

fn failed(cluster: &Cluster<PlantedWorld>, error: &ClusterError) -> CliError {
    let what = match error {
        ClusterError::Ended { peer, outcome } => format!("player {}: {}", player(cluster, *peer), explained(outcome)),
        error => error.to_string(),
    };
    CliError::environment(format_args!("{what}, after {} frames that everybody confirmed", agreed(cluster)))
}

/// What was seen of a peer last.
#[derive(Clone, Default)]
struct Seen {
    frame: Option<Frame>,
    stalled_frames: u64,
    pulse: Pulse,
}

impl Seen {
    /// Notices that a peer has ticked.
    fn look(&mut self, now_us: u64, node: &Node<PlantedWorld>) {
        let (Some(report), Some(session)) = (&node.last_report, node.peer.session()) else { return };
        let stalled_frames = session.stats().stalled_frames;
        if self.frame != Some(report.frame) || self.stalled_frames != stalled_frames {
            self.frame = Some(report.frame);
            self.stalled_frames = stalled_frames;
            self.pulse.tick(now_us, report);
        }
    }
}
