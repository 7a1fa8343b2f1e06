//! What two players of a small game agree on.

use snapback_transport::PeerParams;

pub(crate) fn params() -> PeerParams {
    PeerParams {
        simulation_name: 1,
        simulation_version: 1,
        layout_fingerprint: 1,
        config_hash: 1,
        simulation_hz: 60,
        input_bytes: 2,
        player_count: 2,
        window_max_frames: 8,
        delay_max_frames: 10,
    }
}
