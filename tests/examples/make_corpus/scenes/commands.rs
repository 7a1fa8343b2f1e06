//! What players command: pause, surrender, a seat for somebody else, a mode.

use super::results::beat;
use crate::stage::{Stage, Take};
use snapback::PlayerHandle;
use snapback::control::{ControlCommand, Feed, NetMode};
use snapback::sim::WorldData;
use std::sync::Arc;

const MIRROR: [(&str, u8); 2] = [("duelist", 0), ("duelist", 1)];

/// From a command to its effect, as the rules have it.
const DELAY: usize = 8;

pub(super) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let stage = |seats: &[(&str, u8)], seed, name, note| Stage::new(data, seats, seed, name, note);
    Ok(vec![
        pauses(stage(&MIRROR, 51, "pauses", "Pauses in a fight and in the stop of a hit, ended by who paused; nobody else can.")?),
        budget(stage(&MIRROR, 52, "pause-budget", "Three minutes of pause: then it ends by itself, and there is none left.")?),
        surrenders(stage(&MIRROR, 53, "surrender", "One gives the match up, and in the next one both at once.")?),
        surrender_of_teams(stage(
            &[("warden", 0), ("duelist", 1), ("warden", 2), ("duelist", 0)],
            54,
            "surrender-of-teams",
            "Three teams: a team has surrendered when both of its players have, and the others fight on.",
        )?),
        takeover(stage(&[("warden", 0), ("duelist", 1)], 55, "takeover", "A seat goes to the bot, to the other player, and back.")?),
    ])
}

fn give(to: u8) -> ControlCommand {
    ControlCommand::HandOver(Feed::Player(PlayerHandle::new(to)))
}

fn pauses(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["6*20", "6*20"]);
    stage.command(0, ControlCommand::Pause);
    stage.play(&["6*30 L*3 6*30", "4*20 L*3 4*20"]);
    stage.command(1, ControlCommand::Resume);
    stage.play(&["6*20", "4*20"]);
    stage.command(0, ControlCommand::Resume);
    stage.wait(30);
    stage.approach(80);
    stage.command(1, ControlCommand::Pause);
    // The hit lands just before the pause begins.
    stage.play(&["L 5*60", "5*61"]);
    stage.command(1, ControlCommand::Resume);
    stage.wait(30);
    beat(&mut stage);
    stage.wait(60);
    stage.finish()
}

fn budget(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["6*30", "6*30"]);
    stage.command(1, ControlCommand::Pause);
    stage.wait(10_800 + DELAY);
    stage.play(&["L 5*30", "5*5 L 5*10"]);
    stage.command(1, ControlCommand::Pause);
    stage.play(&["6*20 L 5*20", "6*10"]);
    stage.approach(80);
    stage.play(&["L 5*30", "5*5 L 5*10"]);
    stage.without_trace().finish()
}

fn surrenders(mut stage: Stage) -> Take {
    stage.fight();
    stage.approach(80);
    stage.play(&["H 5*20", "5*4"]);
    stage.command(0, ControlCommand::Surrender);
    stage.wait_for_result();
    stage.wait(100);
    stage.fight();
    stage.play(&["6*40 L 5*20", "6*20"]);
    stage.commands(&[(0, ControlCommand::Surrender), (1, ControlCommand::Surrender)]);
    stage.wait_for_result();
    stage.wait(60);
    stage.finish()
}

fn surrender_of_teams(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["6*40 H 5*20", "6*20 L", "6*50 H 5*20", "6*30 L"]);
    stage.command(3, ControlCommand::Surrender);
    stage.play(&["6*40 H 5*20", "6*20 L", "6*50 H 5*20", "6*90 L"]);
    stage.command(1, ControlCommand::Surrender);
    stage.play(&["6*40 H 5*20", "6*20 L", "6*50 H 5*20"]);
    stage.command(0, ControlCommand::Surrender);
    stage.wait_for_result();
    stage.wait(60);
    stage.finish()
}

fn takeover(mut stage: Stage) -> Take {
    stage.fight();
    // Two at once wait for their effect.
    stage.command(1, ControlCommand::HandOver(Feed::Bot));
    stage.command(1, ControlCommand::Mode(NetMode::Hybrid));
    stage.play(&["6*20 5*30 H 5*60", "5*200"]);
    stage.command(1, give(0));
    stage.command(0, ControlCommand::Mode(NetMode::Delay));
    stage.play(&["6*30 L 4*30 2 3 6L 5*30", "5*100"]);
    stage.command(1, give(1));
    stage.play(&["5*60 6*30 L 5*30", "5*20 4*20 6*30 H 5*20"]);
    stage.finish()
}
