//! [`ChannelConnection`]: all channels to one peer. Sans-IO: packets and `now_us` in, packets out.

use super::congestion::Congestion;
use super::error::{SendError, Violation};
use super::incoming::ReceiveStream;
use super::outgoing::{MESSAGE_COST_BYTES, SendStream, Timing};
use super::packet::{ACK_BITS, ACK_BYTES, CHUNK_HEADER_BYTES, Echo, Frame, HEADER_BYTES, Header, Out, PART_HEADER_BYTES};
use super::rate::UsedRates;
use super::stats::{ChannelStats, ConnectionStats};
use super::topology::{Channel, Topology};
use super::unreliable::{ReceiveLatest, SendLatest};
use crate::packet::{DATAGRAM_BUDGET_BYTES, Reject};
use crate::rtt::RttEstimator;

/// Streams of a connection. The inputs, which have a socket of their own, leave the first to what the two
/// ends tell each other.
pub(super) const STREAMS: usize = Channel::ALL.len();

/// The stream of what the two ends tell each other.
const CONTROL: usize = Channel::RollbackInputs as usize;

const CONTROL_HZ: u16 = 60;
const CONTROL_MESSAGE_BYTES: usize = 512;

/// Packets whose time of sending is remembered, to measure the round trip by.
const REMEMBERED_PACKETS: usize = 1_024;

/// The smallest packet that makes sense: the largest unreliable message takes fewer than 256 of them.
const LEAST_PACKET_BYTES: usize = 400;

/// In which order streams are served: what people wait for first.
const ORDER: [usize; STREAMS] = [
    CONTROL,
    Channel::Lobby as usize,
    Channel::ChatPresence as usize,
    Channel::MatchState as usize,
    Channel::Spectator as usize,
    Channel::Telemetry as usize,
];

/// How a [`ChannelConnection`] is set up. The table is the same at both ends.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// What each channel may do.
    pub topology: Topology,
    /// The largest packet, in bytes: 400..=1,200; what is outside counts as the nearest.
    pub packet_budget_bytes: usize,
    /// Where the numbers of chunks and packets begin, usually at 0; the same at both ends. Tests of what
    /// happens when their short forms wrap begin elsewhere, up to 2⁶²; what is above counts as that.
    pub first_number: u64,
}

impl ConnectionSettings {
    /// The usual table, for packets of at most `packet_budget_bytes`.
    #[must_use]
    pub fn new(packet_budget_bytes: usize) -> Self {
        Self { topology: Topology::default(), packet_budget_bytes, first_number: 0 }
    }
}

#[derive(Debug)]
enum Lane {
    Reliable { out: SendStream, come: ReceiveStream },
    Latest { out: SendLatest, come: ReceiveLatest },
}

/// All channels to one peer.
///
/// A message of a reliable channel arrives once, whole, and after those that were sent before it on the
/// same channel. One of an unreliable channel arrives whole or not at all, and never after a later one.
/// No channel waits for another. At most [`max_hz`](super::ChannelSpec::max_hz) messages of a channel
/// leave within any second; more wait, until [`send`](Self::send) says that there is no more room.
///
/// Whoever does not read a channel stops its sender, whose queue then fills: memory is bounded at both
/// ends.
///
/// Call order: [`handle`](Self::handle) every packet, [`receive`](Self::receive) until it returns `None`,
/// then [`poll_transmit`](Self::poll_transmit) until it returns `None`; again when
/// [`poll_timeout`](Self::poll_timeout) has come. Every call takes the same clock, in microseconds that
/// never go back.
///
/// ```
/// use snapback_transport::channel::{Channel, ChannelConnection, ConnectionSettings};
/// let mut alice = ChannelConnection::new(ConnectionSettings::new(1_100));
/// let mut bob = ChannelConnection::new(ConnectionSettings::new(1_100));
/// alice.send(Channel::ChatPresence, b"good luck")?;
/// let mut packet = [0; 1_200];
/// while let Some(len) = alice.poll_transmit(0, &mut packet) {
///     bob.handle(30_000, &packet[..len])?;
/// }
/// assert_eq!(bob.receive(30_000), Some((Channel::ChatPresence, b"good luck".to_vec())));
/// while let Some(len) = bob.poll_transmit(30_000, &mut packet) {
///     alice.handle(60_000, &packet[..len])?;
/// }
/// assert_eq!(alice.delivered(Channel::ChatPresence), 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChannelConnection {
    settings: ConnectionSettings,
    lanes: Vec<Lane>,
    congestion: Congestion,
    rtt: RttEstimator,
    sequence: u32,
    /// When each of the newest packets was sent, by its sequence.
    sent_us: Vec<u64>,
    /// The newest of our packets that the other end has told of.
    echoed: Option<u32>,
    /// The newest packet received, and when.
    newest: Option<(u32, u64)>,
    /// Which stream's large messages come first.
    turn: usize,
    violation: Option<Violation>,
    /// Whether what is unreliable waits.
    is_paused: bool,
    stats: ConnectionStats,
}

