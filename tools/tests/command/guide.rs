//! The guide of the fighting world, `sim/world/docs/new-character.md`: its commands, run as they
//! stand there. What they play is looked at by a test of the world itself.

use std::path::{Path, PathBuf};
use std::process::Command;

const GUIDE: &str = include_str!("../../../sim/world/docs/new-character.md");

#[test]
fn the_commands_of_the_guide_work_in_its_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guide");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("sim/world/data")).unwrap();
    for entry in std::fs::read_dir(root.join("sim/world/data")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join("sim/world/data").join(path.file_name().unwrap())).unwrap();
    }
    let mut commands = 0;
    let mut lines = GUIDE.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if kind == "sh" {
            for line in block {
                let words: Vec<&str> = line.split(' ').collect();
                let program = if words[0] == "snapback" { env!("CARGO_BIN_EXE_snapback") } else { words[0] };
                let output = Command::new(program).args(&words[1..]).current_dir(&folder).output().unwrap();
                assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
                commands += 1;
            }
        } else if let Some(path) = kind.strip_prefix("diff ") {
            let mut text = std::fs::read_to_string(folder.join(path)).unwrap();
            let (gone, new): (Vec<&str>, Vec<&str>) = block.iter().partition(|line| line.starts_with('-'));
            for (gone, new) in gone.iter().zip(new) {
                assert!(text.contains(&gone[1..]), "{path} has no line {gone}");
                text = text.replacen(&gone[1..], &new[1..], 1);
            }
            std::fs::write(folder.join(path), text).unwrap();
        } else if let Some(path) = kind.strip_prefix("toml ") {
            let text = std::fs::read_to_string(folder.join(path)).unwrap();
            std::fs::write(folder.join(path), format!("{text}{}\n", block.join("\n"))).unwrap();
        }
    }
    assert_eq!(commands, 3);
}
