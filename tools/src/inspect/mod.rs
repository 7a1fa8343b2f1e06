//! `snapback inspect`: what a state consists of, and what a packet says.

mod capture;
mod hex;
mod options;
mod packet;
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
    }
}

pub(crate) fn run(options: &InspectOptions) -> Result<Code, CliError> {
    match &options.subject {
        Subject::World => out::say(world::world()).map(|()| Code::Agreed),
        Subject::Packet(options) => packet::run(options),
    }
}
