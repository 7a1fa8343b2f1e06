//! A whole tick of a server with lag compensation, in the order that it has to have.
//!
//!     cargo run -p snapback-rewind --example server_tick
//!
//! Anna fires at Bert, who runs across her line of fire, and sends a rocket after it. Cleo stands
//! behind a wall, Dora far away. Everybody's messages are late; nothing here needs a network to show that.

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::area::{AreaBlast, AreaHit, AreaScratch, AreaTime, AreaWeapon, CentreRule, OwnBody, SightRule};
use snapback_rewind::catchup::{CatchUpWorld, Destroyed, ProjectileCatchUp, ProjectileHost, Spawn};
use snapback_rewind::cull::{self, Aabb, BoundsConfig, BoundsHistory, BoundsId, CullByPath, Culler, PendingRewind, Window};
use snapback_rewind::fire::{AcceptedFire, FireGate, FirePolicy, FireRequest};
use snapback_rewind::flight::{AfterCatchUp, Body, Flight, FlightCounters, Gravity, Impact, ImpactTarget, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderId, ColliderKind, KindSet, LiveFilter, Scene, Sight, Solid};
use snapback_rewind::*;
use std::convert::Infallible;
use std::error::Error;

const TICK_US: u64 = 10_000;
const START_US: u64 = 1_000_000;
/// Both histories are told it: culling leaves room for what is recorded seldom.
const CADENCE: Cadence = Cadence::EveryServerTick;
const NAMES: [&str; 5] = ["the wall", "Anna", "Bert", "Cleo", "Dora"];
const ANNA: ActorId = ActorId(1);
const ROCKET: u64 = 1;

/// A player of the game.
struct Player {
    actor: ActorId,
    at: Vec3,
    hitbox: HitboxId,
    bounds: BoundsId,
    collider: ColliderId,
}

/// A projectile that is under way.
struct Shot {
    fire: AcceptedFire,
    flight: Flight<Gravity>,
}

/// What has arrived: who sent it, as the connection knows, with which weapon in hand, as the game knows,
/// and bytes, which may be anything.
#[derive(Clone)]
struct Message {
    sender: ActorId,
    is_rocket: bool,
    bytes: Vec<u8>,
}

/// The server.
struct Server {
    now_us: u64,
    players: Vec<Player>,
    history: RewindHistory,
    bounds: BoundsHistory,
    culler: Culler,
    scene: Scene,
    gate: FireGate,
    catch_up: ProjectileCatchUp,
    shots: Vec<Shot>,
    log: Vec<String>,
}

/// The game's side of a launch. A real one makes an actor; this one only keeps what was met.
#[derive(Default)]
struct Spawner {
    impacts: Vec<Impact>,
}

impl ProjectileHost for Spawner {
    type Projectile = ();
    type Error = Infallible;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_overlap(&mut self, (): (), _: bool) {}

    fn finish_spawn(&mut self, (): (), _: &mut RewindHistory) -> Result<Option<ActorId>, Infallible> {
        // Nobody shoots at these projectiles, so they have no hitbox.
        Ok(None)
    }

    fn impact(&mut self, (): (), impact: &Impact) -> Result<Verdict, Infallible> {
        self.impacts.push(*impact);
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, (): (), _: &Body, _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn destroy(&mut self, (): (), _: Destroyed) {}
}

fn body() -> SourceShape {
    SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }
}

/// A player as lag compensation sees one. Both histories are given this and nothing else, or culling
/// would leave out whom a sweep could hit.
fn sample(at: Vec3) -> Result<HitboxSample, Box<dyn Error>> {
    Ok(HitboxSample {
        position: Point::of(at)?,
        rotation: Quat::IDENTITY,
        shape: Shape::of(body())?,
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    })
}

fn bounds_of(sample: &HitboxSample) -> Aabb {
    let reach = units::units(sample.shape.broadphase_radius()).unwrap_or(0).unsigned_abs();
    Aabb::around(sample.position, [reach; 3])
}

fn name(actor: ActorId) -> &'static str {
    NAMES.get(actor.0 as usize).copied().unwrap_or("somebody")
}

