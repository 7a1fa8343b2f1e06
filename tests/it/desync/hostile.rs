//! An inquiry takes any bytes: it neither panics nor grows, and says what it knew before.

use crate::game::Fault;
use crate::play::{BROKEN, cluster, inquire, play};
use snapback::desync::{DesyncInquiry, InquiryState, MAX_INQUIRY_BYTES};
use snapback::{Frame, Rng};
use snapback_harness::cluster::ClusterSettings;

fn pair() -> [DesyncInquiry; 2] {
    let mut cluster = cluster(&ClusterSettings::new(8, 2, 600), Some(Fault { frame: Frame::new(50), byte: 30, mask: 2 }));
    play(&mut cluster, 60_000_000);
    [0, BROKEN].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap())
}

/// Everything that an honest peer says, in order.
fn honest() -> Vec<Vec<u8>> {
    let [mut a, mut b] = pair();
    let mut said = Vec::new();
    loop {
        let from_b: Vec<Vec<u8>> = std::iter::from_fn(|| b.poll_message()).collect();
        let from_a: Vec<Vec<u8>> = std::iter::from_fn(|| a.poll_message()).collect();
        if from_a.is_empty() && from_b.is_empty() {
            return said;
        }
        from_b.iter().for_each(|message| a.handle(message).unwrap());
        from_a.iter().for_each(|message| b.handle(message).unwrap());
        said.extend(from_b);
    }
}

#[test]
fn random_bytes_and_changed_messages_end_an_inquiry_or_change_its_report() {
    let honest = honest();
    assert_eq!(honest.len(), 3);
    let mut rng = Rng::new(1, 1);
    let mut ends = [0; 2];
    for _ in 0..300 {
        let [mut victim, _] = pair();
        let mut said = 0;
        for message in &honest {
            let mut lie = message.clone();
            match rng.below(10) {
                0..=5 => {}
                6 => lie.truncate(rng.below(lie.len() as u32 + 1) as usize),
                7 => lie.extend((0..rng.below(64)).map(|_| 7)),
                8 => lie = (0..rng.below(200)).map(|_| rng.next_u32() as u8).collect(),
                _ => {
                    for _ in 0..1 + rng.below(4) {
                        let at = rng.below(lie.len() as u32) as usize;
                        lie[at] ^= 1 << rng.below(8);
                    }
                }
            }
            let before = victim.state();
            let is_refused = victim.handle(&lie).is_err();
            assert!(!is_refused || victim.state() == InquiryState::Failed, "{before}");
            while let Some(answer) = victim.poll_message() {
                said += 1;
                assert!(answer.len() <= MAX_INQUIRY_BYTES);
            }
        }
        // Its hashes, its sections, its values: never more, whatever comes.
        assert!(said <= 3, "{said}");
        let report = victim.report();
        assert!(report.fields.len() <= 256 && !report.to_string().is_empty());
        ends[usize::from(victim.state() == InquiryState::Failed)] += 1;
    }
    assert!(ends.iter().all(|count| *count > 20), "{ends:?}");
}

#[test]
fn what_is_told_twice_out_of_turn_or_without_end_is_refused() {
    let honest = honest();
    for order in [&[1][..], &[2], &[0, 0], &[0, 2], &[0, 1, 0], &[0, 1, 1]] {
        let [mut victim, _] = pair();
        let (last, before) = order.split_last().unwrap();
        before.iter().for_each(|at| victim.handle(&honest[*at]).unwrap());
        assert!(victim.handle(&honest[*last]).is_err(), "{order:?}");
        assert_eq!(victim.state(), InquiryState::Failed);
        assert!(victim.report().finding.starts_with("the inquiry ended early: "), "{}", victim.report());
        // It is over: nothing is taken any more.
        assert_eq!(victim.handle(&honest[0]), Ok(()));
        assert_eq!(victim.state(), InquiryState::Failed);
    }
    let [mut victim, _] = pair();
    assert!(victim.handle(&vec![0; MAX_INQUIRY_BYTES + 1]).is_err());
    // A peer that says nothing leaves a report too.
    let [silent, _] = pair();
    assert_eq!(silent.report().finding, "the inquiry was not finished: waiting for the peer's hashes");
    let [mut a, mut b] = pair();
    assert_eq!(inquire(&mut a, &mut b)[0].finding, "complete");
}
