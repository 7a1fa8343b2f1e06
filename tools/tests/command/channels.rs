//! Chat and results on the second socket: what one player types is what another one sees.

use crate::support::{Host, Run, frame_data, snapback, snapback_saying};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A world whose rounds last a second and a half.
fn short_rounds(name: &str) -> String {
    let rules = snapback::sim::WorldData::default_files().iter().position(|file| file.name == "rules.toml").unwrap();
    frame_data(name, rules, |text| {
        text.replacen("round_frames = 3600", "round_frames = 60", 1).replacen("round_end_frames = 90", "round_end_frames = 10", 1)
    })
}

/// Who said what to whom, in the order of the report.
fn chat(report: &Value) -> Vec<(u64, u64, String)> {
    let lines = report["chat"].as_array().unwrap();
    lines
        .iter()
        .map(|line| (line["from"].as_u64().unwrap(), line["to"].as_u64().unwrap(), line["text"].as_str().unwrap().to_owned()))
        .collect()
}

fn line(from: u64, to: u64, text: &str) -> (u64, u64, String) {
    (from, to, text.to_owned())
}

/// What each player in the report has heard of the results of the others.
fn heard(report: &Value) -> Vec<&Value> {
    report["peers"].as_array().unwrap().iter().flat_map(|peer| peer["channels"]["results_heard"].as_array().unwrap()).collect()
}

/// Every player has heard from as many others how it ended, and it is so.
fn all_agree(report: &Value, players: usize, others: usize) {
    let heard = heard(report);
    assert_eq!(heard.len(), players * others, "{report}");
    for said in heard {
        assert_eq!((&said["agrees"], &said["is_final"]), (&json!(true), &json!(true)), "{report}");
    }
}

