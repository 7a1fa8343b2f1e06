//! Which addresses fit together.

use crate::cli::{HostOptions, JoinOptions};
use crate::error::CliError;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The names of the options that an error speaks of.
struct Names {
    listen: &'static str,
    advertise: &'static str,
}

const ROLLBACK: Names = Names { listen: "--listen", advertise: "--advertise" };
const CHANNELS: Names = Names { listen: "--channels-listen", advertise: "--channels-advertise" };

/// The address that goes into the ticket of a host that listens on `bound`.
pub(super) fn public_address(options: &HostOptions, bound: SocketAddr) -> Result<SocketAddr, CliError> {
    reached_at(options.advertise, options.listen, bound, &ROLLBACK)
}

/// The same for the channels.
pub(super) fn public_channels(options: &HostOptions, bound: SocketAddr) -> Result<SocketAddr, CliError> {
    // The port of the other socket is not theirs.
    let beside = options.advertise.map(|address| SocketAddr::new(address.ip(), 0));
    let listen = options.channels.listen.unwrap_or(bound);
    reached_at(options.channels.advertise.or(beside), listen, bound, &CHANNELS)
}

fn reached_at(advertise: Option<SocketAddr>, listen: SocketAddr, bound: SocketAddr, names: &Names) -> Result<SocketAddr, CliError> {
    let Names { listen: listen_name, advertise: advertise_name } = names;
    let mut address = advertise.unwrap_or(bound);
    if address.port() == 0 {
        address.set_port(bound.port());
    }
    let ip = address.ip();
    if ip.is_unspecified() {
        let message = format!("{ip} is no address that others can send to: give {advertise_name} the one that they reach you at");
        return Err(CliError::usage(message));
    }
    if ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        return Err(CliError::usage(format_args!("{ip} is the address of many machines: give {advertise_name} one of this machine")));
    }
    if ip.is_ipv4() != bound.is_ipv4() {
        let (listens, advertised) = (family(bound.ip()), family(ip));
        return Err(CliError::usage(format_args!(
            "{advertise_name} {address} is {advertised} and {listen_name} {listen} is {listens}: use the same kind for both"
        )));
    }
    Ok(address)
}

/// Where a host's channels listen if nobody says so: beside the other socket, on the next port if that
/// one was chosen. It is skipped if the others are told to send there, since something else is there then.
/// The second address is for when the first one is in use.
pub(super) fn channels_beside(options: &HostOptions, bound: SocketAddr) -> [SocketAddr; 2] {
    let any = SocketAddr::new(bound.ip(), 0);
    if options.listen.port() == 0 {
        return [any; 2];
    }
    let taken = options.advertise.map_or(0, |address| address.port());
    let next = (1..=2).filter_map(|step| bound.port().checked_add(step)).find(|port| *port != taken);
    [next.map_or(any, |port| SocketAddr::new(bound.ip(), port)), any]
}

/// Where a joiner sends from.
pub(crate) fn sender_for(host: SocketAddr, listen: Option<SocketAddr>) -> Result<SocketAddr, CliError> {
    sender_by(host, listen, &ROLLBACK)
}

/// Where a joiner's channels send from: where the other socket was told to be, if nobody says more.
pub(super) fn channels_sender_for(host: SocketAddr, options: &JoinOptions) -> Result<SocketAddr, CliError> {
    let beside = options.listen.filter(|other| other.is_ipv4() == host.is_ipv4()).map(|other| SocketAddr::new(other.ip(), 0));
    sender_by(host, options.channels.listen.or(beside), &CHANNELS)
}

fn sender_by(host: SocketAddr, listen: Option<SocketAddr>, names: &Names) -> Result<SocketAddr, CliError> {
    let fitting = SocketAddr::new(sender_ip(host.ip()), 0);
    match listen {
        Some(listen) if listen.is_ipv4() != host.is_ipv4() => {
            let (listens, needed) = (family(listen.ip()), family(host.ip()));
            let name = names.listen;
            Err(CliError::usage(format_args!(
                "{name} {listen} is {listens} and the host's address {host} is {needed}: leave {name} out, or use such as {fitting}"
            )))
        }
        listen => Ok(listen.unwrap_or(fitting)),
    }
}

/// The address to send from, to reach `host`.
pub(crate) fn sender_ip(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(ip) if ip.is_loopback() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(ip) if ip.is_loopback() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

fn family(ip: IpAddr) -> &'static str {
    if ip.is_ipv4() { "IPv4" } else { "IPv6" }
}
