//! `--no-channels`, `--chat` and the addresses of the second socket.

use crate::cli::{advertised, listened};
use clap::Args;
use std::net::SocketAddr;

/// What every command that plays with others has.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Channels")]
pub(crate) struct ChannelOptions {
    /// Play without the second socket: no chat, and nobody tells the others how a round ended
    #[arg(long)]
    pub(crate) no_channels: bool,

    /// Read lines of chat from stdin even if it is no terminal
    #[arg(long, conflicts_with = "no_channels")]
    pub(crate) chat: bool,
}

/// Where a host's second socket is.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Channels")]
pub(crate) struct HostChannelOptions {
    /// Address and port for chat and results [default: the address of --listen, the port after it or any free one]
    #[arg(id = "channels_listen", long = "channels-listen", value_name = "ADDR:PORT", value_parser = listened, conflicts_with = "no_channels")]
    pub(crate) listen: Option<SocketAddr>,

    /// Address that the others reach that socket at, if it is another one [default: the address of --advertise]
    #[arg(id = "channels_advertise", long = "channels-advertise", value_name = "ADDR[:PORT]", value_parser = advertised, conflicts_with = "no_channels")]
    pub(crate) advertise: Option<SocketAddr>,
}

/// Where a joiner's second socket is.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Channels")]
pub(crate) struct JoinChannelOptions {
    /// Address and port for chat and results [default: the address of --listen, any free port]
    #[arg(id = "channels_listen", long = "channels-listen", value_name = "ADDR:PORT", value_parser = listened, conflicts_with = "no_channels")]
    pub(crate) listen: Option<SocketAddr>,
}
