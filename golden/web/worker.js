// Verifies one file beside the page, so that a long one freezes nothing and can be given up.
import { verify } from "./wasm.js";

self.onmessage = async ({ data: { module, bytes } }) => {
  try {
    self.postMessage({ result: await verify(module, bytes) });
  } catch (error) {
    self.postMessage({ error: String(error.message ?? error) });
  }
};
