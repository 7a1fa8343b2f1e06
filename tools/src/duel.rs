//! `snapback duel`: what both ways of playing it have in common.

use crate::cli::{DuelOptions, Format};
use crate::error::{CliError, Code};
use crate::link_options::LinkSpec;
use crate::pilots::Pilots;
use crate::report::{DivergenceReport, PeerReport, Report, named, slowest_hz};
use crate::results::ResultLog;
use crate::side_channels::chat::ChatLine;
use crate::side_channels::report::ChannelsReport;
use crate::{fast, frame_data, interrupt, out, outputs, plant, real, render};
use snapback::Outcome;
use snapback::sim::WorldData;
use std::sync::Arc;

/// Frames a second; the world's numbers are made for it.
pub(crate) const HZ: u32 = 60;

/// A duel that is ready to be played.
pub(crate) struct Duel {
    pub(crate) frames: u64,
    pub(crate) link: LinkSpec,
    pub(crate) pilots: Pilots,
    pub(crate) data: Arc<WorldData>,
}

/// A duel that was played.
pub(crate) struct Played {
    /// On which everybody agrees.
    pub(crate) frames: u64,
    pub(crate) log: ResultLog,
    pub(crate) peers: Vec<PeerReport>,
    pub(crate) chat: Vec<ChatLine>,
    pub(crate) chat_left_out: u64,
    pub(crate) divergence: Option<DivergenceReport>,
    /// What of the files it leaves could not be written.
    pub(crate) unwritten: Vec<CliError>,
}

/// Plays it and prints the report.
pub(crate) fn run(options: &DuelOptions) -> Result<Code, CliError> {
    let duel = prepare(options)?;
    interrupt::listen()?;
    let mut played = if options.fast { fast::play(options, &duel)? } else { real::play(options, &duel)? };
    if let Some(code) = interrupt::asked()
        && played.frames == 0
    {
        return Err(CliError::new(code, "the duel was ended before a frame was confirmed"));
    }
    let unwritten = core::mem::take(&mut played.unwritten);
    let report = report(options, &duel, played);
    render::print(&report, options.play.format)?;
    if let Some(divergence) = &report.divergence
        && !(options.play.format == Format::Human && out::is_one_screen())
    {
        out::note(format_args!("error: the peers disagree: {}", divergence.line()));
    }
    let code = match interrupt::asked() {
        _ if report.agree => Code::Agreed,
        Some(code) if report.ended_early => code,
        _ => Code::Disagreed,
    };
    Ok(outputs::tell(code, &unwritten))
}

/// Finds everything that is wrong before anything is started.
fn prepare(options: &DuelOptions) -> Result<Duel, CliError> {
    let frames = u64::from(options.seconds) * u64::from(HZ);
    plant::check(options.plant_desync, Some(frames))?;
    if options.fast && options.play.live.result.is_some() {
        return Err(CliError::usage("on virtual time nobody has a key to sign with: leave --result or --fast out"));
    }
    if options.fast && options.play.channels.chat {
        return Err(CliError::usage("on virtual time nobody has the time to chat: leave --chat or --fast out"));
    }
    let link = options.play.link.of_duel();
    link.load_trace()?;
    let pilots = options.play.inputs.load(options.players.into())?.with_script(&options.play.script);
    let data = frame_data::load(options.play.frame_data.as_deref())?;
    options.play.script.check(&data.control_rules(), Some(frames))?;
    outputs::check(&options.play, None, &outputs::post_mortems_of(&options.play, options.players.into()))?;
    Ok(Duel { frames, link, pilots, data })
}

fn report(options: &DuelOptions, duel: &Duel, played: Played) -> Report {
    let Played { frames, log, mut peers, chat, chat_left_out, divergence, unwritten: _ } = played;
    peers.sort_by_key(|peer| peer.player);
    let hashes_agree = peers.windows(2).all(|pair| match pair {
        [one, other] => one.confirmed_hash == other.confirmed_hash && one.digest == other.digest,
        _ => true,
    });
    let told_so = peers.iter().filter_map(|peer| peer.channels.as_ref()).all(ChannelsReport::agrees);
    let agree = divergence.is_none() && frames == duel.frames && hashes_agree && told_so;
    let ended_early = divergence.is_none() && !agree && interrupt::asked().is_some();
    let outcome = match &divergence {
        Some(divergence) => divergence.line(),
        None if agree => "every frame is confirmed by every player and equals a straight replay".to_owned(),
        None if !told_so => {
            "every frame is confirmed, but the results that a player tells on the channels are not those of another".to_owned()
        }
        None if ended_early => format!("the duel was ended here; the {frames} frames up to then agree"),
        None => format!("only {frames} of {} frames were confirmed by every player", duel.frames),
    };
    Report {
        agree,
        ended_early,
        outcome,
        mode: if options.fast { "duel --fast" } else { "duel" },
        players: options.players,
        seed: options.seed,
        link: duel.link.to_string(),
        encrypted: is_encrypted(options),
        frames,
        frames_wanted: Some(duel.frames),
        achieved_hz: slowest_hz(&peers),
        results: log.rounds().to_vec(),
        commands: log.commands().to_vec(),
        standing: log.standing(),
        peers,
        chat,
        chat_left_out,
        divergence,
        desync: None,
    }
}

/// On virtual time nothing is encrypted: keys come from the system, and such a duel is the same on
/// every run.
fn is_encrypted(options: &DuelOptions) -> bool {
    !options.fast && !options.play.keys.insecure_lan
}

/// How it ended for a peer, and what to do now. In a duel it is never the network.
pub(crate) fn explained(outcome: &Outcome) -> String {
    const ADVICE: &str = "the link is too bad: lower --loss or --rtt, or follow another --link-trace";
    match outcome {
        Outcome::Lost { told_by, .. } if !told_by.is_empty() => format!("{outcome}; {ADVICE}"),
        Outcome::Lost { players, .. } if players.is_empty() => format!("nobody was heard; {ADVICE}"),
        Outcome::Lost { players, .. } => format!("too long nothing was heard of {}; {ADVICE}", named(*players)),
        outcome => outcome.to_string(),
    }
}
