//! What each way to repair loss is worth, as Markdown:
//! `cargo run -p snapback-transport --example loss_table`.
//!
//! Everything is drawn from seeds on virtual time: the same build prints the same numbers.
//!
//! | module | what it holds |
//! |---|---|
//! | `path` | what the two directions of the link do to packets |
//! | `scheme` | what is sent beside the packet of the frame |
//! | `side` | one of two peers, made of the crate's own parts |
//! | `run` | two of them and the link between, and what is counted |
//! | `table` | the rows, as text |

mod path;
mod run;
mod scheme;
mod side;
mod table;

use scheme::SCHEMES;

fn main() {
    for path in path::PATHS {
        println!("### {}\n", path.name);
        println!("| scheme | late | delayed | by 10 ms | p99.9 in ms | bytes | not repeated |");
        println!("|---|---|---|---|---|---|---|");
        let plain = table::outcome(path, SCHEMES[0]);
        for scheme in SCHEMES {
            println!("{}", table::row(scheme.name, &table::outcome(path, *scheme), plain.bytes));
        }
        println!();
    }
}
