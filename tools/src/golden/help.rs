//! What the help of `snapback golden` says below the options.

const EXIT_CODES: &str = "\
Exit codes:
  0    every frame of every replay gave the recorded hash
  1    a replay diverged, is unstable (the same inputs gave two results) or panicked
  2    the options are wrong, a file is not there, or there was no replay to check
  3    a file is damaged, cut off, or of a game or version that this build cannot play
  4    a file cannot be read or written
If replays fail in several ways, 1 comes before 3, and 3 before 4.";

const COMPARE_EXIT_CODES: &str = "\
Exit codes:
  0    nothing differs (who recorded does not count)
  1    something differs
  2    the options are wrong, or a file is not there
  3    a file is damaged, cut off, or of a game or version that this build cannot play
  4    a file cannot be read";

pub(crate) fn top() -> String {
    format!(
        "\
Examples:
  snapback golden verify                    every replay in golden/corpus
  snapback golden verify match.snbk         one replay
  snapback golden bisect match.snbk         where this build parts from it, with inputs and state
  snapback golden review                    what changed, to be accepted or rejected
  snapback golden coverage                  what the replays show, and what none of them does
  snapback golden record match.snbk         a new replay, played by bots

{EXIT_CODES}"
    )
}

pub(crate) fn verify() -> String {
    format!(
        "\
Examples:
  snapback golden verify                    every replay in golden/corpus
  snapback golden verify match.snbk --state
  snapback golden verify --format github    annotations at the files
  snapback golden verify --shard 2/4 --out part2.jsonl

From red to the cause: the report names the first frame whose state differs, the fields and both
values, what was pressed and the state before. If it is a fault, mend it and verify again. If it is
meant, `snapback golden review` accepts it, and keeps the reason in the replay.

{EXIT_CODES}"
    )
}

pub(crate) fn merge() -> String {
    format!(
        "\
Example, on four machines and then on one:
  snapback golden verify --shard 1/4 --out part1.jsonl
  snapback golden merge part1.jsonl part2.jsonl part3.jsonl part4.jsonl

The report and the exit code are those of one `verify` of everything. 2 also means that shards are
missing or that parts are not of one check, 3 that a part is damaged.

{EXIT_CODES}"
    )
}

pub(crate) fn coverage() -> String {
    "\
Examples:
  snapback golden coverage                  all of golden/corpus
  snapback golden coverage --by-goal        with the replays that show each thing
  snapback golden coverage match.snbk

Exit codes:
  0    every replay shows something (what none of them shows is listed, and is no failure)
  1    a replay proves nothing
  2    the options are wrong, a file is not there, or there was no replay
  3    a file is damaged, cut off, or of a game or version that this build cannot play
  4    a file cannot be read"
        .to_owned()
}

pub(crate) fn record() -> String {
    "\
Examples:
  snapback golden record match.snbk --seed 7 --frames 1800
  snapback golden record trio.snbk --roster \"warden:0 duelist:1 warden:2\" --note \"three alone\"
  snapback golden record human.snbk --inputs match.fg

`snapback duel --record FILE` records a match that went over a network instead.

Exit codes:
  0    the file is written
  2    the options are wrong, the file is there already, or the replay would prove nothing
  4    the file cannot be written"
        .to_owned()
}

pub(crate) fn accept() -> String {
    "\
Examples:
  snapback golden accept throws --reason \"a throw costs 10 more meter\"
  snapback golden accept match.snbk --reason \"walking is faster\"
  snapback golden accept --all golden/corpus --reason \"walking is faster\"

Exit codes:
  0    accepted
  2    a file is not there, the name says not which one, or the pending file is not of the same inputs
  3    a file is damaged
  4    a file cannot be read or written"
        .to_owned()
}

pub(crate) fn attest() -> String {
    "\
Example:
  snapback duel --record match.snbk --result match.snbr
  snapback golden attest match.snbk match.snbr

Exit codes:
  0    every player has signed the result, and the inputs give it
  1    they have not, or the inputs are others, or give something else
  2    the options are wrong, or a file is not there
  3    a file is damaged, cut off, or of a game or version that this build cannot play
  4    a file cannot be read"
        .to_owned()
}

pub(crate) fn compare() -> String {
    COMPARE_EXIT_CODES.to_owned()
}

pub(crate) fn bisect() -> String {
    format!(
        "\
Examples:
  snapback golden bisect mine.snbk theirs.snbk   do inputs part first, or states?
  snapback golden bisect match.snbk              where this build parts from the recording
  snapback golden bisect snapback-desync-...     where two peers parted, who wrote that folder

{COMPARE_EXIT_CODES}"
    )
}
