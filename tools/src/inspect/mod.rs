//! `snapback inspect`: what a state consists of, what a packet says, and why a shot hit or missed.

mod capture;
mod hex;
mod options;
mod packet;
mod rewind;
mod show;
mod wire;
mod world;

pub(crate) use options::InspectOptions;

use crate::cli::Format;
use crate::error::{CliError, Code};
use crate::out;
use options::Subject;

pub(crate) fn format(options: &InspectOptions) -> Format {
    match &options.subject {
        Subject::World => Format::Human,
        Subject::Packet(options) => options.format,
        Subject::Rewind(options) => options.format(),
    }
}

pub(crate) fn run(options: &InspectOptions) -> Result<Code, CliError> {
    match &options.subject {
        Subject::World => out::say(world::world()).map(|()| Code::Agreed),
        Subject::Packet(options) => packet::run(options),
        Subject::Rewind(options) => rewind::run(options),
    }
}
