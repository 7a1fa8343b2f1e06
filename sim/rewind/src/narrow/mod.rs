//! The exact time of impact of a ball with a ball or a capsule.

pub(crate) type V = [i64; 3];
const TQ: u32 = 30;
const ONE: i64 = 1 << TQ;
#[inline(always)]
pub(crate) fn dot(a: V, b: V) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
#[inline(always)]
fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
#[inline(always)]
fn w(a: i64, b: i64) -> i128 {
    a as i128 * b as i128
}
#[inline(always)]
fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
#[inline(always)]
fn sq3(a: V) -> u128 {
    w(a[0], a[0]) as u128 + w(a[1], a[1]) as u128 + w(a[2], a[2]) as u128
}
/// exact: |m*2^30 + d*n| <= r*2^30
#[inline(always)]
pub(crate) fn in_sphere(m: V, d: V, r: i64, n: i64) -> bool {
    let lim = r << TQ;
    let p = [(m[0] << TQ) + d[0] * n, (m[1] << TQ) + d[1] * n, (m[2] << TQ) + d[2] * n];
    if (p[0].abs() > lim) | (p[1].abs() > lim) | (p[2].abs() > lim) {
        return false;
    }
    sq3(p) <= w(lim, lim) as u128
}
/// exact: point m + d*n/2^30 within r of segment [-e, e]
#[inline]
pub(crate) fn in_capsule(m: V, d: V, e: V, r: i64, n: i64) -> bool {
    let p = [(m[0] << TQ) + d[0] * n, (m[1] << TQ) + d[1] * n, (m[2] << TQ) + d[2] * n];
    let y = w(p[0], e[0]) + w(p[1], e[1]) + w(p[2], e[2]);
    let ee = dot(e, e);
    let top = (ee as i128) << TQ;
    if y >= top {
        return in_sphere(sub(m, e), d, r, n);
    }
    if y <= -top {
        return in_sphere(add(m, e), d, r, n);
    }
    let c = [w(p[1], e[2]) - w(p[2], e[1]), w(p[2], e[0]) - w(p[0], e[2]), w(p[0], e[1]) - w(p[1], e[0])];
    // |c| <= r*|e|*2^30 at the surface; r*|e| < 2^32 => fits i64, else outside
    let f = |x: i128| x >= -(1i128 << 62) && x <= (1i128 << 62);
    if !(f(c[0]) && f(c[1]) && f(c[2])) {
        return false;
    }
    sq3([c[0] as i64, c[1] as i64, c[2] as i64]) <= (w(r, r) as u128 * ee as u128) << (2 * TQ)
}
#[inline(always)]
fn divn(num: i128, den: i64) -> i64 {
    // ceil(num * 2^30 / den), num >= 0
    let num = num as u128;
    let den = den as u64;
    if num >> 33 == 0 {
        (((num as u64) << TQ) + den - 1).checked_div(den).unwrap_or(0) as i64
    } else {
        (((num << TQ) + den as u128 - 1) / den as u128).min(1 << 40) as i64
    }
}
/// certificate: inside(n) && !inside(n-1) proves n is the first sample inside (convex set)
#[inline(always)]
fn certify<F: Fn(i64) -> bool>(n: i64, inside: F) -> Option<i64> {
    let mut k = n.clamp(1, ONE);
    if inside(k) {
        for _ in 0..4 {
            if !inside(k - 1) {
                return Some(k);
            }
            k -= 1;
            if k == 0 {
                return None;
            }
        }
    } else {
        for _ in 0..3 {
            k += 1;
            if k > ONE {
                return None;
            }
            if inside(k) {
                return Some(k);
            }
        }
    }
    None
}
#[cold]
#[inline(never)]
fn bisect<F: Fn(i64) -> bool>(cands: &[i64], inside: F) -> Option<i64> {
    for &c in cands {
        for k in [c, c + 1] {
            let k = k.clamp(0, ONE);
            if inside(k) {
                let (mut lo, mut hi) = (0, k); // lo outside, hi inside
                while hi - lo > 1 {
                    let mid = (lo + hi) >> 1;
                    if inside(mid) { hi = mid } else { lo = mid }
                }
                return Some(hi);
            }
        }
    }
    None
}
#[inline(always)]
fn nbits(x: u128) -> u32 {
    128 - x.leading_zeros()
}
#[inline(always)]
fn shr(x: u128, k: i32) -> u64 {
    if k >= 0 { (x >> k) as u64 } else { (x << -k) as u64 }
}
/// fast estimate in 64-bit arithmetic; None if the operands' sizes make it worse than ~1 unit
#[inline(always)]
fn est(bb: u128, disc: u128, a: u128) -> Option<i64> {
    let ka = nbits(a) as i32 - 33; // a >> ka is 33 bits
    if nbits(bb) as i32 > nbits(a) as i32 + 1 {
        return None;
    }
    let kd = (nbits(disc) as i32 - 64 + 1) & !1;
    let s = shr(disc, kd).isqrt(); // sqrt(disc) ~ s << kd/2, 32 significant bits
    let sh = kd / 2 - ka;
    let s = if sh >= 0 {
        if sh > 31 {
            return None;
        }
        s << sh
    } else if sh > -64 {
        s >> -sh
    } else {
        0
    };
    let num = shr(bb, ka).saturating_sub(s);
    if num >> 34 != 0 {
        return None;
    }
    let den = shr(a, ka);
    let q = if num >> 33 == 0 { ((num << 30) + den - 1) / den } else { ((num as u128) << 30).wrapping_div(den as u128) as u64 };
    Some(q as i64)
}
#[inline(always)]
fn vertex(b: i64, dd: i64) -> i64 {
    if b >= 0 || dd == 0 {
        0
    } else if -b >= dd {
        ONE
    } else {
        (((-b) as u128) << TQ).checked_div(dd as u128).unwrap() as i64
    }
}
/// Smallest n in 0..=2^30 with |m + d n/2^30| <= r (point vs sphere at origin), exact.
#[inline]
pub(crate) fn toi_sphere(m: V, d: V, r: i64) -> Option<i64> {
    let cc = dot(m, m) - r * r;
    if cc <= 0 {
        return Some(0);
    }
    let b = dot(m, d);
    if b >= 0 {
        return None;
    }
    let dd = dot(d, d);
    if -b > dd && dd + 2 * b + cc > 0 {
        return None;
    } // vertex past the end and end outside
    let disc = w(b, b) - w(dd, cc);
    if disc < 0 {
        return None;
    }
    sphere_entry(m, d, r, b, dd, disc)
}
#[inline]
fn sphere_entry(m: V, d: V, r: i64, b: i64, dd: i64, disc: i128) -> Option<i64> {
    let n = match est((-b) as u128, disc as u128, dd as u128) {
        Some(n) => n,
        None => divn(-(b as i128) - isqrt(disc as u128) as i128, dd),
    };
    let ins = |k| in_sphere(m, d, r, k);
    certify(n, ins).or_else(|| bisect(&[vertex(b, dd)], ins))
}
#[inline(always)]
pub(crate) fn isqrt(x: u128) -> u64 {
    if x >> 64 == 0 {
        return (x as u64).isqrt();
    }
    let lz = x.leading_zeros() & !1;
    let y = x << lz;
    let hi = (y >> 64) as u64;
    let lo = y as u64;
    let s = hi.isqrt();
    let rem = hi - s * s;
    let num = ((rem as u128) << 32) | (lo >> 32) as u128;
    let den = 2 * s;
    let q = if num >> 64 == 0 { num as u64 / den } else { (num / den as u128) as u64 };
    let mut rt = ((s << 32) as u128 + q as u128).min(u64::MAX as u128) as u64;
    if w128(rt) > y {
        rt -= 1;
    }
    rt >> (lz / 2)
}
#[inline(always)]
fn w128(a: u64) -> u128 {
    a as u128 * a as u128
}
/// Same for a capsule [-e, e] of radius r. Exact. |m|,|d| <= 2^24 (post reject), |e| <= 2^15, r <= 2^17.
#[inline(never)]
pub(crate) fn toi_capsule(m: V, d: V, e: V, r: i64) -> Option<i64> {
    let ee = dot(e, e);
    if ee == 0 {
        return toi_sphere(m, d, r);
    }
    let em = dot(e, m);
    let mm = dot(m, m);
    let rr = r * r;
    let ins = |k| in_capsule(m, d, e, r, k);
    let (p0, p1) = (add(m, e), sub(m, e)); // relative to end -e / +e
    let axial = em <= -ee || em >= ee;
    let c = w(ee, mm) - w(em, em) - w(rr, ee); // outside infinite cylinder if > 0
    if em <= -ee {
        if dot(p0, p0) <= rr {
            return Some(0);
        }
    } else if em >= ee {
        if dot(p1, p1) <= rr {
            return Some(0);
        }
    } else if c <= 0 {
        return Some(0);
    }
    let x = cross(d, e);
    let qa = sq3(x) as i128;
    let det = dot(m, x);
    // |det| <= |m||d||e| <= 2^63 is guaranteed by the input limits
    if w(det, det) > w(rr, 1) * qa {
        return None;
    } // exact infinite-cylinder miss
    let (ed, md, dd) = (dot(e, d), dot(m, d), dot(d, d));
    if c <= 0 {
        // inside the infinite cylinder, axially outside: only that end's sphere can be entered
        debug_assert!(axial);
        return if em < 0 { toi_sphere_caps(p0, d, r, m, e) } else { toi_sphere_caps(p1, d, r, m, e) };
    }
    let qb = w(ee, md) - w(em, ed);
    if qb >= 0 {
        return None;
    } // moving away from the axis line (or parallel and outside)
    let xx = (w(rr, 1) * qa - w(det, det)) as u128; // disc = ee * xx
    let bits = (128 - (ee as u64 as u128).leading_zeros()) + (128 - xx.leading_zeros());
    let k = if bits > 127 { (bits - 126) & !1 } else { 0 };
    if qa >> (32 + k / 2) > 0 {
        let n = match est((-qb) as u128, ee as u128 * (xx >> k), qa as u128) {
            Some(n) if k == 0 => n,
            _ => {
                let s = (isqrt(ee as u128 * (xx >> k)) as u128) << (k / 2);
                let num = (-qb) as u128;
                let num = num.saturating_sub(s);
                if num > qa as u128 {
                    // entry past the end?
                    if (num - qa as u128) >> 32 > (1 << (k / 2)) {
                        return None;
                    }
                }
                if num >> 98 == 0 {
                    (((num << TQ) + qa as u128 - 1) / qa as u128).min(1 << 40) as i64
                } else {
                    (num / (qa as u128 >> TQ)).min(1 << 40) as i64
                }
            }
        };
        if n > ONE + 4 {
            return None;
        }
        let y = |n: i64| ((em as i128) << TQ) + w(ed, n);
        let top = (ee as i128) << TQ;
        let (ya, yb) = (y(n - 4), y(n + 4));
        if ya < -top && yb < -top {
            return toi_sphere_caps(p0, d, r, m, e);
        }
        if ya > top && yb > top {
            return toi_sphere_caps(p1, d, r, m, e);
        }
        if let Some(k) = certify(n, ins) {
            return Some(k);
        }
    }
    let vc = if -qb >= qa {
        ONE
    } else {
        let sh = (128 - (qa as u128).leading_zeros()).saturating_sub(96);
        (((((-qb) as u128) >> sh) << TQ) / ((qa as u128) >> sh).max(1)) as i64
    };
    bisect(&[vertex(dot(p0, d), dd), vertex(dot(p1, d), dd), vc - 1, vc + 1], ins)
}
#[inline]
fn toi_sphere_caps(p: V, d: V, r: i64, m: V, e: V) -> Option<i64> {
    let cc = dot(p, p) - r * r;
    let b = dot(p, d);
    if b >= 0 || cc <= 0 {
        return if cc <= 0 { Some(0) } else { None };
    }
    let dd = dot(d, d);
    if -b > dd && dd + 2 * b + cc > 0 {
        return None;
    }
    let disc = w(b, b) - w(dd, cc);
    if disc < 0 {
        return None;
    }
    let n = match est((-b) as u128, disc as u128, dd as u128) {
        Some(n) => n,
        None => divn(-(b as i128) - isqrt(disc as u128) as i128, dd),
    };
    let ins = |k| in_capsule(m, d, e, r, k);
    certify(n, ins).or_else(|| bisect(&[vertex(b, dd)], ins))
}

/// From the nearest point of the axis to the ball's middle at time `n`, in units.
pub(crate) fn offset(m: V, d: V, e: V, n: i64) -> [i32; 3] {
    let at = [0, 1, 2].map(|axis| m[axis] + ((d[axis] * n + (1 << 29)) >> TQ));
    let (along, whole) = (dot(at, e), dot(e, e));
    let nearest = [0, 1, 2].map(|axis| {
        if whole == 0 {
            return 0;
        }
        (i128::from(e[axis]) * i128::from(along.clamp(-whole, whole))).div_euclid(i128::from(whole)) as i64
    });
    [0, 1, 2].map(|axis| (at[axis] - nearest[axis]).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// At least the length of `e`.
pub(crate) fn ceil_length(e: V) -> i64 {
    let squared = dot(e, e).unsigned_abs();
    let root = squared.isqrt();
    (if root * root < squared { root + 1 } else { root }) as i64
}
