//! [`Capture`]: the frames of a pcap or pcapng file, one after another, whatever its size.

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};
use std::io::Read;

/// Room for one block of a capture. None that a capturing program writes is larger.
const BUFFER_BYTES: usize = 1 << 20;

/// Interfaces that a capture may have; more are not kept.
const MAX_INTERFACES: usize = 4_096;

/// Nanoseconds in a second.
const SECOND_NS: u64 = 1_000_000_000;

/// One captured frame.
pub(super) struct Frame<'a> {
    /// On the clock of the machine that captured, since 1970; 0 if the capture has no times.
    pub(super) at_ns: u64,
    pub(super) link: Linktype,
    pub(super) bytes: &'a [u8],
}

/// Why a capture ends before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CaptureError {
    /// It is no capture at all.
    NotACapture,
    /// It ends in the middle of a block.
    Cut,
    /// A block is damaged, or larger than any should be.
    Damaged,
    /// The system cannot read it.
    Unreadable,
}

/// An interface that frames were captured on.
#[derive(Clone, Copy)]
struct Interface {
    link: Linktype,
    /// Ticks of its clock in a second.
    resolution: u64,
    offset_s: i64,
}

/// Calls `visit` for every frame, in the order of the capture, until it says `false` or fails.
pub(super) fn frames<E>(
    source: impl Read + Send,
    mut visit: impl FnMut(&Frame<'_>) -> Result<bool, E>,
) -> Result<Result<(), E>, CaptureError> {
    let mut reader = create_reader(BUFFER_BYTES, Filling(source)).map_err(|error| match error {
        PcapError::ReadError => CaptureError::Unreadable,
        _ => CaptureError::NotACapture,
    })?;
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut asked_at = None;
    loop {
        let position = reader.consumed();
        match reader.next() {
            Ok((len, block)) => {
                let mut show = |frame: Option<Frame<'_>>| frame.map_or(Ok(true), |frame| visit(&frame));
                let shown = match block {
                    PcapBlockOwned::LegacyHeader(header) => {
                        let resolution = if header.is_nanosecond_precision() { SECOND_NS } else { 1_000_000 };
                        // The high bits say what may follow a frame.
                        let link = Linktype(header.network.0 & 0xFFFF);
                        interfaces = vec![Interface { link, resolution, offset_s: 0 }];
                        Ok(true)
                    }
                    PcapBlockOwned::Legacy(block) => show(interfaces.first().map(|interface| {
                        let at_ns = u64::from(block.ts_sec) * SECOND_NS + scaled(block.ts_usec.into(), interface.resolution);
                        Frame { at_ns, link: interface.link, bytes: up_to(block.data, block.caplen) }
                    })),
                    PcapBlockOwned::NG(Block::SectionHeader(_)) => {
                        interfaces.clear();
                        Ok(true)
                    }
                    PcapBlockOwned::NG(Block::InterfaceDescription(block)) => {
                        if interfaces.len() < MAX_INTERFACES {
                            let resolution = resolution(block.if_tsresol);
                            interfaces.push(Interface { link: block.linktype, resolution, offset_s: block.if_tsoffset });
                        }
                        Ok(true)
                    }
                    PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
                        let interface = usize::try_from(block.if_id).ok().and_then(|at| interfaces.get(at));
                        show(interface.map(|interface| {
                            let at_ns = interface.time_ns(u64::from(block.ts_high) << 32 | u64::from(block.ts_low));
                            Frame { at_ns, link: interface.link, bytes: block.packet_data() }
                        }))
                    }
                    PcapBlockOwned::NG(Block::SimplePacket(block)) => {
                        show(interfaces.first().map(|interface| Frame { at_ns: 0, link: interface.link, bytes: block.packet_data() }))
                    }
                    PcapBlockOwned::NG(_) => Ok(true),
                };
                match shown {
                    Ok(true) => {}
                    Ok(false) => return Ok(Ok(())),
                    Err(error) => return Ok(Err(error)),
                }
                if len == 0 {
                    return Err(CaptureError::Damaged);
                }
                reader.consume(len);
            }
            Err(PcapError::Eof) => return Ok(Ok(())),
            // Asking again changes nothing: the block promises more than it has.
            Err(PcapError::Incomplete(_)) if asked_at == Some(position) => return Err(CaptureError::Damaged),
            Err(PcapError::Incomplete(_)) => {
                asked_at = Some(position);
                reader.refill().map_err(|_| CaptureError::Unreadable)?;
            }
            Err(PcapError::UnexpectedEof) => return Err(CaptureError::Cut),
            Err(_) => return Err(CaptureError::Damaged),
        }
    }
}

impl Interface {
    fn time_ns(&self, ticks: u64) -> u64 {
        let whole = (ticks / self.resolution).saturating_add_signed(self.offset_s);
        whole.saturating_mul(SECOND_NS).saturating_add(scaled(ticks % self.resolution, self.resolution))
    }
}

/// A part of a second in nanoseconds.
fn scaled(part: u64, resolution: u64) -> u64 {
    u64::try_from(u128::from(part) * u128::from(SECOND_NS) / u128::from(resolution)).unwrap_or(u64::MAX)
}

/// Ticks in a second: a power of 10, or of 2 if the high bit is set. What is impossible is taken for microseconds.
fn resolution(code: u8) -> u64 {
    let exponent = u32::from(code & 0x7F);
    let ticks = if code & 0x80 == 0 { 10_u64.checked_pow(exponent) } else { 1_u64.checked_shl(exponent) };
    ticks.unwrap_or(1_000_000)
}

fn up_to(bytes: &[u8], len: u32) -> &[u8] {
    usize::try_from(len).ok().and_then(|len| bytes.get(..len)).unwrap_or(bytes)
}

/// Fills the buffer it is given: the reader takes a short read for a block that is cut.
struct Filling<R>(R);

impl<R: Read> Read for Filling<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut len = 0;
        while let Some(rest) = buffer.get_mut(len..).filter(|rest| !rest.is_empty()) {
            match self.0.read(rest) {
                Ok(0) => break,
                Ok(read) => len += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(len)
    }
}
