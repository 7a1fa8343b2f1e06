//! [`PostMortem`]: the last minutes as lines of JSON.

use super::event::{ReplayedFrame, RollbackEvent};
use super::sample::NetSample;
use super::stall_stats::StallStats;
use core::fmt::{self, Write};
use snapback_core::PlayerSet;

/// The last minutes of a match, to be written to a file: its [`Display`](fmt::Display) form is lines of JSON.
///
/// The first line has the kind `match`: how it ended and what each cause froze. Then come the samples, kind
/// `sample`, and the corrections, kind `rollback`, each in order. Hashes are eight hexadecimal digits.
/// Fields are added in later versions, not changed.
#[derive(Clone, Debug)]
pub struct PostMortem<'a> {
    /// How the match ended; none if it is not over.
    pub outcome: Option<String>,
    /// The frame that the session has reached.
    pub frame: i64,
    /// Frozen ticks of the whole match, by cause.
    pub stalls: StallStats,
    /// The samples that are kept.
    pub samples: Vec<&'a NetSample>,
    /// The corrections that are kept.
    pub rollbacks: Vec<&'a RollbackEvent>,
}

impl fmt::Display for PostMortem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"{"kind":"match","outcome":"#)?;
        match &self.outcome {
            Some(outcome) => write_string(f, outcome)?,
            None => f.write_str("null")?,
        }
        write!(f, r#","frame":{},"stalls":"#, self.frame)?;
        write_stalls(f, &self.stalls)?;
        f.write_str("}\n")?;
        self.samples.iter().try_for_each(|sample| write_sample(f, sample))?;
        self.rollbacks.iter().try_for_each(|event| write_event(f, event))
    }
}

impl NetSample {
    /// The sample as the line of a [`PostMortem`], without the end of the line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut line = String::new();
        // Writing to a text cannot fail.
        let _ = write_sample(&mut line, self);
        line.truncate(line.trim_end().len());
        line
    }
}

impl RollbackEvent {
    /// The correction as the line of a [`PostMortem`], without the end of the line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut line = String::new();
        let _ = write_event(&mut line, self);
        line.truncate(line.trim_end().len());
        line
    }
}

fn write_string(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            letter if letter.is_control() => write!(f, "\\u{:04x}", u32::from(letter))?,
            letter => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

fn write_list<T>(
    f: &mut impl Write,
    all: impl Iterator<Item = T>,
    mut write_one: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    for (place, one) in all.enumerate() {
        if place > 0 {
            f.write_char(',')?;
        }
        write_one(f, one)?;
    }
    Ok(())
}

fn write_stalls(f: &mut impl Write, stalls: &StallStats) -> fmt::Result {
    f.write_char('{')?;
    write_list(f, stalls.iter(), |f, (cause, ticks)| write!(f, r#""{}":{ticks}"#, cause.name()))?;
    f.write_char('}')
}

fn write_players(f: &mut (impl Write + ?Sized), players: PlayerSet) -> fmt::Result {
    f.write_char('[')?;
    for (place, player) in players.iter().enumerate() {
        write!(f, "{}{}", if place > 0 { "," } else { "" }, player.index())?;
    }
    f.write_char(']')
}

fn write_sample(f: &mut impl Write, sample: &NetSample) -> fmt::Result {
    let NetSample { at_us, span_us, frame, frames, rtt_us, jitter_us, loss_sent_per_million, loss_received_per_million, .. } = sample;
    write!(f, r#"{{"kind":"sample","at_us":{at_us},"span_us":{span_us},"frame":{},"frames":{frames},"rtt_us":"#, frame.number())?;
    match rtt_us {
        Some(rtt_us) => write!(f, "{rtt_us}")?,
        None => f.write_str("null")?,
    }
    let NetSample { rollbacks, resimulated_frames, depth_frames, advantage_milliframes, stretch_ppm, raw_advantage_frames, .. } = sample;
    write!(
        f,
        r#","jitter_us":{jitter_us},"loss_sent_per_million":{loss_sent_per_million},"loss_received_per_million":{loss_received_per_million},"rollbacks":{rollbacks},"resimulated_frames":{resimulated_frames},"depth_frames":{depth_frames},"advantage_milliframes":{advantage_milliframes},"stretch_ppm":{stretch_ppm},"raw_advantage_frames":{raw_advantage_frames},"sent_bytes":{},"received_bytes":{},"stalls":"#,
        sample.sent_bytes, sample.received_bytes
    )?;
    write_stalls(f, &sample.stalls)?;
    f.write_str("}\n")
}

fn write_event(f: &mut impl Write, event: &RollbackEvent) -> fmt::Result {
    let RollbackEvent { number, cause, corrected_frame, restored_frame, present_frame, depth_frames, before_hash, .. } = event;
    write!(f, r#"{{"kind":"rollback","number":{number},"player":"#)?;
    match cause {
        Some(player) => write!(f, "{}", player.index())?,
        None => f.write_str("null")?,
    }
    let [corrected, restored, present] = [corrected_frame, restored_frame, present_frame].map(|frame| frame.number());
    write!(
        f,
        r#","corrected_frame":{corrected},"restored_frame":{restored},"present_frame":{present},"depth_frames":{depth_frames},"goes_on":{},"before_hash":"{before_hash}","after_hash":"#,
        event.goes_on
    )?;
    match event.after_hash {
        Some(hash) => write!(f, r#""{hash}""#)?,
        None => f.write_str("null")?,
    }
    f.write_str(r#","replayed":["#)?;
    write_list(f, event.replayed().iter(), |f, ReplayedFrame { frame, hash, changed, confirmed }| {
        write!(f, r#"{{"frame":{},"hash":"{hash}","changed":"#, frame.number())?;
        write_players(f, *changed)?;
        f.write_str(r#","confirmed":"#)?;
        write_players(f, *confirmed)?;
        f.write_str("}")
    })?;
    f.write_str("]}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::{Frame, PlayerHandle, StateHash};

    #[test]
    fn the_lines_stay() {
        let mut event = RollbackEvent::vacant(1);
        event.cause = Some(PlayerHandle::new(1));
        let (frame, hash) = (Frame::new(4), StateHash::from_bits(0xAB));
        event.replayed.push(ReplayedFrame { frame, hash, changed: PlayerSet::first(2), confirmed: PlayerSet::EMPTY });
        let mut stalls = StallStats::default();
        stalls.count(crate::StallCause::OurLoss);
        let sample = NetSample { at_us: 9, stalls, ..NetSample::EMPTY };
        let outcome = Some("a \"quoted\" \\ and\na line".to_owned());
        let written = PostMortem { outcome, frame: 9, stalls, samples: vec![&sample], rollbacks: vec![&event] };
        insta::assert_snapshot!(written, @r#"
        {"kind":"match","outcome":"a \"quoted\" \\ and\u000aa line","frame":9,"stalls":{"our_loss":1}}
        {"kind":"sample","at_us":9,"span_us":0,"frame":-1,"frames":0,"rtt_us":null,"jitter_us":0,"loss_sent_per_million":0,"loss_received_per_million":0,"rollbacks":0,"resimulated_frames":0,"depth_frames":0,"advantage_milliframes":0,"stretch_ppm":0,"raw_advantage_frames":0,"sent_bytes":0,"received_bytes":0,"stalls":{"our_loss":1}}
        {"kind":"rollback","number":0,"player":1,"corrected_frame":-1,"restored_frame":-1,"present_frame":-1,"depth_frames":0,"goes_on":false,"before_hash":"00000000","after_hash":null,"replayed":[{"frame":4,"hash":"000000ab","changed":[0,1],"confirmed":[]}]}
        "#);
    }
}
