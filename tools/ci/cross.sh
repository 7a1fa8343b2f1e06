#!/usr/bin/env bash
# Runs the tests of core and the world, and what lag compensation has of stored hashes, where word size
# and byte order differ from the usual machine: aarch64, s390x (big-endian) and i686 (32-bit), under
# emulation, with stored hashes that must be the same everywhere. Debian on x86-64, as root.
#
#   tools/ci/cross.sh            every target
#   tools/ci/cross.sh s390x      only these
#   tools/ci/cross.sh golden     the replays instead, on more targets: see golden-everywhere.sh
#
# Emulators show what code generation, word size and byte order do; they are not the hardware.
# SNAPBACK_CROSS (default /opt/rust-cross) is where the compiler and the built tests are kept.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ${1:-} == golden ]]; then
    shift
    exec tools/ci/golden-everywhere.sh "$@"
fi
# shellcheck source=tools/ci/cross-compiler.sh
source tools/ci/cross-compiler.sh
targets=("${@:-}")
[[ -n ${targets[0]} ]] || targets=(aarch64 s390x i686)

packages=()
for target in "${targets[@]}"; do
    if [[ $target != armv7 ]] && needed=$(cross_packages "$target"); then
        read -ra needed <<<"$needed"
        packages+=("${needed[@]}")
    else
        printf 'error: there is no target %s; use aarch64, s390x or i686\n' "$target" >&2
        exit 2
    fi
done
cross_install "${packages[@]}"
cross_use
# Where golden-everywhere.sh builds too, with the same settings: the standard library is built once.
export CARGO_TARGET_DIR=$cross_root/everywhere

triples=()
for target in "${targets[@]}"; do triples+=(--target "$target-unknown-linux-gnu"); done

# Emulators are slow, so there are fewer random cases and wider sweeps, by this percentage of the
# usual number (core/src/cases.rs): error bounds against floats, mirror images, damaged bytes, random
# matches and states. Not thinned: whatever compares with stored hashes or bits, that is all of
# math_bits, the frozen codec bytes, the layouts and hashes of state, the stored matches.
export SNAPBACK_CASES_PERCENT="${SNAPBACK_CASES_PERCENT:-10}"
# What is measured is bits: linking everything into one takes longer than playing it.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false
cargo test --release --locked --lib --tests -Zbuild-std -p snapback-core -p snapback-sim "${triples[@]}"
# Of lag compensation, what compares with stored hashes: the random comparisons beside it run where they are fast.
cargo test --release --locked --test actor --test digest --test scenarios -Zbuild-std -p snapback-rewind "${triples[@]}"
