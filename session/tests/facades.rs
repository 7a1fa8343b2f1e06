//! What goes through the `tracing` and `metrics` facades, seen by a subscriber and a recorder that keep it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use metrics::{Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use snapback::state::pod;
use snapback::telemetry::{Publisher, TelemetrySettings};
use snapback::*;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span;

/// Adds up what everybody pressed.
struct Sum(u64);

impl Simulation for Sum {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "sum", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        self.0 = 0;
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        for seat in 0..inputs.player_count() {
            self.0 = self.0.wrapping_mul(31).wrapping_add(inputs.input(PlayerHandle::new(seat as u8)).into());
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

/// Everything that was said, one line for each event.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!(" {field}={value:?}");
    }
}

impl tracing::Subscriber for Lines {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = Line(format!("{} {}:", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

/// The sum of every counter, the last value of every gauge, and how many values each histogram took.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<BTreeMap<String, f64>>>);

struct Slot(Kept, String);

impl Slot {
    #[expect(clippy::float_arithmetic, reason = "the facade speaks in floats")]
    fn add(&self, value: f64) {
        *self.0.0.lock().unwrap().entry(self.1.clone()).or_default() += value;
    }
}

impl CounterFn for Slot {
    fn increment(&self, value: u64) {
        self.add(value as f64);
    }
    fn absolute(&self, _: u64) {}
}

impl GaugeFn for Slot {
    fn increment(&self, _: f64) {}
    fn decrement(&self, _: f64) {}
    fn set(&self, value: f64) {
        self.0.0.lock().unwrap().insert(self.1.clone(), value);
    }
}

impl HistogramFn for Slot {
    fn record(&self, _: f64) {
        self.add(1.0);
    }
}

fn named(key: &Key) -> String {
    key.labels().fold(key.name().to_owned(), |name, label| format!("{name} {}={}", label.key(), label.value()))
}

impl Recorder for Kept {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::new(Slot(self.clone(), named(key))))
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Arc::new(Slot(self.clone(), named(key))))
    }
    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::new(Slot(self.clone(), named(key))))
    }
}

fn peer(role: Role, nonce: u64, now_us: u64) -> Peer<Sum> {
    let settings = PeerSettings {
        role,
        match_id: 7,
        nonce,
        seed_secret: snapback::SeedSecret::fixed(nonce),
        player_count: 2,
        local_player_count: 1,
        config: RollbackConfig { require_encrypted_transport: false, ..RollbackConfig::default() },
        input_delay_frames: 0,
        security: Security::InsecureLan,
    };
    let mut peer = Peer::new(Sum(0), settings, now_us).unwrap();
    peer.set_loaded();
    peer
}

const FRAMES: i64 = 300;

/// Plays a match in which everything takes three ticks, and one way is dark for half a second. Shows the
/// host after every tick.
fn play(mut see: impl FnMut(&mut Peer<Sum>)) {
    let addresses: [SocketAddr; 2] = ["10.0.0.1:7000".parse().unwrap(), "10.0.0.2:7000".parse().unwrap()];
    let last_frame = Some(Frame::new(FRAMES - 1));
    let mut peers = [peer(Role::Host { first_frame: Frame::ZERO, last_frame }, 11, 0), peer(Role::Join { host: addresses[0] }, 12, 0)];
    peers[0].record(TelemetrySettings::default()).unwrap();
    let mut ways: [VecDeque<(u64, Vec<u8>)>; 2] = Default::default();
    let mut buffer = vec![0; TRANSMIT_BUFFER_BYTES];
    let mut rng = Rng::new(3, 0);
    for tick in 0..1_000_u64 {
        let now_us = tick * 16_667;
        for at in 0..2 {
            while let Some((_, datagram)) = ways[at].pop_front_if(|(due_us, _)| *due_us <= now_us) {
                peers[at].handle(now_us, addresses[1 - at], &datagram);
            }
            if peers[at].start_at_us().is_some_and(|start_us| now_us >= start_us) {
                let player = peers[at].facts().unwrap().local_players.iter().next().unwrap();
                peers[at].tick(now_us, &[LocalInput::new(player, rng.below(2) as u8)]).unwrap();
            }
            let is_dark = at == 1 && (2_500_000..3_000_000).contains(&now_us);
            while let Some(transmit) = peers[at].poll_transmit(now_us, &mut buffer) {
                if !is_dark {
                    ways[1 - at].push_back((now_us + 50_000, buffer[..transmit.len].to_vec()));
                }
            }
        }
        see(&mut peers[0]);
    }
    assert_eq!(peers[0].outcome(), Some(&Outcome::Agreed));
}