impl ChannelConnection {
    /// A connection on which nothing was sent yet.
    #[must_use]
    pub fn new(settings: ConnectionSettings) -> Self {
        let packet_bytes = settings.packet_budget_bytes.clamp(LEAST_PACKET_BYTES, DATAGRAM_BUDGET_BYTES);
        let first = settings.first_number.min(1 << 62);
        let chunk_bytes = packet_bytes - HEADER_BYTES - CHUNK_HEADER_BYTES;
        let lane = |stream: usize| {
            let spec = Channel::from_index(stream).filter(|_| stream != CONTROL).map(|channel| settings.topology.spec(channel));
            let (is_reliable, max_hz, most_bytes) = spec
                .map_or((true, CONTROL_HZ, CONTROL_MESSAGE_BYTES), |spec| (spec.is_reliable, spec.max_hz, spec.max_message_bytes as usize));
            if is_reliable {
                let out = SendStream::new(stream, max_hz, most_bytes, chunk_bytes, first);
                return Lane::Reliable { out, come: ReceiveStream::new(stream, max_hz, most_bytes, first) };
            }
            let part_bytes = packet_bytes - HEADER_BYTES - PART_HEADER_BYTES;
            let out = SendLatest::new(stream, max_hz, part_bytes, first);
            Lane::Latest { out, come: ReceiveLatest::new(stream, max_hz, most_bytes) }
        };
        Self {
            lanes: (0..STREAMS).map(lane).collect(),
            settings: ConnectionSettings { packet_budget_bytes: packet_bytes, ..settings },
            congestion: Congestion::new(),
            rtt: RttEstimator::new(),
            sequence: first as u32,
            sent_us: vec![0; REMEMBERED_PACKETS],
            echoed: None,
            newest: None,
            turn: 0,
            violation: None,
            is_paused: false,
            stats: ConnectionStats::default(),
        }
    }

    fn lane(&self, channel: Channel) -> Option<&Lane> {
        self.lanes.get(channel.index()).filter(|_| channel != Channel::RollbackInputs)
    }

    /// Queues a message. The first of a channel is number 0, the next 1.
    ///
    /// # Errors
    /// Nothing was queued, and the error says why.
    pub fn send(&mut self, channel: Channel, message: &[u8]) -> Result<u64, SendError> {
        self.check_send(channel, message.len())?;
        Ok(match self.lanes.get_mut(channel.index()) {
            Some(Lane::Reliable { out, .. }) => out.queue(message),
            Some(Lane::Latest { out, .. }) => out.queue(message),
            None => 0,
        })
    }

