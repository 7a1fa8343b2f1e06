//! Effects: what the host is told over a match is what happened, each effect once.

use crate::game::*;
use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::*;

/// Raises a hit when somebody presses what the other does not, with a key that counts hits: a rewind may
/// move a hit, undo it or bring it to light.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, SimState)]
#[repr(C)]
struct Fight {
    hits: u32,
    cooldown: u32,
}

impl Simulation for Fight {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "fight", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Self>()
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        *self = Self::default();
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        self.cooldown = self.cooldown.saturating_sub(1);
        if self.cooldown == 0 && inputs.input(ME) == inputs.input(OTHER) {
            effects.emit(EffectId { source: 1, kind: NameHash::constant("hit"), key: self.hits }, [0; 4]);
            self.hits += 1;
            self.cooldown = 4;
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(self, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(self, snapshot)
    }
}

/// What a host knows of effects.
#[derive(Default)]
struct Shown {
    /// Told as raised or elided, and neither retracted nor confirmed.
    open: Vec<Effect>,
    confirmed: Vec<Effect>,
    raised: u64,
    late: u64,
    elided: u64,
    retracted: u64,
}

impl Shown {
    fn take(&mut self, events: &[EffectEvent], present: Frame, what: &str) {
        for event in events {
            let effect = *event.effect();
            let open = self.open.iter().position(|open| open.id == effect.id && (open.frame - effect.frame).abs() <= 60);
            match event {
                EffectEvent::Raised(_) | EffectEvent::Elided(_) => {
                    self.raised += 1;
                    self.late += u64::from(effect.frame < present);
                    self.elided += u64::from(matches!(event, EffectEvent::Elided(_)));
                    self.open.push(effect);
                }
                EffectEvent::Retracted(_) => {
                    self.retracted += 1;
                    self.open.remove(open.unwrap_or_else(|| panic!("{what}: {effect:?} was retracted and never told")));
                }
                EffectEvent::Confirmed(_) => {
                    self.open.remove(open.unwrap_or_else(|| panic!("{what}: {effect:?} was confirmed and never told")));
                    self.confirmed.push(effect);
                }
            }
        }
    }
}

#[test]
fn what_is_told_and_not_retracted_is_what_happened() {
    let mut all = Shown::default();
    for seed in 0..400 {
        let what = format!("seed {seed}");
        let mut rng = Rng::new(seed, 0);
        let config = RollbackConfig {
            max_rollback_frames: 1 + rng.below(10),
            prediction_window_frames: 1 + rng.below(24),
            late_effect_frames: rng.below(16),
            ..RollbackConfig::default()
        };
        let mut session = RollbackSession::new(Fight::default(), SessionSettings { config, seed, ..two_players() }).unwrap();
        let pressed: Vec<[u8; 2]> = (0..400)
            .scan([0; 2], |held, _| {
                for held in held.iter_mut() {
                    *held = if rng.chance(250_000) { rng.below(3) as u8 } else { *held };
                }
                Some(*held)
            })
            .collect();
        let mut shown = Shown::default();
        let mut arrived = 0;
        while session.confirmed_frame() < Frame::new(280) {
            let most = session.current_frame().number() + 2 - arrived;
            let count = if rng.chance(300_000) { i64::from(rng.below(most as u32 + 1)) } else { 0 };
            let known: Vec<_> = (arrived..arrived + count).map(|frame| confirmed(frame, pressed[frame as usize][1])).collect();
            arrived += count;
            let mine = pressed[(session.current_frame().number() + 1) as usize][0];
            session.tick(&[LocalInput::new(ME, mine)], &known).unwrap();
            shown.take(session.effect_events(), session.current_frame(), &what);
        }
        for _ in 0..40 {
            session.tick_frozen(FreezeReason::MatchOver).unwrap();
            shown.take(session.effect_events(), session.current_frame(), &what);
        }
        let end = session.confirmed_frame();
        let mut truth = Fight::default();
        let mut effects = Effects::with_capacity(1_000);
        for frame in (0..=end.number()).map(Frame::new) {
            let inputs =
                pressed[frame.number() as usize].map(|input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed });
            effects.begin(frame, SideEffectPolicy::Emit);
            truth.step(frame, &FrameInputs::new(&inputs), &mut effects);
        }
        assert_eq!(shown.confirmed, effects.kept(), "{what}");
        // A rewind may have moved one beyond the end without telling.
        assert!(shown.open.iter().all(|effect| effect.frame + SAME_EFFECT_FRAMES > end), "{what}: {:?}", shown.open);
        assert_eq!(session.dropped_effects(), 0);
        all.raised += shown.raised;
        all.late += shown.late;
        all.elided += shown.elided;
        all.retracted += shown.retracted;
    }
    println!("{} raised, {} of them late, {} elided, {} retracted", all.raised, all.late, all.elided, all.retracted);
    assert!(all.late > 1_000 && all.elided > 100 && all.retracted > 1_000);
}

