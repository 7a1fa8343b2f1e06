//! [`Case`]: an input taken apart into steps.
//!
//! Each step is an action of one byte, a length of two (little-endian) and so many bytes. A length
//! that promises more than there is takes the rest: every row of bytes is a case.

/// Steps of one case; those behind are not looked at, so that work is bounded.
pub const MAX_STEPS: usize = 512;

/// Bytes of one case; those behind are not looked at.
pub const MAX_CASE_BYTES: usize = 1 << 16;

/// One action and its bytes, usually a datagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What to do; each target has its own actions.
    pub action: u8,
    /// What to do it with.
    pub bytes: Vec<u8>,
}

impl Step {
    /// A step.
    #[must_use]
    pub fn new(action: u8, bytes: impl Into<Vec<u8>>) -> Self {
        Self { action, bytes: bytes.into() }
    }
}

/// A row of steps.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Case {
    /// In order.
    pub steps: Vec<Step>,
}

impl Case {
    /// Takes any bytes apart.
    #[must_use]
    pub fn read(input: &[u8]) -> Self {
        let mut rest = input.get(..MAX_CASE_BYTES).unwrap_or(input);
        let mut steps = Vec::new();
        while let Some((&[action, low, high], behind)) = rest.split_first_chunk::<3>() {
            let len = usize::from(u16::from_le_bytes([low, high])).min(behind.len());
            let (bytes, behind) = behind.split_at(len);
            steps.push(Step::new(action, bytes));
            rest = behind;
            if steps.len() == MAX_STEPS {
                break;
            }
        }
        Self { steps }
    }

    /// The bytes that read as this case, if no step has more than 65,535.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for Step { action, bytes } in &self.steps {
            let bytes = bytes.get(..usize::from(u16::MAX)).unwrap_or(bytes);
            out.push(*action);
            out.extend((bytes.len() as u16).to_le_bytes());
            out.extend(bytes);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_bytes_is_a_case_and_cases_round_trip() {
        let case = Case { steps: vec![Step::new(7, [1, 2, 3]), Step::new(0, []), Step::new(255, vec![9; 700])] };
        assert_eq!(Case::read(&case.to_bytes()), case);
        assert_eq!(Case::read(&[5, 0xFF, 0xFF, 1, 2]).steps, [Step::new(5, [1, 2])]);
        assert_eq!(Case::read(&[5, 1]).steps, []);
        assert_eq!(Case::read(&vec![0; 10_000]).steps.len(), MAX_STEPS);
    }
}
