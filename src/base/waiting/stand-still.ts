// A pause in which the whole thread stands still: only for the few milliseconds in which another process is about to let a file go.

const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Returns after so many milliseconds; nothing else happens in this thread until then. */
export function standStill(ms: number): void {
  Atomics.wait(nobody, 0, 0, ms);
}
