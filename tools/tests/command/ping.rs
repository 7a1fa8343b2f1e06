//! `snapback ping`, against hosts of every kind and against nobody.

use crate::support::{Host, Run, snapback};
use snapback::transport::packet::{ConnectionKey, Cookie, Knock, PROTOCOL_VERSION, Refusal, RefusalReason};
use snapback::transport::{Ticket, TicketSecurity};
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

fn address_of(host: &Host) -> String {
    host.ticket.parse::<Ticket>().unwrap().address.to_string()
}

fn end(mut host: Host) -> Run {
    host.child.kill().unwrap();
    host.finish()
}

#[test]
fn a_waiting_host_answers_every_knock_and_takes_no_seat_away() {
    let host = Host::start(&["--seconds", "1"]);
    let run = snapback(&["ping", &address_of(&host), "--count", "4", "--interval", "20"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], format!("{}: 4 knocks of 96 bytes, 20 ms apart", address_of(&host)));
    for (number, line) in (1..=4).zip(&lines[1..5]) {
        assert!(line.starts_with(&format!("{number:>4}  ")) && line.ends_with(" ms"), "{line}");
    }
    assert_eq!(lines[5], "4 sent, 4 answered, 0 lost (0 %)");
    assert!(lines[6].starts_with("round trip: ") && lines[6].contains(" ms mean, "), "{}", lines[6]);
    assert_eq!(lines[7], format!("host: protocol version {PROTOCOL_VERSION}, encrypted"));
    assert_eq!(lines.len(), 9);
    let joined = snapback(&["join", &host.ticket]);
    assert_eq!((joined.code, host.finish().code), (Some(0), Some(0)), "{}", joined.err);
}

#[test]
fn a_host_without_encryption_says_so_and_the_ticket_is_enough() {
    let host = Host::start(&["--seconds", "1", "--insecure-lan"]);
    let run = snapback(&["ping", &host.ticket, "--count", "3", "--interval", "20", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report = run.json();
    assert_eq!((report["host"].as_str(), report["encrypted"].as_bool()), (Some(&*address_of(&host)), Some(false)));
    assert_eq!((report["sent"].as_u64(), report["answered"].as_u64(), report["lost"].as_u64()), (Some(3), Some(3), Some(0)));
    assert_eq!(report["protocol_version"].as_u64(), Some(PROTOCOL_VERSION.into()));
    let [min, mean, max] = ["min", "mean", "max"].map(|of| report["round_trip_us"][of].as_u64().unwrap());
    assert!(min > 0 && min <= mean && mean <= max, "{report}");
    assert_eq!(run.err, "");
    end(host);
}

#[test]
fn nobody_answers() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let message = format!(
        "no answer from {address} to 2 knocks: check the address and the port, that the host is still running, and that both firewalls let \
         UDP through"
    );
    let run = snapback(&["ping", &address, "--count", "2", "--interval", "10", "--wait", "0.2"]);
    assert_eq!((run.code, run.err), (Some(4), format!("error: {message}\n")));
    assert!(run.out.ends_with("   1  no answer within 0.2 s\n   2  no answer within 0.2 s\n"), "{}", run.out);
    let run = snapback(&["ping", &address, "--count", "2", "--interval", "10", "--wait", "0.2", "--format", "json"]);
    assert_eq!((run.code, run.json()["error"].as_str()), (Some(4), Some(&*message)));
}

/// A host that gets every knock and sends what `answer` makes of its nonce and its number.
fn played_by(answer: impl Fn(&UdpSocket, SocketAddr, u64, usize) + Send + 'static) -> String {
    let host = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = host.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        host.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut buffer = [0; 2_048];
        for number in 1.. {
            let Ok((len, from)) = host.recv_from(&mut buffer) else { return };
            answer(&host, from, Knock::read(&buffer[..len]).unwrap().nonce, number);
        }
    });
    address
}

fn cookie(version: u16, nonce: u64) -> Vec<u8> {
    let mut out = [0; 64];
    let len = Cookie { version, nonce, cookie: [1; 16] }.write(&mut out);
    out[..len].to_vec()
}

