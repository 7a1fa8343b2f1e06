//! `snapback netsim` between real sockets. What it does to datagrams is looked at in their order and
//! their bytes, never in how long they took.

#![cfg(unix)]

use crate::support::{Host, Run, snapback};
use snapback::transport::link::LinkPreset;
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

/// A proxy that listens.
struct Netsim {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: SocketAddr,
}

impl Netsim {
    fn start(to: SocketAddr, args: &[&str]) -> Self {
        let to = to.to_string();
        Self::start_as(&[&["netsim", "--listen", "127.0.0.1:0", "--to", &to], args].concat())
    }

    fn start_as(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_snapback"));
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").and_then(|rest| rest.split(' ').next()).and_then(|text| text.parse().ok());
        Self { child, stderr, address: address.unwrap_or_else(|| panic!("{line}")) }
    }

    /// Ends it as a person does, and takes the report.
    fn finish(mut self) -> Run {
        let (mut out, mut err) = (String::new(), String::new());
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.stderr.read_to_string(&mut err).unwrap();
        let run = Run { code: self.child.wait().unwrap().code(), out, err };
        assert_eq!(run.code, Some(130), "{}", run.err);
        run
    }
}

/// A test that fails leaves none behind: unlike a host or a duel, it would run for ever.
impl Drop for Netsim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A socket that waits long for what must come.
fn socket() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    socket
}

fn receive(socket: &UdpSocket) -> (Vec<u8>, SocketAddr) {
    let mut buffer = vec![0; 65_536];
    let (length, from) = socket.recv_from(&mut buffer).expect("a datagram");
    buffer.truncate(length);
    (buffer, from)
}

/// Addresses that nobody had a moment ago.
fn free_addresses() -> [SocketAddr; 2] {
    [socket(), socket()].map(|socket| socket.local_addr().unwrap())
}

#[test]
fn a_match_of_two_processes_goes_through_and_agrees() {
    let [hosted_at, _] = free_addresses();
    // Not in runs: one of those can swallow all goodbyes, and then a peer cannot say that it agrees.
    let netsim = Netsim::start(hosted_at, &["--preset", "wifi-bad", "--burst", "1", "--seed", "3", "--format", "json"]);
    let (listen, advertise) = (hosted_at.to_string(), netsim.address.to_string());
    let host = Host::start(&["--listen", &listen, "--advertise", &advertise, "--seconds", "3", "--seed", "7", "--format", "json"]);
    assert!(host.ticket.contains(&advertise) && !host.ticket.contains(&listen), "{}", host.ticket);
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(0), Some(0)), "{}\n{}", hosted.err, joined.err);
    let (hosted, joined) = (hosted.json(), joined.json());
    assert_eq!((&hosted["agree"], &joined["agree"]), (&true.into(), &true.into()));
    assert_eq!(hosted["peers"][0]["digest"], joined["peers"][0]["digest"]);
    // That is what the delay of the preset does: nobody knew the other's input in time.
    assert!(joined["peers"][0]["rollbacks"].as_u64() > Some(0), "{joined}");

    let report = netsim.finish().json();
    assert_eq!(report["clients"].as_array().unwrap().len(), 1, "{report}");
    for way in ["up", "down"] {
        let counts = &report["clients"][0][way];
        let count = |name: &str| counts[name].as_u64().unwrap_or_else(|| panic!("{name}: {counts}"));
        // A packet a frame, and more of them before the match and after it.
        assert!(count("datagrams_in") > 180 && count("lost") > 0, "{way}: {counts}");
        assert_eq!(
            count("datagrams_in") + count("duplicated"),
            count("datagrams_out") + count("lost") + count("queue_dropped") + count("unsent") + count("under_way"),
            "{way}"
        );
        assert!(count("bytes_per_second") > 0 && counts["mean_bytes"].as_f64() > Some(28.0), "{way}: {counts}");
    }
    // What one end of a way counts, the other does too.
    // The handshake of the encryption is not the peer's to count.
    let sent = joined["peers"][0]["packets_sent"].as_u64().unwrap();
    let passed = report["clients"][0]["up"]["datagrams_in"].as_u64().unwrap();
    assert!((sent + 2..sent + 60).contains(&passed), "{passed} datagrams of {sent} packets");
}

