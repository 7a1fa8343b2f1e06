//! [`RollbackConfig`]: every number that tunes a session, its default and its range.

use core::fmt;
use serde::{Deserialize, Serialize};

macro_rules! config {
    (numbers { $( $(#[$doc:meta])* $field:ident = $default:literal in $low:literal ..= $high:literal; )* }
     flags { $( $(#[$flag_doc:meta])* $flag:ident = $flag_default:literal; )* }) => {
        /// What a session is tuned by. Names end in their unit.
        ///
        /// Peers do not have to agree on it, except on [`simulation_hz`](Self::simulation_hz): the
        /// handshake exchanges what must match.
        ///
        /// ```
        /// use snapback_core::RollbackConfig;
        /// let config = RollbackConfig { prediction_window_frames: 99, ..RollbackConfig::default() };
        /// assert_eq!(config.is_valid().unwrap_err().field, "prediction_window_frames");
        /// assert!(config.clamped().is_valid().is_ok());
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct RollbackConfig {
            $( $(#[$doc])*
               #[doc = concat!(" Default ", stringify!($default), ", range ", stringify!($low), " to ", stringify!($high), ".")]
               pub $field: u32, )*
            $( $(#[$flag_doc])*
               #[doc = concat!(" Default ", stringify!($flag_default), ".")]
               pub $flag: bool, )*
        }

        impl Default for RollbackConfig {
            fn default() -> Self {
                Self { $( $field: $default, )* $( $flag: $flag_default, )* }
            }
        }

        impl RollbackConfig {
            fn clamp_each(&mut self) {
                $( self.$field = self.$field.clamp($low, $high); )*
            }

            fn check_each(&self) -> Result<(), InvalidConfig> {
                $( check(stringify!($field), self.$field, $low, $high)?; )*
                Ok(())
            }
        }
    };
}

config! {
    numbers {
        /// Fixed steps a second.
        simulation_hz = 60 in 1..=240;
        /// The most frames that one tick simulates again. A deeper rewind takes several ticks, in which
        /// nothing new is played.
        max_rollback_frames = 8 in 1..=30;
        /// How far ahead of the last confirmed frame inputs are predicted: the session freezes there.
        /// Two less than [`snapshot_history_frames`](Self::snapshot_history_frames) at most.
        prediction_window_frames = 8 in 0..=30;
        /// Largest snapshot, divided by the fighters and rounded up, in bytes.
        snapshot_budget_bytes_per_fighter = 8192 in 512..=8192;
        /// How far back a state can be restored. More than the prediction window. States are kept for longer if
        /// they are still to be compared: see [`check_interval_frames`](Self::check_interval_frames).
        snapshot_history_frames = 90 in 10..=600;
        /// For how many ticks the session must stand still before the player is told, and go on before the
        /// notice goes away.
        recovery_overlay_frames = 6 in 1..=240;
        /// Effects that a rewind brings to light are shown if they are no older than this.
        late_effect_frames = 12 in 0..=60;
        /// Floor of the resend window: this many frames ride along with the newest one.
        resend_input_frames = 8 in 0..=60;
        /// Every so many confirmed frames a peer tells the others what it computed. Peers may have different
        /// ones. A session keeps the states of four intervals, a second and the prediction window, 1,024 at most,
        /// so that three of these messages may be lost in a row and what differs can still be named.
        check_interval_frames = 30 in 1..=240;
        /// Packets in one XOR parity group.
        fec_group_size = 4 in 2..=16;
        /// Bits of the acknowledgement field.
        ack_window_bits = 32 in 32..=32;
        /// Round trips over this are Borderline.
        hybrid_rtt_threshold_ms = 100 in 1..=1000;
        /// Round trips over this are Poor. At least
        /// [`hybrid_rtt_threshold_ms`](Self::hybrid_rtt_threshold_ms).
        delay_fallback_rtt_threshold_ms = 150 in 1..=1000;
        /// Loss at or over this is Poor.
        poor_packet_loss_percent = 8 in 1..=100;
        /// How long rollback pressure must last before a fallback is offered.
        sustained_rollback_pressure_frames = 1800 in 60..=36000;
        /// The largest datagram, before the UDP header.
        datagram_budget_bytes = 1200 in 548..=1200;
        /// Silence after which the player is told.
        disconnect_notify_ms = 1000 in 100..=60000;
        /// Silence after which the peer counts as gone. More than
        /// [`disconnect_notify_ms`](Self::disconnect_notify_ms).
        disconnect_timeout_ms = 10000 in 200..=120000;
    }
    flags {
        /// Refuse to play without encryption.
        require_encrypted_transport = true;
        /// Silence the effects of resimulated frames.
        suppress_cosmetics_during_resim = true;
    }
}

impl RollbackConfig {
    /// The nearest valid configuration: every field in its range, then each field that depends on
    /// another lowered or raised to fit it.
    #[must_use]
    pub fn clamped(mut self) -> Self {
        self.clamp_each();
        self.snapshot_history_frames = self.snapshot_history_frames.max(self.max_rollback_frames + 2);
        self.prediction_window_frames = self.prediction_window_frames.min(self.snapshot_history_frames - 2);
        self.delay_fallback_rtt_threshold_ms = self.delay_fallback_rtt_threshold_ms.max(self.hybrid_rtt_threshold_ms);
        self.disconnect_timeout_ms = self.disconnect_timeout_ms.max(self.disconnect_notify_ms + 1);
        self
    }

    /// Whether every field is in its range and fits the others.
    ///
    /// # Errors
    /// Names the first field that does not, its value and what it may be.
    pub fn is_valid(&self) -> Result<(), InvalidConfig> {
        self.check_each()?;
        check("snapshot_history_frames", self.snapshot_history_frames, self.max_rollback_frames + 2, 600)?;
        check("prediction_window_frames", self.prediction_window_frames, 0, self.snapshot_history_frames - 2)?;
        check("delay_fallback_rtt_threshold_ms", self.delay_fallback_rtt_threshold_ms, self.hybrid_rtt_threshold_ms, 1000)?;
        check("disconnect_timeout_ms", self.disconnect_timeout_ms, self.disconnect_notify_ms + 1, 120_000)
    }
}

fn check(field: &'static str, value: u32, min: u32, max: u32) -> Result<(), InvalidConfig> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(InvalidConfig { field, value, min, max }) }
}

/// A field of [`RollbackConfig`] that is out of its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidConfig {
    /// The field.
    pub field: &'static str,
    /// What it was.
    pub value: u32,
    /// The least it may be, given the other fields.
    pub min: u32,
    /// The most it may be, given the other fields.
    pub max: u32,
}

impl fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, min, max } = self;
        write!(f, "{field} is {value}; give a value from {min} to {max}")
    }
}

impl std::error::Error for InvalidConfig {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn defaults_are_the_documented_table() {
        insta::assert_json_snapshot!(RollbackConfig::default(), @r#"
        {
          "simulation_hz": 60,
          "max_rollback_frames": 8,
          "prediction_window_frames": 8,
          "snapshot_budget_bytes_per_fighter": 8192,
          "snapshot_history_frames": 90,
          "recovery_overlay_frames": 6,
          "late_effect_frames": 12,
          "resend_input_frames": 8,
          "check_interval_frames": 30,
          "fec_group_size": 4,
          "ack_window_bits": 32,
          "hybrid_rtt_threshold_ms": 100,
          "delay_fallback_rtt_threshold_ms": 150,
          "poor_packet_loss_percent": 8,
          "sustained_rollback_pressure_frames": 1800,
          "datagram_budget_bytes": 1200,
          "disconnect_notify_ms": 1000,
          "disconnect_timeout_ms": 10000,
          "require_encrypted_transport": true,
          "suppress_cosmetics_during_resim": true
        }
        "#);
        assert!(RollbackConfig::default().is_valid().is_ok());
        assert_eq!(RollbackConfig::default().clamped(), RollbackConfig::default());
    }

    /// Through JSON, so that a field added later is drawn too.
    #[test]
    fn clamping_any_configuration_makes_it_valid() {
        let mut rng = Rng::new(11, 0);
        for _ in 0..2_000 {
            let mut json = serde_json::to_value(RollbackConfig::default()).unwrap();
            for value in json.as_object_mut().unwrap().values_mut().filter(|v| v.is_u64()) {
                let shift = rng.below(32);
                *value = (rng.next_u32() >> shift).into();
            }
            let config: RollbackConfig = serde_json::from_value(json).unwrap();
            assert_eq!(config.clamped().is_valid(), Ok(()), "{config:?}");
        }
    }

    #[test]
    fn each_field_out_of_range_is_the_one_named() {
        let fields: Vec<String> = serde_json::to_value(RollbackConfig::default()).unwrap().as_object().unwrap().keys().cloned().collect();
        for field in fields {
            let mut json = serde_json::to_value(RollbackConfig::default()).unwrap();
            if !json[&field].is_u64() {
                continue;
            }
            json[&field] = u32::MAX.into();
            let config: RollbackConfig = serde_json::from_value(json).unwrap();
            assert_eq!(config.is_valid().map_err(|e| e.field.to_owned()), Err(field));
        }
    }

    #[test]
    fn the_floor_of_the_resend_window_ends_where_the_wire_expects_it() {
        let most = RollbackConfig { resend_input_frames: u32::MAX, ..RollbackConfig::default() }.clamped();
        assert_eq!(most.resend_input_frames, crate::limits::MAX_RESEND_FLOOR_FRAMES);
    }

    #[test]
    fn the_message_says_what_to_do() {
        let config = RollbackConfig { max_rollback_frames: 4, snapshot_history_frames: 10, ..RollbackConfig::default() };
        assert_eq!(config.is_valid(), Ok(()), "a window wider than what one tick makes up for");
        let config = RollbackConfig { prediction_window_frames: 9, ..config };
        insta::assert_snapshot!(config.is_valid().unwrap_err(), @"prediction_window_frames is 9; give a value from 0 to 8");
    }
}
