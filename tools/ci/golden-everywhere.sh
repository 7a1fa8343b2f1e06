#!/usr/bin/env bash
# Plays every golden replay on every target and compares the digests: with each other, and with the
# hashes in the files. A simulation in floats is played too: if even that gave the same bits
# everywhere, this comparison would prove nothing, and it fails. Debian on x86-64, as root.
#
#   tools/ci/golden-everywhere.sh               every target
#   tools/ci/golden-everywhere.sh s390x i686    only these
#
# Emulators show what code generation, word size and byte order do; they are not the hardware.
# SNAPBACK_REPLAYS (default golden/corpus) is the folder of replays.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tools/ci/cross-compiler.sh
source tools/ci/cross-compiler.sh

all=(x86-64-opt0 x86-64 x86-64-native aarch64 s390x armv7 i686 wasm-node wasm-chromium)
targets=("$@")
((${#targets[@]})) || targets=("${all[@]}")
wanted() { [[ " ${targets[*]} " == *" $1 "* ]]; }

packages=()
crossed=()
for target in "${targets[@]}"; do
    case $target in
        x86-64-opt0 | x86-64 | x86-64-native) ;;
        # Any Node will do, whoever packaged it.
        wasm-node) command -v node >/dev/null || packages+=(nodejs) ;;
        wasm-chromium)
            command -v node >/dev/null || packages+=(nodejs)
            packages+=(chromium)
            ;;
        *)
            if ! needed=$(cross_packages "$target"); then
                printf 'error: there is no target %s; there are %s\n' "$target" "${all[*]}" >&2
                exit 2
            fi
            read -ra needed <<<"$needed"
            packages+=("${needed[@]}")
            crossed+=("$target")
            ;;
    esac
done
if ((${#crossed[@]})) || wanted wasm-node || wanted wasm-chromium; then
    cross_install "${packages[@]}"
fi

native=${CARGO_TARGET_DIR:-$PWD/target}/everywhere
foreign=$cross_root/everywhere
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- Build. Each target once, optimised as far as it goes: emulators are slow.
export CARGO_INCREMENTAL=0
# What is measured is bits: linking everything into one takes longer than playing it.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false
digest=(cargo build --release --locked -q -p snapback-golden-digest --bin snapback-golden-digest)
began=$SECONDS
if wanted x86-64; then "${digest[@]}" --target-dir "$native/opt3"; fi
if wanted x86-64-native; then RUSTFLAGS="-C target-cpu=native" "${digest[@]}" --target-dir "$native/native"; fi
if wanted x86-64-opt0; then CARGO_PROFILE_RELEASE_OPT_LEVEL=0 "${digest[@]}" --target-dir "$native/opt0"; fi
if ((${#crossed[@]})); then
    triples=()
    for target in "${crossed[@]}"; do triples+=(--target "$(cross_triple "$target")"); done
    (cross_use && "${digest[@]}" -Zbuild-std=std "${triples[@]}" --target-dir "$foreign")
fi
if wanted wasm-node || wanted wasm-chromium; then module=$(golden/web/build.sh --controls); fi
built=$((SECONDS - began))

# --- The replays.
replays=${SNAPBACK_REPLAYS:-golden/corpus}
if ! compgen -G "$replays/*.snbk" >/dev/null; then
    printf 'no replays in %s: four generated matches are played instead\n' "$replays"
    cargo run --release --locked -q -p snapback-golden-digest --example samples --target-dir "$native/opt3" -- "$work"
    replays=$work/matches
fi

# --- Play, two targets at a time: each is one thread, and this machine may have two.
play() {
    local target=$1 code=0 command
    local program=release/snapback-golden-digest
    case $target in
        x86-64) command=("$native/opt3/$program" "$replays") ;;
        x86-64-opt0) command=("$native/opt0/$program" "$replays") ;;
        x86-64-native) command=("$native/native/$program" "$replays") ;;
        wasm-node) command=(node golden/web/tests/node.mjs "$module" "$replays") ;;
        wasm-chromium) command=(node golden/web/tests/chromium.mjs "$module" "$replays") ;;
        *)
            local -n runner=cross_${target}_runner
            command=("${runner[@]}" "$foreign/$(cross_triple "$target")/$program" "$replays")
            ;;
    esac
    # Wall clock and processor: the first says how long it takes here, the second what it costs.
    local TIMEFORMAT='%R %U'
    { time "${command[@]}" >"$work/$target.out" 2>"$work/$target.err" || code=$?; } 2>"$work/$target.time"
    printf '%s %s\n' "$code" "$(<"$work/$target.time")" >"$work/$target.end"
}