fn played(runs: &[&Run]) {
    for run in runs {
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
}

#[test]
fn what_one_side_types_the_other_sees() {
    let data = short_rounds("chat_rounds");
    let common = ["--chat", "--frame-data", &data, "--format", "json"];
    let host = Host::start_saying(&[&["--seconds", "4"], &common[..]].concat(), "hello there\nhow are you?\n");
    assert!(host.ticket.contains(",chan=127.0.0.1:"), "{}", host.ticket);
    // The ticket is the first line, and what comes after it is chat. The last line needs no end.
    let joined = snapback_saying(&[&["join", "-"], &common[..]].concat(), &format!("{}\nhi!\n\n  ÄÖÜ 你好", host.ticket));
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    assert!(joined.err.contains("\nplayer 0: hello there\nplayer 0: how are you?\n"), "{}", joined.err);
    assert!(hosted.err.contains("\nplayer 1: hi!\nplayer 1: ÄÖÜ 你好\n"), "{}", hosted.err);
    let (hosted, joined) = (hosted.json(), joined.json());
    assert_eq!(chat(&joined), [line(0, 1, "hello there"), line(0, 1, "how are you?")]);
    assert_eq!(chat(&hosted), [line(1, 0, "hi!"), line(1, 0, "ÄÖÜ 你好")]);
    for (report, other) in [(&hosted, 1), (&joined, 0)] {
        all_agree(report, 1, 1);
        let rounds = report["results"].as_array().unwrap().len();
        assert!(rounds > 0, "{report}");
        assert_eq!(heard(report)[0]["rounds"], rounds);
        let connection = &report["peers"][0]["channels"]["connections"][0];
        assert_eq!(connection["player"], other);
        // Two lines, the rounds, the end and the signed result.
        for count in ["sent", "delivered", "received"] {
            assert_eq!(connection[count], 2 + rounds + 2, "{count}: {connection}");
        }
    }
}

#[test]
fn a_line_of_a_duel_is_shown_once_it_has_arrived() {
    let run = snapback_saying(&["duel", "--chat", "--seconds", "3", "--format", "json"], "hello\n1: hi: you\n5: nobody\n0: bye\n");
    played(&[&run]);
    for shown in ["player 0 to player 1: hello\n", "player 1 to player 0: hi: you\n", "player 0 to player 1: bye\n"] {
        assert!(run.err.contains(shown), "{}", run.err);
    }
    assert!(run.err.contains("there is no player 5 who could say that: begin a line with 0: to 1:\n"), "{}", run.err);
    let report = run.json();
    let (mut said, expected) = (chat(&report), [line(0, 1, "hello"), line(0, 1, "bye"), line(1, 0, "hi: you")]);
    said.sort_by_key(|(from, ..)| *from);
    assert_eq!(said, expected);
    all_agree(&report, 2, 1);
}

/// The joiners talk with each other, not through the host.
#[test]
fn three_players_hear_each_other() {
    let data = short_rounds("three_chat_rounds");
    let lines = "0: from zero\n1: from one\n2: from two\n";
    let run = snapback_saying(&["duel", "--players", "3", "--chat", "--seconds", "4", "--frame-data", &data, "--format", "json"], lines);
    played(&[&run]);
    let report = run.json();
    let mut expected = BTreeSet::new();
    for (from, text) in [(0, "from zero"), (1, "from one"), (2, "from two")] {
        expected.extend((0..3).filter(|to| *to != from).map(|to| line(from, to, text)));
    }
    assert_eq!(chat(&report).into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!(report["chat"].as_array().unwrap().len(), 6);
    all_agree(&report, 3, 2);
    assert!(!report["results"].as_array().unwrap().is_empty());
    assert!(heard(&report).iter().all(|said| said["rounds"] == report["results"].as_array().unwrap().len()));
}

#[test]
fn a_link_that_loses_a_fifth_loses_no_line_and_no_result() {
    let data = short_rounds("lossy_chat_rounds");
    let said: Vec<String> = (0..20).map(|n| format!("line {n}")).collect();
    let lines = said.iter().map(|text| format!("{text}\n")).collect::<String>();
    let link = ["--loss", "20", "--rtt", "60", "--seed", "3"];
    let run =
        snapback_saying(&[&["duel", "--chat", "--seconds", "5", "--frame-data", &data, "--format", "json"], &link[..]].concat(), &lines);
    played(&[&run]);
    let report = run.json();
    let arrived: Vec<_> = said.iter().map(|text| line(0, 1, text)).collect();
    assert_eq!(chat(&report), arrived);
    all_agree(&report, 2, 1);
    let resent = |peer: usize| report["peers"][peer]["channels"]["connections"][0]["resent"].as_u64().unwrap();
    assert!(resent(0) > 0, "{report}");
}

/// What a stranger says goes to a terminal.
#[test]
fn nothing_that_a_terminal_obeys_comes_through() {
    let host = Host::start_saying(&["--chat", "--seconds", "2"], "\x1b[2J\x1b[31mred\x1b]0;title\x07\u{202e}\x08 alert\u{9b}1m\nlast\n");
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    played(&[&host.finish(), &joined]);
    assert_eq!(chat(&joined.json()), [line(0, 1, "red alert"), line(0, 1, "last")]);
    assert!(joined.err.contains("player 0: red alert\n"), "{}", joined.err);
    assert!(joined.err.chars().chain(joined.out.chars()).all(|char| char == '\n' || !char.is_control()), "{:?}", joined.err);
}

#[test]
fn a_line_that_is_too_long_costs_only_itself() {
    let lines = format!("first\n{}\nlast\n", "x".repeat(100_000));
    let host = Host::start_saying(&["--chat", "--seconds", "2"], &lines);
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    assert_eq!(hosted.err.matches("a line of more than 1000 bytes was not said: say it in parts\n").count(), 1, "{}", hosted.err);
    assert_eq!(chat(&joined.json()), [line(0, 1, "first"), line(0, 1, "last")]);
}

/// Whoever does not read what is said stops nobody, not even itself.
#[cfg(target_os = "linux")]
#[test]
fn a_joiner_whose_stderr_nobody_reads_plays_to_the_end() {
    use std::io::{Read, Write};
    // A pipe holds 64 KiB: there is room for a few lines.
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&[b'#'; 60 << 10]).unwrap();
    let said: Vec<String> = (0..20).map(|n| format!("{n:02} {}", "y".repeat(900))).collect();
    let lines = said.iter().map(|text| format!("{text}\n")).collect::<String>();
    let host = Host::start_saying(&["--chat", "--seconds", "4", "--format", "json"], &lines);
    let mut command = crate::support::command(&["join", &host.ticket, "--format", "json"]);
    let mut joined = command.stderr(writer).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(command);
    // One that waits for a reader would do so for ever.
    let mut looks = 0;
    while joined.try_wait().unwrap().is_none() && looks < 300 {
        looks += 1;
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let _ = joined.kill();
    let joined = joined.wait_with_output().unwrap();
    let hosted = host.finish();
    played(&[&hosted]);
    assert!(!hosted.err.contains("is gone") && !hosted.err.contains("nothing is heard"), "{}", hosted.err);
    assert!(joined.status.success());
    let report: Value = serde_json::from_slice(&joined.stdout).unwrap();
    assert_eq!((&report["agree"], &report["peers"][0]["confirmed_frames"]), (&json!(true), &json!(240)));
    assert_eq!(chat(&report).len(), said.len());
    let mut noted = String::new();
    reader.read_to_string(&mut noted).unwrap();
    assert!(noted.contains("player 0: 00 yyy") && !noted.contains("player 0: 19 "), "{noted}");
}

#[test]
fn without_encryption_it_works_too() {
    let host = Host::start_saying(&["--chat", "--seconds", "2", "--players", "3", "--insecure-lan", "--format", "json"], "hello\n");
    let join = |text: &'static str| {
        let ticket = host.ticket.clone();
        std::thread::spawn(move || {
            snapback_saying(&["join", "-", "--chat", "--insecure-lan", "--format", "json"], &format!("{ticket}\n{text}\n"))
        })
    };
    let joined = [join("one"), join("other")].map(|joined| joined.join().unwrap());
    let hosted = host.finish();
    played(&[&hosted, &joined[0], &joined[1]]);
    let reports = [hosted.json(), joined[0].json(), joined[1].json()];
    let texts = |report: &Value| chat(report).into_iter().map(|(.., text)| text).collect::<BTreeSet<_>>();
    let set = |texts: [&str; 2]| texts.map(str::to_owned).into_iter().collect::<BTreeSet<_>>();
    assert_eq!(reports.each_ref().map(texts), [set(["one", "other"]), set(["hello", "other"]), set(["hello", "one"])]);
    for report in &reports {
        all_agree(report, 1, 2);
    }
}

#[test]
fn a_match_may_go_without_channels() {
    let host = Host::start(&["--seconds", "1", "--no-channels", "--format", "json"]);
    assert!(!host.ticket.contains("chan="), "{}", host.ticket);
    for option in [&["--chat"][..], &["--channels-listen", "127.0.0.1:0"]] {
        let run = snapback(&[&["join", &host.ticket], option].concat());
        let name = option[0];
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert_eq!(
            run.error(),
            format!("error: this ticket is for a match without channels: leave {name} out, or ask for a match that has them")
        );
    }
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    for report in [hosted.json(), joined.json()] {
        assert_eq!((&report["peers"][0]["channels"], &report["chat"]), (&Value::Null, &json!([])));
    }
    let duel = snapback_saying(&["duel", "--no-channels", "--seconds", "1", "--format", "json"], "hello\n");
    played(&[&duel]);
    assert_eq!((&duel.json()["peers"][1]["channels"], &duel.json()["chat"]), (&Value::Null, &json!([])));
}

/// Nobody waits for what never comes.
#[test]
fn one_player_may_go_without_channels() {
    let host = Host::start_saying(&["--chat", "--seconds", "1", "--format", "json"], "hello\n");
    let joined = snapback(&["join", &host.ticket, "--no-channels", "--format", "json"]);
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    assert_eq!(joined.json()["peers"][0]["channels"], Value::Null);
    assert_eq!(hosted.json()["peers"][0]["channels"], json!({ "connections": [], "results_heard": [] }));
    assert!(hosted.err.contains("1 line of chat did not reach player 1\n"), "{}", hosted.err);
    assert!(hosted.err.contains("no channels to player 1: it was never there (it may play without)\n"), "{}", hosted.err);
    // Whoever does not want them is not told.
    let host = Host::start(&["--seconds", "1"]);
    let joined = snapback(&["join", &host.ticket, "--no-channels"]);
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    assert!(!hosted.err.contains("no channels"), "{}", hosted.err);
}

/// How long.
const CARRIED_MS: u128 = 1_500;

/// Carries datagrams between the first who sends to it and `to`, for a while after the first one.
#[expect(clippy::disallowed_types, reason = "a program owns its clock")]
fn carry_for_a_while(to: std::net::SocketAddr) -> std::net::SocketAddr {
    use std::net::UdpSocket;
    use std::time::Duration;
    let outer = UdpSocket::bind("127.0.0.1:0").unwrap();
    let inner = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = outer.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 2_048];
        let (len, client) = outer.recv_from(&mut buffer).unwrap();
        inner.send_to(&buffer[..len], to).unwrap();
        for socket in [&outer, &inner] {
            socket.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        }
        let clock = std::time::Instant::now();
        while clock.elapsed().as_millis() < CARRIED_MS {
            while let Ok((len, _)) = outer.recv_from(&mut buffer) {
                let _ = inner.send_to(&buffer[..len], to);
            }
            while let Ok((len, _)) = inner.recv_from(&mut buffer) {
                let _ = outer.send_to(&buffer[..len], client);
            }
        }
        // Nothing of it may be refused by the system, which would be another kind of end.
        std::thread::sleep(Duration::from_secs(60));
    });
    address
}

