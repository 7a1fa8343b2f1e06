//! Everything that a person or a network can get wrong: one line that says what to do, and its code.

use crate::support::{file, frame_data, recording, snapback};
use snapback::transport::packet::{Cookie, Knock, PROTOCOL_VERSION};
use snapback::transport::{Ticket, TicketSecurity};
use std::net::{SocketAddr, UdpSocket};

fn ticket_for(address: SocketAddr) -> String {
    let fingerprint = "0f".repeat(32).parse().unwrap();
    ticket_with(address, TicketSecurity::Encrypted { fingerprint, seat: 1, secret: "a5".repeat(32).parse().unwrap() })
}

fn ticket_with(address: SocketAddr, security: TicketSecurity) -> String {
    Ticket { address, channels: None, match_id: 7, player_count: 2, simulation_hz: 60, frame_count: Some(60), security }.to_string()
}

fn fails(args: &[&str]) -> (Option<i32>, String) {
    let run = snapback(args);
    assert_eq!(run.out, "");
    (run.code, run.error().to_owned())
}

#[track_caller]
fn is_usage(args: &[&str], message: &str) {
    assert_eq!(fails(args), (Some(2), format!("error: {message}")));
}

#[test]
fn files_that_cannot_be_used() {
    let missing = "/nowhere/at/all";
    let reason = "No such file or directory (os error 2); check the path";
    is_usage(&["duel", "--inputs", missing], &format!("cannot read the inputs {missing}: {reason}"));
    is_usage(&["duel", "--link-trace", missing], &format!("cannot read the link trace {missing}: {reason}"));
    is_usage(&["duel", "--frame-data", missing], &format!("cannot read the frame data {missing}: {reason}"));
    let text = file("bad.txt", b"hello");
    is_usage(&["duel", "--inputs", &text], &format!("{text}: it does not begin with H6FG0001: give a .fg file of recorded inputs"));
    is_usage(
        &["host", "--link-trace", &text],
        &format!("{text}: trace line 1 is \"hello\": expected `t_ms,rtt_ms`, such as `11.4,25.61` or `22.8,LOST`"),
    );
    let folder = frame_data("bad_frame_data", 0, |_| "hello".to_owned());
    let rules = format!("{folder}/rules.toml");
    is_usage(&["duel", "--frame-data", &folder], &format!("{rules}: line 1: key with no value, expected `=`; write it as TOML"));
    is_usage(
        &["duel", "--frame-data", &text],
        &format!("cannot read the frame data {text}: Not a directory (os error 20); check the path"),
    );
    let two_ports = recording("bad_input.fg");
    is_usage(&["duel", "--inputs", &two_ports, "--port", "9"], &format!("{two_ports}: it has no player at port 9: its ports are [2, 5]"));
    let cut = std::fs::read(&two_ports).unwrap();
    let cut = file("cut.fg", &cut[..cut.len() - 1]);
    is_usage(&["host", "--inputs", &cut], &format!("{cut}: its header promises 548 bytes of inputs and it has 547: copy it again"));
}

#[test]
fn tickets_that_are_none() {
    let copy = "copy the whole line that the host printed";
    is_usage(&["join", "hello"], &format!("this is not a match ticket: a ticket begins with \"snapback2,\"; {copy}"));
    let ticket = ticket_for("127.0.0.1:9".parse().unwrap());
    let mistyped = ticket.replace("players=2", "players=3");
    is_usage(&["join", &mistyped], &format!("this ticket is damaged (its checksum does not fit): {copy}"));
    is_usage(&["join", &ticket[..30]], &format!("this ticket has no \"check=\": {copy}"));
    is_usage(
        &["join", &ticket.replace("snapback2", "snapback9")],
        "this ticket begins with \"snapback9\" and this program reads \"snapback2\": use the same version on both sides",
    );
    is_usage(&["join", &ticket, "--insecure-lan"], "this ticket is for an encrypted match: leave --insecure-lan out");
}