/// What is fired. Who has which weapon is the game's business.
fn weapon(is_rocket: bool) -> ProjectileSpec {
    let bullet = ProjectileSpec { radius: Fx::from_int(5), muzzle_speed: Fx::from_int(10_000), ..ProjectileSpec::default() };
    let after = AfterCatchUp::ConstantDelay;
    let rocket = ProjectileSpec { muzzle_speed: Fx::from_int(3_000), damages: false, after, source: ROCKET, ..bullet };
    if is_rocket { rocket } else { bullet }
}

impl Server {
    fn new() -> Result<Self, Box<dyn Error>> {
        let config = RewindConfig { max_hitboxes: 64, ..RewindConfig::default() };
        let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority)?;
        let bounds_config = BoundsConfig::covering(64, config.max_rewind_us as u32, TICK_US as u32);
        let mut bounds = BoundsHistory::new(bounds_config)?;
        let mut gate = FireGate::new(FirePolicy::of(&config), 64)?;
        let mut scene = Scene::new(64);
        let wall = ColliderDesc {
            actor: ActorId(0),
            kind: ColliderKind::WorldStatic,
            team: MatchTeam::NONE,
            damageable: false,
            lag_comp_ignore: false,
            solid: Solid::cuboid(Vec3::from_ints(300, 200, 10))?,
            place: Point::of(Vec3::from_ints(0, 0, 1_500))?,
        };
        scene.add(wall)?;
        // A registration is a snapshot at the newest tick: there has to be one.
        history.record_tick(START_US, &mut |_, _: &HitboxDesc| Sampled::Gone)?;
        let places = [[0, 0, 0], [-100, 0, 1_000], [0, 0, 1_800], [3_000, 0, 0]];
        let mut players = Vec::new();
        for (actor, [x, y, z]) in (1..).map(ActorId).zip(places) {
            let at = Vec3::from_ints(x, y, z);
            let (first, component) = (sample(at)?, ComponentId(1));
            let desc = HitboxDesc {
                actor,
                component,
                name: NameHash::of("body"),
                region: NameHash::of("torso"),
                projectile: false,
                client_only: false,
                cadence: CADENCE,
            };
            let pawn = ColliderDesc {
                actor,
                kind: ColliderKind::Pawn,
                damageable: true,
                solid: Solid::capsule(Fx::from_int(30), Fx::from_int(90))?,
                place: first.position,
                ..wall
            };
            // Half of the round trip as the connection measured it: the first shot's word is not all there is.
            gate.admit(actor, Some(120_000), START_US)?;
            players.push(Player {
                actor,
                at,
                hitbox: history.register(desc, first)?,
                bounds: bounds.register(START_US, actor, component, CADENCE, bounds_of(&first))?,
                collider: scene.add(pawn)?,
            });
        }
        Ok(Self {
            now_us: START_US,
            players,
            history,
            bounds,
            culler: Culler::new(bounds_config),
            scene,
            gate,
            catch_up: ProjectileCatchUp::new(TICK_US as u32)?,
            shots: Vec::new(),
            log: Vec::new(),
        })
    }

    /// One tick. `inbox` is what has arrived since the last.
    fn tick(&mut self, inbox: &[Message]) -> Result<(), Box<dyn Error>> {
        self.now_us += TICK_US;
        // 1. The game moves everybody. What follows sees the world at the end of this tick.
        self.move_players();
        // 2. Before anybody may shoot at this tick, it is recorded: a shot without view delay and lag asks for it.
        self.record()?;
        // 3. Projectiles of earlier ticks, before new ones are launched: those come out at now already.
        self.fly()?;
        // 4. Requests in the order of arrival. What the gate refuses has no effect and was counted.
        for Message { sender, is_rocket, bytes } in inbox {
            match self.gate.accept_bytes(self.now_us, *sender, bytes) {
                Ok(fire) => self.launch(fire, *is_rocket)?,
                Err(reason) => self.say(format!("a request of {} is refused: {reason}", name(*sender))),
            }
        }
        Ok(())
    }

    fn say(&mut self, what: String) {
        self.log.push(format!("{} ms: {what}", (self.now_us - START_US) / 1_000));
    }

    /// Bert runs at 10 m a second, and stops.
    fn move_players(&mut self) {
        let bert = &mut self.players[1];
        bert.at.x = (bert.at.x + Fx::from_int(10)).min(Fx::from_int(150));
    }

    fn record(&mut self) -> Result<(), Box<dyn Error>> {
        let mut samples = Vec::new();
        for player in &self.players {
            let sample = sample(player.at)?;
            self.bounds.record(self.now_us, player.bounds, bounds_of(&sample))?;
            self.scene.place(player.collider, sample.position)?;
            samples.push((player.hitbox, sample));
        }
        let mut source = |id: HitboxId, _: &HitboxDesc| {
            samples.iter().find(|(hitbox, _)| *hitbox == id).map_or(Sampled::Gone, |(_, sample)| Sampled::Here(*sample))
        };
        self.history.record_tick(self.now_us, &mut source)?;
        Ok(())
    }

    fn fly(&mut self) -> Result<(), Box<dyn Error>> {
        for mut shot in std::mem::take(&mut self.shots) {
            let (mut impacts, mut counters) = (Vec::new(), FlightCounters::default());
            let mut keep = |impact: &Impact| {
                impacts.push(*impact);
                Ok::<_, Infallible>(Verdict::GoOn)
            };
            // Up to a tick is left over from the catch-up, so the projectile's time is its own.
            shot.flight.tick_live(&self.scene, Some(&self.history), &mut counters, &mut (), &mut keep)?;
            self.resolve(&shot.fire, &impacts)?;
            if shot.flight.end().is_none() {
                self.shots.push(shot);
            }
        }
        Ok(())
    }

    /// From the time of fire to now at once.
    fn launch(&mut self, fire: AcceptedFire, is_rocket: bool) -> Result<(), Box<dyn Error>> {
        // The server's own muzzle: a request has no place in it.
        let (muzzle, spec) =
            (self.players.iter().find(|player| player.actor == fire.shooter).map_or(Vec3::ZERO, |it| it.at), weapon(is_rocket));
        self.cull(&fire, muzzle, &spec)?;
        let spec = ProjectileSpec { filter: QueryFilter { ignore_actor: Some(fire.shooter), ..spec.filter }, ..spec };
        let mut world = CatchUpWorld {
            history: &mut self.history,
            live: &self.scene,
            kind: WorldKind::Game,
            role: NetRole::Authority,
            now_us: self.now_us,
        };
        let (mut host, mut counters, spawn) = (Spawner::default(), FlightCounters::default(), Spawn { fire, muzzle, spec });
        let launched = self.catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut host, &mut counters, &mut ())?;
        let (steps, what) = (launched.report.steps, if is_rocket { "rocket" } else { "bullet" });
        self.say(format!("{}'s {what} catches up {steps} ticks", name(fire.shooter)));
        self.resolve(&fire, &host.impacts)?;
        if launched.flight.end().is_none() {
            self.shots.push(Shot { fire, flight: launched.flight });
        }
        Ok(())
    }

    /// Who need not be rewound. Sweeps of the history need no culling; a host that moves its own
    /// colliders back does so only for those that are kept here. A quarter of a second is the longest catch-up.
    fn cull(&mut self, fire: &AcceptedFire, muzzle: Vec3, spec: &ProjectileSpec) -> Result<(), Box<dyn Error>> {
        let way = fire.rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, spec.muzzle_speed / Fx::from_int(4)));
        let radius = units::units(spec.radius).unwrap_or(0).unsigned_abs();
        let path = [cull::Sweep::ball(Point::of(muzzle)?, Point::of(muzzle + way)?, radius)?];
        let window = Window::new(fire.target_us(fire.fire_us), self.now_us);
        let pending = PendingRewind { window, instigator: Some(fire.shooter), path: &path };
        let mut kept = Vec::new();
        let tally = self.culler.cull(&self.bounds, &pending, &mut CullByPath, &mut kept);
        let kept: Vec<&str> = kept.iter().filter_map(|id| self.bounds.owner(*id)).map(|(actor, _)| name(actor)).collect();
        let kept = if kept.is_empty() { "nobody".to_owned() } else { kept.join(" and ") };
        self.say(format!("of {} others, {kept} could be met", tally.targets - tally.instigator));
        Ok(())
    }

    /// What the game makes of impacts, whether of a catch-up or of a flight: damage once, explosions at the end.
    fn resolve(&mut self, fire: &AcceptedFire, impacts: &[Impact]) -> Result<(), Box<dyn Error>> {
        for impact in impacts {
            let (target, at_ms) = (name(impact.target.actor()), (impact.time_us - START_US) / 1_000);
            if let ImpactTarget::Hitbox { historical_us, .. } = impact.target {
                // Only once for each shot and target, whatever the projectile meets on its way.
                let what = if impact.damage { "damages" } else { "touches" };
                self.say(format!("it {what} {target} at {at_ms} ms, where {target} was at {} ms", (historical_us - START_US) / 1_000));
            } else {
                self.say(format!("it met {target} at {at_ms} ms"));
            }
            if impact.source == ROCKET {
                self.explode(fire, impact)?;
            }
        }
        Ok(())
    }

    fn explode(&mut self, fire: &AcceptedFire, impact: &Impact) -> Result<(), Box<dyn Error>> {
        let metre = units::UNITS_PER_METRE;
        let weapon = AreaWeapon {
            radius_units: 6 * metre,
            full_units: 2 * metre,
            // Where the shooter saw them, unless they really got away since.
            time: AreaTime::Hybrid { grace_units: metre },
            centre: CentreRule::Impact,
            sight: SightRule::ToCentre,
            filter: QueryFilter::default(),
            own: OwnBody::Hurt,
        };
        // Off the wall, or the wall would stand in its own line of sight.
        let centre = Point::of(impact.position + impact.normal)?;
        let on = if let ImpactTarget::Hitbox { id, .. } = impact.target { Some(id) } else { None };
        let blast = AreaBlast::of(fire, centre, impact.time_us, on);
        let sight = Sight { live: &self.scene, filter: LiveFilter { kinds: KindSet::WORLD, ..LiveFilter::default() } };
        let (mut hits, mut scratch): (Vec<AreaHit>, _) = (Vec::new(), AreaScratch::default());
        weapon.resolve(&blast, &self.history, &sight, &mut scratch, &mut hits, &mut RewindCounters::default())?;
        for hit in hits {
            self.say(format!("its blast takes {} of 100 from {}", hit.falloff.of(100), name(hit.frame.actor)));
        }
        Ok(())
    }
}