# The slow ones first, so that no core waits at the end.
order=()
for target in s390x x86-64-opt0 aarch64 armv7 wasm-chromium i686 wasm-node x86-64 x86-64-native; do
    if wanted "$target"; then order+=("$target"); fi
done
began=$SECONDS
for target in "${order[@]}"; do
    while (($(jobs -rp | wc -l) >= ${SNAPBACK_JOBS:-$(nproc)})); do wait -n; done
    play "$target" &
done
wait
played=$((SECONDS - began))

# --- Compare.
failed=0
complain() {
    failed=1
    printf 'FAILED: %s\n' "$*"
}
# The lines that must be the same everywhere.
same_lines() { grep -v '^control-' "$work/$1.out" || true; }
control() { awk -v name="control-$2" '$1 == name {print $2}' "$work/$1.out"; }

printf '\n%-14s %7s %9s  %-8s  %-9s %8s %9s  %-8s %-8s\n' \
    target replays frames digest verdict seconds us/frame f32 memory
first=
for target in "${targets[@]}"; do
    read -r code seconds cpu <"$work/$target.end"
    read -r word count frames digest verdict <<<"$(tail -n 1 "$work/$target.out")" || true
    if [[ $word != total ]]; then
        count=0 frames=0 digest=- verdict=none code=4
    fi
    printf '%-14s %7s %9s  %-8s  %-9s %8s %9s  %-8s %-8s\n' "$target" "$count" "$frames" "$digest" "$verdict" \
        "$seconds" "$(awk "BEGIN {printf \"%.2f\", $frames ? $cpu * 1e6 / $frames : 0}")" \
        "$(control "$target" f32)" "$(control "$target" memory)"
    : "${first:=$target}"
done
printf 'built in %d s, played in %d s; us/frame is processor time, start included\n' "$built" "$played"
printf 's390x is big-endian; armv7, i686 and wasm are 32-bit\n'
printf 'aarch64, s390x and armv7 are emulated by qemu: that tests their code, not their hardware\n\n'

for target in "${targets[@]}"; do
    read -r code _ <"$work/$target.end"
    if ((code)); then
        complain "$target ended with exit code $code:"
        grep -v ' same$' "$work/$target.out" | grep -v '^control-' | head -n 10 || true
        head -n 10 "$work/$target.err"
    fi
    if ! difference=$(diff <(same_lines "$first") <(same_lines "$target")); then
        complain "$target does not give what $first gives:"
        head -n 10 <<<"$difference"
    fi
done

# A few targets alone need not differ in anything.
if ((${#targets[@]} == ${#all[@]})); then
    floats=$(for target in "${targets[@]}"; do control "$target" f32; done | sort | uniq -c | wc -l)
    if ((floats < 2)); then
        complain "a simulation in floats gave the same bits everywhere: this comparison would not see a difference"
    fi
    if [[ $(control s390x memory) == $(control x86-64 memory) ]]; then
        complain "memory is the same on s390x: this comparison would not see the order of bytes"
    fi
fi
if ((failed)); then exit 1; fi
if [[ -n ${floats:-} ]]; then printf 'controls: %d different digests of floats; memory differs on s390x\n' "$floats"; fi
printf 'every digest is the same, and the recorded one\n'
