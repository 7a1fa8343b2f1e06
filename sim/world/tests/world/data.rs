//! Frame data: what is read, what is refused, and what decides its hash.

use crate::cases::{cases, stride};
use crate::rig::Rig;
use snapback_core::Simulation;
use snapback_sim::{DataFile, Mechanic, PadInput, WorldData};

const RULES: usize = 0;
const DUELIST: usize = 1;
const WARDEN: usize = 2;

/// The default files with `from` replaced by `to` in one of them.
fn replaced(file: usize, from: &str, to: &str) -> Vec<DataFile> {
    let mut files = WorldData::default_files();
    assert!(files[file].text.contains(from), "{from}");
    files[file].text = files[file].text.replacen(from, to, 1);
    files
}

/// What it is refused with.
fn refusal(file: usize, from: &str, to: &str) -> String {
    WorldData::load(&replaced(file, from, to)).unwrap_err().to_string()
}

#[test]
fn a_field_of_the_wrong_kind_is_named_with_file_and_move() {
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"13+4+19\"\n", ""), @r#"duelist.toml: move "heavy" of "duelist": frames is missing; add it: a text in quotes"#);
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"13+4+19\"", "frames = \"0+4+19\""), @r#"duelist.toml: move "heavy" of "duelist": frames is "0+4+19"; give start-up, active and recovery frames, each up to 300, such as "5+3+8""#);
    insta::assert_snapshot!(refusal(DUELIST, "damage = 120", "damage = \"120\""), @r#"duelist.toml: move "heavy" of "duelist": damage is a text; give a whole number from 0 to 10000"#);
    insta::assert_snapshot!(refusal(DUELIST, "launch_up = \"8\"", "launch_up = 8.5"), @r#"duelist.toml: move "heavy" of "duelist": launch_up is the float 8.5; write it in quotes, such as "8.5""#);
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"13+4+19\"", "frames = 36"), @r#"duelist.toml: move "heavy" of "duelist": frames is a whole number; give a text in quotes"#);
    insta::assert_snapshot!(refusal(DUELIST, "launch_up = \"8\"", "launch_up = \"fast\""), @r#"duelist.toml: move "heavy" of "duelist": launch_up is "fast"; give a decimal in quotes from "0" to "100""#);
    insta::assert_snapshot!(refusal(DUELIST, "launch_up = \"8\"", "launch_up = \"101\""), @r#"duelist.toml: move "heavy" of "duelist": launch_up is 101; give a decimal in quotes from "0" to "100""#);
    insta::assert_snapshot!(refusal(DUELIST, "height = \"low\"", "height = \"lowest\""), @r#"duelist.toml: move "low" of "duelist": height is "lowest"; give one of "high", "mid", "low", "overhead", "unblockable""#);
    insta::assert_snapshot!(refusal(DUELIST, "damage = 120", "damge = 12"), @r#"duelist.toml: move "heavy" of "duelist": damge is not known here; write damage"#);
    insta::assert_snapshot!(refusal(WARDEN, "kind = \"throw\"", "kind = 3"), @r#"warden.toml: move "throw" of "warden": kind is a whole number; give a text in quotes"#);
    insta::assert_snapshot!(refusal(WARDEN, "wall_splat = true", "wall_splat = \"yes\""), @r#"warden.toml: move "heavy" of "warden": wall_splat is a text; give true or false"#);
    insta::assert_snapshot!(refusal(WARDEN, "tags = [\"normal\"]", "tags = \"normal\""), @r#"warden.toml: move "light" of "warden": tags is not a list; give a list of at most 32 texts in quotes"#);
    insta::assert_snapshot!(refusal(DUELIST, "buttons = \"light+heavy\"", "buttons = \"light+kick\""), @r#"duelist.toml: move "launcher" of "duelist": buttons is "light+kick"; give one of "light", "heavy", "grab", "special", or several with + between them"#);
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"8-10\"", "frames = \"10-8\""), @r#"duelist.toml: hit_boxes 1 of move "two_step" of "duelist": frames is "10-8"; give frames from 0 to 600, such as "5-7" or "5""#);
    insta::assert_snapshot!(refusal(RULES, "disabled = []", "disabled = [\"dashes\"]"), @r#"rules.toml: rules of the file: disabled has "dashes"; use only armour, attributes, backdash, blocking, buffer, cancels, charge, chip, cooldowns, counter_hits, damage_scaling, dash, gravity_scaling, heat, hitstop, juggle_limit, ki_charge, knockdown, launch, meter, motions, plinks, projectile_clash, projectiles, push_boxes, pushback, rage, sidestep, stances, status, teleport, throw_tech, throws, time_over, tracking, wall_splat"#);
    insta::assert_snapshot!(refusal(RULES, "[stage]", "[stage"), @"rules.toml: line 5: unclosed table, expected `]`; write it as TOML");
}

#[test]
fn fields_that_do_not_fit_each_other_are_named() {
    insta::assert_snapshot!(refusal(DUELIST, "cancel_hit = [\"light\", \"low\"", "cancel_hit = [\"ligth\", \"low\""), @r#"duelist.toml: move "light" of "duelist": cancel_hit has "ligth", which is neither a move nor a tag of this character; give the name of a move, or a tag that a move has"#);
    insta::assert_snapshot!(refusal(DUELIST, "name = \"low\"", "name = \"light\""), @r#"duelist.toml: move "light" of "duelist": name is used twice; give each move a name of its own"#);
    insta::assert_snapshot!(refusal(DUELIST, "front = \"78\"", "front = \"20\""), @r#"duelist.toml: hit_boxes 1 of move "light" of "duelist": front is 20; give more than back, which is 20"#);
    insta::assert_snapshot!(refusal(DUELIST, "bottom = \"120\", top = \"145\"", "bottom = \"145\", top = \"120\""), @r#"duelist.toml: hit_boxes 1 of move "light" of "duelist": top is 120; give more than bottom, which is 145"#);
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"8-10\", hit = 1", "frames = \"7-10\", hit = 1"), @r#"duelist.toml: hit_boxes 1 of move "two_step" of "duelist": frames is "7-10"; give active frames only, which are "8-16""#);
    insta::assert_snapshot!(refusal(DUELIST, "cancel_frames = \"13-20\"", "cancel_frames = \"13-90\""), @r#"duelist.toml: move "heavy" of "duelist": cancel_frames is "13-90"; give frames below 36, the length of the move"#);
    insta::assert_snapshot!(refusal(DUELIST, "enter_stance = \"lotus\"", "enter_stance = \"lotos\""), @r#"duelist.toml: move "lotus" of "duelist": enter_stance is "lotos", which is no stance of this character; add a [[stance]] of that name"#);
    insta::assert_snapshot!(refusal(DUELIST, "stance = \"lotus\"\nframes", "stance = \"rose\"\nframes"), @r#"duelist.toml: move "lotus_sweep" of "duelist": stance is "rose", which is no stance of this character; add a [[stance]] of that name"#);
    insta::assert_snapshot!(refusal(DUELIST, "status_on_hit = \"burn\"", "status_on_hit = \"burns\""), @r#"duelist.toml: move "fireball" of "duelist": status_on_hit is "burns", which is no status of the rules; add a [[status]] of that name to them"#);
    insta::assert_snapshot!(refusal(DUELIST, "frame = 12\n", "frame = 60\n"), @r#"duelist.toml: move "fireball" of "duelist": projectile.frame is 60; give less than 40, the length of the move"#);
    insta::assert_snapshot!(refusal(DUELIST, "rise_frame = 5", "rise_frame = 100"), @r#"duelist.toml: move "uppercut" of "duelist": rise_frame is 100; give less than 44, the length of the move"#);
    insta::assert_snapshot!(refusal(DUELIST, "gravity = \"0.85\"", "gravity = 0"), @r#"duelist.toml: character "duelist": gravity is 0; give more than 0, so that jumps end"#);
    insta::assert_snapshot!(refusal(WARDEN, "name = \"warden\"", "name = \"duelist\""), @r#"warden.toml: character "duelist": name is that of the character in duelist.toml too; give each character a name of its own"#);
    insta::assert_snapshot!(refusal(RULES, "start_near = \"110\"", "start_near = \"10\""), @"rules.toml: stage: start_near is 10; give at least 22, so that no push boxes overlap at the start");
    insta::assert_snapshot!(refusal(RULES, "start_spacing = \"90\"", "start_spacing = \"200\""), @"rules.toml: stage: start_spacing is 200; give less, so that 4 fighters a side start within half_width, which is 420");
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"14-16\", hit = 2", "frames = \"14-16\", hit = 1"), @r#"duelist.toml: move "two_step" of "duelist": hit_boxes has hit 1 for a second time in frame 14; give it another number, or frames without a gap"#);
    insta::assert_snapshot!(refusal(DUELIST, "frames = \"14-16\", hit = 2", "frames = \"10-16\", hit = 2"), @r#"duelist.toml: move "two_step" of "duelist": hit_boxes has boxes of hits 1 and 2 in frame 10; give each hit frames of its own"#);
    insta::assert_snapshot!(refusal(DUELIST, "rise_frame = 5\n", ""), @r#"duelist.toml: move "uppercut" of "duelist": rise_frame is 0 and rise_speed is 11; give 1 or more, so that the move rises"#);
    // These two names have the same CRC-32: the state could not tell them apart.
    let text =
        replaced(DUELIST, "name = \"stomp\"", "name = \"plumless\"")[DUELIST].text.replace("name = \"lotus_palm\"", "name = \"buckeroo\"");
    let mut files = WorldData::default_files();
    files[DUELIST].text = text;
    insta::assert_snapshot!(WorldData::load(&files).unwrap_err(), @r#"duelist.toml: move "plumless" of "duelist": name has the same hash as "buckeroo"; rename one of the two"#);
}

#[test]
fn files_that_are_no_set_are_refused() {
    let files = WorldData::default_files();
    let refused = |files: &[DataFile]| WorldData::load(files).unwrap_err().to_string();
    insta::assert_snapshot!(refused(&[]), @"no file: the files: rules is missing; add a file with the tables rules and stage");
    insta::assert_snapshot!(refused(&files[..1]), @"rules.toml: the files: are 0 files of characters; give 1 to 16, one for each character");
    insta::assert_snapshot!(refused(&files[1..]), @"duelist.toml, warden.toml: the files: rules is missing; add a file with the tables rules and stage");
    insta::assert_snapshot!(refused(&[files[0].clone(), files[0].clone(), files[1].clone()]), @"rules.toml: the file: rules are in rules.toml already; give one file with rules");
    let empty = DataFile { name: "empty.toml".into(), text: String::new() };
    insta::assert_snapshot!(refused(&[files[0].clone(), empty]), @"empty.toml: the file: name is missing; add it: a text in quotes");
}

#[test]
fn layout_of_the_text_does_not_decide_the_hash_and_values_do() {
    let default = WorldData::default();
    let mut files = WorldData::default_files();
    for file in &mut files {
        file.name = format!("other-{}", file.name);
        file.text = format!("# a comment\n{}", file.text.replace("\"2.75\"", "'2.750'").replace('\n', "\n\n"));
    }
    assert_eq!(WorldData::load(&files).unwrap().hash(), default.hash());

    let files = WorldData::default_files();
    let mut changed = 0;
    for number in 0..files.len() {
        let lines: Vec<&str> = files[number].text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            // Every third line's numbers, one at a time, a little greater: the hash tells each apart.
            for candidate in greater(line).into_iter().filter(|_| at % stride(3) == 0) {
                let mut copy = files.clone();
                let mut text: Vec<&str> = lines.clone();
                text[at] = &candidate;
                copy[number].text = text.join("\n");
                if let Ok(data) = WorldData::load(&copy) {
                    assert_ne!(data.hash(), default.hash(), "{candidate}");
                    changed += 1;
                }
            }
        }
    }
    assert!(changed > cases(300), "{changed}");
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
    let data = WorldData::load(&replaced(DUELIST, "damage = 40", "damage = 41")).unwrap();
    let mut rig = Rig::with_data(data, 7, 2);
    assert_ne!(rig.world.config_hash(), Rig::new(7, 2).world.config_hash());
    rig.steps(60 + 20, &[PadInput::RIGHT, PadInput::LEFT]);
    rig.step(&[PadInput::LIGHT]);
    rig.steps(5, &[]);
    assert_eq!(rig.health(), [1000, 959]);
}

#[test]
fn who_sits_where_decides_the_config_hash() {
    assert_ne!(Rig::new(7, 2).world.config_hash(), Rig::mixed(7, 2).world.config_hash());
}

#[test]
fn switching_off_by_file_is_switching_off() {
    let off = WorldData::load(&replaced(RULES, "disabled = []", "disabled = [\"chip\", \"dash\"]")).unwrap();
    assert_ne!(off.hash(), WorldData::default().hash());
    assert_ne!(off.hash(), WorldData::default().without(&[Mechanic::Chip]).hash());
    let names: std::collections::BTreeSet<_> = Mechanic::ALL.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), Mechanic::ALL.len());
}

#[test]
fn the_default_has_two_characters_of_more_than_twenty_moves() {
    let data = WorldData::default();
    assert_eq!(data.character_names().collect::<Vec<_>>(), ["duelist", "warden"]);
    for character in 0..2 {
        let names: std::collections::BTreeSet<_> = data.move_names(character).collect();
        assert!(names.len() >= 20, "{names:?}");
    }
    assert_eq!(data.move_names(2).count(), 0);
}

/// Every field that the guide lists stands in a file: each is used by somebody.
#[test]
fn the_default_uses_every_field() {
    let texts: Vec<DataFile> = WorldData::default_files();
    let uses = |field: &str| {
        texts.iter().any(|file| {
            [format!("{field} = "), format!("[move.{field}]"), format!("[{field}]"), format!("[[{field}]]")]
                .iter()
                .any(|text| file.text.contains(text))
        })
    };
    let rows = include_str!("../../docs/new-character.md").lines().filter_map(|line| line.strip_prefix("| `"));
    let fields = rows.flat_map(|row| {
        row.split(" | ").next().unwrap_or("").split(", ").map(|field| field.trim_matches('`').to_owned()).collect::<Vec<_>>()
    });
    let unused: Vec<String> = fields.filter(|field| !uses(field)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