#[test]
fn what_did_not_arrive_is_said_at_the_end() {
    let listen = std::net::UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let carried = carry_for_a_while(listen);
    let lines: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let addresses = ["--channels-listen", &listen.to_string(), "--channels-advertise", &carried.to_string()];
    let host = Host::start_saying(&[&["--chat", "--seconds", "4"], &addresses[..]].concat(), &lines);
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    let hosted = host.finish();
    played(&[&hosted, &joined]);
    let arrived = chat(&joined.json()).len();
    let number = |text: &str| {
        let line = hosted.err.lines().find(|line| line.contains(text));
        line.map_or(0, |line| line.split_whitespace().next().unwrap().parse::<usize>().unwrap())
    };
    let (lost, unsaid) = (number("of chat did not reach player 1"), number("not said before the end: at most 10 lines a second are"));
    // What arrived may not be known to have arrived, and every other line is told of.
    assert!(arrived > 0 && lost > 0 && lost + unsaid <= 40 && arrived + lost + unsaid >= 40, "{arrived}\n{}", hosted.err);
    for (run, other) in [(&hosted, 1), (&joined, 0)] {
        assert!(run.err.contains(&format!("what player {other} says of the results was not heard to the end\n")), "{}", run.err);
    }
}

#[test]
fn a_host_whose_next_port_is_taken_says_so() {
    use std::net::UdpSocket;
    let (port, _taken) = (20_000..30_000)
        .find_map(|port| Some((UdpSocket::bind(("127.0.0.1", port)).ok().map(|_| port)?, UdpSocket::bind(("127.0.0.1", port + 1)).ok()?)))
        .unwrap();
    let host = Host::start(&["--listen", &format!("127.0.0.1:{port}"), "--wait", "1"]);
    let chan = host.ticket.split(",chan=127.0.0.1:").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let hosted = host.finish();
    let told = format!("port {} is in use: chat and results are on port {chan}, which must be reachable too\n", port + 1);
    assert!(hosted.err.contains(&told), "{}", hosted.err);
}

