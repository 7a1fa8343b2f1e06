//! Frame data: what is read, what is refused, and what decides its hash.

use crate::rig::Rig;
use snapback_core::Simulation;
use snapback_sim::{PadInput, WorldData};

/// What `from` replaced by `to` in the default text is refused with.
fn refusal(from: &str, to: &str) -> String {
    let text = WorldData::default_text();
    assert!(text.contains(from), "{from}");
    WorldData::parse("mine.toml", &text.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn an_error_names_file_place_and_field_and_says_what_to_write() {
    insta::assert_snapshot!(refusal("startup_frames = 13\n", ""), @r#"mine.toml: move "heavy" of "duelist": startup_frames is missing; add it: a whole number from 1 to 600"#);
    insta::assert_snapshot!(refusal("startup_frames = 13", "startup_frames = 0"), @r#"mine.toml: move "heavy" of "duelist": startup_frames is 0; give a whole number from 1 to 600"#);
    insta::assert_snapshot!(refusal("startup_frames = 13", "startup_frames = \"13\""), @r#"mine.toml: move "heavy" of "duelist": startup_frames is a text; give a whole number from 1 to 600"#);
    insta::assert_snapshot!(refusal("launch_up = \"8\"", "launch_up = 8.5"), @r#"mine.toml: move "heavy" of "duelist": launch_up is the float 8.5; write it in quotes, such as "8.5""#);
    insta::assert_snapshot!(refusal("launch_up = \"8\"", "launch_up = \"fast\""), @r#"mine.toml: move "heavy" of "duelist": launch_up is "fast"; give a decimal in quotes from "0" to "100""#);
    insta::assert_snapshot!(refusal("launch_up = \"8\"", "launch_up = \"101\""), @r#"mine.toml: move "heavy" of "duelist": launch_up is 101; give a decimal in quotes from "0" to "100""#);
    insta::assert_snapshot!(refusal("guard = \"crouching\"", "guard = \"low\""), @r#"mine.toml: move "low" of "duelist": guard is "low"; give one of "any", "standing", "crouching""#);
    insta::assert_snapshot!(refusal("damage = 120", "damge = 12"), @r#"mine.toml: move "heavy" of "duelist": damage is missing; add it: a whole number from 0 to 10000"#);
    insta::assert_snapshot!(refusal("damage = 120", "damage = 120\nchip = 3"), @r#"mine.toml: move "heavy" of "duelist": chip is not known here; use only name, button, posture, guard, startup_frames, active_frames, recovery_frames, damage, block_damage, hitstun_frames, blockstun_frames, hit_pushback, block_pushback, launch_up, meter_on_hit, meter_on_block, hit_boxes, hurt_boxes"#);
    insta::assert_snapshot!(refusal("name = \"low\"", "name = \"light\""), @r#"mine.toml: move "light" of "duelist": name is used twice; give each move a name of its own"#);
    insta::assert_snapshot!(refusal("posture = \"crouching\"", "posture = \"any\""), @r#"mine.toml: move "low" of "duelist": button is that of "light" too, from the same posture; give it another button or posture"#);
    insta::assert_snapshot!(refusal("button = \"heavy\"", "button = \"grab\""), @r#"mine.toml: move "heavy" of "duelist": button is "grab"; give one of "light", "heavy""#);
    insta::assert_snapshot!(refusal("front = \"78\"", "front = \"20\""), @r#"mine.toml: hit_boxes 1 of move "light" of "duelist": front is 20; give more than back, which is 20"#);
    insta::assert_snapshot!(refusal("start_near = \"110\"", "start_near = \"10\""), @"mine.toml: stage: start_near is 10; give at least 22, so that no push boxes overlap at the start");
    insta::assert_snapshot!(refusal("gravity = \"0.85\"", "gravity = 0"), @r#"mine.toml: fighter "duelist": gravity is 0; give more than 0, so that jumps end"#);
    insta::assert_snapshot!(refusal("[stage]", "[stage"), @"mine.toml: line 4: unclosed table, expected `]`; write it as TOML");
    insta::assert_snapshot!(WorldData::parse("empty.toml", "").unwrap_err(), @"empty.toml: the file: stage is missing; add it: a table");
}

#[test]
fn layout_of_the_text_does_not_decide_the_hash_and_values_do() {
    let text = WorldData::default_text();
    let default = WorldData::default();
    let rearranged = format!("# a comment\n{}", text.replace("walk_back = \"2.75\"", "walk_back = '2.750'").replace('\n', "\n\n"));
    assert_eq!(WorldData::parse("other.toml", &rearranged).unwrap().hash(), default.hash());

    let lines: Vec<&str> = text.lines().collect();
    let mut changed = 0;
    for (at, line) in lines.iter().enumerate() {
        // Every number, one at a time, a little greater: the hash tells each apart.
        for candidate in greater(line) {
            let mut copy: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
            copy[at] = candidate.clone();
            if let Ok(data) = WorldData::parse("other.toml", &copy.join("\n")) {
                assert_ne!(data.hash(), default.hash(), "{candidate}");
                changed += 1;
            }
        }
    }
    assert!(changed > 100, "{changed}");
}

/// The line with each of its numbers made greater by 1.
fn greater(line: &str) -> Vec<String> {
    if line.starts_with('#') {
        return Vec::new();
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let mut out = Vec::new();
    for (start, _) in line.char_indices().filter(|(at, c)| is_digit(*c) && !line[..*at].ends_with(|c: char| is_digit(c) || c == '.')) {
        let end = line[start..].find(|c| !is_digit(c)).map_or(line.len(), |n| start + n);
        if let Ok(number) = line[start..end].parse::<u64>() {
            out.push(format!("{}{}{}", &line[..start], number + 1, &line[end..]));
        }
    }
    out
}

#[test]
fn data_decides_the_fight_and_the_config_hash() {
    let text = WorldData::default_text().replace("damage = 40", "damage = 41");
    let mut rig = Rig::with_data(WorldData::parse("mine.toml", &text).unwrap(), 7, 2);
    assert_ne!(rig.world.config_hash(), Rig::new(7, 2).world.config_hash());
    rig.steps(60 + 20, &[PadInput::RIGHT, PadInput::LEFT]);
    rig.step(&[PadInput::LIGHT]);
    rig.steps(5, &[]);
    assert_eq!(rig.health(), [1000, 959]);
}

#[test]
fn the_default_names_its_characters() {
    assert_eq!(WorldData::default().character_names().collect::<Vec<_>>(), ["duelist"]);
}
