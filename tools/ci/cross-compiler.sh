# A compiler for other architectures, and what runs their programs here. To be sourced by a script
# that has `set -euo pipefail`. Debian on x86-64, as root; what is there already is not fetched again.
#
# Emulators show what code generation, word size and byte order do; they are not the hardware.
# SNAPBACK_CROSS (default /opt/rust-cross) is where the compiler and what it builds are kept.

cross_root=${SNAPBACK_CROSS:-/opt/rust-cross}

# cross_packages TARGET: the Debian packages that link its programs and run them.
cross_packages() {
    case $1 in
        aarch64) echo qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
        s390x) echo qemu-user-static gcc-s390x-linux-gnu libc6-dev-s390x-cross ;;
        armv7) echo qemu-user-static gcc-arm-linux-gnueabihf libc6-dev-armhf-cross ;;
        i686) echo gcc-i686-linux-gnu libc6-dev-i386-cross ;;
        *) return 1 ;;
    esac
}

# cross_triple TARGET: what the compiler calls it.
cross_triple() {
    case $1 in
        armv7) echo armv7-unknown-linux-gnueabihf ;;
        *) echo "$1-unknown-linux-gnu" ;;
    esac
}

# cross_install PACKAGE...: these packages and the compiler, as far as they are missing.
cross_install() {
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok' || missing+=("$package")
    done
    if ((${#missing[@]})) || [[ ! -x $cross_root/usr/bin/rustc ]]; then
        apt-get -q update
    fi
    if ((${#missing[@]})); then
        apt-get install -y -q --no-install-recommends "${missing[@]}"
    fi
    cross_install_compiler
}

# rustup ships no standard library for these here; Debian's compiler comes with its own sources, so
# that it can build any target's. It is unpacked beside the system and shadows nothing.
cross_install_compiler() {
    [[ -x $cross_root/usr/bin/rustc ]] && return
    local work std llvm package
    work=$(mktemp -d)
    std=$(apt-cache depends libstd-rust-web-dev | awk '/Depends: libstd-rust-web-1/ {print $2; exit}')
    llvm=$(apt-cache depends "$std" | awk '/Depends: libllvm/ {print $2; exit}')
    (cd "$work" && apt-get download -q rustc-web libstd-rust-web-dev rust-web-src "$std" "$llvm")
    mkdir -p "$cross_root"
    for package in "$work"/*.deb; do dpkg -x "$package" "$cross_root"; done
    rm -rf "$work"
}

# The program and arguments that run a target's programs here, one a word.
cross_aarch64_runner=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
cross_s390x_runner=(qemu-s390x-static -L /usr/s390x-linux-gnu)
cross_armv7_runner=(qemu-arm-static -L /usr/arm-linux-gnueabihf)
# 32-bit x86 runs on this processor, through its own loader.
cross_i686_runner=(/usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib)

# From here on cargo builds with this compiler.
cross_use() {
    # The linker of wasm comes with rustup's compiler, and Debian's does not have it.
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
    export LD_LIBRARY_PATH=$cross_root/usr/lib/x86_64-linux-gnu RUSTC=$cross_root/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_INCREMENTAL=0
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="${cross_aarch64_runner[*]}"
    export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc
    export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="${cross_s390x_runner[*]}"
    export CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER=arm-linux-gnueabihf-gcc
    export CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_RUNNER="${cross_armv7_runner[*]}"
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER="${cross_i686_runner[*]}"
}