/// The host's second port is not open to everybody, or another's.
#[test]
fn a_host_whose_channels_are_elsewhere_is_told_of() {
    let nobody = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let host = Host::start(&["--seconds", "2", "--channels-advertise", &nobody.local_addr().unwrap().to_string()]);
    let joined = snapback(&["join", &host.ticket, "--chat"]);
    played(&[&host.finish(), &joined]);
    let expected = format!("no channels to player 0: nobody answered at {} (it may play without)\n", nobody.local_addr().unwrap());
    assert!(joined.err.contains(&expected), "{}", joined.err);
    assert_eq!(joined.err.matches("no channels").count(), 1, "{}", joined.err);

    // At that address is the host of another match, with another certificate.
    let mut other = Host::start(&["--seconds", "30"]);
    let at = other.ticket.split(',').find_map(|part| part.strip_prefix("chan=")).unwrap().to_owned();
    let host = Host::start(&["--seconds", "6", "--channels-advertise", &at]);
    let joined = snapback(&["join", &host.ticket]);
    played(&[&host.finish(), &joined]);
    let expected = "the channels of player 0 cannot be reached: whoever answers is not the one who made the ticket";
    assert_eq!(joined.err.matches(expected).count(), 1, "{}", joined.err);
    other.child.kill().unwrap();
    other.child.wait().unwrap();
}