/// The three commands of the README, as they stand there but for the ports, which somebody may have.
#[test]
fn the_documented_match_through_netsim_plays() {
    let [hosted_at, advertised] = free_addresses().map(|address| address.to_string());
    let documented = crate::docs::commands();
    let words = |verb: &str, with: &str| -> Vec<String> {
        let line = documented.iter().find(|line| line.contains(verb) && line.contains(with)).unwrap_or_else(|| panic!("no {verb}"));
        let arguments = line.split(" -- ").nth(1).unwrap().split_whitespace();
        arguments.map(|word| word.replace("127.0.0.1:7000", &hosted_at).replace("127.0.0.1:7001", &advertised)).collect()
    };
    let (hosting, linking) = (words("-- host", "--advertise"), words("-- netsim", "--listen"));
    let netsim = Netsim::start_as(&linking.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(netsim.address.to_string(), advertised);
    let host = Host::start(&hosting.iter().skip(1).map(String::as_str).collect::<Vec<_>>());
    let joined = snapback(&["join", &host.ticket]);
    assert_eq!(joined.code, Some(0), "{}", joined.err);
    let hosted = host.finish();
    assert_eq!(hosted.code, Some(0), "{}", hosted.err);
    let report = netsim.finish();
    assert!(report.out.contains("\nclient 1 at 127.0.0.1:") && !report.out.contains("client 2"), "{}", report.out);
}

#[test]
fn any_program_is_served_byte_for_byte() {
    let program = socket();
    let netsim = Netsim::start(program.local_addr().unwrap(), &["--rtt", "4", "--jitter", "2", "--format", "json"]);
    let client = socket();
    let mut bytes_up = 0;
    for length in [0_usize, 1, 28, 1_200, 1_472, 9_000, 65_507] {
        let datagram: Vec<u8> = (0..length).map(|place| (place * 7 + length) as u8).collect();
        client.send_to(&datagram, netsim.address).unwrap();
        let (arrived, upstream) = receive(&program);
        assert_eq!(arrived, datagram);
        assert_ne!(upstream, client.local_addr().unwrap());
        let answer: Vec<u8> = datagram.iter().rev().map(|byte| !byte).collect();
        program.send_to(&answer, upstream).unwrap();
        assert_eq!(receive(&client), (answer, netsim.address));
        bytes_up += length as u64;
    }
    let report = netsim.finish().json();
    let client = &report["clients"][0];
    for way in ["up", "down"] {
        assert_eq!((&client[way]["datagrams_in"], &client[way]["datagrams_out"]), (&7.into(), &7.into()), "{report}");
        assert_eq!((&client[way]["bytes_in"], &client[way]["bytes_out"]), (&bytes_up.into(), &bytes_up.into()), "{report}");
    }
}

/// A proxy to a program that notes the numbers which arrive there.
struct Numbers {
    program: UdpSocket,
    netsim: Netsim,
    arrived: Vec<u32>,
}

impl Numbers {
    fn start(args: &[&str]) -> Self {
        let program = socket();
        let netsim = Netsim::start(program.local_addr().unwrap(), &[args, &["--format", "json"]].concat());
        Self { program, netsim, arrived: Vec::new() }
    }

    /// Sends numbers from `first` on.
    fn send(&mut self, client: &UdpSocket, first: u32, count: u32) {
        for number in first..first + count {
            client.send_to(&number.to_le_bytes(), self.netsim.address).unwrap();
            // So that no buffer of the system overflows.
            if number % 16 == 15 {
                self.note(Duration::from_millis(2));
            }
        }
    }

    /// Notes what arrives, until nothing has for this long.
    fn note(&mut self, silence: Duration) {
        self.program.set_read_timeout(Some(silence)).unwrap();
        let mut buffer = [0; 64];
        while let Ok((4, _)) = self.program.recv_from(&mut buffer) {
            self.arrived.push(u32::from_le_bytes(buffer[..4].try_into().unwrap()));
        }
    }

    /// Waits until nothing is under way any more. Returns the numbers that came, and the report.
    fn finish(mut self) -> (Vec<u32>, serde_json::Value) {
        self.note(Duration::from_millis(500));
        (self.arrived, self.netsim.finish().json())
    }
}

#[test]
fn a_link_that_loses_everything_passes_nothing() {
    let mut numbers = Numbers::start(&["--preset", "lan", "--loss", "100"]);
    numbers.send(&socket(), 0, 50);
    let (arrived, report) = numbers.finish();
    assert!(arrived.is_empty(), "{arrived:?}");
    let up = &report["clients"][0]["up"];
    assert_eq!((&up["datagrams_in"], &up["lost"], &up["datagrams_out"]), (&50.into(), &50.into(), &0.into()), "{report}");
}

#[test]
fn the_same_seed_loses_the_same_datagrams_of_the_same_client() {
    let run = |seed: &str| {
        let mut numbers = Numbers::start(&["--seed", seed, "--up", "loss=20,burst=3,duplicate=10"]);
        // A second client does not share the first one's fate, nor change it.
        let (first, second) = (socket(), socket());
        let other_first = 1_000_000;
        numbers.send(&first, 0, 200);
        numbers.send(&second, other_first, 100);
        numbers.send(&first, 200, 200);
        let (arrived, report) = numbers.finish();
        assert_eq!(report["clients"][0]["up"]["datagrams_in"], 400, "{report}");
        let (first, second): (Vec<u32>, Vec<u32>) = arrived.into_iter().partition(|number| *number < other_first);
        let lost = report["clients"][0]["up"]["lost"].as_u64().unwrap();
        let kept: std::collections::BTreeSet<u32> = first.iter().copied().collect();
        assert_eq!(kept.len() as u64 + lost, 400);
        // 20 % of 400, in runs of 3: a deviation of about 17.
        assert!((30..=130).contains(&lost), "{lost}");
        assert!(first.len() > kept.len(), "some arrive twice");
        (first, second.iter().map(|number| number - other_first).collect::<Vec<u32>>())
    };
    let once = run("7");
    assert_eq!(run("7"), once);
    assert_ne!(run("8").0, once.0);
    let begins: Vec<u32> = once.0.iter().copied().filter(|number| *number < 100).collect();
    assert_ne!(begins, once.1, "the second client");
}

#[test]
fn the_two_ways_are_told_apart() {
    let mut numbers = Numbers::start(&["--preset", "lan", "--loss", "100", "--up", "loss=0"]);
    let client = socket();
    numbers.send(&client, 0, 1);
    let (_, upstream) = receive(&numbers.program);
    for _ in 0..5 {
        numbers.program.send_to(b"nobody will know", upstream).unwrap();
    }
    let (_, report) = numbers.finish();
    let client = &report["clients"][0];
    assert_eq!((&client["up"]["datagrams_out"], &client["up"]["lost"]), (&1.into(), &0.into()), "{report}");
    assert_eq!((&client["down"]["datagrams_out"], &client["down"]["lost"]), (&0.into(), &5.into()), "{report}");
}

#[test]
fn clients_do_not_get_each_others_answers() {
    let program = socket();
    let netsim = Netsim::start(program.local_addr().unwrap(), &["--preset", "lan", "--format", "json"]);
    let clients = [socket(), socket()];
    let mut ports = Vec::new();
    for round in 0..20_u8 {
        for (name, client) in clients.iter().enumerate() {
            client.send_to(&[name as u8, round], netsim.address).unwrap();
        }
        for _ in &clients {
            let (question, from) = receive(&program);
            ports.push((question[0], from.port()));
            program.send_to(&[question[0], question[1], b'!'], from).unwrap();
        }
        for (name, client) in clients.iter().enumerate() {
            assert_eq!(receive(client), (vec![name as u8, round, b'!'], netsim.address));
        }
    }
    ports.sort_unstable();
    ports.dedup();
    assert_eq!(ports.len(), 2, "each client has one port, at which the program sees nobody else");
    assert_ne!(ports[0].1, ports[1].1);
    let report = netsim.finish().json();
    for client in report["clients"].as_array().unwrap() {
        assert_eq!((&client["up"]["datagrams_in"], &client["down"]["datagrams_out"]), (&20.into(), &20.into()), "{report}");
        assert!(ports.iter().any(|(_, port)| client["upstream_port"] == *port), "{report}");
    }
}

#[test]
fn a_recording_is_followed() {
    let trace = crate::support::file("netsim_trace.csv", b"0,1\n100000,LOST\n200000,1\n");
    let mut numbers = Numbers::start(&["--trace", &trace]);
    numbers.send(&socket(), 0, 20);
    let (arrived, report) = numbers.finish();
    assert_eq!(arrived, (0..20).collect::<Vec<u32>>());
    assert_eq!(report["up"], format!("as recorded in {trace}, and on top: nothing added"));
}

#[test]
fn time_that_is_over_is_no_error() {
    let run = snapback(&["netsim", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9", "--seconds", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.starts_with("snapback netsim: 127.0.0.1:") && run.out.contains("\nnobody has sent anything to 127.0.0.1:"),
        "{}",
        run.out
    );
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn the_help_lists_every_preset_and_shows_a_match() {
    let help = snapback(&["netsim", "--help"]).out;
    for preset in LinkPreset::ALL {
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{preset} "))), "{preset}: {help}");
    }
    assert!(help.contains("snapback host --listen 127.0.0.1:7000 --advertise 127.0.0.1:7001\n"), "{help}");
}

#[track_caller]
fn fails(args: &[&str], code: i32, message: &str) {
    let run = snapback(&[&["netsim"], args].concat());
    assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{}", run.err);
    assert_eq!(run.err.lines().next(), Some(format!("error: {message}").as_str()));
}

#[test]
fn bad_input_is_one_line_that_says_what_to_write() {
    let names = "lan, wired, wifi, wifi-bad, lte, starlink, satellite, blackout";
    let pair = ["--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"];
    let with = |more: &[&'static str]| [&pair[..], more].concat();
    for (args, message) in [
        (
            &["--preset", "wlan"][..],
            format!("invalid value 'wlan' for '--preset <NAME>': there is no such link preset: write one of {names}"),
        ),
        (
            &["--up", "delay=30,los=2"],
            "invalid value 'delay=30,los=2' for '--up <LIST>': there is no `los`: write delay, jitter, loss, burst, reorder, duplicate, \
             rate, queue or outage"
                .to_owned(),
        ),
        (
            &["--down", "loss=200"],
            "invalid value 'loss=200' for '--down <LIST>': loss: write a number of percent from 0 to 100, such as 2 or 0.5".to_owned(),
        ),
        (
            &["--rate", "-1"],
            "invalid value '-1' for '--rate <MBIT>': write a number of Mbit/s from 0 to 1000000, such as 2 or 0.5".to_owned(),
        ),
        (
            &["--outage", "400"],
            "invalid value '400' for '--outage <MS/MS>': write how long it lasts and how often it comes, in ms, such as 400/5000, or none"
                .to_owned(),
        ),
        (&["--burst", "3"], "--burst does nothing where there is no loss: add --loss, or a preset that has it".to_owned()),
        (
            &["--trace", "/nowhere/at/all"],
            "cannot read the link trace /nowhere/at/all: No such file or directory (os error 2); check the path".to_owned(),
        ),
    ] {
        fails(&with(args), 2, &message);
    }
    let listen = |address: &'static str, to: &'static str| ["--listen", address, "--to", to];
    fails(
        &listen("127.0.0.1:17017", "127.0.0.1:17017"),
        2,
        "--to 127.0.0.1:17017 is where this command itself listens: give the address of the other program",
    );
    fails(
        &listen("0.0.0.0:17017", "127.0.0.1:17017"),
        2,
        "--to 127.0.0.1:17017 is where this command itself listens: give the address of the other program",
    );
    fails(
        &listen("127.0.0.1:0", "127.0.0.1:0"),
        2,
        "--to 127.0.0.1:0 has no port: give the one that the program listens on, such as 127.0.0.1:7000",
    );
    fails(&listen("127.0.0.1:0", "0.0.0.0:7"), 2, "--to 0.0.0.0:7 is no address that can be sent to: give one such as 127.0.0.1:7");
    fails(&listen("127.0.0.1:0", "224.0.0.1:7"), 2, "--to 224.0.0.1:7 is the address of many machines: give one of a single one");
    let taken = socket();
    let address = taken.local_addr().unwrap();
    fails(
        &["--listen", &address.to_string(), "--to", "127.0.0.1:9"],
        4,
        &format!("port {} on 127.0.0.1 is in use: choose another, or 0 for any free one", address.port()),
    );
}
