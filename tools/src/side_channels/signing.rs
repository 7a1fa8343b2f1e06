//! [`Signing`]: the result of the match, signed by everybody.

use core::fmt::Display;
use snapback::limits::MAX_PLAYERS;
use snapback::results::{Evidence, MatchStatement, ResultExchange, ResultFeed, SignedResult};
use snapback::sim::{PadInput, World};
use snapback::transport::credentials::IdentityKey;
use snapback::transport::secure::Identity;
use snapback::{ConfirmedFrame, PlayerHandle, PlayerSet};

/// Longest message that is kept until there is something to compare it with.
const MAX_MESSAGE_BYTES: usize = 2_048;

/// Which match it is, and who plays here.
pub(crate) struct Signer<'a> {
    pub(crate) match_id: u64,
    pub(crate) seed: u64,
    pub(crate) world: &'a World,
    pub(crate) identity: &'a Identity,
    pub(crate) local_players: PlayerSet,
}

/// Gathers what is signed, and everybody's signature.
#[derive(Default)]
pub(super) struct Signing {
    /// From the first confirmed frame on.
    match_so_far: Option<(ResultFeed<World>, Evidence)>,
    exchange: Option<ResultExchange>,
    /// What was heard before the match was over here.
    early: [Option<Vec<u8>>; MAX_PLAYERS],
    /// Whether something made it impossible to sign.
    is_broken: bool,
}

impl Signing {
    /// Takes a confirmed frame; each one must be shown, in order. Says why that is impossible, once.
    pub(super) fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Option<String> {
        if self.is_broken {
            return None;
        }
        let (feed, evidence) = self.match_so_far.get_or_insert_with(|| {
            let players = u8::try_from(frame.inputs.len()).unwrap_or(u8::MAX);
            (ResultFeed::new(frame.frame), Evidence::new(players, size_of::<PadInput>() as u8, frame.frame))
        });
        let taken = feed.take(frame).map(drop).map_err(|error| error.to_string());
        taken.and_then(|()| evidence.take(frame).map_err(|error| error.to_string())).err().map(|error| self.give_up(&error))
    }

    fn give_up(&mut self, why: &impl Display) -> String {
        self.is_broken = true;
        format!("the result cannot be signed: {why}")
    }

    /// Everything is confirmed: what to tell the others, or why nothing.
    pub(super) fn finish(&mut self, signer: &Signer<'_>, others: &[Option<IdentityKey>; MAX_PLAYERS]) -> Result<Option<Vec<u8>>, String> {
        let (None, false, Some((feed, evidence))) = (&self.exchange, self.is_broken, &self.match_so_far) else { return Ok(None) };
        let own = signer.identity.key();
        let key = |seat: u8| {
            let player = PlayerHandle::new(seat);
            if signer.local_players.contains(player) { Some(own) } else { others.get(player.index()).copied().flatten() }
        };
        let Some(players) = (0..evidence.player_count()).map(key).collect::<Option<Vec<_>>>() else {
            return Err(self.give_up(&"it is not known who a player is"));
        };
        let statement = MatchStatement::new(signer.match_id, signer.seed, signer.world, players, evidence, feed);
        let exchange = statement
            .map_err(|error| error.to_string())
            .and_then(|statement| ResultExchange::new(statement, signer.identity, signer.local_players).map_err(|error| error.to_string()));
        match exchange {
            Ok(exchange) => Ok(Some(self.exchange.insert(exchange).message().to_vec())),
            Err(error) => Err(self.give_up(&error)),
        }
    }

    /// Takes what a player sends; none if it is of something else.
    pub(super) fn hear(&mut self, from: PlayerHandle, message: &[u8]) -> bool {
        let is_ours = ResultExchange::is_message(message);
        if is_ours
            && message.len() <= MAX_MESSAGE_BYTES
            && let Some(slot) = self.early.get_mut(from.index())
        {
            *slot = Some(message.to_vec());
        }
        is_ours
    }

    /// Compares what can be compared by now: what is wrong with it.
    pub(super) fn settle(&mut self) -> Vec<String> {
        let Some(exchange) = &mut self.exchange else { return Vec::new() };
        let heard = (0..).zip(&mut self.early).filter_map(|(seat, early)| Some((PlayerHandle::new(seat), early.take()?)));
        heard.filter_map(|(player, message)| exchange.hear(player, &message).err().map(|error| error.to_string())).collect()
    }

    /// Whether nothing more is to come.
    pub(super) fn is_done(&self) -> bool {
        self.exchange.as_ref().is_none_or(|exchange| exchange.missing().is_empty())
    }

    /// The result with everybody's signature.
    pub(super) fn signed(&self) -> Option<SignedResult> {
        self.exchange.as_ref()?.signed()
    }

    /// Whose signature is missing; nobody before the end.
    pub(super) fn missing(&self) -> PlayerSet {
        self.exchange.as_ref().map_or(PlayerSet::EMPTY, ResultExchange::missing)
    }
}
