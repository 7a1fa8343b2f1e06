//! [`Slab`]: everyone between two ticks, sorted by where they are.

use super::entry::{Axes, Entry, FITTING, bits, excess, is_steady};
use crate::history::TickPose;
use crate::narrow;
use core::ops::{Range, RangeInclusive};

/// A cell is 2^this units wide: 2 m to 64 m, as suits the crowd; 4 m at first.
const CELL_BITS: RangeInclusive<u32> = 15..=20;
const FIRST_CELL_BITS: u32 = 16;
/// Rows of cells are this many buckets apart: odd and far from any regular distance.
const ROW_BUCKETS: u32 = 0x9E37_79B1;
/// Classes of [`Entry::excess`]: up to 2^22 units.
const CLASSES: usize = 8;

/// Everyone between two ticks.
///
/// The world has no bounds: cell (x, z) is bucket `x + z * ROW_BUCKETS`, modulo a power of two. Along x, cells are
/// neighbours in memory. Two cells may share a bucket, so that a search can see someone far away, or
/// the same one twice; neither changes what it finds.
///
/// `entries` has, one after the other: what is in the grid, bucket by bucket; the loose ones, which
/// would make every search look further, at most a small share of all; and, from its end downwards,
/// the hitboxes of bodies.
#[derive(Debug)]
pub(super) struct Slab {
    entries: Vec<Entry>,
    axes: Vec<Axes>,
    /// Bucket b is `start[b]..start[b + 1]`.
    start: Vec<u32>,
    pub(super) cell_bits: u32,
    used_buckets: u32,
    /// How many buckets, less one.
    mask: u32,
    pub(super) in_grid: usize,
    pub(super) loose: usize,
    /// Hitboxes in it.
    pub(super) hitboxes: u32,
    /// Nothing of the grid is further from its centre at the earlier tick, on any axis.
    pub(super) extent: i32,
    /// Bounds of those centres.
    pub(super) low: [i32; 3],
    pub(super) high: [i32; 3],
    /// [`Index::departures`](super::Index) when it was built.
    pub(super) built: u64,
}

/// What is collected for a slab before it is sorted. It is used for all of them, so that it stays in the caches.
#[derive(Debug)]
pub(super) struct Collected {
    entries: Vec<Entry>,
    axes: Vec<Axes>,
    /// How many of these count.
    count: usize,
    bodies: u32,
    /// Of each entry.
    bucket: Vec<u32>,
    /// How many entries each bucket has, and then where its next one goes.
    buckets: Vec<u32>,
    /// How many have any.
    used_buckets: u32,
    mask: u32,
    order: Vec<u32>,
    /// Entries with an excess.
    exceeding: Vec<u32>,
    /// How far the furthest reaches of those that are not steady.
    extent: i32,
    /// The width of cells that suits the crowd.
    cell_bits: u32,
    /// How many there are of each excess but none, and how far the furthest reaches.
    classes: [(u32, i32); CLASSES],
}

/// No bucket.
const LOOSE: u32 = u32::MAX;
/// However few there are, this many buckets: or most searches would go once around all of them.
const LEAST_BUCKETS: usize = 256;

impl Collected {
    pub(super) fn new(max_hitboxes: usize) -> Self {
        Self {
            entries: vec![Entry::default(); max_hitboxes],
            axes: vec![Axes::default(); max_hitboxes],
            count: 0,
            bodies: 0,
            bucket: vec![0; max_hitboxes],
            buckets: vec![0; bucket_count(max_hitboxes)],
            used_buckets: 0,
            mask: 0,
            order: vec![0; max_hitboxes],
            exceeding: Vec::with_capacity(max_hitboxes),
            extent: 0,
            cell_bits: FIRST_CELL_BITS,
            classes: [(0, 0); CLASSES],
        }
    }

