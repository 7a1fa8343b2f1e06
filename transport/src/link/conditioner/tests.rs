//! Properties of a link, over seeds and drawn settings.

use super::*;
use crate::link::{Loss, Outage};

const TICK_US: u64 = 16_667;

/// A datagram that lands: when, and which one of those offered it is.
type Landing = (u64, u32);

fn offer(link: &mut LinkConditioner, now_us: u64, number: u32, bytes: usize) {
    let mut datagram = [0; 1_500];
    datagram[..4].copy_from_slice(&number.to_le_bytes());
    link.send(now_us, &datagram[..bytes.max(4)]);
}

/// Takes out what has landed by `now_us`, each datagram at the very microsecond it lands.
fn drain(link: &mut LinkConditioner, now_us: u64, landings: &mut Vec<Landing>) {
    while let Some(next_us) = link.next_delivery_us().filter(|next_us| *next_us <= now_us) {
        let early = next_us.checked_sub(1).and_then(|early_us| link.receive(early_us));
        assert_eq!(early, None, "nothing lands before next_delivery_us");
        let datagram = link.receive(next_us).expect("something lands at next_delivery_us");
        landings.push((next_us, u32::from_le_bytes(datagram[..4].try_into().unwrap())));
    }
    assert_eq!(link.receive(now_us), None);
}

fn assert_conserved(link: &LinkConditioner) {
    let LinkStats { offered, delivered, lost, duplicated, queue_dropped, .. } = link.stats();
    assert_eq!(offered + duplicated, delivered + lost + queue_dropped + link.queued() as u64);
}

/// Offers `packets` datagrams of 40 bytes, one every `spacing_us`, and waits for the last.
fn run(settings: LinkSettings, seed: u64, stream: u64, packets: u32, spacing_us: u64) -> (Vec<Landing>, LinkStats) {
    let mut link = LinkConditioner::new(settings, seed, stream);
    let mut landings = Vec::new();
    for number in 0..packets {
        let now_us = u64::from(number) * spacing_us;
        drain(&mut link, now_us, &mut landings);
        offer(&mut link, now_us, number, 40);
    }
    drain(&mut link, u64::MAX, &mut landings);
    assert_conserved(&link);
    (landings, link.stats())
}

fn drawn_settings(rng: &mut Rng) -> LinkSettings {
    let loss = match rng.below(3) {
        0 => Loss::None,
        1 => Loss::Independent { per_million: rng.below(300_000) },
        _ => Loss::bursts(rng.below(300_000), 1 + rng.below(10)),
    };
    LinkSettings {
        delay_us: u64::from(rng.below(200_000)),
        jitter_us: u64::from(rng.below(100_000)),
        loss,
        reorder_per_million: rng.below(300_000),
        duplicate_per_million: rng.below(300_000),
        rate_bits_per_second: rng.chance(500_000).then(|| 10_000 + u64::from(rng.below(1_000_000))),
        queue_bytes: u64::from(rng.below(20_000)),
        outage: rng.chance(250_000).then(|| Outage { every_us: 500_000, lasts_us: u64::from(rng.below(100_000)) }),
    }
}

fn drawn_trace(rng: &mut Rng) -> LinkTrace {
    let mut text = String::from("0,30\n");
    for sample in 1..50 {
        match rng.chance(100_000) {
            true => text += &format!("{},LOST\n", sample * 11),
            false => text += &format!("{},{}.{:03}\n", sample * 11, rng.below(90), rng.below(1_000)),
        }
    }
    LinkTrace::parse(&text).unwrap()
}

/// One run with drawn settings that change half-way, a drawn trace, and drawn traffic.
fn drawn_run(seed: u64, in_order: bool) -> (Vec<Landing>, LinkStats) {
    let mut rng = Rng::new(seed, 99);
    let draw = |rng: &mut Rng| {
        let settings = drawn_settings(rng);
        LinkSettings { reorder_per_million: if in_order { 0 } else { settings.reorder_per_million }, ..settings }
    };
    let mut link = LinkConditioner::new(draw(&mut rng), seed, 1);
    if rng.chance(500_000) {
        link = link.with_trace(drawn_trace(&mut rng), Direction::Reverse);
    }
    let (mut landings, mut now_us) = (Vec::new(), 0);
    for number in 0..2_000 {
        if number == 1_000 {
            link.set_settings(draw(&mut rng));
        }
        now_us += u64::from(rng.below(20_000));
        drain(&mut link, now_us, &mut landings);
        offer(&mut link, now_us, number, 4 + rng.below(1_200) as usize);
        assert_conserved(&link);
    }
    drain(&mut link, u64::MAX, &mut landings);
    assert_eq!(link.queued(), 0);
    assert_conserved(&link);
    (landings, link.stats())
}

