//! The options of `snapback inspect`, and what its help says below them.

use crate::cli::Format;
use crate::decimal::whole;
use clap::{Args, Subcommand};
use snapback_rewind::scenario::MAX_SHOTS;
use std::path::PathBuf;

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

    /// A shot under lag compensation: why it hit or missed
    ///
    /// Plays a scenario, a text file that says who moves where and who fires when, on a server of its own, and explains every
    /// shot: where the server looked for the targets, what the shot met, and what spoke against everybody else. Nothing is sent,
    /// and the same file gives the same result on every machine.
    #[command(after_help = REWIND_EXAMPLES)]
    Rewind(RewindOptions),
}

/// `snapback inspect rewind`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RewindOptions {
    /// The scenario, in TOML
    #[arg(value_name = "SCENARIO")]
    pub(super) scenario: PathBuf,

    /// Also write a page to look at: one file with a time scrubber, from above and from the side
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    /// Only the shot with this number, in the order of the file
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(1..=MAX_SHOTS as u64))]
    pub(super) shot: Option<usize>,

    /// How it looks on stdout; json is one object
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    format: Format,

    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl RewindOptions {
    pub(super) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

const REWIND_EXAMPLES: &str = "\
Examples:
  snapback inspect rewind sim/rewind/scenarios/view_delay.toml                   the verdict, and why
  snapback inspect rewind sim/rewind/scenarios/view_delay.toml --html shot.html  a page: open it in a browser
  snapback inspect rewind sim/rewind/scenarios/crouch.toml --shot 2 --json

A scenario, as short as it can be: Anna fires at where she saw Bert 100 ms before.
  name = \"Hit because of the view delay\"
  tick_rate_hz = 60
  duration_ms = 500
  [[actor]]
  name = \"Anna\"
  muzzle_cm = [0, 150, 0]
  [[actor.key]]
  at_ms = 0
  position_cm = [0, 0, 0]
  [[actor]]
  name = \"Bert\"
  [[actor.hitbox]]
  name = \"body\"
  shape = \"capsule\"
  radius_cm = 34
  half_height_cm = 90
  offset_cm = [0, 90, 0]
  [[actor.key]]
  at_ms = 0
  position_cm = [-120, 0, 1500]
  [[actor.key]]
  at_ms = 500
  position_cm = [180, 0, 1500]
  [[shot]]
  name = \"rifle\"
  shooter = \"Anna\"
  kind = \"hitscan\"
  fire_ms = 300
  arrives_ms = 340
  view_delay_ms = 100
  aim_at = \"Bert\"
  [shot.expect]
  hit = \"Bert\"
sim/rewind/docs/scenarios.md has every key; sim/rewind/scenarios/ has a scenario for each thing there is to learn.

Words of the answer:
  fired, taken      when the shooter fired, and the tick at which the server took the shot
  targets as of     where the server looked for the targets: fire time minus view delay, at most max_rewind ago
  passed            it came near, was tested exactly, and missed
  too far           the ball around the hitbox was never met, so nothing else was tested
  behind ...        it stood in the line of the shot, but something stopped the shot before

Exit codes:
  0    it was played, and every shot came out as its [shot.expect] says, if it has one
  1    a shot came out otherwise, or was refused where no refusal was expected
  2    the scenario is wrong; the line says where, and what to write instead
  4    the file cannot be read, or the page or the output not be written";

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