    /// For at most so many hitboxes.
    pub(super) fn begin(&mut self, hitboxes: usize) {
        (self.count, self.bodies, self.extent, self.classes) = (0, 0, 0, [(0, 0); CLASSES]);
        self.used_buckets = 0;
        self.exceeding.clear();
        let buckets = bucket_count(hitboxes).min(self.buckets.len());
        self.mask = buckets as u32 - 1;
        self.buckets[..buckets].fill(0);
    }

    /// Adds those from `first` on who are steady and in no body, until one is not. How many they were.
    #[inline(never)]
    pub(super) fn add_steady(&mut self, first: usize, from: &[TickPose], to: &[TickPose], in_body: &[bool]) -> usize {
        let poses = from.iter().zip(to);
        let added = poses.clone().zip(in_body).take_while(|((from, to), in_body)| is_steady(from, to) & !**in_body).count();
        // In several loops, as each is short enough for the registers.
        let (begin, end) = (self.count, self.count + added);
        let (mask, cell_bits) = (self.mask, self.cell_bits);
        let buckets = &mut self.buckets[..=mask as usize];
        let mut used = 0;
        for (from, bucket) in from.iter().zip(&mut self.bucket[begin..end]) {
            *bucket = mask & bucket_of(from.c[0] >> cell_bits, from.c[2] >> cell_bits);
            let in_bucket = &mut buckets[*bucket as usize];
            used += u32::from(*in_bucket == 0);
            *in_bucket += 1;
        }
        self.used_buckets += used;
        let into = self.entries[begin..end].iter_mut().zip(&mut self.axes[begin..end]);
        for (((from, to), (entry, axes)), place) in poses.zip(into).zip(first as u32..) {
            *entry = Entry::steady(place, from, to);
            // Field by field: an `Axes` that is put together first and copied then is read before it is written.
            axes.from = from.e;
            axes.to = to.e;
        }
        self.count = end;
        added
    }

    #[inline(always)]
    fn put(&mut self, number: usize, c: [i32; 3]) {
        let bucket = self.mask & bucket_of(c[0] >> self.cell_bits, c[2] >> self.cell_bits);
        self.bucket[number] = bucket;
        let in_bucket = &mut self.buckets[bucket as usize];
        self.used_buckets += u32::from(*in_bucket == 0);
        *in_bucket += 1;
    }

    /// Chooses the width of cells for the next slab by how many entries share a bucket in this one, of those buckets that
    /// have any: so that one to two do. Between the two bounds lies more than a step of the width.
    pub(super) fn suit(&mut self, slab: &Slab) {
        let (in_grid, buckets) = (slab.in_grid as u32, slab.used_buckets);
        if in_grid * 4 < buckets * 5 {
            self.cell_bits = (self.cell_bits + 1).min(*CELL_BITS.end());
        } else if in_grid * 2 > buckets * 5 {
            self.cell_bits = (self.cell_bits - 1).max(*CELL_BITS.start());
        }
    }

    /// Adds a hitbox.
    pub(super) fn add(&mut self, place: u32, from: &TickPose, to: &TickPose, kind: u16) {
        let (entry, extent) = Entry::new(place, from, to, kind);
        self.push(&entry, &Axes { from: from.e, to: if kind == 0 { to.e } else { from.e } }, extent);
    }

    fn push(&mut self, entry: &Entry, axes: &Axes, extent: i32) {
        self.extent = self.extent.max(extent);
        let number = self.count;
        (self.entries[number], self.axes[number]) = (*entry, *axes);
        self.count += 1;
        if entry.excess == 0 {
            self.put(number, entry.c);
            return;
        }
        // Whether it is in the grid is known when all are there.
        let class = &mut self.classes[usize::from(entry.excess) % CLASSES];
        (class.0, class.1) = (class.0 + 1, class.1.max(extent));
        self.exceeding.push(number as u32);
        self.bucket[number] = LOOSE;
    }

