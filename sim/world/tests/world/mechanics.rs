//! No mechanic is inert: switched off, each one changes a named field of a short scene.

use crate::rig::{DEFAULT_DATA, Rig};
use snapback_core::{Fx, Simulation};
use snapback_sim::{Act, Mechanic};
use std::sync::Arc;

/// A scene: two fighters so far apart, what is arranged, and what is pressed by each.
struct Scene {
    distance: i32,
    arrange: fn(&mut Rig),
    left: &'static str,
    right: &'static str,
    characters: [&'static str; 2],
}

const SCENE: Scene = Scene { distance: 80, arrange: |_| {}, left: "", right: "", characters: ["duelist", "duelist"] };

/// What is pressed by the left one, so far apart.
const fn alone(distance: i32, left: &'static str) -> Scene {
    Scene { distance, left, ..SCENE }
}

const fn both(distance: i32, left: &'static str, right: &'static str) -> Scene {
    Scene { distance, left, right, ..SCENE }
}

fn juggled(rig: &mut Rig) {
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::Launched as u8;
        fighters[1].motion.position[1] = Fx::from_int(50);
        fighters[1].motion.velocity[1] = Fx::from_int(4);
        fighters[1].juggle.combo_hits = 5;
        fighters[1].juggle.scaling = 500;
        fighters[1].juggle.points = 95;
    });
}

fn at_the_wall(rig: &mut Rig) {
    rig.edit(|_, fighters| {
        fighters[0].motion.position[0] = Fx::from_int(320);
        fighters[1].motion.position[0] = Fx::from_int(380);
    });
}

fn scenes() -> Vec<(Mechanic, &'static str, Scene)> {
    use Mechanic as M;
    vec![
        (M::Armour, "fighter[0].power_crush.absorbed", both(80, "HS 5*20", "5*3 L 5*17")),
        (M::Attributes, "fighter[0].attributes.gained[0]", alone(60, "4H 5*30")),
        (M::Backdash, "fighter[0].motion.position[0]", alone(300, "4 5 4 5*8")),
        (M::Blocking, "fighter[1].vitals.health", both(80, "L 5*8", "4*9")),
        (M::Buffer, "fighter[0].abilities.last", alone(300, "L 5*12 H 5*6")),
        (M::Cancels, "fighter[0].abilities.last", alone(80, "L 5*6 2 3 6L 5*10")),
        (M::Charge, "fighter[0].abilities.last", alone(300, "4*32 6H 5*3")),
        (M::Chip, "fighter[1].vitals.health", both(80, "H 5*20", "G*20")),
        (M::Cooldowns, "fighter[0].abilities.slots[0].activations", alone(400, "2 3 6H 5*60 2 3 6H 5*10")),
        (M::CounterHits, "fighter[1].vitals.health", both(80, "5*2 L 5*8", "H 5*10")),
        (M::DamageScaling, "fighter[1].juggle.combo_damage", alone(70, "L 5*7 2L 5*12")),
        (M::Dash, "fighter[0].motion.position[0]", alone(300, "6 5 6 5*8")),
        (M::GravityScaling, "fighter[1].juggle.gravity_gained", alone(70, "LH 5*20")),
        (M::Heat, "fighter[0].heat.left_frames", alone(300, "LS 5*40")),
        (M::Hitstop, "clock.hitstop_frames", alone(80, "L 5*7")),
        (M::JuggleLimit, "fighter[1].vitals.health", Scene { arrange: juggled, ..alone(70, "L 5*8") }),
        (M::KiCharge, "fighter[0].ki.left_frames", alone(300, "LHS 5*45")),
        (M::Knockdown, "fighter[1].action.act", alone(80, "2H 2*20")),
        (M::Launch, "fighter[1].motion.position[1]", alone(70, "LH 5*30")),
        (M::Meter, "fighter[0].vitals.meter", alone(80, "L 5*8")),
        (M::Motions, "fighter[0].projectiles[0].move_name", alone(300, "2 3 6L 5*15")),
        (M::Plinks, "fighter[0].abilities.last", alone(300, "L H 5*5")),
        (M::ProjectileClash, "fighter[1].vitals.health", both(300, "2 3 6L 5*60", "2 3 6L 5*60")),
        (M::Projectiles, "fighter[0].projectiles[0].move_name", alone(300, "2 3 6L 5*15")),
        (M::PushBoxes, "fighter[1].motion.position[0]", alone(20, "5*3")),
        (M::Pushback, "fighter[1].motion.position[0]", alone(80, "L 5*20")),
        (M::Rage, "fighter[0].rage.active", Scene { arrange: |rig| rig.edit(|_, f| f[0].vitals.health = 250), ..alone(300, "5*2") }),
        (M::Sidestep, "fighter[0].motion.position[2]", alone(300, "G G8 5*8")),
        (M::Stances, "fighter[0].stance.name", alone(300, "2S 5*12")),
        (M::Status, "fighter[1].status.slots[0].effect", alone(200, "2 3 6L 5*60")),
        (M::Teleport, "fighter[0].motion.position[0]", alone(300, "2 1 4S 5*20")),
        (M::ThrowTech, "fighter[1].vitals.health", both(50, "Z 5*40", "5*8 Z 5*31")),
        (M::Throws, "fighter[1].vitals.health", alone(50, "Z 5*40")),
        (M::TimeOver, "clock.phase", Scene { arrange: |rig| rig.edit(|header, _| header.clock.timer_frames = 1), ..alone(300, "5") }),
        (
            M::Tracking,
            "fighter[0].motion.position[2]",
            Scene { arrange: |rig| rig.edit(|_, f| f[1].motion.position[2] = Fx::from_int(60)), ..alone(300, "2 1 4L 5*20") },
        ),
        (
            M::WallSplat,
            "fighter[1].juggle.wall_splats",
            Scene { arrange: at_the_wall, characters: ["warden", "duelist"], ..alone(60, "4L 5*24") },
        ),
    ]
}

fn play(data: &Arc<snapback_sim::WorldData>, scene: &Scene) -> Rig {
    let mut rig = Rig::pair(data, scene.characters, scene.distance);
    (scene.arrange)(&mut rig);
    rig.duel(scene.left, scene.right);
    rig
}

#[test]
fn each_mechanic_switched_off_changes_a_named_field() {
    let scenes = scenes();
    for (_, mechanic) in Mechanic::ALL {
        assert_eq!(scenes.iter().filter(|(of, ..)| *of == mechanic).count(), 1, "{mechanic:?}");
    }
    let mut inert = Vec::new();
    for (mechanic, field, scene) in &scenes {
        let on = play(&DEFAULT_DATA, scene);
        let off = play(&Arc::new(DEFAULT_DATA.without(&[*mechanic])), scene);
        let differences = on.world.layout().differences(&on.snapshot(), &off.snapshot());
        if !differences.iter().any(|difference| difference.path == *field) {
            let paths: Vec<&str> = differences.iter().map(|d| d.path.as_str()).take(8).collect();
            inert.push(format!("{mechanic:?}: {field} is the same; different are {paths:?}"));
        }
    }
    assert!(inert.is_empty(), "{}", inert.join("\n"));
}
