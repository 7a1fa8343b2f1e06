//! [`messages`] and [`bulk`]: one trial of one contender, by a seed, on virtual time.

use super::road::Road;
use super::tally::Tally;
use super::{Contender, End, Polling};
use crate::tick_us;
use snapback::Rng;
use snapback::transport::link::{LinkSettings, Loss};

/// Bytes of a message.
pub const MESSAGE_BYTES: usize = 40;

/// After the last message they have so long to bring what is missing.
pub const DRAIN_US: u64 = 10_000_000;

/// They must have met by then, on the link without its loss.
const MEETING_US: u64 = 20_000_000;

/// Between their meeting and the first message.
const SETTLE_US: u64 = 1_000_000;

/// A message that is not there after so long never comes.
const BULK_PATIENCE_US: u64 = 120_000_000;

/// 15 messages a second.
const TICKS_PER_MESSAGE: u64 = 4;
const TICKS_PER_BURST: u64 = 180;
/// Messages of a burst.
const BURST: u64 = 10;

const STEP_US: u64 = 1_000;

/// Who sends what when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Both, 15 messages a second.
    Steady,
    /// The same, but the second end says nothing.
    OneWay,
    /// Both, 10 messages at once every 3 seconds, and nothing after them.
    Bursts,
}

impl Pattern {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::OneWay => "one-way",
            Self::Bursts => "bursts",
        }
    }

    /// How many messages an end sends at a tick of its own.
    fn count(self, end: usize, tick: u64) -> u64 {
        match self {
            Self::OneWay if end == 1 => 0,
            Self::Steady | Self::OneWay => u64::from(tick.is_multiple_of(TICKS_PER_MESSAGE)),
            Self::Bursts if tick.is_multiple_of(TICKS_PER_BURST) => BURST,
            Self::Bursts => 0,
        }
    }
}

/// What is said and heard in a trial.
trait Talk {
    /// An end has a tick, and says what it has to say.
    fn at_tick(&mut self, n: usize, tick: u64, now_us: u64, end: &mut dyn End);
    /// An end has received a message.
    fn heard(&mut self, n: usize, now_us: u64, message: &[u8]);
}

/// Nobody says anything.
struct Silence;

impl Talk for Silence {
    fn at_tick(&mut self, _: usize, _: u64, _: u64, _: &mut dyn End) {}
    fn heard(&mut self, n: usize, _: u64, message: &[u8]) {
        panic!("end {n} was told {message:?}, which nobody said");
    }
}

/// An end and its ticks.
struct Side {
    end: Box<dyn End>,
    phase_us: u64,
    tick: u64,
}

/// Two ends and the road between them.
struct Trial {
    sides: [Side; 2],
    road: Road,
    polling: Polling,
    now_us: u64,
}

impl Trial {
    /// The two have met; from now on the road is as bad as it is to be.
    fn start(contender: &Contender, settings: LinkSettings, seed: u64) -> Self {
        let mut phases = Rng::new(seed, 100);
        let sides = (contender.make)(seed).map(|end| {
            let phase_us = STEP_US * u64::from(phases.below(tick_us(1) as u32 / STEP_US as u32));
            Side { end, phase_us, tick: 0 }
        });
        let road = Road::new(LinkSettings { loss: Loss::None, ..settings }, seed);
        let mut trial = Self { sides, road, polling: contender.polling, now_us: 0 };
        while !trial.sides.iter().all(|side| side.end.is_connected()) {
            assert!(trial.now_us < MEETING_US, "{} did not connect", contender.name);
            trial.step(&mut Silence);
        }
        trial.run_until(trial.now_us + SETTLE_US, &mut Silence);
        trial.road.set_settings(settings);
        trial.road.reset_counts();
        for side in &mut trial.sides {
            side.tick = 0;
            side.phase_us += trial.now_us;
        }
        trial
    }

    fn run_until(&mut self, until_us: u64, talk: &mut impl Talk) {
        while self.now_us < until_us {
            self.step(talk);
        }
    }

    /// One millisecond of both.
    fn step(&mut self, talk: &mut impl Talk) {
        let now_us = self.now_us;
        for (n, side) in self.sides.iter_mut().enumerate() {
            let is_tick = now_us >= side.phase_us + tick_us(side.tick);
            if !is_tick && self.polling == Polling::Ticks {
                continue;
            }
            while let Some(datagram) = self.road.receive(n, now_us) {
                side.end.handle(now_us, datagram);
            }
            if is_tick {
                talk.at_tick(n, side.tick, now_us, side.end.as_mut());
                side.tick += 1;
            }
            side.end.step(now_us, &mut |datagram| self.road.send(n, now_us, datagram));
            while let Some(message) = side.end.receive(now_us) {
                talk.heard(n, now_us, &message);
            }
        }
        self.now_us += STEP_US;
    }
}