    /// Puts those into the grid that exceed it, but not by more than `fitting`.
    fn admit_exceeding(&mut self, fitting: u16) {
        for at in 0..self.exceeding.len() {
            let number = self.exceeding[at] as usize;
            let Entry { excess, c, .. } = self.entries[number];
            if excess <= fitting {
                self.put(number, c);
            }
        }
    }
}

/// How many buckets suit so many hitboxes.
fn bucket_count(hitboxes: usize) -> usize {
    (2 * hitboxes).next_power_of_two().max(LEAST_BUCKETS)
}

impl Slab {
    pub(super) fn new(max_hitboxes: usize) -> Self {
        let buckets = bucket_count(max_hitboxes);
        // A body has at least two hitboxes.
        let entries = max_hitboxes + max_hitboxes / 2;
        Self {
            entries: vec![Entry::default(); entries],
            axes: vec![Axes::default(); entries],
            start: vec![0; buckets + 1],
            cell_bits: FIRST_CELL_BITS,
            used_buckets: 0,
            mask: buckets as u32 - 1,
            in_grid: 0,
            loose: 0,
            hitboxes: 0,
            extent: 0,
            low: [0; 3],
            high: [0; 3],
            built: 0,
        }
    }

    pub(super) const fn begin(&mut self) {
        self.hitboxes = 0;
    }

