//! Reliable ordered messages over a bad link: ours, those of laminar and those of renet's core. All on
//! virtual time, over the same emulator with the same seeds.
//!
//! | module | what it holds |
//! |---|---|
//! | [`road`] | both directions of the link, and a count of what went over it |
//! | [`bare_laminar`] | laminar's own reliable ordered packets |
//! | [`bare_renet`] | renet's core, without netcode and encryption |
//! | [`ours`] | our connection by itself, and the hub around it, in the clear and encrypted |
//! | [`trial`] | who says what when, until everything has arrived or never will |
//! | [`tally`] | what came of it: latencies, and what is missing |
//!
//! What is alike: the link; the messages and when they are sent, at ticks of 60 Hz whose phases the seed
//! draws; and that the connection stands before the link turns bad. Latency counts from the call that
//! sends to the call that receives. A message that never arrives counts as late for ever.
//!
//! What is not alike is how often an end is polled, because their documentation says so: renet once a
//! tick, laminar every millisecond, ours every millisecond too (a host program would sleep until
//! `poll_timeout`) and, for comparison, once a tick.

pub mod bare_laminar;
pub mod bare_renet;
pub mod ours;
pub mod road;
pub mod tally;
pub mod trial;

/// One end of a connection with a reliable ordered channel.
pub trait End {
    /// Queues a message for the other end.
    fn send(&mut self, now_us: u64, message: &[u8]);
    /// Takes a datagram that has landed.
    fn handle(&mut self, now_us: u64, datagram: &[u8]);
    /// Does what is due, and shows every datagram that goes out.
    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8]));
    /// The next message that has arrived.
    fn receive(&mut self, now_us: u64) -> Option<Vec<u8>>;
    /// Whether messages flow in both directions.
    fn is_connected(&self) -> bool;
}

/// When an end is stepped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polling {
    /// Every millisecond.
    Milliseconds,
    /// At the ticks of its host program, 60 a second.
    Ticks,
}

/// Makes both ends of a fresh connection, by a seed.
pub type Make = Box<dyn Fn(u64) -> [Box<dyn End>; 2]>;

/// Somebody who carries messages.
pub struct Contender {
    /// Who, and how it is set up.
    pub name: String,
    /// Whether it is ours, of which perfection is asked.
    pub is_ours: bool,
    /// When its ends are stepped.
    pub polling: Polling,
    /// Its ends.
    pub make: Make,
}

impl Contender {
    /// Somebody else.
    pub fn new(name: impl Into<String>, polling: Polling, make: impl Fn(u64) -> [Box<dyn End>; 2] + 'static) -> Self {
        Self { name: name.into(), is_ours: false, polling, make: Box::new(make) }
    }
}
