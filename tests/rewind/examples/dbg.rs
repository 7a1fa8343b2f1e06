use snapback_rewind_tests::compare::*;
use snapback_rewind_tests::engine::RewindEngine;
use snapback_rewind_tests::scene::*;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (seed, tick_n, hitbox, time) = (a[0], a[1] as usize, a[2] as usize, a[3]);
    let load = Load { questions_per_tick: 20, shots_per_tick: 2 };
    let mut scene = Scene::of(seed, load);
    println!("{:?}", scene.hitboxes[hitbox]);
    for (n, t) in scene.ticks.iter_mut().enumerate() {
        if n <= tick_n {
            println!(
                "{n} {} ret {:?} unr {:?} born {:?} {:?}",
                t.time_us,
                t.retired.contains(&hitbox),
                t.unregistered.contains(&hitbox),
                t.born.contains(&hitbox),
                t.seen.iter().find(|s| s.0 == hitbox).map(|s| match s.1 {
                    Seen::Here(s) => format!("{:?} e{} {:?} {:?}", s.position, s.epoch, s.shape, s.attributes),
                    o => format!("{o:?}"),
                })
            );
        }
        t.shots.clear();
        t.questions.clear();
        if n == tick_n {
            for d in 0..3 {
                t.questions.push(Question::Lookup(Lookup { hitbox, time_us: time - 1 + d }));
            }
        }
    }
    scene.ticks.truncate(tick_n + 1);
    struct P(ReferenceEngine, RewindEngine);
    println!("{:?}", compare_scene(seed, load, &scene, &mut RewindEngine::default()));
    let mut r = ReferenceEngine::default();
    println!("{:?}", compare_scene(seed, load, &scene, &mut r));
    for d in 0..3 {
        println!("{:?}", r.look_up(&Lookup { hitbox, time_us: time - 1 + d }));
    }
    let _ = P;
}