/// Small messages in a pattern.
struct Messages {
    pattern: Option<Pattern>,
    tally: Tally,
    /// Of each end: when its messages were sent, and whether they ended a burst.
    sent: [Vec<(u64, bool)>; 2],
    /// Of each end: which messages of the other it has heard, and the first number beyond.
    heard: [(Vec<bool>, usize); 2],
}

impl Talk for Messages {
    fn at_tick(&mut self, n: usize, tick: u64, now_us: u64, end: &mut dyn End) {
        let count = self.pattern.map_or(0, |pattern| pattern.count(n, tick));
        for k in 1..=count {
            let is_last = count > 1 && k == count;
            end.send(now_us, &message(n, self.sent[n].len() as u64));
            self.sent[n].push((now_us, is_last));
            self.tally.sent(is_last);
        }
    }

    fn heard(&mut self, n: usize, now_us: u64, heard: &[u8]) {
        let id = heard.first_chunk::<8>().map_or(u64::MAX, |id| u64::from_le_bytes(*id));
        let index = usize::try_from(id).unwrap_or(usize::MAX);
        let sent = &self.sent[1 - n];
        let Some(&(sent_us, is_last)) = sent.get(index).filter(|_| heard == message(1 - n, id)) else {
            self.tally.damaged += 1;
            return;
        };
        let (seen, beyond) = &mut self.heard[n];
        seen.resize(sent.len(), false);
        if std::mem::replace(&mut seen[index], true) {
            self.tally.duplicates += 1;
            return;
        }
        self.tally.out_of_order += u64::from(index < *beyond);
        *beyond = (*beyond).max(index + 1);
        self.tally.arrived(now_us - sent_us, is_last);
    }
}

/// One large message.
struct Large {
    message: Vec<u8>,
    sent_us: Option<u64>,
    heard_us: Option<u64>,
}

impl Talk for Large {
    fn at_tick(&mut self, n: usize, _: u64, now_us: u64, end: &mut dyn End) {
        if n == 0 && self.sent_us.is_none() {
            end.send(now_us, &self.message);
            self.sent_us = Some(now_us);
        }
    }

    fn heard(&mut self, n: usize, now_us: u64, message: &[u8]) {
        assert!(n == 1 && message == self.message, "something else arrived");
        assert_eq!(self.heard_us.replace(now_us), None, "it arrived twice");
    }
}

/// What message `id` of an end says.
fn message(end: usize, id: u64) -> [u8; MESSAGE_BYTES] {
    let mut filler = Rng::new(id, end as u64);
    let mut message = [0; MESSAGE_BYTES];
    let (number, rest) = message.split_at_mut(8);
    number.copy_from_slice(&id.to_le_bytes());
    for chunk in rest.chunks_mut(4) {
        chunk.copy_from_slice(&filler.next_u32().to_le_bytes()[..chunk.len()]);
    }
    message
}

/// Messages for so many seconds, and [`DRAIN_US`] for what is late.
///
/// # Panics
/// If the two do not meet.
#[must_use]
pub fn messages(contender: &Contender, pattern: Pattern, settings: LinkSettings, seed: u64, seconds: u64) -> Tally {
    let mut trial = Trial::start(contender, settings, seed);
    let mut talk = Messages { pattern: Some(pattern), tally: Tally::default(), sent: Default::default(), heard: Default::default() };
    trial.run_until(trial.now_us + seconds * 1_000_000, &mut talk);
    talk.tally.wire = trial.road.sent();
    talk.pattern = None;
    trial.run_until(trial.now_us + DRAIN_US, &mut talk);
    talk.tally
}

/// How a large message went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bulk {
    /// From `send` until it was received.
    pub took_us: u64,
    /// What both ends sent meanwhile, headers included.
    pub wire_bytes: u64,
}

/// One message of so many bytes from the first end to the second; `None` if it does not arrive.
///
/// # Panics
/// If the two do not meet, or if something else arrives.
#[must_use]
pub fn bulk(contender: &Contender, bytes: usize, settings: LinkSettings, seed: u64) -> Option<Bulk> {
    let mut filler = Rng::new(seed, 101);
    let mut talk = Large { message: (0..bytes).map(|_| filler.next_u32() as u8).collect(), sent_us: None, heard_us: None };
    let mut trial = Trial::start(contender, settings, seed);
    let patience_us = trial.now_us + BULK_PATIENCE_US;
    while talk.heard_us.is_none() && trial.now_us < patience_us {
        trial.step(&mut talk);
    }
    let took_us = talk.heard_us? - talk.sent_us?;
    Some(Bulk { took_us, wire_bytes: trial.road.sent().bytes })
}
