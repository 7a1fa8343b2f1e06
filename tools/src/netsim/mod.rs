//! `snapback netsim`: a bad link between any two programs that speak UDP.
//!
//! | file | what it holds |
//! |---|---|
//! | `options` | the options, and the plan that comes of them |
//! | `change` | `--up` and `--down`: what is otherwise than in the preset |
//! | `proxy` | the socket that clients send to, and the clients |
//! | `client` | one address that sends: its socket to the program, and a link each way |
//! | `counts`, `report` | what comes out at the end |

mod change;
mod client;
mod counts;
pub(crate) mod options;
mod proxy;
mod report;

use crate::clock::Clock;
use crate::error::{CliError, Code};
use crate::progress::ProgressLine;
use crate::{interrupt, out, screen};
use counts::Counts;
use options::NetsimOptions;
use proxy::Proxy;
use report::Report;

/// The longest time without a look at the sockets: what arrives waits no longer than this.
const MAX_WAIT_US: u64 = 500;

/// Runs until the time is over or the user ends it, and prints the report.
pub(crate) fn run(options: &NetsimOptions) -> Result<Code, CliError> {
    let plan = options.plan()?;
    let until_us = if plan.seconds == 0 { u64::MAX } else { u64::from(plan.seconds) * 1_000_000 };
    let mut proxy = Proxy::bind(plan)?;
    interrupt::listen()?;
    screen::start();
    out::note(format_args!("listening on {} for {}", proxy.local_addr(), proxy.plan().to));
    let clock = Clock::start();
    let mut progress = ProgressLine::delayed();
    loop {
        let now_us = clock.now_us();
        if now_us >= until_us || interrupt::asked().is_some() {
            break;
        }
        proxy.turn(now_us);
        if progress.is_due() {
            progress.show(&[progressed(&proxy)]);
        }
        let now_us = clock.now_us();
        let due_us = proxy.next_us().unwrap_or(u64::MAX).min(until_us);
        let wait_us = due_us.saturating_sub(now_us).min(MAX_WAIT_US);
        if wait_us > 0 {
            Clock::wait_us(wait_us);
        }
    }
    progress.leave();
    Report::new(&proxy, clock.now_us()).print(options.format)?;
    Ok(interrupt::asked().unwrap_or(Code::Agreed))
}

/// How things are going, in one row.
fn progressed(proxy: &Proxy) -> String {
    let [mut up, mut down] = proxy.gone;
    for client in &proxy.clients {
        up += client.up.counts();
        down += client.down.counts();
    }
    let way = |Counts { datagrams_in, datagrams_out, lost, .. }| format!("{datagrams_in} in {datagrams_out} out {lost} lost");
    let count = proxy.clients.len();
    format!("{count} client{}, up {}, down {}", if count == 1 { "" } else { "s" }, way(up), way(down))
}
