#!/usr/bin/env bash
# How good is the check? Changes the world's step and hit resolution in one place at a time, as a bug
# would, and counts how many of these mutants are found. Hours on two cores, so it is no part of CI.
#
#   tools/ci/mutants.sh corpus            found by the golden replays alone
#   tools/ci/mutants.sh tests             found by the world's own tests
#   tools/ci/mutants.sh corpus 0/8        the first of eight shards
#   tools/ci/mutants.sh corpus --score    only prints the score of what has been tried
#
# It can be stopped: a later run goes on where it was, unless the world or the replays have changed.
# Results lie in target/mutants/WHAT. Mutants that change nothing that can be seen are listed, with
# the reason, in tools/ci/mutants-equivalent.txt and do not count. Needs `cargo install cargo-mutants`.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
what=${1:-}
shard=${2:-}
case $what in
    corpus | tests) ;;
    *)
        sed -n 's/^# \{0,1\}//; 2,14p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
equivalent=tools/ci/mutants-equivalent.txt
parent=$PWD/target/mutants/$what
mkdir -p "$parent"

# Of what the shards found: names of mutants, each once.
found() {
    find "$parent" -name "$1.txt" -exec cat {} + | sed 's/^\([^:]*\):[0-9]*:[0-9]*: /\1: /' | sort
}

score() {
    local caught missed counted
    caught=$(($(found caught | wc -l) + $(found timeout | wc -l)))
    missed=$(found missed)
    # Lines move when a file is edited, so mutants are known by file and what they do.
    counted=$(grep -vxFf <(grep -v '^#' "$equivalent" | sed 's/ # .*//') <<<"$missed" || true)
    printf '%s' "$counted" | sed 's/^/missed: /'
    [[ -z $counted ]] || printf '\n'
    awk -v caught="$caught" -v missed="$(printf '%s' "$counted" | grep -c . || true)" -v all="$(printf '%s' "$missed" | grep -c . || true)" \
        'BEGIN {
            tried = caught + missed
            printf "%d mutants that compile and change something; %d found, %d missed, %d equivalent\n", tried, caught, missed, all - missed
            printf "figure mutants_found_percent %.1f %%\n", tried ? 100 * caught / tried : 0
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
    }
    if [[ $what == corpus ]]; then
        # First by the states alone, which builds and runs fast; what that misses by effects too.
        try --test-package snapback-golden-digest -- --test corpus
        try --test-package snapback-golden -- --test corpus
    else
        try --test-package snapback-sim -- --test world
    fi
fi
score
