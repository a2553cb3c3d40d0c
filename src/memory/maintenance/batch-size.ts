// How many texts are embedded in one call: fewer after a call was refused, more again after calls that were not.

interface BatchSize {
  /** Texts of the next call, at least 1. */
  now(): number;
  /** A call with so many texts was refused, though the model works. */
  refused(texts: number): void;
  /** A call with so many texts succeeded. */
  succeeded(texts: number): void;
  /** The one text that the model refused is passed over: the size was not the reason. */
  passed(): void;
}

/** After so many texts without a refusal, a larger call is tried: of a model that takes one text a call, one call in 65 is refused. */
const growAfter = 64;

/** Begins with `most` texts a call. */
export function createBatchSize(most: number): BatchSize {
  let size = most;
  let since = 0;
  return {
    now: () => size,
    refused(texts) {
      size = Math.max(1, Math.floor(texts / 2));
      since = 0;
    },
    succeeded(texts) {
      since += texts;
      if (since < growAfter) return;
      since = 0;
      size = Math.min(most, 2 * size);
    },
    passed() {
      size = most;
    },
  };
}