/// Every correction is one event, and what was counted is what the session counted.
#[test]
fn the_facades_hear_of_every_correction_and_every_sample() {
    let (lines, kept) = (Lines::default(), Kept::default());
    let mut counted = SessionStats::default();
    let mut corrections = Vec::new();
    let mut stalls = StallStats::default();
    tracing::subscriber::with_default(lines.clone(), || {
        metrics::with_local_recorder(&kept, || {
            let mut publisher = Publisher::default();
            play(|peer| {
                publisher.publish(peer);
                let Some(session) = peer.session() else { return };
                counted = *session.stats();
                stalls = *peer.stalls();
                corrections = session.rollback_events(0).cloned().collect();
            });
        });
    });
    let lines = lines.0.lock().unwrap();
    let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("DEBUG snapback::rollback:")).collect();
    assert_eq!(told.len() as u64, counted.rollbacks);
    assert!(told.len() > 50, "{}", told.len());
    for (line, event) in told.iter().zip(&corrections) {
        let number = event.number;
        let expected = format!(" number={number} player=1 corrected_frame={}", event.corrected_frame);
        assert!(line.contains(&expected), "{line}, and not {expected}");
        let hashes = format!("before_hash={} after_hash={}", event.before_hash, event.after_hash.unwrap());
        assert!(line.contains(&hashes), "{line}, and not {hashes}");
        assert_eq!(line.matches("ReplayedFrame").count(), event.replayed().len());
    }
    let kept = kept.0.lock().unwrap();
    let of = |name: &str| kept.get(name).copied().unwrap_or_else(|| panic!("{name} is missing of {kept:?}")) as u64;
    assert_eq!(of("snapback_rollback_depth_frames"), counted.rollbacks);
    // All but what came before the first sample and after the last one.
    assert!((200..=300).contains(&of("snapback_frames")), "{kept:?}");
    assert!(of("snapback_rollbacks") <= counted.rollbacks && of("snapback_rollbacks") > 50, "{kept:?}");
    assert!(of("snapback_rtt_us") > 90_000 && of("snapback_sent_bytes") > 5_000 && of("snapback_received_bytes") > 5_000, "{kept:?}");
    assert!(of("snapback_stalled_frames cause=their_loss") >= stalls.of(StallCause::TheirLoss), "{kept:?}");
    assert!(stalls.of(StallCause::TheirLoss) > 10, "{stalls:?}");
    assert!(lines.iter().any(|line| line.starts_with("TRACE snapback::sample:") && line.contains("stall_cause=")), "{lines:?}");
    let names: Vec<&str> = kept.keys().map(String::as_str).collect();
    insta::assert_snapshot!(names.join("\n"), @"
    snapback_advantage_milliframes
    snapback_frames
    snapback_jitter_us
    snapback_loss_received_per_million
    snapback_loss_sent_per_million
    snapback_raw_advantage_frames
    snapback_received_bytes
    snapback_resimulated_frames
    snapback_rollback_depth_frames
    snapback_rollbacks
    snapback_rtt_us
    snapback_sent_bytes
    snapback_stalled_frames cause=silence
    snapback_stalled_frames cause=their_loss
    snapback_stretch_ppm
    ");
}

/// What is written after the match can be read line by line, and says the same.
#[test]
fn a_post_mortem_is_lines_of_json() {
    let mut text = String::new();
    play(|peer| {
        if peer.outcome().is_some() && text.is_empty() {
            text = peer.post_mortem().to_string();
            let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let of_kind = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
            let events: Vec<_> = peer.session().unwrap().rollback_events(0).collect();
            assert_eq!(of_kind("rollback").len(), events.len());
            for (line, event) in of_kind("rollback").iter().zip(events) {
                assert_eq!(line["depth_frames"], event.depth_frames);
                assert_eq!(line["after_hash"], event.after_hash.unwrap().to_string());
                assert_eq!(line["replayed"].as_array().unwrap().len(), event.replayed().len());
                assert_eq!(line["replayed"][0]["changed"], serde_json::json!([1]));
            }
            let samples = of_kind("sample");
            assert_eq!(samples.len(), peer.net_samples(0).count());
            let frozen: u64 = samples.iter().filter_map(|line| line["stalls"]["their_loss"].as_u64()).sum();
            assert!(frozen > 10 && samples.len() >= 4, "{samples:?}");
            assert_eq!(lines[0]["stalls"]["their_loss"], peer.stalls().of(StallCause::TheirLoss));
            assert_eq!(lines[0]["frame"], FRAMES - 1);
        }
    });
    assert!(!text.is_empty());
}
