#!/usr/bin/env bash
# Runs the tests of core and the world where word size and byte order differ from the usual machine:
# aarch64, s390x (big-endian) and i686 (32-bit), under emulation, with stored hashes that must be the
# same everywhere. Debian on x86-64, as root.
#
#   tools/ci/cross.sh            every target
#   tools/ci/cross.sh s390x      only these
#
# Emulators show what code generation, word size and byte order do; they are not the hardware.
# SNAPBACK_CROSS (default /opt/rust-cross) is where the compiler and the built tests are kept.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=${SNAPBACK_CROSS:-/opt/rust-cross}
targets=("${@:-}")
[[ -n ${targets[0]} ]] || targets=(aarch64 s390x i686)

# rustup ships no standard library for these here; Debian's compiler comes with its own sources, so
# that it can build any target's. It is unpacked beside the system and shadows nothing.
install_compiler() {
    [[ -x $root/usr/bin/rustc ]] && return
    local work std llvm
    work=$(mktemp -d)
    std=$(apt-cache depends libstd-rust-web-dev | awk '/Depends: libstd-rust-web-1/ {print $2; exit}')
    llvm=$(apt-cache depends "$std" | awk '/Depends: libllvm/ {print $2; exit}')
    (cd "$work" && apt-get download -q rustc-web libstd-rust-web-dev rust-web-src "$std" "$llvm")
    mkdir -p "$root"
    for package in "$work"/*.deb; do dpkg -x "$package" "$root"; done
    rm -rf "$work"
}

packages=()
for target in "${targets[@]}"; do
    case $target in
        aarch64) packages+=(qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross) ;;
        s390x) packages+=(qemu-user-static gcc-s390x-linux-gnu libc6-dev-s390x-cross) ;;
        i686) packages+=(gcc-i686-linux-gnu libc6-dev-i386-cross) ;;
        *)
            printf 'error: there is no target %s; use aarch64, s390x or i686\n' "$target" >&2
            exit 2
            ;;
    esac
done
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok' || missing+=("$package")
done
if ((${#missing[@]})) || [[ ! -x $root/usr/bin/rustc ]]; then
    apt-get -q update
fi
if ((${#missing[@]})); then
    apt-get install -y -q --no-install-recommends "${missing[@]}"
fi
install_compiler

export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu RUSTC=$root/usr/bin/rustc RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR=$root/target CARGO_INCREMENTAL=0
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="qemu-s390x-static -L /usr/s390x-linux-gnu"
# 32-bit x86 runs on this processor, through its own loader.
i686=/usr/i686-linux-gnu/lib
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER="$i686/ld-linux.so.2 --library-path $i686"

triples=()
for target in "${targets[@]}"; do triples+=(--target "$target-unknown-linux-gnu"); done

# Emulators are slow, so there are fewer random cases and wider sweeps, by this percentage of the
# usual number (core/src/cases.rs): error bounds against floats, mirror images, damaged bytes, random
# matches and states. Not thinned: whatever compares with stored hashes or bits, that is all of
# math_bits, the frozen codec bytes, the layouts and hashes of state, the stored matches.
export SNAPBACK_CASES_PERCENT="${SNAPBACK_CASES_PERCENT:-10}"
# Optimised enough for emulators, no more: what is measured is bits, not time.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
    CARGO_PROFILE_RELEASE_DEBUG=false
cargo test --release --locked --lib --tests -Zbuild-std -p snapback-core -p snapback-sim "${triples[@]}"
