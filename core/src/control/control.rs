//! [`MatchControl`]: the part of a state that obeys commands.

use super::command::ControlCommand;
use super::feed::{Feed, LAST_FEED};
use super::mode::NetMode;
use super::orders::Orders;
use super::pending::{self, Queue};
use super::rules::ControlRules;
use super::states::{PauseEvent, PauseState, SeatEvent, SeatState};
use crate::input::{FrameInputs, SimInput};
use crate::limits::MAX_PLAYERS;
use crate::players::{PlayerHandle, PlayerSet};
use bytemuck::{Pod, Zeroable};
use snapback_derive::SimState;

/// What one seat has used up and has still to be heard on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct SeatControl {
    /// Frames that its pauses of this match have lasted.
    pause_frames_used: u16,
    /// Pauses of this match.
    pauses_used: u8,
    /// Whose input plays it: 0 for its own player's, else as a command says it.
    #[sim(range = 0..=LAST_FEED)]
    feed: u8,
    pending: Queue,
}

/// The part of a game's state that obeys the players' commands: 88 bytes, all zeros at the start.
///
/// The game calls [`step`](Self::step) once at the beginning of each of its steps, also while it is paused, and
/// [`begin_match`](Self::begin_match) if another match begins in the same simulation.
///
/// - A command in the input of frame f takes effect at frame f + [`delay_frames`](ControlRules::delay_frames).
///   Of commands that take effect in one frame, that of the lower seat comes first.
/// - A pause stands from the frame at which it takes effect until who paused resumes, surrenders or has left, or
///   has no frames left; nobody else ends it. Whoever asks for a pause while there is one, or has none left, asks
///   in vain.
/// - A seat is given away by its own player alone, and plays with what that other player presses. Nobody
///   has to agree: it costs the other one nothing. Giving on what one was given is not possible: the seat
///   plays with what the player presses, not with what plays that player's seat.
/// - A seat given to a player that the match does not have is a command that is ignored.
/// - Who has surrendered is not heard any more, has the seat back and nothing pressed in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct MatchControl {
    seats: [SeatControl; MAX_PLAYERS],
    /// 0 for nobody, else the seat and one.
    #[sim(range = 0..=8)]
    paused_by: u8,
    /// A bit for each seat.
    surrendered: u8,
    #[sim(range = 0..=2)]
    mode: u8,
    #[sim(range = 0..=0)]
    reserved: [u8; 5],
}

/// What has changed in a frame.
#[derive(Default)]
struct News {
    surrenders: PlayerSet,
    feeds: PlayerSet,
}

impl MatchControl {
    /// Hears the commands of a frame, lets those take effect whose time has come, and says what the frame must
    /// do. It must be called once for each frame.
    pub fn step<I: SimInput>(&mut self, rules: &ControlRules, inputs: &FrameInputs<'_, I>) -> Orders {
        let was_paused_by = self.paused_by;
        let players = PlayerSet::first(inputs.player_count());
        let mut news = News::default();
        for player in players.iter() {
            let command = inputs.command(player);
            if !command.is_none()
                && let Some(command) = ControlCommand::decode(&command)
            {
                pending::push(&mut self.seat_mut(player).pending, command, rules.delay_frames);
            }
            while let Some(command) = pending::take_due(&mut self.seat_mut(player).pending) {
                self.obey(player, command, players, rules, &mut news);
            }
            pending::count_down(&mut self.seat_mut(player).pending);
        }
        if let Some(player) = self.paused_by() {
            if inputs.is_disconnected(player) {
                self.on_pause(PauseEvent::PauserGone, player);
            } else if self.seat_mut(player).pause_frames_used >= rules.pause_frames_per_player {
                self.on_pause(PauseEvent::BudgetSpent, player);
            } else {
                let used = &mut self.seat_mut(player).pause_frames_used;
                *used = used.saturating_add(1);
            }
        }
        Orders {
            is_paused: self.paused_by != 0,
            pause_began: self.paused_by != 0 && self.paused_by != was_paused_by,
            pause_ended: was_paused_by != 0 && self.paused_by != was_paused_by,
            surrendered: self.surrendered(),
            new_surrenders: news.surrenders,
            new_feeds: news.feeds,
            mode: self.mode(),
            feeds: core::array::from_fn(|seat| self.feed_of(PlayerHandle::new(seat as u8))),
        }
    }