/// The messages, and the tick at which each arrives.
fn messages() -> Result<Vec<(u64, Message)>, Box<dyn Error>> {
    // Sequences count up by one from 0 or 1, for each shooter. Aimed straight on.
    let bullet = FireRequest::new(1, Quat::IDENTITY, START_US + 80_000, 70_000)?.encode().to_vec();
    let rocket = FireRequest::new(2, Quat::IDENTITY, START_US + 220_000, 70_000)?.encode().to_vec();
    let mut cut = rocket.clone();
    cut.truncate(9);
    let of_anna = |is_rocket, bytes| Message { sender: ANNA, is_rocket, bytes };
    Ok(vec![
        (20, of_anna(false, bullet.clone())),
        // The network repeated it.
        (21, of_anna(false, bullet)),
        (24, of_anna(true, rocket)),
        (25, of_anna(true, cut)),
    ])
}

/// What happened, line by line.
pub(crate) fn play() -> Result<Vec<String>, Box<dyn Error>> {
    let (mut server, messages) = (Server::new()?, messages()?);
    for tick in 1..=80 {
        let inbox: Vec<_> = messages.iter().filter(|(at, _)| *at == tick).map(|(_, message)| message.clone()).collect();
        server.tick(&inbox)?;
    }
    Ok(server.log)
}

#[allow(dead_code, reason = "the test of this example calls play")]
fn main() -> Result<(), Box<dyn Error>> {
    play()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
