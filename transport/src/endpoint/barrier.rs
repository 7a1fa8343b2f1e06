//! The barrier's part of a connection: how far the peer is, the round trip, when frame 0 starts.

use crate::packet::{BarrierState, RosterEntry, SeedPart, Sync};

/// What is known of the peer at the barrier.
pub(super) struct Barrier {
    pub(super) remote: BarrierState,
    /// Their newest clock value and when it came, to be echoed.
    pub(super) to_echo: Option<(u32, u64)>,
    /// When frame 0 starts on our clock, as the peer said: the mean over its packets, because each
    /// is off by how much its own way took longer than half a round trip.
    pub(super) start_sum_us: u128,
    pub(super) start_count: u32,
    pub(super) roster: Vec<RosterEntry>,
    pub(super) samples: u32,
    pub(super) seed: Option<SeedPart>,
}

impl Default for Barrier {
    fn default() -> Self {
        Self { remote: BarrierState::Loading, to_echo: None, start_sum_us: 0, start_count: 0, roster: Vec::new(), samples: 0, seed: None }
    }
}

/// What is known of the peer at the barrier, for the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BarrierView<'a> {
    /// How far the peer is.
    pub remote: BarrierState,
    /// How many round trips have been measured.
    pub rtt_samples: u32,
    /// When frame 0 starts on our clock, if the peer has said.
    pub start_at_us: Option<u64>,
    /// Where everybody is, if the peer has said.
    pub roster: &'a [RosterEntry],
    /// What the peer has said about the seed, in the newest round.
    pub seed: Option<&'a SeedPart>,
}

impl Barrier {
    pub(super) fn view(&self) -> BarrierView<'_> {
        BarrierView {
            remote: self.remote,
            rtt_samples: self.samples,
            start_at_us: self.start_sum_us.checked_div(self.start_count.into()).and_then(|mean| u64::try_from(mean).ok()),
            roster: &self.roster,
            seed: self.seed.as_ref(),
        }
    }

    pub(super) fn take(&mut self, sync: Sync, now_us: u64) {
        // Packets may pass each other. The newest word counts, and it may take an earlier one back.
        if self.to_echo.is_none_or(|(newest, _)| sync.sent_us.wrapping_sub(newest) as i32 >= 0) {
            self.remote = sync.state;
            self.to_echo = Some((sync.sent_us, now_us));
        }
        // Once the start is over it is said to be in 0, which is no time to take a mean of.
        if sync.state == BarrierState::Go && (sync.start_in_us > 0 || self.start_count == 0) {
            self.start_sum_us += u128::from(now_us.saturating_add(sync.start_in_us.into()));
            self.start_count += 1;
        }
        match &mut self.seed {
            // A commitment stands for the whole round: packets may pass each other, and words may change.
            Some(known) if known.round == sync.seed.round => {
                known.share = known.share.or(sync.seed.share);
                known.heard = sync.seed.heard;
            }
            Some(known) if known.round > sync.seed.round => {}
            seed => *seed = Some(sync.seed),
        }
        if !sync.roster.is_empty() {
            self.roster = sync.roster;
        }
    }
}
