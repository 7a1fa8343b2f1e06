//! What the channels beside the rollback socket need to be as safe as it is.

use super::security::Security;
#[cfg(feature = "dtls")]
use super::security::{Credentials, Invitation};
use snapback_core::RollbackConfig;
#[cfg(feature = "dtls")]
use snapback_transport::channel::HubInvitation;
use snapback_transport::channel::HubSecurity;

impl Security {
    /// The security of the channels of this match: encrypted if the match is, with the same certificate, the
    /// same identity and secrets that come from the same ticket. `match_id` and `config` are those of the
    /// [`PeerSettings`](super::PeerSettings).
    ///
    /// Whoever has a copy of a ticket could be first to use it there: give what `Peer::identities`
    /// says of each player to `ChannelHub::expect_identity`.
    ///
    /// The channels have a socket of their own, which the host program owns as it owns the other:
    ///
    /// ```
    /// use snapback::transport::channel::{Channel, ChannelHub, HubRole, HubSettings};
    /// use snapback::{PlayerHandle, RollbackConfig, Security, TRANSMIT_BUFFER_BYTES};
    /// use std::net::SocketAddr;
    ///
    /// let (security, config, match_id) = (Security::InsecureLan, RollbackConfig::default(), 7);
    /// let addresses: [SocketAddr; 2] = ["10.0.0.1:7001".parse()?, "10.0.0.2:7001".parse()?];
    /// let roles = [HubRole::Host, HubRole::Join { host: addresses[0] }];
    /// let mut hubs = Vec::new();
    /// for (player, role) in (0..).zip(roles) {
    ///     let nonce = 100 + u64::from(player); // From your random source.
    ///     let settings = HubSettings::new(match_id, PlayerHandle::new(player), 2, nonce, role, security.of_channels(match_id, &config));
    ///     hubs.push(ChannelHub::new(settings, 0)?);
    /// }
    ///
    /// let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    /// let mut heard = None;
    /// for now_us in (0..1_000_000).step_by(1_000) {
    ///     for here in 0..2 {
    ///         while let Some((_, len)) = hubs[here].poll_transmit(now_us, &mut buffer) {
    ///             hubs[1 - here].handle(now_us, addresses[here], &buffer[..len]);
    ///         }
    ///     }
    ///     if heard.is_none() && hubs[0].connected().contains(PlayerHandle::new(1)) {
    ///         heard = Some(hubs[0].send(now_us, PlayerHandle::new(1), Channel::ChatPresence, b"hello")?);
    ///     }
    /// }
    /// assert_eq!(hubs[1].receive(1_000_000).map(|received| received.message), Some(b"hello".to_vec()));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "dtls"), expect(unused_variables, reason = "they bind an encrypted connection to its match"))]
    pub fn of_channels(&self, match_id: u64, config: &RollbackConfig) -> HubSecurity {
        match self {
            Self::InsecureLan => HubSecurity::InsecureLan,
            #[cfg(feature = "dtls")]
            Self::Encrypted(credentials) => credentials.of_channels(match_id, config),
        }
    }
}

#[cfg(feature = "dtls")]
impl Credentials {
    fn of_channels(&self, match_id: u64, config: &RollbackConfig) -> HubSecurity {
        let invitation = match self.invitation {
            Invitation::Issued(secret) => HubInvitation::Issued(secret),
            Invitation::Held { seat: _, secret, host } => HubInvitation::Held { secret, host },
        };
        HubSecurity::Encrypted { settings: Box::new(self.secure_settings(match_id, config)), invitation }
    }
}
