//! Recorded round trips. A step is one text.

use crate::case::{Case, Step};
use snapback_transport::link::LinkTrace;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    for step in &steps {
        let text = String::from_utf8_lossy(&step.bytes);
        match LinkTrace::parse(&text) {
            Ok(trace) => {
                assert!(trace.sample_count() > 0 && trace.sample_count() <= text.lines().count());
                assert!(trace.duration_us() > 0);
                assert!(trace.median_rtt_us() <= 3_600_000_000);
            }
            Err(error) => assert!(error.to_string().len() < 1_000, "{error}"),
        }
    }
    steps.len() as u64
}

/// With everything that the format has.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let text = "\u{feff}# ping\nt_ms,rtt_ms\n0,20.5\n\n10.25,LOST\r\n 20.5 , 22 \n30.123456,0\n1000000,3600000\n";
    let steps = ["0,1", "5,LOST\n6,7.125\n", text].map(|text| Step::new(0, text)).to_vec();
    vec![("traces".to_owned(), Case { steps })]
}
