//! A bundle is what `snapback golden bisect` opens: it names the frame and the field.

use crate::game::{Fault, Game};
use crate::play::{BROKEN, cluster, inquire};
use snapback::desync::{BundleError, DesyncInquiry, OURS, THEIRS, bundle};
use snapback::golden::{GoldenReplay, RecordSettings, Recorder};
use snapback::{Frame, Simulation};
use snapback_golden::check::{PartedBy, bisect};
use snapback_harness::cluster::ClusterSettings;

/// Plays until the desync is found while peer 0 records, and inquires.
fn found(fault: Fault, first_frame: Frame) -> (DesyncInquiry, Vec<u8>) {
    let mut settings = ClusterSettings::new(11, 2, 1_500);
    settings.link.delay_us = 15_000;
    settings.first_frame = first_frame;
    settings.last_frame = first_frame + 1_499;
    let mut cluster = cluster(&settings, Some(fault));
    let mut game = Game::new(None);
    game.reset(settings.seed, 2).unwrap();
    let record = RecordSettings { first_frame, ..RecordSettings::live(settings.seed, 2) };
    let mut written = Vec::new();
    let mut recorder = Recorder::new(&mut written, &game, record).unwrap();
    while !cluster.is_over() {
        cluster.advance().unwrap();
        let Some(session) = cluster.nodes_mut()[0].peer.session_mut() else { continue };
        while let Some(frame) = session.confirmed(recorder.next_frame()) {
            recorder.record(frame.frame, frame.inputs, frame.state_hash, frame.snapshot).unwrap();
        }
    }
    recorder.finish().unwrap();
    let [mut a, mut b] = [0, BROKEN].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap());
    inquire(&mut a, &mut b);
    (a, written)
}

#[test]
fn both_recordings_part_at_the_frame_and_the_field_of_the_report() {
    // Before the first state that a recording keeps by itself, and long after it.
    for (first_frame, after) in [(Frame::ZERO, 45), (Frame::new(65_000), 1_300)] {
        let fault = Fault { frame: first_frame + after, byte: 8 + 24 + 8, mask: 0x10 };
        let (inquiry, recording) = found(fault, first_frame);
        let report = inquiry.report();
        assert_eq!(report.frame, Some(fault.frame.number()), "{report}");
        let recording = GoldenReplay::recover(recording).unwrap();
        let (files, problem) = bundle(&inquiry, Some(&recording), &mut Game::new(None));
        assert!(problem.is_none(), "{problem:?}");
        assert_eq!(files.iter().map(|file| file.name).collect::<Vec<_>>(), ["report.txt", "report.json", OURS, THEIRS]);
        assert_eq!(files[0].bytes, report.to_string().into_bytes());
        let [ours, theirs] = [2, 3].map(|at| GoldenReplay::read(files[at].bytes.clone()).unwrap());
        ours.check().unwrap();
        theirs.check().unwrap();
        let parting = bisect(&ours, &theirs, |_| Err::<Game, _>("not needed".to_owned())).unwrap();
        assert_eq!((parting.first, parting.state_frame), (PartedBy::State, Some(fault.frame.number())));
        assert!(parting.other_match.is_empty() && parting.inputs.is_none());
        let named: Vec<&str> = parting.fields.iter().map(|field| field.path.as_str()).collect();
        assert_eq!(named, ["fighters[1].position[1]"]);
        assert_eq!(named[0], report.first_field().unwrap().path);
    }
}

#[test]
fn without_a_recording_that_fits_there_is_the_report_and_a_reason() {
    let (inquiry, recording) = found(Fault { frame: Frame::new(45), byte: 0, mask: 1 }, Frame::ZERO);
    let (files, problem) = bundle(&inquiry, None, &mut Game::new(None));
    assert_eq!((files.len(), problem.is_none()), (2, true));
    let (_, other) = found(Fault { frame: Frame::new(45), byte: 0, mask: 1 }, Frame::new(30));
    let short = GoldenReplay::recover(&other[..other.len() - 1]).unwrap();
    let (files, problem) = bundle(&inquiry, Some(&short), &mut Game::new(None));
    assert!(files.len() == 2 && matches!(problem, Some(BundleError::NotOfThisMatch { .. })), "{problem:?}");
    let reason = problem.unwrap().to_string();
    assert!(reason.ends_with("it begins with frame 30, and the match with 0"), "{reason}");
    // One that was cut off before the frame in question.
    let blocks = (0..recording.len()).filter_map(|len| GoldenReplay::recover(&recording[..len]).ok());
    let cut = blocks.max_by_key(|replay| if replay.last_frame() < Frame::new(45) { replay.frame_count() + 1 } else { 0 }).unwrap();
    let (files, problem) = bundle(&inquiry, Some(&cut), &mut Game::new(None));
    assert!(files.len() == 2 && problem.unwrap().to_string().ends_with("and frame 45 differs"));
    let whole = GoldenReplay::recover(recording).unwrap();
    assert_eq!(bundle(&inquiry, Some(&whole), &mut Game::new(None)).0.len(), 4);
}
