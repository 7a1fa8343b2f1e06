//! A replay with another end: completed after a crash, or accepted.

use crate::format::block::{self, BlockKind, Blocks};
use crate::format::{Acceptance, ReplayFileError, Summary};
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
    /// If `acceptance` is none.
    pub fn accepted(&self, acceptance: &Acceptance) -> Result<Vec<u8>, RecordError> {
        acceptance.check().map_err(|reason| RecordError::WrongShape { reason })?;
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

fn to_postcard<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, RecordError> {
    postcard::to_allocvec(value).map_err(|error| RecordError::WrongShape { reason: error.to_string() })
}
