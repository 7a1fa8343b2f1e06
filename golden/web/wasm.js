// The verifier, as a function. The page, its worker and the tests share this file.
//
// `snbk_input` gives a place for the file, `snbk_verify` the length of the result, `snbk_result` its
// place. A verifier that was stopped in the middle must not be called again: every file gets a new one.

/** Makes a verifier of a compiled module. */
export async function instantiate(module) {
  const { exports } = await WebAssembly.instantiate(module, {});
  return exports;
}

/** Verifies the bytes of one file: what came of it, and how many milliseconds it took. */
export async function verify(module, bytes) {
  const verifier = await instantiate(module);
  const place = verifier.snbk_input(bytes.length);
  if (place === 0) {
    throw new RangeError(`the file has ${bytes.length} bytes, and there is not so much memory`);
  }
  // Memory may have grown and moved: it is looked up again after every call.
  new Uint8Array(verifier.memory.buffer).set(bytes, place >>> 0);
  const begin = performance.now();
  const length = verifier.snbk_verify() >>> 0;
  const ms = performance.now() - begin;
  const result = new Uint8Array(verifier.memory.buffer, verifier.snbk_result() >>> 0, length);
  return { ...JSON.parse(new TextDecoder().decode(result)), ms };
}
