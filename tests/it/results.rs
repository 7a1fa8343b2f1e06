//! Results through rollbacks and loss: each once, the same on every peer, signed by all, and believed by one who
//! saw no packet, as long as nothing was changed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::control::ControlCommand;
use snapback::golden::{GoldenReplay, RecordSettings, Recorder};
use snapback::results::{
    AttestError, Evidence, InputDigest, MatchResult, MatchStatement, ResultExchange, ResultFeed, SignedResult, SignedResultError, attest,
};
use snapback::sim::{PadInput, RoundResult, World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::transport::secure::Identity;
use snapback::{Command, Effects, Frame, FrameInputs, PlayerHandle, PlayerInput, PlayerSet, SideEffectPolicy, Simulation, StateHash};
use snapback_harness::bot::Bot;
use snapback_harness::{Cluster, ClusterSettings, Pilot};
use std::sync::{Arc, LazyLock};

const FRAMES: u32 = 2_400;
const MATCH: u64 = 77;
const SEED: u64 = 21;

static DATA: LazyLock<Arc<WorldData>> = LazyLock::new(Arc::default);

fn world() -> World {
    World::new(Arc::clone(&DATA))
}

/// A bot; player 1 gives the match up at frame 1,500.
struct Quitter(Bot);

impl Pilot<World> for Quitter {
    fn press(&mut self, frame: Frame, player: PlayerHandle, world: &World) -> PadInput {
        self.0.press(frame, player, world)
    }

    fn command(&mut self, frame: Frame, player: PlayerHandle) -> Command {
        if (frame.number(), player.index()) == (1_500, 1) { ControlCommand::Surrender.into() } else { Command::NONE }
    }
}

/// What one peer has of the match.
struct Side {
    feed: ResultFeed<World>,
    evidence: Evidence,
    results: Vec<MatchResult<RoundResult>>,
    identity: Option<Identity>,
    players: PlayerSet,
}

/// A match that was played, and its inputs.
struct Played {
    sides: Vec<Side>,
    inputs: Vec<Vec<PlayerInput<PadInput>>>,
    signed: SignedResult,
}

fn play() -> Played {
    let link =
        LinkSettings { delay_us: 50_000, jitter_us: 20_000, loss: Loss::Independent { per_million: 100_000 }, ..LinkSettings::default() };
    let settings = ClusterSettings { link, is_encrypted: true, ..ClusterSettings::new(SEED, 2, FRAMES) };
    let mut cluster = Cluster::new(&settings, world, |player| Box::new(Quitter(Bot::new(SEED, player)))).unwrap();
    let side = |_| Side {
        feed: ResultFeed::new(Frame::ZERO),
        evidence: Evidence::new(2, size_of::<PadInput>() as u8, Frame::ZERO),
        results: Vec::new(),
        identity: None,
        players: PlayerSet::EMPTY,
    };
    let mut sides: Vec<Side> = (0..2).map(side).collect();
    let mut keys = [None; 2];
    while !cluster.is_over() {
        cluster.advance().unwrap();
        for (node, side) in cluster.nodes_mut().iter_mut().zip(&mut sides) {
            for (players, key) in node.peer.identities() {
                players.iter().for_each(|player| keys[player.index()] = Some(key));
            }
            side.identity = node.peer.identity().cloned();
            let Some(session) = node.peer.session_mut() else { continue };
            side.players = session.settings().local_players;
            while let Some(frame) = session.confirmed(side.feed.next_frame()) {
                side.results.extend(side.feed.take(&frame).unwrap());
                side.evidence.take(&frame).unwrap();
            }
        }
    }
    let rollbacks: u64 = cluster.nodes().iter().map(|node| node.peer.session().unwrap().stats().rollbacks).sum();
    assert!(rollbacks > 200, "{rollbacks}");
    let keys = keys.map(Option::unwrap).to_vec();
    let mut exchanges: Vec<ResultExchange> = sides
        .iter()
        .map(|side| {
            let statement = MatchStatement::new(MATCH, SEED, &world(), keys.clone(), &side.evidence, &side.feed).unwrap();
            ResultExchange::new(statement, side.identity.as_ref().unwrap(), side.players).unwrap()
        })
        .collect();
    let messages: Vec<_> = exchanges.iter().map(|exchange| exchange.message().to_vec()).collect();
    for (here, exchange) in exchanges.iter_mut().enumerate() {
        let there = 1 - here;
        exchange.hear(sides[there].players.iter().next().unwrap(), &messages[there]).unwrap();
    }
    let signed: Vec<_> = exchanges.iter().map(|exchange| exchange.signed().unwrap()).collect();
    assert_eq!(signed[0].to_bytes(), signed[1].to_bytes());
    let inputs = (0..FRAMES).map(|frame| cluster.judge().inputs(Frame::new(frame.into())).unwrap().to_vec()).collect();
    Played { sides, inputs, signed: signed[0].clone() }
}

static PLAYED: LazyLock<Played> = LazyLock::new(play);

/// The inputs as a recording.
fn replay(seed: u64, inputs: &[Vec<PlayerInput<PadInput>>]) -> GoldenReplay {
    let mut world = world();
    world.reset(seed, 2).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world, RecordSettings::live(seed, 2)).unwrap();
    let (mut snapshot, mut effects) = (vec![0; world.layout().size_bytes()], Effects::with_capacity(0));
    for (frame, inputs) in (0..).map(Frame::new).zip(inputs) {
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(inputs), &mut effects);
        world.capture(&mut snapshot);
        recorder.record(frame, inputs, world.hash(seed, frame, &snapshot), &snapshot).unwrap();
    }
    GoldenReplay::read(recorder.finish().unwrap()).unwrap()
}