    /// Adds the hitboxes of one actor under one entry, if they fit one. `first` is where in `entries` the
    /// hitboxes of the last body begin; so is the result.
    pub(super) fn add_body<'a>(
        &mut self,
        collected: &mut Collected,
        first: usize,
        hitboxes: impl Iterator<Item = (u32, &'a TickPose, &'a TickPose, u16)> + Clone,
    ) -> usize {
        let mut begin = first;
        let (mut low, mut high) = ([[i32::MAX; 3]; 2], [[i32::MIN; 3]; 2]);
        let mut fits = true;
        for (place, from, to, kind) in hitboxes.clone() {
            let (entry, _) = Entry::new(place, from, to, kind);
            begin -= 1;
            self.entries[begin] = entry;
            self.axes[begin] = Axes { from: from.e, to: if kind == 0 { to.e } else { from.e } };
            fits &= entry.bits & bits::WIDE == 0;
            for axis in 0..3 {
                let (start, reach) = (entry.c[axis], i32::from(entry.reach));
                for (tick, at) in [(0, start), (1, start + i32::from(entry.dc[axis]))] {
                    low[tick][axis] = low[tick][axis].min(at - reach);
                    high[tick][axis] = high[tick][axis].max(at + reach);
                }
            }
        }
        let count = first - begin;
        let centre = |tick: usize| [0, 1, 2].map(|axis| ((i64::from(low[tick][axis]) + i64::from(high[tick][axis])) >> 1) as i32);
        let (from, to) = (centre(0), centre(1));
        let step = [0, 1, 2].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
        let farthest = step.iter().map(|part| part.abs()).max().unwrap_or(0);
        let (mut reach, mut flat_reach) = (0, 0);
        for entry in &self.entries[begin..first] {
            let away = [0, 1, 2].map(|axis| i64::from(entry.c[axis]) - i64::from(from[axis]));
            let later = [0, 1, 2].map(|axis| away[axis] + i64::from(entry.dc[axis]) - step[axis]);
            reach = reach.max(length_at_most(away).max(length_at_most(later)) + i64::from(entry.reach));
            let flat = |v: [i64; 3]| narrow::length_at_most(v[0], v[2]);
            flat_reach = flat_reach.max(flat(away).max(flat(later)) + i64::from(entry.reach));
        }
        // Both ways are rounded when they are interpolated.
        (reach, flat_reach) = (reach + 2, flat_reach + 2);
        fits &= count > 1 && count <= usize::from(u16::MAX) && farthest <= i64::from(i16::MAX) && reach <= i64::from(u16::MAX);
        if !fits {
            for (place, from, to, kind) in hitboxes {
                collected.add(place, from, to, kind);
            }
            return first;
        }
        let extent = (farthest + reach) as i32;
        let entry = Entry {
            c: from,
            dc: step.map(|part| part as i16),
            reach: reach as u16,
            place: begin as u32,
            radius: count as u16,
            d_radius: flat_reach.min(reach) as u16 as i16,
            bits: bits::BODY,
            excess: excess(extent),
        };
        self.hitboxes += count as u32;
        collected.push(&entry, &Axes::default(), extent);
        collected.bodies += 1;
        begin
    }

    /// Where the hitboxes of bodies begin while there are none.
    pub(super) fn end(&self) -> usize {
        self.entries.len()
    }

    /// Sorts what was collected into the grid.
    pub(super) fn finish(&mut self, collected: &mut Collected, departures: u64) {
        self.built = departures;
        let count = collected.count;
        // Those of bodies are counted already.
        self.hitboxes += count as u32 - collected.bodies;
        let fitting = fitting_excess(collected);
        collected.admit_exceeding(fitting);
        (self.cell_bits, self.mask) = (collected.cell_bits, collected.mask);
        let buckets = collected.mask as usize + 1;
        let mut sum = 0;
        for (start, bucket) in self.start[..buckets].iter_mut().zip(&mut collected.buckets[..buckets]) {
            let in_bucket = core::mem::replace(bucket, sum);
            *start = sum;
            sum += in_bucket;
        }
        self.start[buckets] = sum;
        (self.in_grid, self.used_buckets) = (sum as usize, collected.used_buckets);
        self.loose = count - self.in_grid;
        let mut loose = sum;
        let order = &mut collected.order[..count];
        for (number, &bucket) in (0..).zip(&collected.bucket[..count]) {
            let next = if bucket == LOOSE { &mut loose } else { &mut collected.buckets[bucket as usize] };
            order[*next as usize] = number;
            *next += 1;
        }
        // The slab is cold and the collection is not, so that the slab is written from its beginning to its end.
        let (in_grid, loose) = order.split_at(self.in_grid);
        for ((entry, axes), &number) in self.entries.iter_mut().zip(&mut self.axes).zip(in_grid) {
            *entry = collected.entries[number as usize];
            *axes = collected.axes[number as usize];
        }
        let rest = self.in_grid..count;
        for ((entry, axes), &number) in self.entries[rest.clone()].iter_mut().zip(&mut self.axes[rest]).zip(loose) {
            *entry = collected.entries[number as usize];
            *axes = collected.axes[number as usize];
        }
        let bounds = Bounds::around(&self.entries[..self.in_grid]);
        (self.low, self.high) = bounds.centres();
        let others = if loose.is_empty() {
            collected.extent
        } else {
            collected.classes[1..=usize::from(fitting)].iter().map(|class| class.1).max().unwrap_or(0).max(FITTING)
        };
        self.extent = others.max(bounds.steady_extent());
    }

    /// The entries in cells `from` to `to` of a row, where buckets begin again in between, or there are as many cells
    /// as buckets.
    #[cold]
    pub(super) fn broken_cells(&self, row: i32, from: i32, to: i32) -> [Range<u32>; 2] {
        let buckets = self.mask + 1;
        let count = (to.wrapping_sub(from) as u32).wrapping_add(1).min(buckets);
        let begin = bucket_of(from, row) & self.mask;
        let end = begin + count;
        let part = |from: u32, to: u32| self.start[from as usize]..self.start[to as usize];
        [part(begin, end.min(buckets)), part(0, end.saturating_sub(buckets))]
    }

    /// The entries in cells `from` to `to` of a row, if they lie in one part.
    #[inline(always)]
    pub(super) fn unbroken_cells(&self, row: i32, from: i32, to: i32) -> Option<Range<u32>> {
        let begin = bucket_of(from, row) & self.mask;
        let end = begin + (to.wrapping_sub(from) as u32) + 1;
        if end > self.mask + 1 {
            return None;
        }
        Some(*self.start.get(begin as usize)?..*self.start.get(end as usize)?)
    }

    /// Everything in the grid.
    pub(super) const fn grid(&self) -> Range<u32> {
        0..self.in_grid as u32
    }

    /// What is not in the grid.
    pub(super) const fn loose(&self) -> Range<u32> {
        self.in_grid as u32..(self.in_grid + self.loose) as u32
    }

    /// The hitboxes of a body.
    pub(super) const fn body(&self, body: &Entry) -> Range<u32> {
        body.place..body.place + body.radius as u32
    }

    #[inline(always)]
    pub(super) fn entries(&self, range: Range<u32>) -> &[Entry] {
        &self.entries[range.start as usize..range.end as usize]
    }

    #[inline(always)]
    pub(super) fn entry(&self, at: u32) -> &Entry {
        &self.entries[at as usize]
    }

    /// The half axes of an entry.
    #[inline(always)]
    pub(super) fn axes(&self, at: u32) -> &Axes {
        &self.axes[at as usize]
    }
}

