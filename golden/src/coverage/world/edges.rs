//! The edge cases of a fight, each seen in one frame: from the states around it and its effects.

use super::contacts::{Contact, Contacts, Swing};
use snapback_core::control::ControlRules;
use snapback_core::{Effect, Fx, NameHash};
use snapback_sim::{Act, Fighter, MAX_FIGHTERS, MAX_TEAMS, PadInput, Phase, RoundEnd, Winner, WorldView, cues};

/// One frame of a fight.
pub(super) struct Scene<'a> {
    pub(super) before: &'a WorldView,
    pub(super) after: &'a WorldView,
    pub(super) effects: &'a [Effect],
    pub(super) contacts: &'a Contacts<'a>,
    pub(super) rules: &'a ControlRules,
    /// Whether a move holds instead of striking.
    pub(super) is_throw: &'a dyn Fn(&Fighter) -> bool,
}

type Edge = (&'static str, fn(&Scene<'_>) -> bool);

const ATTACK_BUTTONS: u16 = PadInput::LIGHT | PadInput::HEAVY | PadInput::GRAB | PadInput::SPECIAL;

impl<'a> Scene<'a> {
    fn raises(&self, kind: NameHash) -> bool {
        self.effects.iter().any(|effect| effect.id.kind == kind)
    }

