//! `snapback inspect rewind`: verdicts, the page and what it may not do, errors.

use super::support::snapback;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("sim/rewind/scenarios")
}

fn path_of(name: &str) -> String {
    scenarios().join(name).to_str().unwrap().to_owned()
}

fn workplace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rewind").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A scenario in a folder of its own, with `from` for `to`.
fn changed(folder: &Path, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(path_of("view_delay.toml")).unwrap();
    assert!(text.contains(from), "{from}");
    let path = folder.join("changed.toml");
    std::fs::write(&path, text.replace(from, to)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What is between the element of the data and its end.
fn data_of(page: &str) -> Value {
    let data = page.split("<script type=\"application/json\" id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_terminal_hears_the_verdict_first_and_then_why() {
    let run = snapback(&["inspect", "rewind", &path_of("view_delay.toml")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let shot: Vec<&str> = run.out.lines().skip_while(|line| !line.starts_with("shot 1")).collect();
    assert!(shot[1].starts_with("  HIT. Anna's shot met Bert (head) where Bert was at 200 ms"), "{}", run.out);
    assert!(shot.contains(&"  as expected"), "{}", run.out);
    let run = snapback(&["inspect", "rewind", &path_of("wall.toml")]);
    assert!(
        run.out.contains("  MISS. Anna's shot ended at wall. Bert/body stood in the line of the shot, behind what stopped it."),
        "{}",
        run.out
    );
}

#[test]
fn every_scenario_of_the_folder_comes_out_as_expected_and_has_a_page_of_its_own() {
    let folder = workplace("pages");
    let mut count = 0;
    for entry in std::fs::read_dir(scenarios()).unwrap() {
        let path = entry.unwrap().path();
        let page = folder.join("page.html");
        let run = snapback(&["inspect", "rewind", path.to_str().unwrap(), "--json", "--html", page.to_str().unwrap()]);
        assert_eq!(run.code, Some(0), "{}: {}{}", path.display(), run.out, run.err);
        let report = run.json();
        assert_eq!(report["as_expected"], true);
        let page = std::fs::read_to_string(&page).unwrap();
        let data = data_of(&page);
        assert_eq!((&data["hash"], data["shots"].as_array().unwrap().len()), (&report["hash"], report["shots"].as_array().unwrap().len()));
        for shot in data["shots"].as_array().unwrap() {
            assert_eq!(shot["ghosts"].as_array().unwrap().len(), shot["path"].as_array().unwrap().len());
        }
        for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
            assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{}: {outside}", path.display());
        }
        assert!(page.contains("default-src 'none'"));
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn a_name_is_never_markup() {
    let folder = workplace("markup");
    let name = "</script><script>alert(1)</script><!--<img onerror=1>&amp;{{script}}{{data}}";
    let hostile: String = name.chars().take(60).collect();
    let path = changed(&folder, "\"Bert\"", &format!("\"{}\"", hostile.replace('/', "")));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        text.replace("name = \"Hit because of the view delay\"", &format!("name = \"{hostile}\""))
            .replace("name = \"rifle\"", &format!("name = \"{hostile}\""))
            .replace("aim_at = ", "# ")
            .replace("range_cm", "direction = [0, 0, 1]\nrange_cm"),
    )
    .unwrap();
    let page = folder.join("page.html");
    let run = snapback(&["inspect", "rewind", &path, "--html", page.to_str().unwrap()]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.err);
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!(data_of(&page)["name"], hostile.as_str());
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert!(page.contains("<title>&lt;/script&gt;"));
}

#[test]
fn one_shot_is_shown_alone() {
    let report = snapback(&["inspect", "rewind", &path_of("crouch.toml"), "--shot", "2", "--format", "json"]).json();
    let shots = report["shots"].as_array().unwrap();
    assert_eq!((shots.len(), &shots[0]["name"], &shots[0]["hit"]), (1, &Value::from("late"), &Value::from(false)));
    let run = snapback(&["inspect", "rewind", &path_of("crouch.toml"), "--shot", "3"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.error(), "error: --shot: there is no shot 3: the scenario has 2; give 1 to 2");
}

#[test]
fn a_shot_that_comes_out_otherwise_ends_with_1() {
    let folder = workplace("otherwise");
    let run = snapback(&["inspect", "rewind", &changed(&folder, "region = \"head\"\ntarget", "region = \"torso\"\ntarget")]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("  NOT AS EXPECTED: a hit of \"Bert\" (torso) was expected, and \"Bert\" was hit (head)"), "{}", run.out);
}

#[test]
fn a_wrong_file_is_told_by_its_line_and_leaves_no_page() {
    let folder = workplace("wrong");
    let path = changed(&folder, "fire_ms", "fier_ms");
    let page = folder.join("page.html");
    let run = snapback(&["inspect", "rewind", &path, "--html", page.to_str().unwrap()]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.error(),
        format!("error: {path}:57: shot \"rifle\": fier_ms is not known here; write fire_ms: milliseconds from 0 to 500")
    );
    assert!(!page.exists());
    std::fs::write(&path, b"name = \"x\"\nstory = \"\xff\"").unwrap();
    let run = snapback(&["inspect", "rewind", &path]);
    assert_eq!((run.code, run.error()), (Some(2), format!("error: {path}:2: this is not UTF-8 text; give a scenario in TOML").as_str()));
    let run = snapback(&["inspect", "rewind", folder.to_str().unwrap()]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    let run = snapback(&["inspect", "rewind", "/no/such/file.toml"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    let run = snapback(&["inspect", "rewind", &path_of("wall.toml"), "--html", "/no/such/folder/page.html"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
}

/// The scenario in the help is one.
#[test]
fn the_scenario_of_the_help_can_be_played() {
    let help = snapback(&["inspect", "rewind", "--help"]).out;
    let text: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("A scenario, as short"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .collect();
    assert!(text.len() > 20, "{help}");
    let path = workplace("help").join("help.toml");
    std::fs::write(&path, text.join("\n")).unwrap();
    let run = snapback(&["inspect", "rewind", path.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

#[test]
fn a_page_never_destroys_its_scenario() {
    let folder = workplace("overwrite");
    let path = changed(&folder, "name = \"Hit", "name = \"A hit");
    let before = std::fs::read(&path).unwrap();
    let mut pages = vec![path.clone(), folder.join(".").join("../overwrite/changed.toml").to_str().unwrap().to_owned()];
    #[cfg(unix)]
    {
        let link = folder.join("link.html");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        pages.push(link.to_str().unwrap().to_owned());
    }
    for page in pages {
        let run = snapback(&["inspect", "rewind", &path, "--html", &page]);
        assert_eq!(run.code, Some(2), "{page}: {}", run.out);
        assert_eq!(run.error(), format!("error: --html: {page} is the scenario itself; give the page a file of its own"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    let run = snapback(&["inspect", "rewind", &path, "--html", "-"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert_eq!(run.error(), "error: --html: - is no file, and stdout has the answer; give a path such as shot.html");
    assert!(!Path::new("-").exists());
}

#[test]
fn a_refused_shot_says_why_everywhere_and_does_not_pass_as_a_miss() {
    let folder = workplace("refused");
    let path = changed(&folder, "arrives_ms = 340", "arrives_ms = 500");
    let text = std::fs::read_to_string(&path).unwrap();
    let expecting = |expect: &str| {
        std::fs::write(&path, format!("{}[shot.expect]\n{expect}", text.split_once("[shot.expect]").unwrap().0)).unwrap();
        let page = folder.join("page.html");
        let run = snapback(&["inspect", "rewind", &path, "--html", page.to_str().unwrap()]);
        let json = snapback(&["inspect", "rewind", &path, "--json"]).json();
        (run, json, data_of(&std::fs::read_to_string(page).unwrap()))
    };
    let (run, json, page) = expecting("nobody = true");
    assert_eq!(run.code, Some(1), "{}", run.out);
    let reason = "scenario over: the scenario ends before the tick that would take it";
    assert!(run.out.contains(&format!("  NOT TAKEN. The server did not take Anna's shot: {reason}.")), "{}", run.out);
    assert!(run.out.contains(&format!("  NOT AS EXPECTED: the shot was refused ({reason}), and that was not expected")), "{}", run.out);
    assert!(run.out.contains("  fired 300 ms, view delay 100 ms, refused at 500 ms\n"), "{}", run.out);
    assert!(!run.out.contains("taken ") && !run.out.contains("as expected\n"), "{}", run.out);
    for shot in [&json["shots"][0], &page["shots"][0]] {
        assert_eq!((&shot["refusal"]["reason"], &shot["refusal"]["text"]), (&"scenario over".into(), &reason.into()));
    }
    assert_eq!(json["as_expected"], false);
    let (run, json, _) = expecting("refused = true\nbecause = \"scenario over\"");
    assert_eq!((run.code, &json["as_expected"]), (Some(0), &Value::from(true)), "{}", run.out);
    // Expecting nothing is not expecting a refusal.
    std::fs::write(&path, text.split_once("[shot.expect]").unwrap().0).unwrap();
    let run = snapback(&["inspect", "rewind", &path]);
    assert_eq!(run.code, Some(1), "{}", run.out);
}

/// Times are rounded by one rule: the script has no other, and every kind of its lines that has a class of its own is in the legend.
#[test]
fn the_page_rounds_times_as_the_sentences_do_and_explains_its_lines() {
    let script = include_str!("../../src/inspect/rewind/page.js");
    assert!(!script.contains("toFixed") && !script.contains("Math.round(state.time"));
    assert!(script.contains("Math.floor((us + 50) / 100)"));
    let legend = script.split_once("function legend()").unwrap().1.split_once("\n}").unwrap().0;
    for kind in ["now", "ghost", "wall", "path flown", "path", "around", "box potential", "gap", "tie", "blast", "mark-span"] {
        assert!(legend.contains(&format!("[\"{kind}\", ")), "{kind}");
    }
}

#[test]
fn the_limit_of_shots_is_that_of_a_file() {
    let run = snapback(&["inspect", "rewind", &path_of("crouch.toml"), "--shot", "33"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("from 1 to 32"), "{}", run.err);
}
