#!/usr/bin/env bash
# Builds the verifier for browsers and puts it where the page looks for it, golden/web/dist/.
#
#   golden/web/build.sh             for the page
#   golden/web/build.sh --controls  for the comparison of targets; only prints where it is
#
# Needs `rustup target add wasm32-unknown-unknown`, or the compiler of tools/ci/cross-compiler.sh.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# A panic must stop the module at once, and cannot unwind here anyway: the page makes a new one for
# every file.
export CARGO_PROFILE_RELEASE_PANIC=abort CARGO_PROFILE_RELEASE_DEBUG=false CARGO_INCREMENTAL=0
# Whoever calls this, these are the same: other settings would build everything anew.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
build=(cargo rustc --release --locked -q -p snapback-golden-web --lib --crate-type cdylib --target wasm32-unknown-unknown)
if [[ ${1:-} == --controls ]]; then build+=(--features controls); fi

# shellcheck source=tools/ci/cross-compiler.sh
source tools/ci/cross-compiler.sh
if [[ -d $(rustc --print target-libdir --target wasm32-unknown-unknown) ]]; then
    folder=${CARGO_TARGET_DIR:-target}/web
    "${build[@]}" --target-dir "$folder"
elif [[ -x $cross_root/usr/bin/rustc ]]; then
    folder=$cross_root/everywhere
    (cross_use && "${build[@]}" -Zbuild-std=std,panic_abort --target-dir "$folder")
else
    printf 'error: there is no compiler for browsers; run: rustup target add wasm32-unknown-unknown\n' >&2
    exit 4
fi

module=$folder/wasm32-unknown-unknown/release/snapback_golden_web.wasm
if [[ ${1:-} == --controls ]]; then
    printf '%s\n' "$module"
else
    mkdir -p golden/web/dist
    cp "$module" golden/web/dist/
    printf 'built golden/web/dist/%s; serve it with: python3 -m http.server -d golden/web\n' "${module##*/}"
fi