fn pinged(address: &str, count: &str) -> serde_json::Value {
    let run = snapback(&["ping", address, "--count", count, "--interval", "10", "--wait", "0.5", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.json()
}

/// Whatever else comes: another nonce, the same answer twice, junk, an answer from elsewhere.
#[test]
fn strays_count_for_nothing() {
    let elsewhere = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = played_by(move |host, from, nonce, number| {
        host.send_to(&cookie(PROTOCOL_VERSION, nonce ^ 1), from).unwrap();
        host.send_to(b"junk", from).unwrap();
        elsewhere.send_to(&cookie(PROTOCOL_VERSION, nonce), from).unwrap();
        if number % 2 == 1 {
            for _ in 0..3 {
                host.send_to(&cookie(PROTOCOL_VERSION, nonce), from).unwrap();
            }
        }
    });
    let report = pinged(&address, "6");
    assert_eq!((report["sent"].as_u64(), report["answered"].as_u64(), report["lost"].as_u64()), (Some(6), Some(3), Some(3)));
    assert_eq!((report["lost_millionths"].as_u64(), report["grade"].as_str()), (Some(500_000), Some("poor")));
}

/// Answers that come in another order than the knocks went out belong to their own knocks: the first is answered after
/// the second, with the third.
#[test]
fn answers_are_told_apart_by_their_nonce() {
    let first = std::sync::Mutex::new(0);
    let address = played_by(move |host, from, nonce, number| {
        let mut first = first.lock().unwrap();
        let answered = match number {
            1 => {
                *first = nonce;
                return;
            }
            2 => vec![nonce],
            _ => vec![*first, nonce],
        };
        for nonce in answered {
            host.send_to(&cookie(PROTOCOL_VERSION, nonce), from).unwrap();
        }
    });
    let run = snapback(&["ping", &address, "--count", "3", "--interval", "100", "--format", "json"]);
    let report = run.json();
    assert_eq!(report["answered"].as_u64(), Some(3));
    assert!(report["round_trip_us"]["max"].as_u64().unwrap() > 150_000, "{report}");
}

#[test]
fn a_host_of_another_version_is_told_by_its_version() {
    let address = played_by(|host, from, nonce, _| assert!(host.send_to(&cookie(77, nonce), from).is_ok()));
    let run = snapback(&["ping", &address, "--count", "1"]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("host: protocol version 77, encrypted\n"), "{}", run.out);
    assert_eq!(run.err, format!("this program speaks protocol version {PROTOCOL_VERSION}: use the same version on both sides\n"));
}

#[test]
fn a_ticket_and_a_host_that_do_not_fit_together() {
    let ticket = |address: &str, security| {
        let address = address.parse().unwrap();
        Ticket { address, channels: None, match_id: 7, player_count: 2, simulation_hz: 60, frame_count: Some(60), security }.to_string()
    };
    let secret = "a5".repeat(32).parse().unwrap();
    let encrypted = TicketSecurity::Encrypted { fingerprint: "0f".repeat(32).parse().unwrap(), seat: 1, secret };
    let plaintext = played_by(|host, from, nonce, _| {
        let mut out = [0; 128];
        let len = Refusal { match_id: 0, nonce, reason: RefusalReason::NotEncrypted }.write(ConnectionKey::GREETING, &mut out);
        host.send_to(&out[..len], from).unwrap();
    });
    let run = snapback(&["ping", &ticket(&plaintext, encrypted), "--count", "1"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err, "the ticket is for an encrypted match, and whoever answers plays without encryption: ask for a new ticket\n");
    let sealed = played_by(|host, from, nonce, _| assert!(host.send_to(&cookie(PROTOCOL_VERSION, nonce), from).is_ok()));
    let run = snapback(&["ping", &ticket(&sealed, TicketSecurity::InsecureLan), "--count", "1"]);
    assert_eq!(run.err, "the ticket is for a match without encryption, and whoever answers plays with it: ask for a new ticket\n");
}

#[test]
fn options_and_addresses_that_are_impossible() {
    for (args, message) in [
        (
            &["ping", "127.0.0.1"][..],
            "error: \"127.0.0.1\" has no port: write an address and a port such as 192.168.1.20:7000 or [2001:db8::20]:7000, or give a ticket",
        ),
        (&["ping", "127.0.0.1:9", "--interval", "0.5"], "error: invalid value '0.5' for '--interval <MS>': write 1 or more"),
        (&["ping", "127.0.0.1:9", "--wait", "0"], "error: invalid value '0' for '--wait <S>': write 0.001 or more"),
        (&["ping", "snapback2,hello"], "error: this ticket has no \"check=\": copy the whole line that the host printed"),
    ] {
        let run = snapback(args);
        assert_eq!((run.code, run.err.lines().next()), (Some(2), Some(message)));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_what_is_known() {
    let address = played_by(|host, from, nonce, _| assert!(host.send_to(&cookie(PROTOCOL_VERSION, nonce), from).is_ok()));
    let mut ping = crate::support::command(&["ping", &address, "--count", "0", "--interval", "5", "--format", "json"]);
    let ping = ping.stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(800));
    assert!(std::process::Command::new("kill").args(["-INT", &ping.id().to_string()]).status().unwrap().success());
    let output = ping.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["answered"].as_u64().unwrap() > 10, "{report}");
    assert_eq!(report["lost"].as_u64(), Some(0), "{report}");
}