/// The same players sign something else.
fn signed_anew(statement: MatchStatement) -> SignedResult {
    let sides = &PLAYED.sides;
    let sign = |side: &Side| ResultExchange::new(statement.clone(), side.identity.as_ref().unwrap(), side.players).unwrap();
    let (mut here, there) = (sign(&sides[0]), sign(&sides[1]));
    here.hear(sides[1].players.iter().next().unwrap(), there.message()).unwrap();
    here.signed().unwrap()
}

#[test]
fn each_result_exists_once_and_is_the_same_on_both_peers_and_in_a_replay() {
    let Played { sides, inputs, signed } = &*PLAYED;
    assert_eq!(sides[0].results, sides[1].results);
    assert!(sides[0].results.len() >= 2 && sides[0].results.windows(2).all(|pair| pair[0].number + 1 == pair[1].number));
    assert_eq!(sides[0].evidence.digest(), sides[1].evidence.digest());
    let attested = attest(world(), &replay(SEED, inputs), signed).unwrap();
    assert_eq!((attested.frames, attested.results), (u64::from(FRAMES), sides[0].results.clone()));
}

#[test]
fn a_changed_input_or_command_is_not_what_was_signed() {
    let Played { inputs, signed, .. } = &*PLAYED;
    let mut pressed = inputs.clone();
    pressed[1_000][1].input.buttons ^= PadInput::LIGHT;
    let mut commanded = inputs.clone();
    commanded[1_500][1].command = Command::NONE;
    for changed in [pressed, commanded] {
        let error = attest(world(), &replay(SEED, &changed), signed).unwrap_err();
        assert!(matches!(error, AttestError::OtherInputs { .. }), "{error}");
    }
}

#[test]
fn a_replay_of_another_match_is_named() {
    let Played { inputs, signed, .. } = &*PLAYED;
    for (other, expected) in [(replay(SEED + 1, inputs), "seed"), (replay(SEED, &inputs[..2_000]), "last frame")] {
        let error = attest(world(), &other, signed).unwrap_err();
        assert!(matches!(error, AttestError::OtherMatch { field, .. } if field == expected), "{error}");
    }
    let other = World::new(DATA.without(&[snapback::sim::Mechanic::Chip]));
    let error = attest(other, &replay(SEED, inputs), signed).unwrap_err();
    assert!(matches!(error, AttestError::OtherMatch { field: "config hash", .. }), "{error}");
}

/// Both players together can sign what they like: it does not follow from the inputs.
#[test]
fn what_everybody_signs_and_the_inputs_do_not_give_is_found_out() {
    let Played { inputs, signed, .. } = &*PLAYED;
    let (replay, stated) = (replay(SEED, inputs), &signed.statement);
    let mut result = stated.result.clone();
    result[0] += 1;
    let error = attest(world(), &replay, &signed_anew(MatchStatement { result, ..stated.clone() })).unwrap_err();
    assert!(matches!(error, AttestError::OtherResult { .. }), "{error}");
    let final_state = StateHash::from_bits(stated.final_state.bits() ^ 1);
    let error = attest(world(), &replay, &signed_anew(MatchStatement { final_state, ..stated.clone() })).unwrap_err();
    assert!(matches!(error, AttestError::OtherState { .. }), "{error}");
    let input_digest = InputDigest([0; 32]);
    let error = attest(world(), &replay, &signed_anew(MatchStatement { input_digest, ..stated.clone() })).unwrap_err();
    assert!(matches!(error, AttestError::OtherInputs { .. }), "{error}");
}

#[test]
fn what_not_everybody_signed_is_not_even_played() {
    let Played { inputs, signed, .. } = &*PLAYED;
    let replay = replay(SEED, inputs);
    let mut forged = signed.clone();
    forged.statement.result[0] += 1;
    let mut swapped = signed.clone();
    swapped.signatures.swap(0, 1);
    let mut stranger = signed.clone();
    stranger.statement.players[1] = Identity::from_seed(&[200; 32]).key();
    for wrong in [forged, swapped, stranger] {
        let error = attest(world(), &replay, &wrong).unwrap_err();
        assert!(matches!(error, AttestError::Signed(SignedResultError::NotSignedBy { .. })), "{error}");
    }
}