    /// Each fighter before and after.
    fn pairs(&self) -> impl Iterator<Item = (&'a Fighter, &'a Fighter)> + use<'a> {
        self.before.fighters().iter().zip(self.after.fighters())
    }

    fn pair(&self, seat: usize) -> Option<(&'a Fighter, &'a Fighter)> {
        Some((self.before.fighters().get(seat)?, self.after.fighters().get(seat)?))
    }

    /// Whether a fighter goes from one state to another.
    fn turns(&self, is: impl Fn(&Fighter, &Fighter) -> bool) -> bool {
        self.pairs().any(|(before, after)| is(before, after))
    }

    fn hits(&self, is: impl Fn(&Contact<'_>, &Fighter, &Fighter) -> bool) -> bool {
        self.contacts.contacts.iter().filter(|contact| !contact.is_guarded).any(|contact| {
            let (Some((attacker, _)), Some((defender, _))) = (self.pair(contact.attacker), self.pair(contact.defender)) else {
                return false;
            };
            is(contact, attacker, defender)
        })
    }

    fn swings(&self, is: impl Fn(&Swing<'_>, &Fighter, &Fighter) -> bool) -> bool {
        self.contacts.swings.iter().any(|swing| self.pair(swing.seat).is_some_and(|(before, after)| is(swing, before, after)))
    }

    fn ends(&self, is: impl Fn(snapback_sim::RoundResult) -> bool) -> bool {
        self.after.results().count > self.before.results().count && self.after.results().last.is_some_and(is)
    }

    /// Whether somebody else plays a seat from now on: by whom, and which.
    fn plays(&self, is: impl Fn(i32, u32) -> bool) -> bool {
        self.effects.iter().any(|effect| effect.id.kind == cues::TAKEOVER && is(effect.data[2], effect.id.source))
    }

    /// Whether who had paused before this frame may pause on.
    fn pauser_has_frames(&self) -> bool {
        let control = &self.before.header().control;
        control.paused_by().is_some_and(|by| control.pauses_left(by, self.rules).1 > 0)
    }

    fn is_knocked_out(&self, seat: usize) -> bool {
        self.effects.iter().any(|effect| effect.id.kind == cues::KNOCK_OUT && effect.id.source as usize == seat)
    }
}

fn begins(before: &Fighter, after: &Fighter, act: Act) -> bool {
    before.act() != act && after.act() == act
}

const RESULTS: &[Edge] = &[
    ("knock-out", |s| s.ends(|r| r.end == RoundEnd::KnockOut)),
    ("double knock-out", |s| s.ends(|r| r.end == RoundEnd::DoubleKnockOut)),
    ("time over with a winner", |s| s.ends(|r| r.end == RoundEnd::TimeOver && r.winner != Winner::Draw)),
    ("time over with a draw", |s| s.ends(|r| r.end == RoundEnd::TimeOver && r.winner == Winner::Draw)),
    ("match won by surrender", |s| s.ends(|r| r.end == RoundEnd::Surrender && r.winner != Winner::Draw)),
    ("everybody surrenders at once", |s| s.ends(|r| r.end == RoundEnd::Surrender && r.winner == Winner::Draw)),
    ("won by team 0", |s| s.ends(|r| r.winner == Winner::Team(0))),
    ("won by team 1", |s| s.ends(|r| r.winner == Winner::Team(1))),
    ("won by team 2", |s| s.ends(|r| r.winner == Winner::Team(2))),
    ("won by team 3", |s| s.ends(|r| r.winner == Winner::Team(3))),
    ("match won", |s| s.ends(|r| matches!(r.match_winner, Some(Winner::Team(_))))),
    ("match drawn", |s| s.ends(|r| r.match_winner == Some(Winner::Draw))),
    ("match decided by its last possible round", |s| s.ends(|r| r.match_winner.is_some() && r.round_number == 5)),
    ("second match begins", |s| s.after.header().rounds.match_number == 2),
    ("one is out while the team fights on", |s| {
        s.after.phase() == Phase::Fight && s.after.fighters().iter().any(|fighter| !fighter.is_alive())
    }),
    ("knock-out by what gets through a guard", |s| {
        let guarded = |contact: &Contact<'_>| contact.is_guarded && s.is_knocked_out(contact.defender);
        let is_hit = |seat: usize| s.contacts.contacts.iter().any(|contact| !contact.is_guarded && contact.defender == seat);
        s.contacts.contacts.iter().any(|contact| guarded(contact) && !is_hit(contact.defender))
    }),
    ("pause begins in a fight", |s| s.raises(cues::PAUSE) && s.after.phase() == Phase::Fight),
    ("pause begins in hitstop", |s| s.raises(cues::PAUSE) && s.after.header().clock.hitstop_frames > 0),
    ("pause ended by who paused", |s| s.raises(cues::RESUME) && s.pauser_has_frames()),
    ("pause ended by its budget", |s| s.raises(cues::RESUME) && !s.pauser_has_frames()),
    ("seat given to another player", |s| s.plays(|by, seat| by >= 0 && by as u32 != seat)),
    ("seat given to the bot", |s| s.plays(|by, _| by < 0)),
    ("seat taken back", |s| s.plays(|by, seat| by >= 0 && by as u32 == seat)),
    ("phase intro", |s| s.after.phase() == Phase::Intro),
    ("phase fight", |s| s.after.phase() == Phase::Fight),
    ("phase round end", |s| s.after.phase() == Phase::RoundEnd),
    ("phase match end", |s| s.after.phase() == Phase::MatchEnd),
];

const STRIKES: &[Edge] = &[
    ("trade of strikes", |s| s.hits(|one, _, _| s.hits(|other, _, _| one.attacker == other.defender && one.defender == other.attacker))),
    ("two attackers hit the same one in one frame", |s| {
        s.hits(|one, _, _| s.hits(|other, _, _| one.defender == other.defender && one.attacker != other.attacker))
    }),
    ("one attack hits two in one frame", |s| {
        s.hits(|one, _, _| s.hits(|other, _, _| one.attacker == other.attacker && one.defender != other.defender))
    }),
    ("guard and hit in one frame", |s| {
        s.contacts.contacts.iter().filter(|one| one.is_guarded).any(|one| s.hits(|other, _, _| one.defender == other.defender))
    }),
    ("counter hit", |s| s.hits(|contact, _, _| contact.is_counter)),
    ("hit with ki charge", |s| s.hits(|_, attacker, _| attacker.ki.left_frames > 1)),
    ("hit through a guard that ki charge took away", |s| {
        s.hits(|_, _, defender| defender.ki.left_frames > 1 && defender.act() == Act::Guard)
    }),
    ("hit by a projectile", |s| s.hits(|contact, _, _| contact.by_projectile)),
    ("hit on one in the air", |s| s.hits(|_, _, defender| defender.act() == Act::Air)),
    ("hit on one who is launched", |s| s.hits(|_, _, defender| defender.act() == Act::Launched)),
    ("hit on one who lies", |s| s.hits(|_, _, defender| defender.act() == Act::Down)),
    ("hit on one who sticks to the wall", |s| s.hits(|_, _, defender| defender.act() == Act::WallSplat)),
    ("hit on one who starts to jump", |s| s.hits(|_, _, defender| defender.act() == Act::JumpStart)),
    ("hit on one who lands", |s| s.hits(|_, _, defender| defender.act() == Act::Landing)),
    ("hit on one who dashes", |s| s.hits(|_, _, defender| defender.act() == Act::Dash)),
    ("hit on one who dashes back", |s| s.hits(|_, _, defender| defender.act() == Act::Backdash)),
    ("hit on one who steps aside", |s| s.hits(|_, _, defender| defender.act() == Act::Sidestep)),
    ("hit out of a stance", |s| s.hits(|_, _, defender| defender.stance.name != NameHash::NONE)),
    ("hit from the air", |s| s.hits(|contact, attacker, _| !contact.by_projectile && attacker.is_airborne())),
    ("combo of three hits", |s| s.turns(|before, after| before.juggle.combo_hits < 3 && after.juggle.combo_hits >= 3)),
    ("scaling at its least", |s| s.turns(|_, after| after.juggle.scaling == 200)),
    ("hit at the wall: the attacker gives way", |s| {
        s.contacts.contacts.iter().filter(|contact| !contact.by_projectile).any(|contact| {
            s.pair(contact.attacker).is_some_and(|(_, after)| {
                let along = if after.facing() < 0 { -after.motion.pushback } else { after.motion.pushback };
                along < Fx::ZERO
            })
        })
    }),
    ("armour absorbs", |s| s.raises(cues::ARMOUR)),
    ("armour breaks", |s| {
        s.hits(|contact, _, defender| {
            defender.power_crush.hits_left > 0 && s.pair(contact.defender).is_some_and(|(_, after)| after.act().is_reeling())
        })
    }),
    ("sidestep evades", |s| {
        let misses = |before: &Fighter, after: &Fighter, other: &Fighter| {
            let ends = before.hitboxes.active_hit != 0 && before.hitboxes.reached == 0 && after.hitboxes.active_hit == 0;
            let is_near = (other.x() - before.x()).abs() < Fx::from_int(75) && other.team() != before.team();
            ends && after.act() == Act::Attack && is_near && other.act() == Act::Sidestep
        };
        s.pairs().any(|(before, after)| s.after.fighters().iter().any(|other| misses(before, after, other)))
    }),
    ("guarded high", |s| s.turns(|b, a| begins(b, a, Act::BlockStun) && a.action.crouching == 0)),
    ("guarded low", |s| s.turns(|b, a| begins(b, a, Act::BlockStun) && a.action.crouching != 0)),
    ("guarded with the guard button", |s| s.turns(|b, a| begins(b, a, Act::BlockStun) && a.pad.held.holds(PadInput::GUARD))),
    ("guarded by holding away", |s| s.turns(|b, a| begins(b, a, Act::BlockStun) && !a.pad.held.holds(PadInput::GUARD))),
    ("guarded in a stance", |s| s.turns(|b, a| b.stance.name != NameHash::NONE && begins(b, a, Act::BlockStun))),
];

const HOLDS: &[Edge] = &[
    ("throw holds", |s| s.raises(cues::GRAB)),
    ("throw lands", |s| s.turns(|b, a| b.act() == Act::Throwing && a.act() == Act::Landing) && !s.raises(cues::TECH)),
    ("throw escaped from", |s| s.turns(|b, a| b.act() == Act::Thrown && a.act() == Act::Landing)),
    ("throw meets throw", |s| s.raises(cues::TECH) && !s.turns(|b, a| b.act() == Act::Thrown && a.act() == Act::Landing)),
    ("throw beaten by a strike", |s| s.hits(|_, _, defender| defender.act() == Act::Attack && (s.is_throw)(defender))),
    ("knock-out by a throw", |s| s.turns(|b, a| b.act() == Act::Thrown && begins(b, a, Act::KnockedOut))),
    ("throw takes one who attacks", |s| s.turns(|b, a| b.act() == Act::Attack && begins(b, a, Act::Thrown))),
];

const CONDITIONS: &[Edge] = &[
    ("heat begins", |s| s.raises(cues::HEAT)),
    ("heat runs out", |s| s.turns(|b, a| b.heat.left_frames == 1 && a.heat.left_frames == 0 && a.act() != Act::Attack)),
    ("heat smash", |s| s.turns(|b, a| b.heat.smashed == 0 && a.heat.smashed != 0)),
    ("rage begins", |s| s.raises(cues::RAGE)),
    ("rage art", |s| s.turns(|b, a| b.rage.active != 0 && a.rage.active == 0 && a.rage.used != 0)),
    ("ki charge", |s| s.raises(cues::KI_CHARGE)),
    ("ki charge runs out", |s| s.turns(|b, a| b.ki.left_frames == 1 && a.ki.left_frames == 0)),
    ("status put on", |s| s.turns(|b, a| statuses(a) > statuses(b))),
    ("status put on again", |s| s.turns(|_, a| a.status.slots.iter().any(|slot| slot.stacks > 1))),
    ("status ends", |s| s.turns(|b, a| statuses(a) < statuses(b) && a.is_alive())),
    ("two statuses at once", |s| s.turns(|_, a| statuses(a) > 1)),
    ("three statuses at once", |s| s.turns(|_, a| statuses(a) > 2)),
    ("meter is full", |s| s.turns(|_, a| a.vitals.meter == 1_000)),
    ("meter is spent", |s| s.swings(|_, before, after| after.vitals.meter + 300 < before.vitals.meter)),
    ("wall splat", |s| s.raises(cues::WALL_SPLAT)),
    ("stance begins", |s| s.turns(|b, a| b.stance.name == NameHash::NONE && a.stance.name != NameHash::NONE)),
    ("stance left by guard", |s| s.turns(|b, a| b.stance.left_frames > 1 && a.stance.name == NameHash::NONE && a.act() == Act::Guard)),
    ("stance runs out", |s| s.turns(|b, a| b.stance.left_frames == 1 && a.stance.name == NameHash::NONE)),
    ("stance changes into a move", |s| s.swings(|_, before, _| before.stance.name != NameHash::NONE)),
    ("move leads into a stance again", |s| {
        s.turns(|b, a| b.act() == Act::Attack && b.action.contact > 0 && a.stance.name != NameHash::NONE)
    }),
    ("teleport", |s| s.raises(cues::TELEPORT)),
];

const INPUTS: &[Edge] = &[
    ("plink", |s| s.swings(|_, before, _| before.act() == Act::Attack && before.action.elapsed_frames <= 2 && before.action.contact == 0)),
    ("cancel after a hit", |s| s.swings(|_, before, _| before.act() == Act::Attack && before.action.contact == 2)),
    ("cancel after a guard", |s| s.swings(|_, before, _| before.act() == Act::Attack && before.action.contact == 1)),
    ("buffered press used", |s| s.swings(|_, _, after| !after.pad.pressed.holds(ATTACK_BUTTONS))),
    ("press forgotten", |s| s.turns(|b, a| b.input.waiting.buttons != 0 && b.input.waiting_frames == 1 && a.act() == b.act())),
    ("charge kept after back is let go", |s| s.turns(|_, a| a.input.charge_frames == 0 && a.input.charged_frames > 0)),
    ("move out of a dash or a sidestep", |s| s.swings(|_, before, _| matches!(before.act(), Act::Dash | Act::Sidestep))),
    ("jump called off", |s| s.turns(|b, a| b.act() == Act::JumpStart && a.act().is_free())),
    ("jump to the left", |s| s.turns(|b, a| begins(b, a, Act::Air) && a.motion.velocity[0] < Fx::ZERO)),
    ("jump to the right", |s| s.turns(|b, a| begins(b, a, Act::Air) && a.motion.velocity[0] > Fx::ZERO)),
    ("jump straight up", |s| s.turns(|b, a| begins(b, a, Act::Air) && a.motion.velocity[0] == Fx::ZERO)),
    ("jump with the jump button", |s| s.turns(|b, a| begins(b, a, Act::JumpStart) && a.motion.jump_by_up == 0)),
    ("sidestep into the depth", |s| s.turns(|b, a| begins(b, a, Act::Sidestep) && a.motion.step_direction > 0)),
    ("sidestep out of the depth", |s| s.turns(|b, a| begins(b, a, Act::Sidestep) && a.motion.step_direction < 0)),
    ("turns round", |s| s.after.phase() == Phase::Fight && s.turns(|b, a| b.facing() != a.facing())),
];

const STAGE: &[Edge] = &[
    ("projectiles clash", |s| s.raises(cues::CLASH)),
    ("two projectiles of one fighter", |s| s.turns(|_, a| a.projectiles.iter().all(snapback_sim::fighter::Projectile::is_live))),
    ("projectile hits and flies on", |s| s.turns(|_, a| a.projectiles.iter().any(|shot| shot.pause_frames > 0))),
    ("projectile follows into the depth", |s| s.turns(|_, a| a.projectiles.iter().any(|shot| shot.velocity[1] != Fx::ZERO))),
    ("projectile runs out", |s| {
        let gone = |b: &Fighter, a: &Fighter| {
            b.projectiles.iter().zip(&a.projectiles).any(|(b, a)| b.is_live() && b.left_frames == 0 && !a.is_live())
        };
        s.turns(gone)
    }),
    ("projectile leaves the stage", |s| {
        let is_out = |x: Fx| x.abs() > Fx::from_int(500);
        let gone = |b: &Fighter, a: &Fighter| b.projectiles.iter().zip(&a.projectiles).any(|(b, a)| is_out(b.position[0]) && !a.is_live());
        s.turns(gone)
    }),
    ("at the left wall", |s| s.turns(|b, a| a.x() < Fx::ZERO && a.x() == b.x() && a.motion.velocity[0] < Fx::ZERO)),
    ("at the right wall", |s| s.turns(|b, a| a.x() > Fx::ZERO && a.x() == b.x() && a.motion.velocity[0] > Fx::ZERO)),
    ("at the back of the stage", |s| s.turns(|b, a| a.z() > Fx::ZERO && a.z() == b.z() && a.motion.velocity[2] > Fx::ZERO)),
    ("at the front of the stage", |s| s.turns(|b, a| a.z() < Fx::ZERO && a.z() == b.z() && a.motion.velocity[2] < Fx::ZERO)),
    ("one jumps over another", |s| {
        s.pairs().any(|(b, a)| {
            let passes = |(ob, oa): (&Fighter, &Fighter)| (b.x() < ob.x()) != (a.x() < oa.x());
            a.y() > Fx::ZERO && s.pairs().any(passes)
        })
    }),
    ("three in one heap", |s| {
        let near = |one: &Fighter| s.after.fighters().iter().filter(|other| (other.x() - one.x()).abs() < Fx::from_int(44)).count();
        s.after.fighters().iter().any(|one| near(one) > 2)
    }),
];

/// All that can be seen in one frame.
pub(super) fn edges() -> impl Iterator<Item = &'static Edge> {
    [RESULTS, STRIKES, HOLDS, CONDITIONS, INPUTS, STAGE].into_iter().flatten()
}

/// How many fight, and for how many teams: `5 fighters`, `3 teams`.
pub(super) fn sizes(view: &WorldView) -> [String; 2] {
    let teams = (0..MAX_TEAMS).filter(|team| view.fighters().iter().any(|fighter| usize::from(fighter.team()) == *team)).count();
    [format!("{} fighters", view.fighters().len()), format!("{teams} teams")]
}

pub(super) fn all_sizes() -> impl Iterator<Item = String> {
    let fighters = (snapback_sim::MIN_FIGHTERS..=MAX_FIGHTERS).map(|count| format!("{count} fighters"));
    fighters.chain((2..=MAX_TEAMS).map(|count| format!("{count} teams")))
}

fn statuses(fighter: &Fighter) -> usize {
    fighter.status.slots.iter().filter(|slot| slot.effect != NameHash::NONE).count()
}