/// The greatest excess in the grid: the least that leaves no more than a share of all outside.
fn fitting_excess(collected: &Collected) -> u16 {
    let share = (collected.count / 32 + 4) as u32;
    let mut fitting = CLASSES - 1;
    let mut outside = 0;
    while fitting > 0 && outside + collected.classes[fitting].0 <= share {
        outside += collected.classes[fitting].0;
        fitting -= 1;
    }
    fitting as u16
}

/// Around what is in the grid. All lanes of an entry are looked at, also those that mean something else: in vector
/// registers that is less than to pick some.
struct Bounds {
    low: [i32; 4],
    high: [i32; 4],
    least: [i16; 8],
    most: [i16; 8],
}

impl Bounds {
    /// Never in line: so that all lanes are wanted.
    #[inline(never)]
    fn around(entries: &[Entry]) -> Self {
        let (mut low, mut high, mut least, mut most) = ([i32::MAX; 4], [i32::MIN; 4], [0; 8], [0; 8]);
        for entry in entries {
            let words: &[[i32; 4]; 2] = bytemuck::cast_ref(entry);
            let halves: &[[i16; 8]; 2] = bytemuck::cast_ref(entry);
            for lane in 0..4 {
                low[lane] = low[lane].min(words[0][lane]);
                high[lane] = high[lane].max(words[0][lane]);
            }
            for lane in 0..8 {
                least[lane] = least[lane].min(halves[1][lane]);
                most[lane] = most[lane].max(halves[1][lane]);
            }
        }
        Self { low, high, least, most }
    }

    /// Bounds of the centres.
    const fn centres(&self) -> ([i32; 3], [i32; 3]) {
        let ([a, b, c, _], [x, y, z, _]) = (self.low, self.high);
        ([a, b, c], [x, y, z])
    }

    /// Not less than how far a steady one can be from its centre at the earlier tick, on any axis: the greatest step of
    /// any, and the greatest reach that has 16 bits with its sign.
    fn steady_extent(&self) -> i32 {
        let ([a, b, c, ..], [x, y, z, reach, ..]) = (self.least, self.most);
        let steps = [a, b, c].map(|step| -i32::from(step)).into_iter().chain([x, y, z].map(i32::from));
        steps.max().unwrap_or(0) + i32::from(reach)
    }
}

#[inline(always)]
fn bucket_of(x: i32, z: i32) -> u32 {
    (x as u32).wrapping_add((z as u32).wrapping_mul(ROW_BUCKETS))
}

/// Not less than the length of `v`, and less than 1.16 of it in the plane, 1.23 in space.
fn length_at_most(v: [i64; 3]) -> i64 {
    let [x, y, z] = v.map(i64::abs);
    let greatest = x.max(y).max(z);
    greatest + ((x + y + z - greatest + 1) >> 1)
}
