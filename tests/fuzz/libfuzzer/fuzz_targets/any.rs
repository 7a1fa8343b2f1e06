//! One target of `snapback-fuzz`, whichever `SNAPBACK_FUZZ_TARGET` names, for libFuzzer.
#![no_main]

use std::sync::OnceLock;

static TARGET: OnceLock<&'static snapback_fuzz::Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let target = TARGET.get_or_init(|| {
        let name = std::env::var("SNAPBACK_FUZZ_TARGET").expect("SNAPBACK_FUZZ_TARGET names a target");
        snapback_fuzz::targets::find(&name).expect("a target of that name")
    });
    snapback_fuzz::run(target, input);
});
