//! What a page calls, without a tool in between: numbers and memory.
//!
//! 1. [`snbk_input`]: a place for so many bytes, where the page writes the file.
//! 2. [`snbk_verify`]: plays it, and gives the length of the result.
//! 3. [`snbk_result`]: where the result is, as JSON.
//!
//! Nothing here follows a pointer: what goes in and out lies in two vectors that the module owns.
//! A module that was stopped by a trap must not be called again; the page makes a new one for every
//! file.

use crate::report;
use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static RESULT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a file of `len_bytes`, and says where; null if there is not so much memory.
#[allow(unsafe_code, reason = "a page finds a function by its name; nothing else may have this one")]
#[unsafe(no_mangle)]
pub extern "C" fn snbk_input(len_bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        if input.try_reserve_exact(len_bytes).is_err() {
            return core::ptr::null_mut();
        }
        input.resize(len_bytes, 0);
        input.as_mut_ptr()
    })
}

/// Verifies the file that was written, and gives the length of the result in bytes. The file is
/// gone then.
#[allow(unsafe_code, reason = "a page finds a function by its name; nothing else may have this one")]
#[unsafe(no_mangle)]
pub extern "C" fn snbk_verify() -> usize {
    let json = report(INPUT.take()).to_json().into_bytes();
    let len_bytes = json.len();
    RESULT.set(json);
    len_bytes
}

/// Where the result of the last file is.
#[allow(unsafe_code, reason = "a page finds a function by its name; nothing else may have this one")]
#[unsafe(no_mangle)]
pub extern "C" fn snbk_result() -> *const u8 {
    RESULT.with_borrow(Vec::as_ptr)
}

/// The digest of a simulation in floats, which differs from machine to machine.
#[cfg(feature = "controls")]
#[allow(unsafe_code, reason = "a page finds a function by its name; nothing else may have this one")]
#[unsafe(no_mangle)]
pub extern "C" fn snbk_control_float() -> u32 {
    snapback_golden_digest::control::float()
}

/// The digest of memory as it lies there, which differs with the byte order. 0 if there is none.
#[cfg(feature = "controls")]
#[allow(unsafe_code, reason = "a page finds a function by its name; nothing else may have this one")]
#[unsafe(no_mangle)]
pub extern "C" fn snbk_control_memory() -> u32 {
    snapback_golden_digest::control::memory().unwrap_or_default()
}
