//! The keys of a match: who may join, and who this player is.

use crate::entropy;
use crate::error::CliError;
use clap::Args;
use snapback::transport::secure::{Certificate, Identity, MatchSecret};
use snapback::transport::{Ticket, TicketSecurity};
use snapback::{Credentials, Security};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// An identity file is 64 digits and a line end.
const MAX_IDENTITY_BYTES: u64 = 256;

/// What every command has that plays with others.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct KeyOptions {
    /// Play without encryption, on a network that is your own: whoever is on the way can read and change everything
    #[arg(long, help_heading = "Keys")]
    pub(crate) insecure_lan: bool,

    /// Who you are, beyond one match: a file with your secret key, made if it is not there [default: somebody new]
    #[arg(long, value_name = "FILE", conflicts_with = "insecure_lan", help_heading = "Keys")]
    pub(crate) identity: Option<PathBuf>,
}

/// What a host needs to invite.
pub(crate) struct Invitations {
    security: Security,
    secret: Option<(MatchSecret, Certificate)>,
}

impl Invitations {
    /// Fresh keys for a match.
    pub(crate) fn new(options: &KeyOptions) -> Result<Self, CliError> {
        if options.insecure_lan {
            return Ok(Self { security: Security::InsecureLan, secret: None });
        }
        let secret = MatchSecret(entropy::bytes()?);
        let credentials =
            Credentials::host(identity(options.identity.as_deref())?, entropy::bytes()?, secret).map_err(CliError::environment)?;
        let certificate = credentials.certificate.clone();
        Ok(Self { security: credentials.into(), secret: Some((secret, certificate)) })
    }

    pub(crate) fn security(&self) -> Security {
        self.security.clone()
    }

    /// What goes into the ticket of a seat.
    pub(crate) fn of_seat(&self, seat: u8) -> TicketSecurity {
        match &self.secret {
            None => TicketSecurity::InsecureLan,
            Some((secret, certificate)) => {
                TicketSecurity::Encrypted { fingerprint: certificate.fingerprint(), seat, secret: secret.seat(seat) }
            }
        }
    }

    /// The tickets for the others: one for each seat that is not the host's, or a single one that
    /// keeps nobody out.
    pub(crate) fn tickets(&self, ticket: Ticket) -> Vec<Ticket> {
        match self.secret {
            None => vec![Ticket { security: TicketSecurity::InsecureLan, ..ticket }],
            Some(_) => (1..ticket.player_count).map(|seat| Ticket { security: self.of_seat(seat), ..ticket }).collect(),
        }
    }
}

/// What a joiner shows and expects, by its ticket.
pub(crate) fn of_joiner(ticket: &Ticket, options: &KeyOptions) -> Result<Security, CliError> {
    match (ticket.security, options.insecure_lan) {
        (TicketSecurity::InsecureLan, true) => Ok(Security::InsecureLan),
        (TicketSecurity::InsecureLan, false) => Err(CliError::usage(
            "this ticket is for a match without encryption: add --insecure-lan if the network is your own, or ask for an encrypted match",
        )),
        (TicketSecurity::Encrypted { .. }, true) => Err(CliError::usage("this ticket is for an encrypted match: leave --insecure-lan out")),
        (TicketSecurity::Encrypted { fingerprint, seat, secret }, false) => {
            Credentials::join(identity(options.identity.as_deref())?, entropy::bytes()?, seat, secret, fingerprint)
                .map(Security::from)
                .map_err(CliError::environment)
        }
    }
}

/// The identity in a file, which is made if it is not there; a new one without a file.
fn identity(path: Option<&Path>) -> Result<Identity, CliError> {
    let Some(path) = path else { return Ok(Identity::from_seed(&entropy::bytes()?)) };
    let shown = path.display();
    match File::open(path) {
        Ok(file) => {
            let mut bytes = Vec::new();
            file.take(MAX_IDENTITY_BYTES)
                .read_to_end(&mut bytes)
                .map_err(|error| CliError::usage(format_args!("cannot read the identity {shown}: {error}; check the path")))?;
            let text = if bytes.len() as u64 == MAX_IDENTITY_BYTES { "" } else { core::str::from_utf8(&bytes).unwrap_or_default() };
            // The seed has the same form as every other key here.
            let seed: snapback::transport::secure::SeatSecret = text.trim().parse().map_err(|_| {
                CliError::usage(format_args!(
                    "{shown} is no identity: it should have 64 hexadecimal digits; name another file to make a new one"
                ))
            })?;
            Ok(Identity::from_seed(&seed.0))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let seed: [u8; 32] = entropy::bytes()?;
            create_secret(path)
                .and_then(|mut file| writeln!(file, "{}", snapback::transport::secure::SeatSecret(seed)))
                .map_err(|error| CliError::usage(format_args!("cannot make the identity {shown}: {error}; check the path")))?;
            Ok(Identity::from_seed(&seed))
        }
        Err(error) => Err(CliError::usage(format_args!("cannot read the identity {shown}: {error}; check the path"))),
    }
}

/// A new file that nobody else can read.
fn create_secret(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