#[test]
fn nothing_appears_vanishes_or_lands_early() {
    for seed in 0..100 {
        let (landings, stats) = drawn_run(seed, false);
        assert_eq!(stats.delivered, landings.len() as u64);
        assert!(landings.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        let mut latest = 0;
        let overtaken = landings.iter().filter(|(_, number)| {
            latest = latest.max(*number);
            *number < latest
        });
        assert_eq!(overtaken.count() as u64, stats.reordered);
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_does_not() {
    for seed in 0..20 {
        assert_eq!(drawn_run(seed, false), drawn_run(seed, false));
        assert_ne!(drawn_run(seed, false), drawn_run(seed + 1, false));
    }
}

#[test]
fn order_is_kept_when_nothing_is_chosen_for_reordering() {
    for seed in 0..100 {
        let (landings, stats) = drawn_run(seed, true);
        assert!(landings.windows(2).all(|pair| pair[0].1 <= pair[1].1), "seed {seed}");
        assert_eq!(stats.reordered, 0);
    }
}

#[test]
fn reordering_reorders_at_sixty_a_second() {
    // Of those held at the same time only some pass one another: 17 % when all are.
    let cases = [(10_000, 9_000), (100_000, 90_000), (500_000, 350_000), (1_000_000, 150_000)];
    for (per_million, at_least) in cases {
        let settings = LinkSettings { delay_us: 30_000, jitter_us: 1_000, reorder_per_million: per_million, ..LinkSettings::default() };
        for seed in 0..4 {
            let (_, stats) = run(settings, seed, 0, 60_000, TICK_US);
            let reordered = stats.reordered * 1_000_000 / stats.offered;
            assert!((at_least..=u64::from(per_million) * 11 / 10).contains(&reordered), "{per_million} chosen, {reordered} reordered");
        }
    }
}

#[test]
fn those_behind_a_held_datagram_do_not_wait_for_it() {
    let settings = LinkSettings { delay_us: 30_000, reorder_per_million: 200_000, ..LinkSettings::default() };
    let (landings, stats) = run(settings, 5, 0, 10_000, TICK_US);
    let on_time = landings.iter().filter(|(at_us, number)| *at_us == u64::from(*number) * TICK_US + 30_000);
    assert!(on_time.count() as u64 > stats.offered * 78 / 100);
    for (at_us, number) in landings {
        let held_us = at_us - u64::from(number) * TICK_US - 30_000;
        assert!(held_us == 0 || (20_000..=60_000).contains(&held_us), "{held_us}");
    }
}

#[test]
fn jitter_is_uniform_around_the_delay() {
    let (delay_us, jitter_us) = (50_000, 8_000);
    let settings = LinkSettings { delay_us, jitter_us, ..LinkSettings::default() };
    let (landings, _) = run(settings, 3, 0, 100_000, TICK_US);
    let mut sixteenths = [0u64; 17];
    for (at_us, number) in landings {
        let above_us = at_us - u64::from(number) * TICK_US - (delay_us - jitter_us);
        assert!(above_us <= 2 * jitter_us);
        sixteenths[(above_us / 1_000) as usize] += 1;
    }
    // 100,000 / 16, with a deviation of 77.
    for count in &sixteenths[..16] {
        assert!(count.abs_diff(6_250) <= 4 * 77, "{sixteenths:?}");
    }

    let near = LinkSettings { delay_us: 1_000, jitter_us, ..settings };
    let (landings, _) = run(near, 3, 0, 10_000, TICK_US);
    let at_once = landings.iter().filter(|(at, number)| *at == u64::from(*number) * TICK_US).count();
    // 7,001 of 16,001 draws would be negative.
    assert!(at_once.abs_diff(4_375) <= 150, "{at_once}");
}

#[test]
fn a_copy_has_a_delay_of_its_own() {
    let settings = LinkSettings { delay_us: 50_000, jitter_us: 8_000, duplicate_per_million: 1_000_000, ..LinkSettings::default() };
    let (landings, stats) = run(settings, 3, 0, 10_000, 2 * TICK_US);
    assert_eq!(stats.duplicated, 10_000);
    let apart = landings.chunks(2).filter(|pair| pair[0].0 < pair[1].0).count();
    // A copy whose delay is the shorter one, half of them, lands with its original.
    assert!(apart.abs_diff(5_000) <= 150, "{apart}");
}

#[test]
fn a_trace_adds_its_delay_and_its_loss_to_the_settings() {
    let trace = LinkTrace::parse("0,20\n20,LOST\n40,31.001").unwrap();
    let settings = LinkSettings { delay_us: 5_000, loss: Loss::Independent { per_million: 300_000 }, ..LinkSettings::default() };
    let (expected, _) = run(settings, 9, 0, 6_000, 20_000);
    let mut link = LinkConditioner::new(settings, 9, 0).with_trace(trace, Direction::Reverse);
    let mut landings = Vec::new();
    for number in 0..6_000 {
        let now_us = u64::from(number) * 20_000;
        offer(&mut link, now_us, number, 40);
        drain(&mut link, now_us, &mut landings);
    }
    drain(&mut link, u64::MAX, &mut landings);
    let one_way_us = [10_000, 10_000, 15_501];
    let dropped: Vec<u32> = expected
        .iter()
        .filter(|(at_us, number)| !landings.contains(&(at_us + one_way_us[*number as usize % 3], *number)))
        .map(|(_, number)| *number)
        .collect();
    assert_eq!(landings.len() + dropped.len(), expected.len());
    assert!(dropped.iter().all(|number| number % 3 == 1));
    // 2,000 samples are lost, 1,400 of them survive the model, and half are of this direction.
    assert!(dropped.len().abs_diff(700) <= 75, "{}", dropped.len());
}

/// How often each number landed.
fn copies(settings: LinkSettings, stream: u64) -> Vec<u8> {
    let (landings, _) = run(settings, 11, stream, 100_000, 1_000);
    let mut copies = vec![0; 100_000];
    for (_, number) in landings {
        copies[number as usize] += 1;
    }
    copies
}

#[test]
fn one_setting_leaves_the_draws_of_the_others_alone() {
    let loss = Loss::GilbertElliott {
        good_to_bad_per_million: 20_000,
        bad_to_good_per_million: 300_000,
        loss_good_per_million: 10_000,
        loss_bad_per_million: 700_000,
    };
    let shaken = LinkSettings { jitter_us: 9_999, reorder_per_million: 77_777, ..LinkSettings::default() };
    let lossy = copies(LinkSettings { loss, ..LinkSettings::default() }, 0);
    assert_eq!(lossy, copies(LinkSettings { loss, ..shaken }, 0));

    let copying = LinkSettings { duplicate_per_million: 200_000, ..LinkSettings::default() };
    let doubled = copies(copying, 0);
    assert_eq!(doubled, copies(LinkSettings { duplicate_per_million: 200_000, ..shaken }, 0));
    let both: Vec<u8> = lossy.iter().zip(&doubled).map(|(kept, copies)| kept * copies).collect();
    assert_eq!(both, copies(LinkSettings { loss, ..copying }, 0));
}

#[test]
fn an_outage_hits_both_directions_at_once_and_leaves_the_other_fates_alone() {
    let lossy = LinkSettings { loss: Loss::bursts(50_000, 3), duplicate_per_million: 100_000, ..LinkSettings::default() };
    let outage = Some(Outage { every_us: 5_000_000, lasts_us: 400_000 });
    let [there, back] = [0, 1].map(|stream| {
        let (without, with) = (copies(lossy, stream), copies(LinkSettings { outage, ..lossy }, stream));
        // 100,000 datagrams, one each millisecond: 20 outages.
        let silent: Vec<usize> = (0..with.len()).filter(|number| with[*number] == 0 && without[*number] > 0).collect();
        for number in 0..with.len() {
            assert!(with[number] == without[number] || silent.contains(&number), "datagram {number} of stream {stream}");
        }
        let all_dead = copies(LinkSettings { outage, ..LinkSettings::default() }, stream);
        let dead: Vec<usize> = (0..all_dead.len()).filter(|number| all_dead[*number] == 0).collect();
        assert_eq!(dead.len(), 20 * 400);
        assert!(silent.iter().all(|number| dead.binary_search(number).is_ok()));
        assert!(dead.iter().all(|number| with[*number] == 0));
        dead
    });
    assert_eq!(there, back);
}

#[test]
fn directions_and_purposes_do_not_follow_each_other() {
    let half = LinkSettings { loss: Loss::Independent { per_million: 500_000 }, ..LinkSettings::default() };
    let doubling = LinkSettings { duplicate_per_million: 500_000, ..LinkSettings::default() };
    let there = copies(half, 0);
    let others = [copies(half, 1), copies(half, 2), copies(doubling, 0).iter().map(|n| n - 1).collect()];
    for (other, name) in others.iter().zip(["stream 1", "stream 2", "duplication"]) {
        for lag in 0..3 {
            let both = there[lag..].iter().zip(other).filter(|(a, b)| **a == 1 && **b == 1).count();
            // A quarter of 100,000, with a deviation of 137.
            assert!(both.abs_diff(25_000) <= 3 * 137, "{name}, lag {lag}: {both}");
        }
    }
}

#[test]
fn the_rate_is_kept_and_the_queue_is_bounded() {
    let settings = LinkSettings { delay_us: 10_000, rate_bits_per_second: Some(64_000), queue_bytes: 1_600, ..LinkSettings::default() };
    // 40 bytes a millisecond is five times the rate.
    let (landings, stats) = run(settings, 1, 0, 60_000, 1_000);
    let seconds = 60;
    let carried = 64_000 / 8 * seconds;
    assert!(stats.bytes_delivered.abs_diff(carried) <= 1_640, "{stats:?}");
    assert_eq!(stats.queue_dropped, stats.offered - stats.delivered);
    // A full queue takes 200 ms to drain.
    assert!(landings.iter().all(|(at, number)| at - u64::from(*number) * 1_000 <= 10_000 + 205_000));
}

#[test]
fn what_is_under_way_is_bounded() {
    let settings = LinkSettings { delay_us: 1_000, ..LinkSettings::default() };
    let mut link = LinkConditioner::new(settings, 1, 0);
    for _ in 0..MAX_QUEUED_DATAGRAMS + 100 {
        link.send(0, b"x");
    }
    assert_eq!((link.queued(), link.stats().queue_dropped), (MAX_QUEUED_DATAGRAMS, 100));
    while link.receive(1_000).is_some() {}
    let large = vec![0; MAX_DATAGRAM_BYTES + 1];
    link.send(2_000, &large);
    assert_eq!((link.queued(), link.stats().queue_dropped), (0, 101));
    for _ in 0..2_000 {
        link.send(2_000, &large[1..]);
    }
    assert_eq!(link.queued(), MAX_QUEUED_BYTES / MAX_DATAGRAM_BYTES);
    assert_conserved(&link);
    link.send(u64::MAX, b"the end of time");
    assert_conserved(&link);
}

#[test]
fn no_buffer_grows_after_warm_up() {
    let settings = LinkSettings {
        delay_us: 50_000,
        jitter_us: 10_000,
        reorder_per_million: 50_000,
        duplicate_per_million: 50_000,
        ..LinkSettings::default()
    };
    let mut link = LinkConditioner::new(settings, 1, 0);
    for _ in 0..64 {
        link.send(0, &[0; 1_200]);
    }
    let mut warm_bytes = 0;
    for number in 0..100_000 {
        let now_us = u64::from(number) * TICK_US + 1_000_000;
        while link.receive(now_us).is_some() {}
        offer(&mut link, now_us, number, number as usize % 1_200);
        if number == 100 {
            warm_bytes = link.capacity_bytes();
        }
    }
    assert!(warm_bytes > 0);
    assert_eq!(link.capacity_bytes(), warm_bytes);
}

/// Recorded series, if the environment says where they are.
fn recorded(test: &str) -> Vec<(String, LinkTrace)> {
    let Some(folder) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: {test}");
        return Vec::new();
    };
    let folder = std::path::Path::new(&folder).join("net");
    let mut traces = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".csv") && name != "index.csv" {
            let text = std::fs::read_to_string(&path).unwrap();
            traces.push((name, LinkTrace::parse(&text).unwrap_or_else(|error| panic!("{error}"))));
        }
    }
    traces.sort_by(|(a, _), (b, _)| a.cmp(b));
    traces
}

