#!/usr/bin/env bash
# Gives the page golden/web good, diverging, damaged and hostile files in a headless Chromium, and
# checks what it says of them. Debian on x86-64, as root.
#
#   tools/ci/golden-page.sh             the check
#   tools/ci/golden-page.sh FOLDER      also writes pictures of the page into FOLDER
set -euo pipefail

pictures=${1:+$(realpath -- "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tools/ci/cross-compiler.sh
source tools/ci/cross-compiler.sh

packages=(chromium)
command -v node >/dev/null || packages+=(nodejs)
cross_install "${packages[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
module=$(golden/web/build.sh --controls)
# As golden-everywhere.sh builds it, so that it is built once.
CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false \
    cargo run --release --locked -q -p snapback-golden-digest --example samples \
    --target-dir "${CARGO_TARGET_DIR:-$PWD/target}/everywhere/opt3" -- "$work"

node golden/web/tests/hostile.mjs "$module" "$work/matches/mirror.snbk" &
hostile=$!
node golden/web/tests/page.mjs "$module" "$work/page" ${pictures:+"$pictures"}
wait "$hostile"
