#!/usr/bin/env bash
# How good is the check? Changes the world's step and hit resolution in one place at a time, as a bug
# would, and counts how many of these mutants are found. Hours on two cores, so it is no part of CI.
#
#   tools/ci/mutants.sh corpus            found by the golden replays alone
#   tools/ci/mutants.sh tests             found by the world's own tests
#   tools/ci/mutants.sh corpus 0/8        the first of eight shards
#   tools/ci/mutants.sh corpus --score    only prints the score
#
# It can be stopped: a later run goes on where it was, unless the world or the replays have changed.
# Results lie in target/mutants/WHAT; the score is that of runs that came to their end. Mutants that
# change nothing that can be seen are listed, with the reason, in tools/ci/mutants-equivalent.txt and
# do not count. Needs `cargo install cargo-mutants`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
what=${1:-}
shard=${2:-}
case $what in
    corpus | tests) ;;
    *)
        sed -n 's/^# \{0,1\}//; 2,13p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
equivalent=tools/ci/mutants-equivalent.txt
parent=$PWD/target/mutants/$what
mkdir -p "$parent"

score() {
    local out all=0 missed='' unviable counted equivalents
    for out in "$parent"/*/mutants.out; do
        [[ -e $out/mutants.json ]] || continue
        # What an earlier run has found is not in the list of a later one.
        all=$((all + $(grep -c '"genre"' "$out/mutants.json" || true) + $(grep -c . "$out/previously_caught.txt" || true)))
        missed+=$(<"$out/missed.txt")$'\n'
    done
    missed=$(grep . <<<"$missed" || true)
    unviable=$(sort -u "$parent/unviable.txt" 2>/dev/null | grep -c . || true)
    counted=$(grep -vxFf <(sed -n 's/ # .*//p' "$equivalent") <<<"$missed" || true)
    equivalents=$(($(grep -c . <<<"$missed" || true) - $(grep -c . <<<"$counted" || true)))
    if [[ -n $counted ]]; then sed 's/^/missed: /' <<<"$counted"; fi
    awk -v all="$all" -v unviable="$unviable" -v equivalent="$equivalents" -v missed="$(grep -c . <<<"$counted" || true)" 'BEGIN {
        counted = all - unviable - equivalent
        printf "%d mutants; %d do not compile, %d change nothing that can be seen; of the other %d, %d are missed\n",
            all, unviable, equivalent, counted, missed
        printf "figure mutants_found_percent %.1f %%\n", counted ? 100 * (counted - missed) / counted : 0
    }'
}

if [[ $shard != --score ]]; then
    cargo mutants --version >/dev/null 2>&1 || { printf 'error: cargo-mutants is missing; run `cargo install cargo-mutants`\n' >&2; exit 4; }
    options=()
    [[ -z $shard ]] || options+=(--shard "$shard")
    # Fewer random cases: what finds a mutant finds it soon.
    # Its copies of the sources must not share a target folder with this one.
    unset CARGO_TARGET_DIR
    export SNAPBACK_CASES_PERCENT="${SNAPBACK_CASES_PERCENT:-20}" CARGO_PROFILE_DEV_DEBUG=false
    # try TESTS...: what these tests have found is not tried again. Missed mutants are results here and
    # no failures of this script.
    try() {
        cargo mutants -p snapback-sim -f 'sim/world/src/step/**' -o "$parent/all${shard:+-${shard//\//-of-}}" --iterate --baseline=skip \
            --timeout 90 --build-timeout 600 --jobs "${JOBS:-2}" --no-shuffle "${options[@]}" "$@" || [[ $? -eq 2 || $? -eq 3 ]]
        # A later run does not try them again, and forgets why.
        cat "$parent"/*/mutants.out/unviable.txt >>"$parent/unviable.txt"
    }
    if [[ $what == corpus ]]; then
        # First by the states alone, which builds and runs fast; what that misses by effects too.
        try --test-package snapback-golden-digest --cargo-arg=--test=corpus
        try --test-package snapback-golden --cargo-arg=--test=corpus
    else
        try --test-package snapback-sim --cargo-arg=--test=world
    fi
fi
score