    fn obey(&mut self, player: PlayerHandle, command: ControlCommand, players: PlayerSet, rules: &ControlRules, news: &mut News) {
        if self.seat_state(player) == SeatState::Surrendered {
            return;
        }
        match command {
            ControlCommand::Pause => {
                let seat = self.seat_mut(player);
                if seat.pauses_used < rules.pauses_per_player && seat.pause_frames_used < rules.pause_frames_per_player {
                    self.on_pause(PauseEvent::Granted, player);
                }
            }
            ControlCommand::Resume => self.on_pause(PauseEvent::Resumed, player),
            ControlCommand::Surrender => {
                self.on_seat(SeatEvent::Surrendered, player, None, news);
                self.on_pause(PauseEvent::PauserSurrendered, player);
            }
            ControlCommand::HandOver(Feed::Player(to)) if to == player => self.on_seat(SeatEvent::TakenBack, player, None, news),
            ControlCommand::HandOver(Feed::Player(to)) if !players.contains(to) => {}
            ControlCommand::HandOver(to) => self.on_seat(SeatEvent::HandedOver, player, Some(to), news),
            ControlCommand::Mode(mode) => self.mode = mode.to_byte() - 1,
        }
    }

    /// What happens to the pause through `player`. Only the one who paused ends it.
    fn on_pause(&mut self, event: PauseEvent, player: PlayerHandle) {
        let before = self.pause_state();
        if before == PauseState::Paused && self.paused_by() != Some(player) {
            return;
        }
        match (before, before.after(event)) {
            (PauseState::Running, PauseState::Paused) => {
                self.paused_by = player.index() as u8 + 1;
                let used = &mut self.seat_mut(player).pauses_used;
                *used = used.saturating_add(1);
            }
            (_, PauseState::Running) => self.paused_by = 0,
            (PauseState::Paused, PauseState::Paused) => {}
        }
    }

    fn on_seat(&mut self, event: SeatEvent, player: PlayerHandle, to: Option<Feed>, news: &mut News) {
        let Some(after) = self.seat_state(player).after(event) else { return };
        let before = self.feed_of(player);
        self.seat_mut(player).feed = match after {
            SeatState::GivenAway => to.map_or(0, Feed::to_byte),
            SeatState::Own | SeatState::Surrendered => 0,
        };
        if after == SeatState::Surrendered {
            self.surrendered = self.surrendered().with(player).bits();
            news.surrenders = news.surrenders.with(player);
        }
        if self.feed_of(player) != before {
            news.feeds = news.feeds.with(player);
        }
    }

    /// Another match begins in the same simulation: nobody has surrendered, nobody has paused yet. Who
    /// plays which seat and the mode stay, and so does what was said and has not taken effect.
    pub fn begin_match(&mut self) {
        self.paused_by = match self.pause_state().after(PauseEvent::MatchBegan) {
            PauseState::Running => 0,
            PauseState::Paused => self.paused_by,
        };
        for player in self.surrendered().iter() {
            if self.seat_state(player).after(SeatEvent::MatchBegan) == Some(SeatState::Own) {
                self.surrendered = self.surrendered().without(player).bits();
            }
        }
        for seat in &mut self.seats {
            (seat.pause_frames_used, seat.pauses_used) = (0, 0);
        }
    }

    /// Whether the world goes on.
    #[must_use]
    pub const fn pause_state(&self) -> PauseState {
        if self.paused_by == 0 { PauseState::Running } else { PauseState::Paused }
    }

    /// Who has paused, while the match is paused.
    #[must_use]
    pub fn paused_by(&self) -> Option<PlayerHandle> {
        self.paused_by.checked_sub(1).map(PlayerHandle::new)
    }

    /// Who has a seat.
    #[must_use]
    pub fn seat_state(&self, player: PlayerHandle) -> SeatState {
        if self.surrendered().contains(player) {
            SeatState::Surrendered
        } else if self.feed_of(player) == Feed::Player(player) {
            SeatState::Own
        } else {
            SeatState::GivenAway
        }
    }

    /// Whose input plays the seat of `player`; for a seat that does not exist, its own.
    #[must_use]
    pub fn feed_of(&self, player: PlayerHandle) -> Feed {
        let given = self.seats.get(player.index()).and_then(|seat| Feed::from_byte(seat.feed));
        given.unwrap_or(Feed::Player(player))
    }

    /// Everybody who has given this match up.
    #[must_use]
    pub const fn surrendered(&self) -> PlayerSet {
        PlayerSet::from_bits(self.surrendered)
    }

    /// How the match is said to be played.
    #[must_use]
    pub fn mode(&self) -> NetMode {
        NetMode::from_byte(self.mode.saturating_add(1)).unwrap_or_default()
    }

    /// How many pauses and how many frames of pause `player` has left in this match.
    #[must_use]
    pub fn pauses_left(&self, player: PlayerHandle, rules: &ControlRules) -> (u8, u16) {
        let Some(seat) = self.seats.get(player.index()) else { return (0, 0) };
        let pauses = rules.pauses_per_player.saturating_sub(seat.pauses_used);
        (pauses, rules.pause_frames_per_player.saturating_sub(seat.pause_frames_used))
    }

    /// A player of a session always has a seat.
    fn seat_mut(&mut self, player: PlayerHandle) -> &mut SeatControl {
        &mut self.seats[player.index() % MAX_PLAYERS]
    }
}
