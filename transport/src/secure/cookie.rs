//! [`CookieJar`]: what a listener gives to strangers, and need not remember.

use super::mac::{mac, same};
use std::net::{IpAddr, SocketAddr};

/// How long a cookie is good: between one and two of these.
const SLOT_US: u64 = 10_000_000;

/// Bakes cookies that hold for one address and one nonce for 10 to 20 seconds, and knows them again.
/// It keeps nothing but its key.
#[derive(Clone)]
pub struct CookieJar {
    key: [u8; 32],
}

impl CookieJar {
    /// A jar with this key: 32 bytes from a random source.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The cookie for a dialler at `address`: the first 16 bytes of an HMAC-SHA256.
    #[must_use]
    pub fn bake(&self, now_us: u64, address: SocketAddr, nonce: u64) -> [u8; 16] {
        self.of_slot(now_us / SLOT_US, address, nonce)
    }

    /// Whether the cookie was baked for that address and nonce, not long ago. In constant time.
    #[must_use]
    pub fn is_ours(&self, now_us: u64, address: SocketAddr, nonce: u64, cookie: &[u8; 16]) -> bool {
        let slot = now_us / SLOT_US;
        let before = slot.checked_sub(1).is_some_and(|before| same(cookie, &self.of_slot(before, address, nonce)));
        same(cookie, &self.of_slot(slot, address, nonce)) || before
    }

    /// A number that nobody else can guess, for `purpose` and `number`.
    pub(super) fn token(&self, purpose: &str, number: u64) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = mac(&self.key, purpose, &[&number.to_le_bytes()]);
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    fn of_slot(&self, slot: u64, address: SocketAddr, nonce: u64) -> [u8; 16] {
        let ip = match address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
            IpAddr::V6(ip) => ip.octets(),
        };
        let full = mac(&self.key, "snapback cookie", &[&slot.to_le_bytes(), &ip, &address.port().to_le_bytes(), &nonce.to_le_bytes()]);
        let mut cookie = [0; 16];
        for (to, from) in cookie.iter_mut().zip(full) {
            *to = from;
        }
        cookie
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_holds_for_one_address_one_nonce_and_a_while() {
        let jar = CookieJar::new([5; 32]);
        let address: SocketAddr = "10.0.0.1:7000".parse().unwrap();
        let cookie = jar.bake(35_000_000, address, 9);
        assert!(jar.is_ours(35_000_000, address, 9, &cookie));
        assert!(jar.is_ours(49_999_999, address, 9, &cookie));
        assert!(!jar.is_ours(50_000_000, address, 9, &cookie));
        assert!(!jar.is_ours(29_999_999, address, 9, &cookie));
        for other in ["10.0.0.1:7001", "10.0.0.2:7000", "[::1]:7000"] {
            assert!(!jar.is_ours(35_000_000, other.parse().unwrap(), 9, &cookie), "{other}");
        }
        assert!(!jar.is_ours(35_000_000, address, 8, &cookie));
        assert!(!CookieJar::new([6; 32]).is_ours(35_000_000, address, 9, &cookie));
        for bit in 0..128 {
            let mut changed = cookie;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!jar.is_ours(35_000_000, address, 9, &changed));
        }
    }

    /// What a listener of another build must make of the same bytes, IPv4 and IPv6.
    #[test]
    fn a_cookie_is_the_same_everywhere() {
        let jar = CookieJar::new([5; 32]);
        let bake = |address: &str| base16ct::lower::encode_string(&jar.bake(35_000_000, address.parse().unwrap(), 0x0102_0304_0506_0708));
        insta::assert_snapshot!(bake("10.0.0.1:7000"), @"aad72fbeacd64d63a6c7732e6e902128");
        insta::assert_snapshot!(bake("[2001:db8::1]:7000"), @"b5d17c6d367c35319a4b1176b9675169");
    }

    #[test]
    fn the_clock_may_be_at_either_end() {
        let jar = CookieJar::new([5; 32]);
        let address: SocketAddr = "10.0.0.1:7000".parse().unwrap();
        for now_us in [0, u64::MAX] {
            assert!(jar.is_ours(now_us, address, 9, &jar.bake(now_us, address, 9)), "{now_us}");
        }
        assert!(!jar.is_ours(0, address, 9, &jar.bake(u64::MAX, address, 9)));
    }

    #[test]
    fn an_address_is_the_same_whether_mapped_or_not() {
        let jar = CookieJar::new([5; 32]);
        let cookie = jar.bake(0, "10.0.0.1:7000".parse().unwrap(), 9);
        assert!(jar.is_ours(0, "[::ffff:10.0.0.1]:7000".parse().unwrap(), 9, &cookie));
    }
}
