//! A replay with another end: completed after a crash, or accepted.

use crate::format::block::{self, BlockKind, Blocks};
use crate::format::reading::MAX_ACCEPTANCES;
use crate::format::{Acceptance, ReplayFileError, Summary};
use crate::recorder::to_postcard;
use crate::{GoldenReplay, RecordError};

impl GoldenReplay {
    /// The file with an end, for one that was [cut off](Self::is_complete): every whole block as it
    /// is. How many rollbacks the session went through is lost with the end, and noted as 0.
    ///
    /// # Errors
    /// If the bytes are not what was read.
    pub fn completed(&self) -> Result<Vec<u8>, RecordError> {
        self.with_end(None)
    }

    /// The file with one acceptance more. A signature is dropped: nobody has signed the new file.
    ///
    /// # Errors
    /// If `acceptance` is none, or one too many.
    pub fn accepted(&self, acceptance: &Acceptance) -> Result<Vec<u8>, RecordError> {
        acceptance.check().map_err(|reason| RecordError::WrongShape { reason })?;
        if self.acceptances().len() >= MAX_ACCEPTANCES {
            // With one more the file could not be read again.
            let reason = format!("the replay remembers {MAX_ACCEPTANCES} acceptances and cannot remember more: record it anew");
            return Err(RecordError::WrongShape { reason });
        }
        self.with_end(Some(acceptance))
    }

    fn with_end(&self, acceptance: Option<&Acceptance>) -> Result<Vec<u8>, RecordError> {
        let damaged = |error: ReplayFileError| RecordError::WrongShape { reason: error.to_string() };
        let mut blocks = Blocks::new(self.bytes()).map_err(damaged)?;
        let (mut number, mut end) = (0, blocks.offset_bytes());
        while let Some(block) = blocks.next().map_err(damaged)? {
            if block.kind >= BlockKind::End {
                break;
            }
            (number, end) = (number + 1, blocks.offset_bytes());
        }
        let mut bytes = self.bytes().get(..end).unwrap_or_default().to_vec();
        if let Some(acceptance) = acceptance {
            block::write(number, BlockKind::Acceptance, &to_postcard(acceptance)?, &mut bytes);
            number += 1;
        }
        let counted = Summary { frames: self.frame_count(), digest: self.digest(), ..Summary::default() };
        block::write(number, BlockKind::End, &to_postcard(&self.summary().unwrap_or(counted))?, &mut bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{FieldTables, Provenance, ReplayMeta, Source};

    /// The smallest file there is, signed by nobody.
    fn signed() -> Vec<u8> {
        let meta = ReplayMeta {
            simulation: "nothing".to_owned(),
            simulation_version: 1,
            config_hash: 0,
            layout_fingerprint: 0,
            seed: 0,
            players: 1,
            first_frame: 0,
            frame_hz: 60,
            input_bytes: 1,
            state_bytes: 0,
            has_trace: false,
            setup: String::new(),
            provenance: Provenance::here(Source::Generated, ""),
        };
        let mut fields = Vec::new();
        crate::format::packed::pack(&to_postcard(&FieldTables::default()).unwrap(), &mut fields);
        let mut snapshot = (-1_i64).to_le_bytes().to_vec();
        crate::format::packed::pack(&[], &mut snapshot);
        let mut bytes = block::preamble().to_vec();
        block::write(0, BlockKind::Meta, &to_postcard(&meta).unwrap(), &mut bytes);
        block::write(1, BlockKind::Fields, &fields, &mut bytes);
        block::write(2, BlockKind::Snapshot, &snapshot, &mut bytes);
        block::write(3, BlockKind::End, &to_postcard(&Summary::default()).unwrap(), &mut bytes);
        block::write(4, BlockKind::Signature, &[0; 96], &mut bytes);
        bytes
    }

    #[test]
    fn an_acceptance_stands_before_the_end_and_drops_the_signature() {
        let replay = GoldenReplay::read(signed()).unwrap();
        assert!(replay.is_signed());
        let acceptance =
            Acceptance { reason: "because".to_owned(), simulation_version: 1, config_hash: 2, first_frame: 3, replaced_digest: 4 };
        let once = GoldenReplay::read(replay.accepted(&acceptance).unwrap()).unwrap();
        assert!(!once.is_signed() && once.acceptances() == [acceptance.clone()]);
        let twice = GoldenReplay::read(once.accepted(&acceptance).unwrap()).unwrap();
        assert_eq!((twice.acceptances().len(), twice.summary()), (2, replay.summary()));
        assert!(replay.accepted(&Acceptance { reason: " ".to_owned(), ..acceptance }).is_err());
    }
}
