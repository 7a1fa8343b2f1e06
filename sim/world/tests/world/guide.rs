//! `docs/new-character.md`, followed word for word: what it copies, changes and adds is played.

use crate::rig::Rig;
use snapback_core::NameHash;
use snapback_sim::{DataFile, WorldData};
use std::collections::BTreeMap;

const GUIDE: &str = include_str!("../../docs/new-character.md");

/// The fenced blocks: what stands after the fence, and the lines.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut blocks = Vec::new();
    let mut lines = GUIDE.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            blocks.push((kind, lines.by_ref().take_while(|line| *line != "```").collect()));
        }
    }
    blocks
}

/// The folder `mine` after all steps of the guide.
fn mine() -> Vec<DataFile> {
    let built_in = WorldData::default_files();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for (kind, lines) in blocks() {
        if let Some(path) = kind.strip_prefix("diff ") {
            let text = files.get_mut(path).unwrap();
            let (gone, new): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with('-'));
            assert_eq!(gone.len(), new.len());
            for (gone, new) in gone.iter().zip(new) {
                assert!(text.contains(&gone[1..]), "{path} has no line {gone}");
                *text = text.replacen(&gone[1..], new.strip_prefix('+').unwrap(), 1);
            }
        } else if let Some(path) = kind.strip_prefix("toml ") {
            files.get_mut(path).unwrap().push_str(&(lines.join("\n") + "\n"));
        } else if kind == "sh" {
            for line in lines {
                match line.split(' ').collect::<Vec<_>>()[..] {
                    ["cp", "-r", "sim/world/data", to] => {
                        files.extend(built_in.iter().map(|file| (format!("{to}/{}", file.name), file.text.clone())));
                    }
                    ["cp", from, to] => {
                        let text = files[from].clone();
                        files.insert(to.to_owned(), text);
                    }
                    // Run by a test of the command.
                    ["snapback", ..] => {}
                    _ => unreachable!("the guide has a command that this test does not know: {line}"),
                }
            }
        }
    }
    files.into_iter().map(|(name, text)| DataFile { name, text }).collect()
}

#[test]
fn the_guide_makes_a_character_that_is_played() {
    let data = WorldData::load(&mine()).unwrap();
    assert_eq!(data.character_names().collect::<Vec<_>>(), ["duelist", "monk", "warden"]);
    assert!(data.move_names(1).any(|name| name == "temple_kick"));
    let data = std::sync::Arc::new(data);
    let mut rig = Rig::pair(&data, ["monk", "warden"], 80);
    assert_eq!(rig.health(), [900, 1000]);
    rig.play(0, "LZ 5*30");
    assert_eq!(rig.fighters()[0].abilities.last, NameHash::of("temple_kick"));
    let expected = 1000 - (35 * 950 + 500) / 1000;
    assert!(rig.health()[1] < expected, "two hits: {:?}", rig.health());
    // From the light attack, too.
    let mut rig = Rig::pair(&data, ["monk", "warden"], 80);
    rig.play(0, "L 5*7 LZ 5*6");
    assert_eq!(rig.fighters()[0].abilities.last, NameHash::of("temple_kick"));
    // And in a match of all three it fights to the end.
    let mut rig = Rig::with_roster(data, &[("duelist", 0), ("monk", 1), ("warden", 2)], 1, 3);
    let mut mashers = crate::rig::Mashers::new(1);
    for _ in 0..6_000 {
        let pads = mashers.next(rig.fighters());
        rig.step(&pads);
    }
    assert!(rig.world.view().results().count > 0);
}

#[test]
fn the_error_of_the_guide_is_the_one_that_comes() {
    let mut files = mine();
    let monk = files.iter_mut().find(|file| file.name == "mine/monk.toml").unwrap();
    let (before, own) = monk.text.split_once("name = \"temple_kick\"").unwrap();
    monk.text = format!("{before}name = \"temple_kick\"{}", own.replacen("\"low\"", "\"lower\"", 1));
    let error = WorldData::load(&files).unwrap_err().to_string();
    let (_, lines) = blocks().into_iter().find(|(kind, _)| *kind == "text").unwrap();
    assert_eq!(error, lines.join("\n"));
}

/// Every field that the reader knows has a line in the guide, and every line a field.
#[test]
fn the_guide_describes_every_field() {
    let fields = |file: usize, before: &str| -> Vec<String> {
        let mut files = WorldData::default_files();
        files[file].text = files[file].text.replacen(before, &format!("unknown = 1\n{before}"), 1);
        let error = WorldData::load(&files).unwrap_err();
        error.action.strip_prefix("use only ").unwrap().split(", ").map(str::to_owned).collect()
    };
    for (title, marker) in [
        ("## Fields of a character", "name = \"duelist\""),
        ("## Fields of a stance", "frames = 60\ncrouching"),
        ("## Fields of a move", "buttons = \"light\"\nframes = \"5+3+8\""),
        ("## Fields of a projectile", "frame = 12\n"),
    ] {
        let (_, rest) = GUIDE.split_once(&format!("{title}\n")).unwrap();
        let section = rest.split("\n## ").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        let mut described: Vec<String> = rows.flat_map(|row| row.split(", `")).map(|name| name.trim_end_matches('`').to_owned()).collect();
        let mut known = fields(1, marker);
        described.sort();
        known.sort();
        assert_eq!(described, known, "{title}");
    }
}
