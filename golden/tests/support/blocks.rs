//! A replay file taken apart into blocks, and put together again with right checksums: what a
//! stranger can do who knows the format. Written from the format's description, not from its code.

pub mod kind {
    pub const META: u8 = 1;
    pub const FIELDS: u8 = 2;
    pub const FRAMES: u8 = 3;
    pub const SNAPSHOT: u8 = 4;
    pub const ACCEPTANCE: u8 = 5;
    pub const END: u8 = 6;
    pub const SIGNATURE: u8 = 7;
}

#[derive(Clone, PartialEq, Debug)]
pub struct BlockFile {
    pub preamble: [u8; 8],
    /// Kind and payload.
    pub blocks: Vec<(u8, Vec<u8>)>,
}

impl BlockFile {
    pub fn parse(file: &[u8]) -> Self {
        let (preamble, mut rest) = file.split_first_chunk::<8>().unwrap();
        let mut blocks = Vec::new();
        while !rest.is_empty() {
            let len = u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize;
            blocks.push((rest[0], rest[12..12 + len].to_vec()));
            rest = &rest[12 + len..];
        }
        Self { preamble: *preamble, blocks }
    }

    pub fn sealed(&self) -> Vec<u8> {
        let mut file = self.preamble.to_vec();
        for ((kind, payload), number) in self.blocks.iter().zip(0u32..) {
            let len = (payload.len() as u32).to_le_bytes();
            let checksum = crc32fast::hash(&[&number.to_le_bytes()[..], &[*kind], &len, payload].concat());
            file.extend_from_slice(&[*kind, 0, 0, 0]);
            file.extend_from_slice(&len);
            file.extend_from_slice(&checksum.to_le_bytes());
            file.extend_from_slice(payload);
        }
        file
    }

    /// Where the first block of a kind is among the blocks.
    pub fn find(&self, kind: u8) -> usize {
        self.blocks.iter().position(|(found, _)| *found == kind).unwrap()
    }

    /// The same file with another payload in one block.
    pub fn with(&self, block: usize, payload: Vec<u8>) -> Vec<u8> {
        let mut file = self.clone();
        file.blocks[block].1 = payload;
        file.sealed()
    }
}

pub fn packed(promised: usize, bytes: &[u8]) -> Vec<u8> {
    let mut out = (promised as u32).to_le_bytes().to_vec();
    out.extend_from_slice(&miniz_oxide::deflate::compress_to_vec(bytes, 6));
    out
}
