//! What the help says below the options.

use snapback::transport::link::LinkPreset;

const EXIT_CODES: &str = "\
Exit codes:
  0    every frame is confirmed everywhere and all state hashes agree
  1    the peers disagree; the first frame and field that differ are named (by host and
       join if the other side could be asked)
  2    the options, a file or the ticket are wrong
  4    the network or a peer: port in use, nobody answers, a peer with another version
       or other frame data, a peer that is gone; or the output, or a file that
       was asked for, cannot be written
  130  ended with Ctrl-C
  143  ended with SIGTERM

With --format json stdout always has one object, except after exit code 2: the report or,
if nothing was played, {\"agree\": false, \"error\": \"...\"}.";

const PROGRESS: &str = "\
Progress, on stderr, every 5 s; on a terminal always anew in its place, unless chat is typed there:
  agreed     frames that all players have confirmed, with the same result
  confirmed  frames for which all inputs are known here
  P0         player 0: the frame it shows, and the round trip to the others
  rollback   frames that the deepest rollback since the last line went back
  advantage  frames that the player is ahead of the slowest other one, as it sees it
  stalls     frames for which the player had to wait, too far ahead of what is confirmed
With --net-graph instead (drawn on a terminal where no chat is typed, else a line), each with its last seven seconds; the newest is at the right:
  rtt, jitter, loss  of the worst connection; loss is before repair, the worse of both ways
  ahead              frames that the player is ahead of the slowest other one, which it waits for
  raw                the last confirmed frame of player 0 minus that of player 1, as seen here
  stalls             and what most of them were due to";

/// What it is in every command that plays with others.
const CHAT: &str = "\
Chat and results, on a socket of their own (--no-channels goes without it):
  Lines from stdin go to the others if stdin is a terminal, or with --chat. Who comes later gets
  the last 64 of them. What the others say is shown on stderr: `player 1: hello`. All players
  tell each other how each round and the match ended; who says otherwise is named.
  A line has 1000 bytes at most, 10 lines a second go out, and the JSON report has the first
  256 that arrived. At the end stderr says how many lines did not reach whom.";

const DUEL_CHAT: &str = "\
Chat and results, on a socket of their own (--no-channels goes without it):
  Lines from stdin are said by player 0, or by player 1 if they begin with `1:`, and so on, if
  stdin is a terminal, or with --chat. What has arrived is shown on stderr: `player 0 to player
  1: hello`. All players tell each other how each round and the match ended.
  A line has 1000 bytes at most, 10 lines a second go out, and the JSON report has the first
  256 that arrived. At the end stderr says how many lines did not reach whom.";

const TWO_PORTS: &str = "\
A host has two UDP ports: one for the match, one for chat and results. A router that hands on the
first must hand on the second too, or the match goes without: with --listen 0.0.0.0:7000 it is 7001.";

const TOP_EXAMPLES: &str = "\
Examples:
  snapback duel                       two processes play 20 s over a bad link
  snapback duel --fast --seconds 600  ten minutes in a moment, on virtual time
  snapback host --seconds 60          prints a ticket; then, on the other side:
  snapback join TICKET
  snapback ping TICKET                how far away that host is
  snapback netsim --help              a bad link for that match, or for any other program

Matches are encrypted. A ticket lets one player in: show it to nobody else.";

const DUEL_EXAMPLES: &str = "\
Examples:
  snapback duel
  snapback duel --rtt 150 --jitter 20 --loss 5 --reorder 1 --duplicate 1
  snapback duel --inputs match.fg --seconds 60
  printf 'hello\\n1: hi\\n' | snapback duel --chat
  snapback duel --players 4 --fast --seconds 600 --format json
  snapback duel --fast --plant-desync 300   see what a disagreement looks like";

const HOST_EXAMPLES: &str = "\
Examples:
  snapback host                       a match on this machine
  snapback host --listen 0.0.0.0:7000 --advertise 192.168.1.20 --players 3

The first lines on stdout are the tickets, one for each other player; everything else until the report
goes to stderr. With --format json stdout has the report alone, and stderr a line for each ticket:
`ticket: snapback2,...`, or `ticket of player 1: snapback2,...` if there are several.";

const JOIN_EXAMPLES: &str = "\
Examples:
  snapback join snapback2,addr=192.168.1.20:7000,chan=192.168.1.20:7001,match=…,check=…
  snapback join - --chat              the ticket is the first line of stdin, chat the rest";

const NETSIM_EXAMPLES: &str = "\
Examples:
  A match through bad Wi-Fi. The host listens on 7000 and writes 7001, where netsim
  listens, into its ticket; so the joiner comes through netsim without knowing it:
    snapback host --listen 127.0.0.1:7000 --advertise 127.0.0.1:7001
    snapback netsim --listen 127.0.0.1:7001 --to 127.0.0.1:7000 --preset wifi-bad
    snapback join TICKET
  This is for two players: with more, joiners also talk with each other.

  Anything else that speaks UDP: start your client with port 7001 instead of 7000.
    snapback netsim --listen 127.0.0.1:7001 --to 127.0.0.1:7000 --rtt 120 --loss 5
    snapback netsim --listen 127.0.0.1:7001 --to 127.0.0.1:7000 --preset lte \\
      --up rate=0.1,queue=16 --down delay=60,loss=2,burst=3 --seconds 60 --format json";

const NETSIM_NOTES: &str = "\
Clients:
  Each address that sends is a client. The program behind the link sees each one at a port
  of its own on this machine, and only the program's answers go back. There is room for 64;
  then the one that has been silent for longest goes, if that is at least 60 s. At most
  256 MiB are under way.

The same again:
  Seed and number of a client decide the fate of its 1st, 2nd, 3rd ... datagram each way.
  Outages and recordings begin with its first one. Only the time at which a program sends is
  its own: with limits of rate, outages or a recording, that matters too.

Time:
  The sockets are looked at every half millisecond, and a datagram leaves when it is due or a
  little later: a round trip takes about 1 ms longer than the link says (a bare echo through
  netsim: 1.0 ms; directly: 0.04 ms). What the system cannot hold for so long, some 250 small
  datagrams at a time from all clients, is lost and not counted.

Exit codes:
  0    the time is over
  2    the options or a file are wrong
  4    the port is in use, or the output cannot be written
  130  ended with Ctrl-C
  143  ended with SIGTERM

The report is printed in all cases but 2 and 4.";

/// What the link of a duel does: round trip, jitter, loss.
pub(crate) const DUEL_LINK: [&str; 3] =
    ["[default: 80, or 0 with --link-trace]", "[default: 10, or 0 with --link-trace]", "[default: 2, or 0 with --link-trace]"];

/// A program emulates only what it sends.
pub(crate) const REMOTE_RTT: &str = "[default: 0]. Only what this program sends is held back: for the whole round trip, give the \
                                     link's options to the others as well";

pub(crate) fn top() -> String {
    format!("{TOP_EXAMPLES}\n\n{EXIT_CODES}")
}

pub(crate) fn duel() -> String {
    format!("{DUEL_EXAMPLES}\n\n{DUEL_CHAT}\n\n{PROGRESS}\n\n{EXIT_CODES}")
}

pub(crate) fn host() -> String {
    format!("{HOST_EXAMPLES}\n\n{TWO_PORTS}\n\n{CHAT}\n\n{PROGRESS}\n\n{EXIT_CODES}")
}

pub(crate) fn netsim() -> String {
    let presets: String = LinkPreset::ALL.iter().map(|preset| format!("\n  {preset:<10} {}", preset.summary())).collect();
    format!("{NETSIM_EXAMPLES}\n\nPresets (their numbers: transport/docs/presets.md):{presets}\n\n{NETSIM_NOTES}")
}

pub(crate) fn join() -> String {
    format!("{JOIN_EXAMPLES}\n\n{CHAT}\n\n{PROGRESS}\n\n{EXIT_CODES}")
}
