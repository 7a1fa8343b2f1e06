//! The options of `snapback inspect`, and what its help says below them.

use crate::cli::Format;
use crate::decimal::whole;
use clap::{Args, Subcommand};

/// What to look at.
#[derive(Args, Clone, Debug)]
pub(crate) struct InspectOptions {
    #[command(subcommand)]
    pub(super) subject: Subject,
}

#[derive(Subcommand, Clone, Debug)]
pub(super) enum Subject {
    /// The state of the fighting world, section by section
    World,

    /// A packet, field by field: from its hex digits or from a capture
    ///
    /// Explains every byte of a datagram: all packets of Snapback and the records of DTLS, in which encrypted matches travel.
    /// What is sealed cannot be shown.
    #[command(after_help = PACKET_EXAMPLES)]
    Packet(PacketOptions),
}

/// `snapback inspect packet`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PacketOptions {
    /// The bytes in hex (spaces, colons and 0x do not matter), a pcap or pcapng file, or - for a capture on stdin
    #[arg(value_name = "HEX|FILE", required = true)]
    pub(super) subject: Vec<String>,

    /// The hex digits are of a packet from inside an encrypted connection, after decryption: without a checksum
    #[arg(long)]
    pub(super) decrypted: bool,

    /// The size of one player's input in bytes, 1 to 64; a capture that has the handshake says it itself
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = whole::<u8>(1..=64), help_heading = "Inputs")]
    pub(super) input_bytes: u8,

    /// How many players the sender has, 1 to 8; a capture that has the handshake says it itself
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u8>(1..=8), help_heading = "Inputs")]
    pub(super) players: u8,

    /// Every field of every datagram, instead of one line for each
    #[arg(long, help_heading = "Captures")]
    pub(super) full: bool,

    /// Only the datagram with this number, with every field
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX), help_heading = "Captures")]
    pub(super) packet: Option<u64>,

    /// Only datagrams from or to this port
    #[arg(long, value_name = "PORT", allow_negative_numbers = true, value_parser = whole::<u16>(0..=65_535), help_heading = "Captures")]
    pub(super) port: Option<u16>,

    /// How it looks on stdout; json is one object a line, one for each datagram
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    pub(super) format: Format,
}

const PACKET_EXAMPLES: &str = "\
Examples:
  snapback inspect packet 05 01 00 00 00 00 00 00 00 02 00 03 ff ff 00 00 aa bb cc dd
  snapback inspect packet 0x075632524203000700000000000000   a Knock that was cut: see where it ends
  tcpdump -i any -w match.pcap udp port 7000                 makes a capture
  snapback inspect packet match.pcap                         one line for each datagram
  snapback inspect packet match.pcap --packet 12             every field of one
  snapback inspect packet match.pcap --port 7000 --format json

A whole Knock is 96 bytes: 07, then \"V2RB\", a version, a nonce, and zeros:
  07 56325242 0300 0807060504030201 00 00 00 ...
at  len  field     value               meaning
 0    1  type      7 (0x07)            Knock: a peer wants to dial with encryption
 1    4  magic     \"V2RB\"              a packet of Snapback
 5    2  version   3                   the protocol version that this program speaks
 7    8  nonce     0x0102030405060708  drawn by the sender; the answer repeats it
15   81  fill      zeros               so that no answer is longer than the question

The checksum of a plaintext connection is seeded with the match and the nonces of both ends: it is
checked if the capture has the Welcome, else it cannot be.

Exit codes:
  0    it was shown, whatever it is: damage is shown too
  2    it is neither hex digits nor a capture, or it has no such datagram
  3    the capture is damaged: everything before the damage was shown
  4    the file cannot be read, or the output not be written";
