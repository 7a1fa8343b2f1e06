//! A signature holds for one file and one key, and any change of a bit breaks it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(feature = "sign")]

mod support;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use snapback_golden::sign::*;
use snapback_golden::*;
use support::blocks::{BlockFile, kind};
use support::{crossing, settings};

const KEY: [u8; 32] = [7; 32];

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    core::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
}

#[test]
fn the_dependency_gives_the_vectors_of_rfc_8032() {
    for (secret, public, message, signature) in [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            &[][..],
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            &[0x72][..],
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ] {
        let key = SigningKey::from_bytes(&bytes(secret));
        assert_eq!(public_key(&bytes(secret)), bytes(public));
        assert_eq!(key.sign(message).to_bytes(), bytes::<64>(signature));
        let verifying = VerifyingKey::from_bytes(&bytes(public)).unwrap();
        assert!(verifying.verify_strict(message, &Signature::from_bytes(&bytes(signature))).is_ok());
        assert!(verifying.verify_strict(b"other", &Signature::from_bytes(&bytes(signature))).is_err());
    }
}

#[test]
fn a_signature_names_its_key_and_leaves_the_replay_alone() {
    let file = crossing(settings(true), 70, &[]);
    let signed = sign(&file, &KEY).unwrap();
    assert_eq!(signed[..file.len()], file);
    let replay = GoldenReplay::read(signed).unwrap();
    assert_eq!(verify_signature(&replay), Ok(Some(public_key(&KEY))));
    assert_eq!(verify_signed_by(&replay, &public_key(&KEY)), Ok(()));
    assert!(verify(&replay, |_| Ok(support::Crossing::new())).unwrap().is_same());
    let unsigned = GoldenReplay::read(file).unwrap();
    assert_eq!(verify_signature(&unsigned), Ok(None));
    assert_eq!(verify_signed_by(&unsigned, &public_key(&KEY)), Err(SignatureError::Unsigned));
}

#[test]
fn another_key_is_an_error_of_its_own() {
    let replay = GoldenReplay::read(sign(&crossing(settings(true), 70, &[]), &KEY).unwrap()).unwrap();
    let expected = public_key(&[8; 32]);
    let error = verify_signed_by(&replay, &expected).unwrap_err();
    assert_eq!(error, SignatureError::OtherKey { expected, found: public_key(&KEY) });
    assert!(error.to_string().starts_with("the replay is signed by ea4a6c63"), "{error}");
    // Somebody puts their own name under what another has signed.
    let mut file = BlockFile::parse(replay.bytes());
    file.blocks.last_mut().unwrap().1[..32].copy_from_slice(&expected);
    let forged = GoldenReplay::read(file.sealed()).unwrap();
    assert_eq!(verify_signature(&forged), Err(SignatureError::Mismatch { key: expected }));
    // All zeros is a point of small order: strictly no key, and "signs" much without a secret.
    file.blocks.last_mut().unwrap().1.fill(0);
    assert!(verify_signature(&GoldenReplay::read(file.sealed()).unwrap()).is_err());
}

#[test]
fn any_change_before_the_signature_breaks_it() {
    let signed = sign(&crossing(settings(false), 3, &[]), &KEY).unwrap();
    let start = signed.len() - 12 - 96;
    for bit in 0..8 * start {
        let mut bytes = signed.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(GoldenReplay::read(bytes).is_err(), "bit {bit}");
    }
    // With every checksum set right again, the signature alone is what notices.
    let whole = BlockFile::parse(&signed);
    let mut read = 0;
    for at in 0..whole.blocks.len() - 1 {
        for bit in 0..8 * whole.blocks[at].1.len() {
            let mut file = whole.clone();
            file.blocks[at].1[bit / 8] ^= 1 << (bit % 8);
            let Ok(replay) = GoldenReplay::read(file.sealed()) else { continue };
            read += 1;
            assert!(matches!(verify_signature(&replay), Err(SignatureError::Mismatch { .. })), "block {at} bit {bit}");
        }
    }
    assert!(read > 500, "{read}");
}

#[test]
fn a_signature_stands_once_and_last() {
    let file = crossing(settings(true), 70, &[]);
    let signed = sign(&file, &KEY).unwrap();
    assert_eq!(sign(&signed, &KEY), Err(SignatureError::AlreadySigned));
    assert!(matches!(sign(&file[..file.len() - 1], &KEY), Err(SignatureError::File(ReplayFileError::Truncated { .. }))));
    let whole = BlockFile::parse(&signed);
    let mut twice = whole.clone();
    twice.blocks.push(whole.blocks.last().unwrap().clone());
    let mut early = whole.clone();
    let end = early.blocks.len() - 1;
    early.blocks.swap(end, end - 1);
    let mut short = whole.clone();
    short.blocks.last_mut().unwrap().1.pop();
    let mut behind = whole;
    behind.blocks.push((kind::ACCEPTANCE, vec![0]));
    for (file, text) in [
        (twice, "it stands after the signature block"),
        (early, "it stands after the frames block"),
        (short, "it has 95 bytes and not 96"),
        (behind, "it stands after the signature block"),
    ] {
        let error = GoldenReplay::read(file.sealed()).unwrap_err();
        assert!(matches!(&error, ReplayFileError::Invalid { reason, .. } if reason == text), "{error}");
    }
    // A signature that is cut off leaves a replay that can be recovered, unsigned.
    let cut = &signed[..signed.len() - 1];
    assert!(matches!(GoldenReplay::read(cut), Err(ReplayFileError::Invalid { .. })));
    let recovered = GoldenReplay::recover(cut).unwrap();
    assert_eq!((recovered.bytes(), verify_signature(&recovered)), (&file[..], Ok(None)));
}