#[test]
fn options_that_are_impossible() {
    is_usage(
        &["host", "--listen", "0.0.0.0:0"],
        "0.0.0.0 is no address that others can send to: give --advertise the one that they reach you at",
    );
    is_usage(
        &["duel", "--seconds", "1", "--plant-desync", "60"],
        "--plant-desync 60 is after the last frame, 59; plant an earlier one or play longer",
    );
    for (args, message) in [
        (
            &["duel", "--loss", "101"][..],
            "invalid value '101' for '--loss <PERCENT>': write a number of percent from 0 to 100, such as 2 or 0.5",
        ),
        (&["duel", "--loss", "-1"], "invalid value '-1' for '--loss <PERCENT>': write a number of percent from 0 to 100, such as 2 or 0.5"),
        (&["duel", "--rtt", "0.0001"], "invalid value '0.0001' for '--rtt <MS>': at most 3 decimals"),
        (&["duel", "--players", "9"], "invalid value '9' for '--players <N>': write a whole number from 2 to 8"),
        (&["duel", "--seconds", "0"], "invalid value '0' for '--seconds <S>': write a whole number from 1 to 86400"),
        (&["duel", "--seconds", "-5"], "invalid value '-5' for '--seconds <S>': write a whole number from 1 to 86400"),
        (&["host", "--seconds", "1.5"], "invalid value '1.5' for '--seconds <S>': write a whole number from 0 to 86400"),
        (
            &["duel", "--seed", "18446744073709551616"],
            "invalid value '18446744073709551616' for '--seed <N>': write a whole number from 0 to 2^64 - 1 (18446744073709551615)",
        ),
        (&["duel", "--port", "1"], "the following required arguments were not provided:"),
        (
            &["host", "--advertise", "here"],
            "invalid value 'here' for '--advertise <ADDR[:PORT]>': write a numeric address such as 192.168.1.20, 192.168.1.20:7000 or \
             [2001:db8::20]:7000",
        ),
        (
            &["host", "--listen", "localhost:7000"],
            "invalid value 'localhost:7000' for '--listen <ADDR:PORT>': write a numeric address and a port such as 127.0.0.1:7000, \
             0.0.0.0:0 or [::1]:7000",
        ),
    ] {
        let run = snapback(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert_eq!(run.err.lines().next(), Some(format!("error: {message}").as_str()));
    }
}

#[test]
fn files_that_are_no_text_too_large_or_too_many() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("binary_frame_data");
    std::fs::create_dir_all(&folder).unwrap();
    let binary = file("binary_frame_data/binary.toml", &[0xFF, 0xFE]);
    let message = format!("{binary}: this is not text: give the frame data as TOML in UTF-8");
    is_usage(&["duel", "--frame-data", &folder.display().to_string()], &message);
    is_usage(&["host", "--link-trace", &binary], &format!("{binary}: this is not text: give the link trace as CSV in UTF-8"));
    let large = file("large.fg", b"");
    std::fs::File::options().write(true).open(&large).unwrap().set_len((64 << 20) + 1).unwrap();
    is_usage(&["duel", "--inputs", &large], &format!("{large}: it is larger than 64 MiB; give a shorter recording"));
    let two_ports = recording("too_many.fg");
    let fewer = "all 2 players have a recording already: give fewer --inputs or --port, or more --players";
    is_usage(&["duel", "--inputs", &two_ports, "--inputs", &two_ports], &format!("{two_ports}: {fewer}"));
    is_usage(
        &["host", "--inputs", &two_ports, "--port", "2", "--port", "5"],
        &format!("{two_ports}: only one player plays here, and has a recording already: give one --inputs and at most one --port"),
    );
}

#[test]
fn addresses_that_do_not_fit_together() {
    is_usage(&["host", "--advertise", "224.0.0.1"], "224.0.0.1 is the address of many machines: give --advertise one of this machine");
    is_usage(
        &["host", "--listen", "127.0.0.1:0", "--advertise", "[::1]:7000"],
        "--advertise [::1]:7000 is IPv6 and --listen 127.0.0.1:0 is IPv4: use the same kind for both",
    );
    is_usage(
        &["join", &ticket_for("127.0.0.1:9".parse().unwrap()), "--listen", "[::1]:0"],
        "--listen [::1]:0 is IPv6 and the host's address 127.0.0.1:9 is IPv4: leave --listen out, or use such as 127.0.0.1:0",
    );
}

