//! Which addresses fit together.

use crate::cli::HostOptions;
use crate::error::CliError;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The address that goes into the ticket of a host that listens on `bound`.
pub(super) fn public_address(options: &HostOptions, bound: SocketAddr) -> Result<SocketAddr, CliError> {
    let mut address = options.advertise.unwrap_or(bound);
    if address.port() == 0 {
        address.set_port(bound.port());
    }
    let ip = address.ip();
    if ip.is_unspecified() {
        let message = format!("{ip} is no address that others can send to: give --advertise the one that they reach you at");
        return Err(CliError::usage(message));
    }
    if ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        return Err(CliError::usage(format_args!("{ip} is the address of many machines: give --advertise one of this machine")));
    }
    if ip.is_ipv4() != bound.is_ipv4() {
        let (listens, advertised) = (family(bound.ip()), family(ip));
        let listen = options.listen;
        return Err(CliError::usage(format_args!(
            "--advertise {address} is {advertised} and --listen {listen} is {listens}: use the same kind for both"
        )));
    }
    Ok(address)
}

/// Where a joiner sends from.
pub(crate) fn sender_for(host: SocketAddr, listen: Option<SocketAddr>) -> Result<SocketAddr, CliError> {
    let fitting = SocketAddr::new(sender_ip(host.ip()), 0);
    match listen {
        Some(listen) if listen.is_ipv4() != host.is_ipv4() => {
            let (listens, needed) = (family(listen.ip()), family(host.ip()));
            Err(CliError::usage(format_args!(
                "--listen {listen} is {listens} and the host's address {host} is {needed}: leave --listen out, or use such as {fitting}"
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
