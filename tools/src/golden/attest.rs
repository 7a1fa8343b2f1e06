//! `snapback golden attest`: a signed result, checked by who saw no packet of the match.

use super::files::{self, Worlds};
use super::options::{AttestOptions, CompareFormat};
use crate::error::{CliError, Code};
use crate::out;
use crate::results::RoundLine;
use snapback::results::{AttestError, SignedResult, attest};

/// Far above any result.
const MAX_RESULT_BYTES: u64 = 64 << 10;

pub(super) fn run(options: &AttestOptions) -> Result<Code, CliError> {
    let worlds = Worlds::load(&options.data)?;
    let replay = files::read(&options.file)?;
    let signed = files::few_bytes(&options.result, MAX_RESULT_BYTES, "signed result")?;
    let signed = SignedResult::read(&signed).map_err(|error| CliError::new(Code::Corrupt, error).at(options.result.display()))?;
    let world = worlds.world(replay.meta()).map_err(|reason| CliError::new(Code::Corrupt, reason).at(options.file.display()))?;
    let attested = attest(world, &replay, &signed);
    if let Err(AttestError::Replay(error)) = &attested {
        return Err(files::damaged(&options.file, error));
    }
    let is_so = attested.is_ok();
    let (verdict, rounds) = match attested {
        Ok(attested) => {
            let rounds: Vec<_> =
                attested.results.into_iter().map(|decided| (decided.frame.number(), RoundLine::from(decided.result))).collect();
            (format!("every player has signed this result, and the inputs give it: {} frames were played again", attested.frames), rounds)
        }
        Err(error) => (error.to_string(), Vec::new()),
    };
    let rows = signed.statement.rows();
    out::say(match options.format {
        CompareFormat::Human => {
            let rows = rows.iter().map(|(name, value)| format!("{name:<22}{value}"));
            let rounds = rounds.iter().map(|(frame, round)| {
                format!(
                    "{:<22}match {} round {}: {} by {}, at frame {frame}",
                    "decided", round.match_number, round.round_number, round.winner, round.end
                )
            });
            let head = if is_so { "ATTESTED" } else { "NOT ATTESTED" };
            rows.chain(rounds).chain([format!("{head}: {verdict}")]).collect::<Vec<_>>().join("\n")
        }
        CompareFormat::Json => {
            let statement: serde_json::Map<_, _> = rows.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            let rounds: Vec<_> = rounds.iter().map(|(frame, round)| serde_json::json!({ "frame": frame, "decided": round })).collect();
            serde_json::json!({ "attested": is_so, "verdict": verdict, "statement": statement, "results": rounds }).to_string()
        }
    })?;
    if is_so {
        return Ok(Code::Agreed);
    }
    if !(options.format == CompareFormat::Human && out::is_one_screen()) {
        out::note(format_args!("error: {verdict}"));
    }
    Ok(Code::Disagreed)
}
