//! The UDP datagram inside a captured frame, below whatever link it was captured on.

use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, TransportSlice};
use pcap_parser::Linktype;
use std::net::{IpAddr, SocketAddr};

/// Raw IP, by the numbers that OpenBSD and others use for it.
const RAW_NUMBERS: [i32; 2] = [12, 14];

/// A UDP datagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Datagram<'a> {
    pub(super) from: SocketAddr,
    pub(super) to: SocketAddr,
    pub(super) payload: &'a [u8],
    /// What keeps the payload from being whole: the capture's limit, or fragments of IP.
    pub(super) is_cut: bool,
}

/// Why a frame is not looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Other {
    /// Something else than UDP, or what no header fits.
    NotUdp,
    /// A later part of a datagram in fragments.
    Fragment,
    /// A link that this program does not know.
    UnknownLink(i32),
}

/// Finds the datagram in a frame.
pub(super) fn datagram(link: Linktype, frame: &[u8]) -> Result<Datagram<'_>, Other> {
    let of_type = |at: usize, start: usize| {
        let number = frame.get(at..).and_then(<[u8]>::first_chunk::<2>).ok_or(Other::NotUdp)?;
        let packet = frame.get(start..).ok_or(Other::NotUdp)?;
        Ok(LaxSlicedPacket::from_ether_type(EtherType(u16::from_be_bytes(*number)), packet))
    };
    let of_ip = |packet| LaxSlicedPacket::from_ip(packet).map_err(|_| Other::NotUdp);
    let sliced = match link {
        Linktype::ETHERNET => LaxSlicedPacket::from_ethernet(frame).map_err(|_| Other::NotUdp)?,
        Linktype::LINUX_SLL => of_type(14, 16)?,
        Linktype::LINUX_SLL2 => of_type(0, 20)?,
        // Four bytes of the address family, whose number differs from system to system; the packet says it too.
        Linktype::NULL | Linktype::LOOP => of_ip(frame.get(4..).ok_or(Other::NotUdp)?)?,
        Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 => of_ip(frame)?,
        Linktype(number) if RAW_NUMBERS.contains(&number) => of_ip(frame)?,
        Linktype(number) => return Err(Other::UnknownLink(number)),
    };
    let (from, to): (IpAddr, IpAddr) = match sliced.net.as_ref() {
        Some(LaxNetSlice::Ipv4(ip)) => (ip.header().source_addr().into(), ip.header().destination_addr().into()),
        Some(LaxNetSlice::Ipv6(ip)) => (ip.header().source_addr().into(), ip.header().destination_addr().into()),
        _ => return Err(Other::NotUdp),
    };
    let Some(ip) = sliced.net.as_ref().and_then(LaxNetSlice::ip_payload_ref) else { return Err(Other::NotUdp) };
    let udp = match (&sliced.transport, ip.fragmented) {
        (Some(TransportSlice::Udp(udp)), _) => Some((udp.source_port(), udp.destination_port(), udp.length(), udp.payload())),
        // The first fragment has the ports; etherparse leaves fragments alone.
        (None, true) if is_first_fragment(sliced.net.as_ref()) && ip.ip_number.0 == UDP => first_fragment(ip.payload),
        (_, true) => return Err(Other::Fragment),
        (None, false) if ip.ip_number.0 == UDP => first_fragment(ip.payload),
        _ => None,
    };
    let (from_port, to_port, length, payload) = udp.ok_or(Other::NotUdp)?;
    let is_cut = ip.fragmented || ip.incomplete || usize::from(length) > payload.len() + UDP_HEADER_BYTES;
    Ok(Datagram { from: SocketAddr::new(from, from_port), to: SocketAddr::new(to, to_port), payload, is_cut })
}

const UDP: u8 = 17;
const UDP_HEADER_BYTES: usize = 8;

fn is_first_fragment(net: Option<&LaxNetSlice<'_>>) -> bool {
    match net {
        Some(LaxNetSlice::Ipv4(ip)) => ip.header().fragments_offset().value() == 0,
        _ => false,
    }
}

/// The header of UDP and as much of the datagram as there is.
fn first_fragment(bytes: &[u8]) -> Option<(u16, u16, u16, &[u8])> {
    let ([a, b, c, d, e, f, _, _], payload) = bytes.split_first_chunk::<UDP_HEADER_BYTES>()?;
    let number = |high: &u8, low: &u8| u16::from_be_bytes([*high, *low]);
    let length = number(e, f);
    let payload = payload.get(..usize::from(length).saturating_sub(UDP_HEADER_BYTES)).unwrap_or(payload);
    Some((number(a, b), number(c, d), length, payload))
}