#[test]
fn recorded_series_play_back_and_each_loss_hits_exactly_one_direction() {
    let test = "recorded_series_play_back_and_each_loss_hits_exactly_one_direction";
    for (name, trace) in recorded(test) {
        let directions = [(Direction::Forward, 0), (Direction::Reverse, 1)];
        let mut path = directions
            .map(|(direction, stream)| LinkConditioner::new(LinkSettings::default(), 21, stream).with_trace(trace.clone(), direction));
        let mut lost_total = 0;
        for lap in 0..2 {
            for sample in trace.samples() {
                let now_us = lap * trace.duration_us() + sample.at_us;
                let before = path.each_ref().map(|link| link.stats().lost);
                let mut halves_us = [0; 2];
                for (link, half_us) in path.iter_mut().zip(&mut halves_us) {
                    let free_us = link.in_order_us;
                    link.send(now_us, &[0; 32]);
                    // Where the recording's delay falls, the datagram waits for the one before.
                    if link.in_order_us > free_us {
                        *half_us = link.in_order_us - now_us;
                    }
                    while link.receive(now_us).is_some() {}
                }
                let lost: u64 = path.iter().zip(before).map(|(link, before)| link.stats().lost - before).sum();
                assert_eq!(lost, u64::from(sample.lost), "{name} at {} us", sample.at_us);
                if !sample.lost && halves_us.iter().all(|half_us| *half_us > 0) {
                    assert_eq!(halves_us[0] + halves_us[1], u64::from(sample.rtt_us), "{name}");
                }
                lost_total += lost;
            }
        }
        let each = path.each_ref().map(|link| link.stats().lost);
        assert_eq!(each[0] + each[1], lost_total);
        // Fair coins: the deviation of n is half the root of n.
        let bound = 3 * lost_total.isqrt() / 2 + 3;
        assert!(each[0].abs_diff(lost_total / 2) <= bound, "{name}: {each:?}");
        path.iter().for_each(assert_conserved);
    }
}