/// The ids and frames that a tick tells, in short: `+` raised, `~` elided, `-` retracted, `=` confirmed.
fn told(session: &RollbackSession<Fight>) -> Vec<String> {
    let sign = |event: &EffectEvent| match event {
        EffectEvent::Raised(_) => '+',
        EffectEvent::Elided(_) => '~',
        EffectEvent::Retracted(_) => '-',
        EffectEvent::Confirmed(_) => '=',
    };
    session.effect_events().iter().map(|event| format!("{}{}@{}", sign(event), event.effect().id.key, event.effect().frame)).collect()
}

fn tick(session: &mut RollbackSession<Fight>, input: u8, known: &[InputSample<u8>]) -> Vec<String> {
    session.tick(&[LocalInput::new(ME, input)], known).unwrap();
    told(session)
}

#[test]
fn an_effect_that_a_rewind_moves_by_two_frames_is_not_repeated_and_one_by_three_is() {
    for (moved_by, expected) in [(1, vec![]), (2, vec![]), (3, vec!["+0@3", "-0@0"])] {
        let mut session = RollbackSession::new(Fight::default(), two_players()).unwrap();
        assert_eq!(tick(&mut session, 0, &[]), ["+0@0"], "the guess is that the other presses nothing, too");
        for _ in 1..4 {
            assert_eq!(tick(&mut session, 0, &[]), [""; 0]);
        }
        // The other pressed something else for so many frames.
        let known: Vec<_> = (0..4).map(|frame| confirmed(frame, if frame < moved_by { 7 } else { 0 })).collect();
        let mut events = tick(&mut session, 0, &known);
        events.retain(|event| !event.starts_with('='));
        assert_eq!(events, expected, "moved by {moved_by}");
        assert_eq!(session.simulation().hits, 1);
    }
}

#[test]
fn an_effect_that_vanishes_is_retracted_and_one_that_appears_is_told_late() {
    let mut session = RollbackSession::new(Fight::default(), two_players()).unwrap();
    tick(&mut session, 0, &[]);
    for _ in 1..4 {
        tick(&mut session, 0, &[]);
    }
    let known: Vec<_> = (0..4).map(|frame| confirmed(frame, 7)).collect();
    assert_eq!(tick(&mut session, 0, &known), ["-0@0"]);
    let mut session = RollbackSession::new(Fight::default(), two_players()).unwrap();
    for _ in 0..4 {
        assert_eq!(tick(&mut session, 5, &[]), [""; 0]);
    }
    let known: Vec<_> = (0..4).map(|frame| confirmed(frame, 5)).collect();
    assert_eq!(tick(&mut session, 5, &known), ["+0@0", "+1@4", "=0@0"]);
}

#[test]
fn an_effect_that_moves_over_the_edge_of_the_budget_is_not_repeated() {
    // Hits predicted on frame 1, and on frame 5 after the pause between two: each moves by one frame.
    for (max_rollback_frames, truth) in (1..=8).flat_map(|budget| [(budget, 2), (budget, 0)]) {
        let config =
            RollbackConfig { max_rollback_frames, prediction_window_frames: 8, late_effect_frames: 60, ..RollbackConfig::default() };
        let mut session = RollbackSession::new(Fight::default(), SessionSettings { config, ..two_players() }).unwrap();
        let mine = |frame: i64| if frame == 0 { 5 } else { 0 };
        let mut events: Vec<String> = (0..7).flat_map(|frame| tick(&mut session, mine(frame), &[])).collect();
        assert_eq!(events, ["+0@1", "+1@5"]);
        let theirs = |frame: i64| match (truth, frame) {
            (0, 0) => 5,
            (2, 1) => 7,
            _ => 0,
        };
        let known: Vec<_> = (0..7).map(|frame| confirmed(frame, theirs(frame))).collect();
        events = tick(&mut session, 0, &known);
        for _ in 0..8 {
            events.extend(tick(&mut session, 0, &[]));
        }
        let expected = [format!("=0@{truth}"), format!("=1@{}", truth + 4)];
        events.retain(|event| event.contains("0@") || event.contains("1@"));
        assert_eq!(events, expected, "moved to {truth} with {max_rollback_frames} frames a tick");
    }
}