/// A program that reads stdout finds an object there, whatever went wrong.
#[test]
fn an_error_is_an_object_where_json_is_asked_for() {
    for (args, message) in [
        (&["host", "--wait", "0.2"][..], "only 1 of 2 players are here after 0.2 s; start again, or wait longer with --wait"),
        (
            &["duel", "--loss", "100", "--seconds", "1"],
            "one of the players: nobody was heard; the link is too bad: lower --loss or --rtt, or follow another --link-trace",
        ),
    ] {
        let run = snapback(&[args, &["--format", "json"]].concat());
        assert_eq!(run.code, Some(4));
        assert_eq!((run.json()["agree"].as_bool(), run.json()["error"].as_str()), (Some(false), Some(message)));
        assert_eq!(run.error(), format!("error: {message}"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    for args in [&["duel", "--fast", "--seconds", "1"][..], &["host"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_snapback")).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(err, "error: cannot write to stdout: No space left on device (os error 28); send the output somewhere else\n");
    }
}

#[test]
fn a_port_in_use() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let message = format!("error: port {} on 127.0.0.1 is in use: choose another, or 0 for any free one", address.port());
    assert_eq!(fails(&["host", "--listen", &address.to_string()]), (Some(4), message.clone()));
    let ticket = ticket_for("127.0.0.1:9".parse().unwrap());
    assert_eq!(fails(&["join", &ticket, "--listen", &address.to_string()]), (Some(4), message));
}

#[test]
fn a_host_that_never_answers() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let message = format!(
        "error: no answer from {address} within 0.4 s: check that the host is still running and that UDP gets through; --wait S waits longer"
    );
    assert_eq!(fails(&["join", &ticket_for(address), "--wait", "0.4"]), (Some(4), message));
    let run = snapback(&["host", "--wait", "0.4"]);
    assert_eq!(run.code, Some(4));
    assert_eq!(run.error(), "error: only 1 of 2 players are here after 0.4 s; start again, or wait longer with --wait");
}

#[test]
fn a_duel_on_a_link_that_lets_nothing_through() {
    let (code, error) = fails(&["duel", "--fast", "--loss", "100"]);
    assert_eq!(code, Some(4));
    assert!(error.ends_with("only 0 frames are confirmed by everybody: the link is too bad, lower --rtt or --loss"), "{error}");
}

#[test]
fn a_host_of_another_version() {
    let host = UdpSocket::bind("127.0.0.1:0").unwrap();
    let ticket = ticket_for(host.local_addr().unwrap());
    let answer = std::thread::spawn(move || {
        let mut buffer = [0; 2_048];
        let (len, from) = host.recv_from(&mut buffer).unwrap();
        let knock = Knock::read(&buffer[..len]).unwrap();
        let cookie = Cookie { version: PROTOCOL_VERSION + 1, nonce: knock.nonce, cookie: [0; 16] };
        let len = cookie.write(&mut buffer);
        host.send_to(&buffer[..len], from).unwrap();
    });
    let (code, error) = fails(&["join", &ticket]);
    answer.join().unwrap();
    assert_eq!(code, Some(4));
    let theirs = PROTOCOL_VERSION + 1;
    assert!(error.starts_with(&format!("error: the host speaks protocol version {theirs} and this program ")), "{error}");
    assert!(error.ends_with(": use the same version on both sides"), "{error}");
}

#[test]
fn help_and_version() {
    for command in [&[][..], &["duel"], &["host"], &["join"], &["netsim"], &["ping"], &["inspect", "packet"], &["inspect", "rewind"]] {
        let run = snapback(&[command, &["--help"]].concat());
        assert_eq!(run.code, Some(0));
        assert!(run.out.contains("Exit codes:") && run.out.contains("Example"), "{}", run.out);
    }
    assert_eq!(snapback(&["--version"]).out, concat!("snapback ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(snapback(&[]).code, Some(2));
    assert!(!snapback(&["--help"]).out.contains("duel-peer"));
    let (duel, host) = (snapback(&["help", "duel", "--help"]).out, snapback(&["host", "--help"]).out);
    assert!(duel.contains("[default: 80, or 0 with --link-trace]") && duel.contains("advantage "), "{duel}");
    assert!(!host.contains("--link-trace]") && host.contains("each way [default: 0]"), "{host}");
    assert_eq!(snapback(&["help", "--help"]).code, Some(0));
}