    /// Whether a message of so many bytes would be taken.
    ///
    /// # Errors
    /// Those that [`send`](Self::send) would return.
    pub fn check_send(&self, channel: Channel, bytes: usize) -> Result<(), SendError> {
        if channel == Channel::RollbackInputs {
            return Err(SendError::WrongSocket { channel });
        }
        if let Some(violation) = self.violation {
            return Err(SendError::Over(violation));
        }
        let most_bytes = self.settings.topology.spec(channel).max_message_bytes as usize;
        if bytes > most_bytes {
            return Err(SendError::TooLarge { channel, bytes, most_bytes });
        }
        let room_bytes = self.room_bytes(channel);
        if bytes > room_bytes || self.is_full(channel) {
            return Err(SendError::Full { channel, bytes, room_bytes });
        }
        Ok(())
    }

    fn is_full(&self, channel: Channel) -> bool {
        match self.lane(channel) {
            Some(Lane::Reliable { out, .. }) => out.is_full(),
            Some(Lane::Latest { .. }) => false,
            None => true,
        }
    }

    /// How many bytes a message may have to find room on a channel now. On an unreliable channel there is
    /// always room: the oldest message that still waits makes it.
    #[must_use]
    pub fn room_bytes(&self, channel: Channel) -> usize {
        let room_bytes = match self.lane(channel) {
            Some(Lane::Reliable { out, .. }) => out.room_bytes(),
            Some(Lane::Latest { .. }) => usize::MAX,
            None => return 0,
        };
        room_bytes.min(self.settings.topology.spec(channel).max_message_bytes as usize)
    }

    pub(crate) fn send_control(&mut self, message: &[u8]) -> Result<(), SendError> {
        let channel = Channel::RollbackInputs;
        match self.lanes.get_mut(CONTROL) {
            Some(Lane::Reliable { out, .. }) if message.len() <= CONTROL_MESSAGE_BYTES && message.len() <= out.room_bytes() => {
                out.queue(message);
                Ok(())
            }
            _ => Err(SendError::Full { channel, bytes: message.len(), room_bytes: 0 }),
        }
    }

    pub(crate) fn receive_control(&mut self, now_us: u64) -> Option<Vec<u8>> {
        self.take_from(CONTROL, now_us)
    }

    fn take_from(&mut self, stream: usize, now_us: u64) -> Option<Vec<u8>> {
        match self.lanes.get_mut(stream)? {
            Lane::Reliable { come, .. } => {
                let assembled = come.assemble(now_us);
                let message = come.receive();
                if let Err(violation) = assembled {
                    self.violation.get_or_insert(violation);
                }
                message
            }
            Lane::Latest { come, .. } => come.receive(),
        }
    }

    /// The next message that came in on any channel.
    pub fn receive(&mut self, now_us: u64) -> Option<(Channel, Vec<u8>)> {
        ORDER.iter().filter_map(|stream| Channel::from_index(*stream)).find_map(|channel| {
            let message = self.receive_on(now_us, channel)?;
            Some((channel, message))
        })
    }

    /// The next message that came in on one channel.
    pub fn receive_on(&mut self, now_us: u64, channel: Channel) -> Option<Vec<u8>> {
        if channel == Channel::RollbackInputs { None } else { self.take_from(channel.index(), now_us) }
    }

    /// Whether a channel is reliable; the inputs, which have a socket of their own, are nothing.
    pub(crate) fn is_reliable(&self, channel: Channel) -> bool {
        matches!(self.lane(channel), Some(Lane::Reliable { .. }))
    }

    /// What an unread message counts for.
    pub(crate) fn unread_bytes(message: &[u8]) -> usize {
        message.len() + MESSAGE_COST_BYTES
    }

    /// How much of a reliable channel came before this connection and was not read yet: there is so much
    /// less room for what comes on it.
    pub(crate) fn set_unread_before(&mut self, channel: Channel, bytes: usize) {
        if let Some(Lane::Reliable { come, .. }) = self.lanes.get_mut(channel.index()).filter(|_| channel != Channel::RollbackInputs) {
            come.set_unread_before(bytes);
        }
    }

