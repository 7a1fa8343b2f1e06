// CRC-32 as everybody computes it.
const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let register = byte;
  for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? 0xedb88320 ^ (register >>> 1) : register >>> 1;
  return register;
});

/** The CRC-32 of bytes. */
export function crc32(bytes) {
  let register = 0xffffffff;
  for (const byte of bytes) register = TABLE[(register ^ byte) & 0xff] ^ (register >>> 8);
  return (register ^ 0xffffffff) >>> 0;
}
