//! [`FieldWatch`]: which fields of a state change while a replay is played.

use snapback_core::StateLayout;
use snapback_core::state::{FieldPlace, Scalar};

/// Notes which fields change, and which of them do nothing but count.
pub(super) struct FieldWatch {
    fields: Vec<FieldPlace>,
    /// For every byte the bits that ever changed.
    changed: Vec<u8>,
    /// The fields that have changed in every frame by the same amount so far, and by how much.
    counters: Vec<(usize, u64)>,
    has_begun: bool,
}

impl FieldWatch {
    pub(super) fn new(layout: &StateLayout) -> Self {
        let size_bytes = layout.size_bytes();
        let mut fields = layout.fields();
        if fields.is_empty() {
            let byte = |at| FieldPlace { path: format!("byte[{at}]"), offset_bytes: at, scalar: Scalar::U8, section: None, range: None };
            fields = (0..size_bytes).map(byte).collect();
        }
        Self { fields, changed: vec![0; size_bytes], counters: Vec::new(), has_begun: false }
    }

    /// Both are native bytes, as captured.
    pub(super) fn see(&mut self, before: &[u8], after: &[u8]) {
        for ((changed, before), after) in self.changed.iter_mut().zip(before).zip(after) {
            *changed |= before ^ after;
        }
        let difference = |field: &FieldPlace| number(field, after).wrapping_sub(number(field, before)) & mask(field.scalar);
        if self.has_begun {
            let fields = &self.fields;
            self.counters.retain(|(at, by)| fields.get(*at).is_some_and(|field| difference(field) == *by));
        } else {
            self.has_begun = true;
            let differences = self.fields.iter().map(difference).enumerate();
            self.counters = differences.filter(|(_, by)| *by != 0).collect();
        }
    }

    /// The fields that changed.
    pub(super) fn changed(&self) -> impl Iterator<Item = &FieldPlace> {
        self.fields.iter().filter(|field| self.has_changed(field))
    }

    fn has_changed(&self, field: &FieldPlace) -> bool {
        let bytes = self.changed.get(field.offset_bytes..field.offset_bytes + field.scalar.size_bytes());
        bytes.is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0))
    }

    /// Whether nothing changed but what changed in every frame by the same amount.
    pub(super) fn only_counts(&self) -> bool {
        let is_counter = |at: usize| self.counters.iter().any(|(counter, _)| *counter == at);
        self.fields.iter().enumerate().all(|(at, field)| is_counter(at) || !self.has_changed(field))
    }
}

fn number(field: &FieldPlace, bytes: &[u8]) -> u64 {
    let raw = bytes.get(field.offset_bytes..).and_then(|rest| rest.get(..field.scalar.size_bytes())).unwrap_or_default();
    let mut wide = [0; 8];
    if cfg!(target_endian = "big") {
        wide.iter_mut().zip(raw.iter().rev()).for_each(|(to, from)| *to = *from);
    } else {
        wide.iter_mut().zip(raw).for_each(|(to, from)| *to = *from);
    }
    u64::from_le_bytes(wide)
}

const fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - 8 * scalar.size_bytes() as u32)
}

/// A path without the number of the seat, or of whatever else its first index counts: what one of
/// them reaches, all have reached.
pub(super) fn any_seat(path: &str) -> String {
    let (Some(open), Some(close)) = (path.find('['), path.find(']')) else { return path.to_owned() };
    match (path.get(..open), path.get(close + 1..)) {
        (Some(before), Some(after)) if open < close => format!("{before}[*]{after}"),
        _ => path.to_owned(),
    }
}
