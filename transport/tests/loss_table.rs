//! The numbers in `docs/loss.md` are those of a run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../examples/loss_table/path.rs"]
mod path;
#[path = "../examples/loss_table/run.rs"]
mod run;
#[path = "../examples/loss_table/scheme.rs"]
mod scheme;
#[path = "../examples/loss_table/side.rs"]
mod side;
#[path = "../examples/loss_table/table.rs"]
mod table;

use scheme::SCHEMES;

const DOC: &str = include_str!("../docs/loss.md");

/// What the conclusion of the page is about.
const CONCLUDED_ON: [&str; 3] = ["none", "parity of 4 by need", "copy half a frame later by need"];

/// The rows of a path, as the page has them.
fn documented(path: &str) -> Vec<&'static str> {
    let heading = format!("### {path}");
    let rows = DOC.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with('#'));
    rows.filter(|line| line.starts_with("| ") && !line.starts_with("| scheme")).collect()
}

/// Every path at its full number of frames, and of its schemes those that the conclusion is about.
#[test]
fn the_page_has_the_numbers_of_a_run() {
    for path in path::PATHS {
        let rows = documented(path.name);
        assert_eq!(rows.len(), SCHEMES.len(), "docs/loss.md: `{}` has a row for each scheme", path.name);
        let plain = table::outcome(path, SCHEMES[0]);
        for (scheme, row) in SCHEMES.iter().zip(rows) {
            if CONCLUDED_ON.contains(&scheme.name) {
                let expected = table::row(scheme.name, &table::outcome(path, *scheme), plain.bytes);
                assert_eq!(
                    row, expected,
                    "docs/loss.md, `{}`: print it anew with `cargo run -p snapback-transport --example loss_table`",
                    path.name
                );
            }
        }
    }
}

/// The conclusion in numbers, so that a change that turns it over is seen.
#[test]
fn the_copy_beats_parity_where_loss_comes_in_outages() {
    let find = |name: &str| *SCHEMES.iter().find(|scheme| scheme.name == name).unwrap();
    let outages = path::PATHS.iter().find(|path| path.name == "5 % in outages of 50 to 100 ms").unwrap();
    let [plain, parity, copy] = CONCLUDED_ON.map(|name| table::outcome(outages, find(name)));
    assert!(copy.late * 2 < plain.late && copy.p999_us + 5_000 < plain.p999_us, "{copy:?}, {plain:?}");
    assert!(parity.p999_us + 1_000 > plain.p999_us && parity.recovered > 100, "{parity:?}, {plain:?}");
}
