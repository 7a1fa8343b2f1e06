//! [`FAULTS`]: mistakes that a session must not make, as changes of its source. The soak must find each.

/// One mistake.
#[derive(Clone, Copy, Debug)]
pub struct Planted {
    /// What the session then does wrong.
    pub name: &'static str,
    /// In which file, from the root of the workspace.
    pub file: &'static str,
    /// What stands there, once.
    pub from: &'static str,
    /// What stands there instead.
    pub to: &'static str,
}

/// Every mistake that is planted. `cargo run --release -p snapback-tests --example planted` makes them one
/// by one in a copy of the workspace, and lets the soak find them.
pub const FAULTS: &[Planted] = &[
    Planted {
        name: "a rewind restores the state after the wrong frame and not the one before it",
        file: "session/src/rollback/session.rs",
        from: "(self.current, wrong.previous());",
        to: "(self.current, wrong.min(self.current.previous()));",
    },
    Planted {
        name: "of two wrong frames the later one is corrected",
        file: "session/src/rollback/session.rs",
        from: "|earliest| earliest.min(frame)",
        to: "|earliest| earliest.max(frame)",
    },
    Planted {
        name: "a frame counts as confirmed while it has still to be simulated again",
        file: "session/src/rollback/session.rs",
        from: "map_or(self.current, |wrong| wrong.previous().min(self.current))",
        to: "map_or(self.current, |_| self.current)",
    },
    Planted {
        name: "the states of a resimulation are not kept",
        file: "session/src/rollback/session.rs",
        from: "        self.ring.save(frame, |out| self.simulation.capture(out));\n        self.current = frame;",
        to: "        if policy == SideEffectPolicy::Emit {\n            self.ring.save(frame, |out| self.simulation.capture(out));\n        }\n        self.current = frame;",
    },
    Planted {
        name: "a command that comes late is not played",
        file: "session/src/rollback/session.rs",
        from: "if used.input == input && used.command == command {",
        to: "if used.input == input {",
    },
    Planted {
        name: "a correction that takes several ticks is taken for done after the first",
        file: "session/src/rollback/session.rs",
        from: "self.is_catching_up = until < present;",
        to: "self.is_catching_up = false;",
    },
    Planted {
        name: "a correction that takes several ticks leaves out a frame between two of them",
        file: "session/src/rollback/session.rs",
        from: "self.earliest_wrong = Some(until.next());",
        to: "self.earliest_wrong = Some(until.next().next());",
    },
    Planted {
        name: "inputs are predicted beyond the window",
        file: "session/src/rollback/session.rs",
        from: "(next - confirmed_frame > window).then_some",
        to: "(next - confirmed_frame > window + 500).then_some",
    },
    Planted {
        name: "a peer leaves before the last frame is confirmed",
        file: "session/src/peer/farewell.rs",
        from: "if !self.is_all_confirmed() {",
        to: "if self.next_confirmed <= last - 3 {",
    },
    Planted {
        name: "time in which the program did not run counts as the others' silence",
        file: "session/src/peer/outgoing.rs",
        from: "link.endpoint.excuse(now_us, now_us.saturating_sub(last_us));",
        to: "let _ = (&mut *link, last_us);",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A change of the session takes its planted faults along, or they would no longer be planted.
    #[test]
    fn every_fault_can_be_planted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for Planted { name, file, from, to } in FAULTS {
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
            assert_eq!(source.matches(from).count(), 1, "{name}: {file} has not exactly one place for it");
            assert_ne!(from, to);
        }
    }
}
