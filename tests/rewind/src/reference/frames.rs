//! Everything that is known of a hitbox at a time, and everybody at a time.

use super::admit::{self, admits};
use super::history::Reference;
use super::lookup::Absence;
use super::pose::TickPose;
use super::track::Track;
use super::units::{DELTAS_PER_UNIT, Units};
use crate::scene::{Attributes, Census, HitboxSpec, Kind, Lookup};
use snapback_core::{Fx, NameHash, Quat};

/// Everything that is known of a hitbox at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Which hitbox.
    pub hitbox: usize,
    /// The time that was asked for.
    pub time_us: u64,
    /// Whose it is.
    pub actor: u64,
    /// Which one of that actor's.
    pub component: u64,
    /// Its name.
    pub name: NameHash,
    /// The tag of its region.
    pub region: NameHash,
    /// Of what.
    pub kind: Kind,
    /// Whether it is a capsule.
    pub is_capsule: bool,
    /// Its centre, in units.
    pub centre: Units,
    /// From its centre to the end of its axis, in units.
    pub half_axis: Units,
    /// Its rotation.
    pub rotation: Quat,
    /// Its radius, in centimetres.
    pub radius: Fx,
    /// Half of its height with the caps, in centimetres.
    pub half_height: Fx,
    /// The radius of the ball around it, in centimetres.
    pub broadphase: Fx,
    /// What is not geometry.
    pub attributes: Attributes,
    /// Its epoch.
    pub epoch: u32,
}

impl Frame {
    /// Of a hitbox at a time.
    #[must_use]
    pub fn of(hitbox: usize, time_us: u64, spec: &HitboxSpec, at: &TickPose) -> Self {
        let HitboxSpec { actor, component, name, region, kind, .. } = *spec;
        let TickPose { pose, rotation, attributes, epoch, is_capsule } = *at;
        let length = |units: i64| Fx::from_bits(i64::try_from(i128::from(units) * DELTAS_PER_UNIT).expect("a size"));
        Self {
            hitbox,
            time_us,
            actor,
            component,
            name,
            region,
            kind,
            is_capsule,
            centre: pose.centre,
            half_axis: pose.half_axis,
            rotation,
            radius: length(pose.radius),
            half_height: length(pose.half_height),
            broadphase: length(pose.broadphase()),
            attributes,
            epoch,
        }
    }
}

impl Reference {
    /// All of one hitbox at one time.
    ///
    /// # Errors
    /// The reason why there is no pose.
    pub fn frame(&self, lookup: &Lookup) -> Result<Frame, Absence> {
        let at = self.look_up(lookup)?;
        self.known()
            .find(|(hitbox, _)| *hitbox == lookup.hitbox)
            .map_or(Err(Absence::Unknown), |(hitbox, track)| Ok(Frame::of(hitbox, lookup.time_us, &track.spec, &at)))
    }

    /// Everybody at a time, in the order of places.
    ///
    /// # Errors
    /// If nobody can be asked for then.
    pub fn census(&self, census: &Census) -> Result<Vec<Frame>, Absence> {
        self.check_time(census.time_us)?;
        let mut tracks: Vec<(usize, &Track)> = self.known().collect();
        tracks.sort_by_key(|(_, track)| track.place);
        let frames = tracks.into_iter().filter_map(|(hitbox, track)| {
            let at = self.look_at(track, census.time_us).ok()?;
            let is_met = census.near.is_none_or(|near| {
                near.circle.is_none_or(|circle| admit::meets(&circle, &at.pose))
                    && near.segment.is_none_or(|segment| admit::is_near(segment, &at.pose))
            });
            let is_wanted = is_met && admits(&census.filter, &track.spec, &at.attributes, &at.pose);
            is_wanted.then(|| Frame::of(hitbox, census.time_us, &track.spec, &at))
        });
        Ok(frames.collect())
    }
}