    /// While nobody hears it, what is unreliable had better wait: nobody would send it again.
    pub(crate) fn pause_unreliable(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// What was used of the rates so far, for [`go_on_from`](Self::go_on_from).
    pub(crate) fn used_rates(&self) -> UsedRates {
        let of_lane = |lane: &Lane| match lane {
            Lane::Reliable { out, come } => (out.rate.clone(), come.admission.clone()),
            Lane::Latest { out, come } => (out.rate.clone(), come.admission.clone()),
        };
        UsedRates(self.lanes.iter().map(of_lane).collect())
    }

    /// A new connection to the same peer, with the same table, is no way to a higher rate. What the two ends
    /// tell each other begins anew: it is what connections begin with.
    pub(crate) fn go_on_from(&mut self, UsedRates(used): UsedRates) {
        for (stream, (lane, (sent, admitted))) in self.lanes.iter_mut().zip(used).enumerate() {
            let (rate, admission) = match lane {
                Lane::Reliable { out, come } => (&mut out.rate, &mut come.admission),
                Lane::Latest { out, come } => (&mut out.rate, &mut come.admission),
            };
            if stream != CONTROL {
                (*rate, *admission) = (sent, admitted);
            }
        }
    }

    /// How many messages of a channel were taken: the number of the next one.
    #[must_use]
    pub fn sent(&self, channel: Channel) -> u64 {
        match self.lane(channel) {
            Some(Lane::Reliable { out, .. }) => out.sent(),
            Some(Lane::Latest { out, .. }) => out.sent(),
            None => 0,
        }
    }

    /// How many messages of a reliable channel have arrived: those with a smaller number. Of an
    /// unreliable one nobody knows: 0.
    #[must_use]
    pub fn delivered(&self, channel: Channel) -> u64 {
        match self.lane(channel) {
            Some(Lane::Reliable { out, .. }) => out.delivered(),
            _ => 0,
        }
    }

    /// Whether nothing waits to be sent, and nothing reliable to be acknowledged.
    #[must_use]
    pub fn is_flushed(&self) -> bool {
        self.lanes.iter().all(|lane| match lane {
            Lane::Reliable { out, .. } => out.is_flushed(),
            Lane::Latest { out, .. } => out.waiting().0 == 0,
        })
    }

    /// How the peer broke the protocol, if it did: nothing is sent or taken any more.
    #[must_use]
    pub fn violation(&self) -> Option<Violation> {
        self.violation
    }

    fn timing(&self, now_us: u64) -> Timing {
        Timing::new(now_us, self.rtt.smoothed_us(), self.rtt.jitter_us())
    }

    /// Takes a packet.
    ///
    /// # Errors
    /// Says why it was dropped; it changed nothing.
    pub fn handle(&mut self, now_us: u64, packet: &[u8]) -> Result<(), Reject> {
        if self.violation.is_some() {
            return Err(Reject::WrongState);
        }
        if packet.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        let (header, mut frames) = Header::read(packet)?;
        // The other end can have received nothing that we have not sent.
        let unsent = |echo: &Echo| echo.sequence.wrapping_sub(self.sequence) as i32 >= 0;
        if header.echo.as_ref().is_some_and(unsent) {
            return Err(Reject::AckOfUnsent);
        }
        while let Some(frame) = frames.next()? {
            self.check(&frame)?;
        }
        self.stats.packets_received += 1;
        self.stats.bytes_received += packet.len() as u64;
        if self.newest.is_none_or(|(newest, _)| header.sequence.wrapping_sub(newest) as i32 > 0) {
            self.newest = Some((header.sequence, now_us));
        }
        if let Some(echo) = header.echo {
            self.measure(now_us, echo);
        }
        let (header, mut frames) = Header::read(packet)?;
        while let Some(frame) = frames.next()? {
            if let Err(violation) = self.apply(now_us, header.echo.map(|echo| echo.sequence), frame) {
                self.violation = Some(violation);
                break;
            }
        }
        Ok(())
    }

    /// Whether a frame can be believed, as far as one can tell without taking it.
    fn check(&self, frame: &Frame<'_>) -> Result<(), Reject> {
        match (*frame, self.lane_of(frame)) {
            (Frame::Chunk { number, .. }, Some(Lane::Reliable { come, .. })) => come.check(number).map(|_| ()).ok_or(Reject::BadWindow),
            (Frame::Ack { next, bits, .. }, Some(Lane::Reliable { out, .. })) => {
                out.check_ack(next, bits).map(|_| ()).ok_or(Reject::AckOfUnsent)
            }
            (Frame::Ask { .. }, Some(Lane::Reliable { .. })) | (Frame::Part { .. }, Some(Lane::Latest { .. })) => Ok(()),
            _ => Err(Reject::BadField),
        }
    }

    fn lane_of(&self, frame: &Frame<'_>) -> Option<&Lane> {
        self.lanes.get(frame.stream())
    }

    fn apply(&mut self, now_us: u64, echo: Option<u32>, frame: Frame<'_>) -> Result<(), Violation> {
        let Some(lane) = self.lanes.get_mut(frame.stream()) else { return Ok(()) };
        match (frame, lane) {
            (Frame::Chunk { number, begins, ends, bytes, .. }, Lane::Reliable { come, .. }) => {
                if let Some(number) = come.check(number) {
                    come.take(number, begins, ends, bytes);
                    come.assemble(now_us)?;
                }
            }
            (Frame::Ack { next, welcome, bits, .. }, Lane::Reliable { out, .. }) => {
                if let Some(next) = out.check_ack(next, bits) {
                    out.acknowledge(next, welcome, bits, echo, &mut self.congestion);
                }
            }
            (Frame::Ask { .. }, Lane::Reliable { come, .. }) => come.ask_for_ack(),
            (Frame::Part { message, part, last, of, bytes, .. }, Lane::Latest { come, .. }) => {
                come.take(now_us, message, part, last, of, bytes)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Measures the round trip, once for each of our packets.
    fn measure(&mut self, now_us: u64, echo: Echo) {
        if self.echoed.is_some_and(|echoed| echo.sequence.wrapping_sub(echoed) as i32 <= 0) {
            return;
        }
        self.echoed = Some(echo.sequence);
        let is_remembered = self.sequence.wrapping_sub(echo.sequence) as usize <= REMEMBERED_PACKETS;
        let sent_us = self.sent_us.get(echo.sequence as usize % REMEMBERED_PACKETS).copied();
        let (Some(sent_us), Some(delay_us), true) = (sent_us, echo.delay_us(), is_remembered) else { return };
        let rtt_us = now_us.saturating_sub(sent_us).saturating_sub(delay_us);
        self.rtt.sample(rtt_us);
        self.congestion.measured(now_us, rtt_us);
    }

    /// Writes the next packet that is due. `None` when nothing is, or `out` is shorter than the packet
    /// budget.
    pub fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<usize> {
        if self.violation.is_some() {
            return None;
        }
        let mut out = Out::new(out.get_mut(..self.settings.packet_budget_bytes)?);
        let echo = self.newest.map(|(sequence, at_us)| Echo::new(sequence, now_us.saturating_sub(at_us)));
        Header { sequence: self.sequence, echo }.write(&mut out);
        let header_bytes = out.len();
        self.write_acks(now_us, &mut out);
        self.write_messages(now_us, &mut out);
        let len = out.len();
        if len == header_bytes {
            return None;
        }
        if let Some(sent_us) = self.sent_us.get_mut(self.sequence as usize % REMEMBERED_PACKETS) {
            *sent_us = now_us;
        }
        self.sequence = self.sequence.wrapping_add(1);
        self.stats.packets_sent += 1;
        self.stats.bytes_sent += len as u64;
        Some(len)
    }

    fn write_acks(&mut self, now_us: u64, out: &mut Out<'_>) {
        for lane in &mut self.lanes {
            let Lane::Reliable { come, out: sending } = lane else { continue };
            if let Err(violation) = come.assemble(now_us) {
                self.violation.get_or_insert(violation);
            }
            let mut bits = [0; ACK_BITS as usize / 8];
            if out.room() >= ACK_BYTES
                && let Some(ack) = come.next_ack(&mut bits)
            {
                ack.write(out);
            }
            if out.room() > 0
                && let Some(ask) = sending.next_ask(now_us)
            {
                ask.write(out);
            }
        }
    }

    fn write_messages(&mut self, now_us: u64, out: &mut Out<'_>) {
        let timing = self.timing(now_us);
        let Self { lanes, congestion, sequence, turn, is_paused, .. } = self;
        // What fits into one packet goes first.
        for stream in ORDER {
            if let Some(Lane::Reliable { out: sending, .. }) = lanes.get_mut(stream) {
                sending.cut(now_us);
                while let Some(chunk) = sending.next_due(&timing, *sequence, false, out.room(), congestion) {
                    chunk.write(out);
                }
            }
        }
        // Large messages take turns.
        for step in 0..STREAMS {
            let stream = (*turn + step) % STREAMS;
            let length = out.len();
            match lanes.get_mut(stream) {
                Some(Lane::Reliable { out: sending, .. }) => {
                    while let Some(chunk) = sending.next_due(&timing, *sequence, true, out.room(), congestion) {
                        chunk.write(out);
                    }
                }
                Some(Lane::Latest { .. }) if *is_paused => {}
                Some(Lane::Latest { out: sending, .. }) => {
                    while let Some(part) = sending.next_due(now_us, out.room()) {
                        part.write(out);
                    }
                }
                None => {}
            }
            if out.len() > length {
                *turn = (stream + 1) % STREAMS;
            }
        }
    }

    /// When [`poll_transmit`](Self::poll_transmit) should be called next even if nothing arrives.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        if self.violation.is_some() {
            return None;
        }
        let timing = self.timing(0);
        let due = |lane: &Lane| match lane {
            Lane::Reliable { come, .. } if come.is_ack_due() => Some(0),
            Lane::Reliable { out, come } => out.timeout_us(&timing, &self.congestion).into_iter().chain(come.timeout_us()).min(),
            Lane::Latest { .. } if self.is_paused => None,
            Lane::Latest { out, .. } => out.timeout_us(),
        };
        self.lanes.iter().filter_map(due).min()
    }

    /// What went over the connection so far.
    #[must_use]
    pub fn stats(&self) -> ConnectionStats {
        let mut stats = ConnectionStats { rtt_us: self.rtt.smoothed_us(), jitter_us: self.rtt.jitter_us(), ..self.stats };
        for (stream, (lane, slot)) in self.lanes.iter().zip(&mut stats.channels).enumerate() {
            if stream != CONTROL {
                *slot = of_lane(lane);
            }
        }
        stats
    }
}

fn of_lane(lane: &Lane) -> ChannelStats {
    match lane {
        Lane::Reliable { out, come } => {
            let (waiting_messages, waiting_bytes) = out.waiting();
            let counts = come.counts();
            ChannelStats {
                sent_messages: out.sent(),
                delivered_messages: out.delivered(),
                waiting_messages,
                waiting_bytes,
                pieces_sent: out.counts.chunks,
                pieces_resent: out.counts.resent,
                received_messages: counts.received,
                unread_messages: counts.unread,
                unread_bytes: counts.unread_bytes,
                duplicate_pieces: counts.duplicates,
                dropped_messages: 0,
                held_up: counts.held_up,
            }
        }
        Lane::Latest { out, come } => {
            let (waiting_messages, waiting_bytes) = out.waiting();
            let counts = come.counts();
            ChannelStats {
                sent_messages: out.sent(),
                waiting_messages,
                waiting_bytes,
                pieces_sent: out.parts,
                received_messages: counts.received,
                unread_messages: counts.unread,
                unread_bytes: counts.unread_bytes,
                duplicate_pieces: counts.duplicates,
                dropped_messages: counts.dropped + out.dropped(),
                ..ChannelStats::default()
            }
        }
    }
}
