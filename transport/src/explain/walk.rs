//! [`Walk`]: takes fields off the front of a datagram and notes what each of them says.

use super::{Context, Explanation, Field, FrameInput};
use crate::packet::{ConnectionKey, MAGIC, PROTOCOL_VERSION, Reject};

/// The most bytes of a field that are shown.
const SHOWN_BYTES: usize = 32;

/// Takes fields off the front of a datagram. Every byte that is taken is noted once; a field that is
/// cut off is noted as far as it goes, and everything after it is `None`.
pub(super) struct Walk<'a> {
    datagram: &'a [u8],
    at: usize,
    /// Put before the name of every field: `record 2 `.
    pub(super) prefix: String,
    fields: Vec<Field>,
    pub(super) summary: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) frames: Vec<FrameInput>,
    damage: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(datagram: &'a [u8]) -> Self {
        Self {
            datagram,
            at: 0,
            prefix: String::new(),
            fields: Vec::new(),
            summary: Vec::new(),
            notes: Vec::new(),
            frames: Vec::new(),
            damage: None,
        }
    }

    /// The bytes that no field has taken yet.
    pub(super) fn left(&self) -> &'a [u8] {
        self.datagram.get(self.at..).unwrap_or_default()
    }

    /// The bytes that fields have taken.
    pub(super) fn taken(&self) -> &'a [u8] {
        self.datagram.get(..self.at).unwrap_or_default()
    }

    /// Notes that something is wrong; the first fault is the one that is told.
    pub(super) fn fault(&mut self, what: impl Into<String>) {
        if self.damage.is_none() {
            self.damage = Some(what.into());
        }
    }

    fn push(&mut self, len: usize, name: &str, value: String, meaning: String) {
        if len > 0 {
            self.fields.push(Field { offset: self.at, len, name: format!("{}{name}", self.prefix), value, meaning });
            self.at += len;
        }
    }

    /// Takes `len` bytes. `tell` gives the value and its meaning.
    pub(super) fn slice(&mut self, name: &str, len: usize, tell: impl FnOnce(&'a [u8]) -> (String, String)) -> Option<&'a [u8]> {
        let left = self.left();
        if let Some(bytes) = left.get(..len) {
            let (value, meaning) = tell(bytes);
            self.push(len, name, value, meaning);
            return Some(bytes);
        }
        let full = format!("{}{name}", self.prefix);
        if left.is_empty() {
            self.fault(format!("it ends before \"{full}\""));
        } else {
            self.fault(format!("it ends in the middle of \"{full}\", after {} of {len} bytes", left.len()));
            self.push(left.len(), name, hex(left), format!("cut off: {} of {len} bytes", left.len()));
        }
        None
    }

    pub(super) fn array<const N: usize>(&mut self, name: &str, tell: impl FnOnce([u8; N]) -> (String, String)) -> Option<[u8; N]> {
        let mut array = [0; N];
        self.slice(name, N, |bytes| {
            array.copy_from_slice(bytes);
            tell(array)
        })?;
        Some(array)
    }

    /// A byte whose value is told as a number.
    pub(super) fn u8(&mut self, name: &str, tell: impl FnOnce(u8) -> String) -> Option<u8> {
        self.array(name, |[byte]| (byte.to_string(), tell(byte))).map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self, name: &str, tell: impl FnOnce(u16) -> String) -> Option<u16> {
        let told = |bytes| (u16::from_le_bytes(bytes).to_string(), tell(u16::from_le_bytes(bytes)));
        self.array(name, told).map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self, name: &str, tell: impl FnOnce(u32) -> String) -> Option<u32> {
        let told = |bytes| (u32::from_le_bytes(bytes).to_string(), tell(u32::from_le_bytes(bytes)));
        self.array(name, told).map(u32::from_le_bytes)
    }

    /// Four bytes whose value is told as a bit pattern.
    pub(super) fn hash(&mut self, name: &str, meaning: &str) -> Option<u32> {
        let told = |bytes| (format!("0x{:08x}", u32::from_le_bytes(bytes)), meaning.to_owned());
        self.array(name, told).map(u32::from_le_bytes)
    }

    /// Eight bytes whose value is told as a bit pattern.
    pub(super) fn id(&mut self, name: &str, meaning: &str) -> Option<u64> {
        let told = |bytes| (format!("0x{:016x}", u64::from_le_bytes(bytes)), meaning.to_owned());
        self.array(name, told).map(u64::from_le_bytes)
    }

    /// A frame's whole number.
    pub(super) fn frame(&mut self, name: &str, tell: impl FnOnce(i64) -> String) -> Option<i64> {
        let told = |bytes| (i64::from_le_bytes(bytes).to_string(), tell(i64::from_le_bytes(bytes)));
        self.array(name, told).map(i64::from_le_bytes)
    }

    /// Bytes that mean nothing one by one.
    pub(super) fn blob(&mut self, name: &str, len: usize, meaning: &str) -> Option<&'a [u8]> {
        self.slice(name, len, |bytes| (hex(bytes), meaning.to_owned()))
    }

    /// Everything that is left, if anything is.
    pub(super) fn rest(&mut self, name: &str, tell: impl FnOnce(&'a [u8]) -> String) -> &'a [u8] {
        let left = self.left();
        if !left.is_empty() {
            self.push(left.len(), name, hex(left), tell(left));
        }
        left
    }

    /// The type without flags.
    pub(super) fn kind(&mut self, meaning: &str) -> Option<()> {
        let flags = self.left().first().map_or(0, |first| first >> 4);
        self.array("type", |[byte]| (format!("{byte} (0x{byte:02x})"), meaning.to_owned()))?;
        if flags == 0 {
            return Some(());
        }
        self.fault("the high half of the first byte has flags, and this type has none");
        None
    }

    pub(super) fn magic(&mut self) -> Option<()> {
        let magic = self.array("magic", |bytes| {
            let text = bytes.escape_ascii().to_string();
            (format!("\"{text}\""), if bytes == MAGIC { "a packet of Snapback" } else { "should be \"V2RB\"" }.to_owned())
        })?;
        if magic == MAGIC {
            return Some(());
        }
        self.fault("the magic is not \"V2RB\"");
        None
    }

    /// The version, and whether it is ours.
    pub(super) fn version(&mut self) -> Option<bool> {
        let version = self.u16("version", |version| match version {
            PROTOCOL_VERSION => "the protocol version that this program speaks".to_owned(),
            _ => format!("another protocol version; this program speaks {PROTOCOL_VERSION}"),
        })?;
        self.summary.push(format!("version {version}"));
        Some(version == PROTOCOL_VERSION)
    }

    /// Zeros up to byte `end`, or to the end of the datagram.
    pub(super) fn zeros(&mut self, end: Option<usize>, is_ours: bool, why: &str) -> Option<()> {
        let len = end.map_or(self.left().len(), |end| end.saturating_sub(self.at));
        if len == 0 {
            return Some(());
        }
        let zeros = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
        let bytes = self.slice("fill", len, |bytes| match (zeros(bytes), is_ours) {
            (true, _) => ("zeros".to_owned(), why.to_owned()),
            (false, true) => (hex(bytes), "these bytes should be zeros".to_owned()),
            (false, false) => (hex(bytes), "not zeros: of a version that this program does not know, or nobody's".to_owned()),
        })?;
        if is_ours && !zeros(bytes) {
            self.fault("the fill is not all zeros");
        }
        Some(())
    }

    /// The checksum of a greeting, which everybody can check.
    pub(super) fn greeting_crc(&mut self, context: &Context) -> Option<()> {
        self.crc_with(context, Some(ConnectionKey::GREETING), "")
    }

    /// The checksum of a packet of a connection.
    pub(super) fn crc(&mut self, context: &Context) -> Option<()> {
        self.crc_with(context, context.key, "; seeded with the match and the nonces of both ends: it cannot be checked without them")
    }

    fn crc_with(&mut self, context: &Context, key: Option<ConnectionKey>, unknown: &str) -> Option<()> {
        if context.is_decrypted {
            return Some(());
        }
        let expected = key.and_then(|key| key.crc(self.taken()));
        let mut is_wrong = false;
        self.array("checksum", |bytes| {
            let crc = u32::from_le_bytes(bytes);
            is_wrong = expected.is_some_and(|expected| expected != crc);
            let meaning = match expected {
                None => format!("CRC-32 of everything before{unknown}"),
                Some(expected) if is_wrong => format!("CRC-32 of everything before: wrong, it should be 0x{expected:08x}"),
                Some(_) => "CRC-32 of everything before: right".to_owned(),
            };
            (format!("0x{crc:08x}"), meaning)
        })?;
        if is_wrong {
            self.fault("the checksum is wrong");
        }
        Some(())
    }

    /// The end of a packet: nothing may follow.
    pub(super) fn end(&mut self) -> Option<()> {
        let left = self.left().len();
        if left > 0 {
            self.fault(format!("{left} bytes follow the last field"));
            self.rest("trailing bytes", |_| "nothing should follow the last field".to_owned());
        }
        Some(())
    }

    pub(super) fn finish(mut self, name: &'static str, reject: Option<Reject>) -> Explanation {
        self.prefix.clear();
        self.rest("not explained", |_| "what stands before does not let this be understood".to_owned());
        let Self { fields, summary, notes, frames, damage, .. } = self;
        let damage = damage.or_else(|| reject.map(|reject| reject.to_string()));
        Explanation { name, summary: summary.join(", "), fields, notes, frames, damage, reject }
    }
}

/// The bytes as digits, the first of them if there are many.
pub(super) fn hex(bytes: &[u8]) -> String {
    match bytes.get(..SHOWN_BYTES) {
        Some(first) if bytes.len() > SHOWN_BYTES => format!("{}…", base16ct::lower::encode_string(first)),
        _ => base16ct::lower::encode_string(bytes),
    }
}