/// In a shell loop the loop's input is not the duel's.
#[cfg(unix)]
#[test]
fn what_is_no_terminal_is_read_only_if_asked_for() {
    use std::io::Seek;
    let path = crate::support::file("not_for_the_duel.txt", b"one\ntwo\n");
    for (option, read) in [(&[][..], 0), (&["--chat"][..], 8)] {
        let mut file = std::fs::File::open(&path).unwrap();
        let mut command = crate::support::command(&[&["duel", "--seconds", "1", "--rtt", "10", "--format", "json"], option].concat());
        let output = command.stdin(file.try_clone().unwrap()).output().unwrap();
        assert!(output.status.success());
        assert_eq!(file.stream_position().unwrap(), read);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(chat(&report).len(), if read > 0 { 2 } else { 0 });
    }
}

#[test]
fn the_second_address_stands_beside_the_first_or_where_it_is_told_to() {
    let chan = |args: &[&str]| {
        let mut host = Host::start(args);
        host.child.kill().unwrap();
        host.child.wait().unwrap();
        let chan = host.ticket.split(',').find_map(|part| part.strip_prefix("chan=")).unwrap();
        chan.parse::<std::net::SocketAddr>().unwrap()
    };
    let free = |count: usize| {
        let sockets: Vec<_> = (0..count).map(|_| std::net::UdpSocket::bind("127.0.0.1:0").unwrap()).collect();
        sockets.iter().map(|socket| socket.local_addr().unwrap()).collect::<Vec<_>>()
    };
    let (address, other) = (free(2)[0], free(2)[1]);
    let chosen = chan(&["--channels-listen", &other.to_string()]);
    assert_eq!(chosen, other);
    let advertised = chan(&["--channels-listen", &address.to_string(), "--channels-advertise", "192.168.1.20"]);
    assert_eq!(advertised, std::net::SocketAddr::new("192.168.1.20".parse().unwrap(), address.port()));
    let elsewhere = chan(&["--advertise", "192.168.1.20:7000", "--channels-listen", &address.to_string()]);
    assert_eq!(elsewhere, std::net::SocketAddr::new("192.168.1.20".parse().unwrap(), address.port()));
    let told = chan(&["--channels-advertise", "192.168.1.20:7001"]);
    assert_eq!(told, "192.168.1.20:7001".parse().unwrap());
}

#[test]
fn options_that_do_not_fit() {
    for (args, message) in [
        (&["duel", "--fast", "--chat"][..], "on virtual time nobody has the time to chat: leave --chat or --fast out"),
        (
            &["host", "--channels-listen", "0.0.0.0:0"],
            "0.0.0.0 is no address that others can send to: give --channels-advertise the one that they reach you at",
        ),
        (
            &["host", "--channels-advertise", "224.0.0.1"],
            "224.0.0.1 is the address of many machines: give --channels-advertise one of this machine",
        ),
        (
            &["host", "--channels-listen", "127.0.0.1:0", "--channels-advertise", "[::1]:7000"],
            "--channels-advertise [::1]:7000 is IPv6 and --channels-listen 127.0.0.1:0 is IPv4: use the same kind for both",
        ),
        (&["host", "--no-channels", "--chat"], "the argument '--no-channels' cannot be used with '--chat'"),
        (
            &["host", "--no-channels", "--channels-listen", "127.0.0.1:0"],
            "the argument '--no-channels' cannot be used with '--channels-listen <ADDR:PORT>'",
        ),
        (
            &["host", "--channels-listen", "7001"],
            "invalid value '7001' for '--channels-listen <ADDR:PORT>': write a numeric address and a port such as 127.0.0.1:7000, \
             0.0.0.0:0 or [::1]:7000",
        ),
    ] {
        let run = snapback(args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(run.err.lines().next(), Some(format!("error: {message}").as_str()));
    }
    let ticket = snapback::transport::Ticket {
        address: "127.0.0.1:9".parse().unwrap(),
        channels: Some("[::1]:9".parse().unwrap()),
        match_id: 7,
        player_count: 2,
        simulation_hz: 60,
        frame_count: Some(60),
        security: snapback::transport::TicketSecurity::InsecureLan,
    };
    let run = snapback(&["join", &ticket.to_string(), "--insecure-lan", "--channels-listen", "127.0.0.1:0"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.error(),
        "error: --channels-listen 127.0.0.1:0 is IPv4 and the host's address [::1]:9 is IPv6: leave --channels-listen out, or use such as [::1]:0"
    );
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let run = snapback(&["host", "--channels-listen", &address.to_string()]);
    assert_eq!(run.code, Some(4));
    assert_eq!(run.error(), format!("error: port {} on 127.0.0.1 is in use: choose another, or 0 for any free one", address.port()));
}
