//! [`CaptureCheck`]: whether captures can be trusted, before anything is made of them.

use super::error::SyncTestError;
use snapback_core::{Frame, Simulation, StateLayout};

/// What the buffers hold before a capture: no byte is both.
const DIRT: [u8; 2] = [0x00, 0xFF];

/// Two buffers of other contents, and how often they are used.
pub(super) struct CaptureCheck {
    buffers: [Vec<u8>; 2],
    pub(super) every_frames: u32,
}

impl CaptureCheck {
    pub(super) fn new(snapshot_bytes: usize) -> Self {
        Self { buffers: DIRT.map(|dirt| vec![dirt; snapshot_bytes]), every_frames: super::CAPTURE_CHECK_FRAMES }
    }

    pub(super) fn is_due(&self, frame: Frame) -> bool {
        self.every_frames > 0 && frame.number() % i64::from(self.every_frames) == 0
    }

    /// Whether captures of the state as it is write every byte, and are `captured` every time.
    pub(super) fn check<S: Simulation>(
        &mut self,
        simulation: &S,
        layout: &StateLayout,
        frame: Frame,
        captured: &[u8],
    ) -> Result<(), SyncTestError> {
        for (buffer, dirt) in self.buffers.iter_mut().zip(DIRT) {
            buffer.fill(dirt);
            simulation.capture(buffer);
        }
        let [zeros, ones] = &self.buffers;
        if zeros == captured && ones == captured {
            return Ok(());
        }
        if let Some(offset_bytes) = zeros.iter().zip(ones).position(|both| both == (&DIRT[0], &DIRT[1])) {
            // A byte that happens to change between the two values would look alike.
            let mut once_more = vec![DIRT[0]; zeros.len()];
            simulation.capture(&mut once_more);
            if once_more == *zeros {
                return Err(not_written(layout, frame, zeros, offset_bytes));
            }
        }
        for buffer in [ones, zeros] {
            if buffer != captured {
                return Err(SyncTestError::Unstable { frame, field: layout.first_difference(captured, buffer) });
            }
        }
        Ok(())
    }
}

/// Names the field that holds a byte.
fn not_written(layout: &StateLayout, frame: Frame, captured: &[u8], offset_bytes: usize) -> SyncTestError {
    let mut other = captured.to_vec();
    if let Some(byte) = other.get_mut(offset_bytes) {
        *byte = !*byte;
    }
    let field = layout.first_difference(captured, &other);
    let field = field.map_or_else(|| format!("byte {offset_bytes}"), |field| field.path);
    SyncTestError::NotWritten { frame, field, offset_bytes }
}
