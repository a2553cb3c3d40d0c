// What is said between the thread of the model calls and who started it. Shapes only.
import type { Judged } from '#engine/providers/provider-failure.ts';
import type { Asked, ModelTarget, Told } from '#engine/providers/told.ts';

export type Order =
  | { kind: 'ask'; id: number; target: ModelTarget; asked: Asked }
  /** Nobody waits for it any more. */
  | { kind: 'leave'; id: number };

/** What ended a call in words, or judged. */
export type Failed =
  | { kind: 'words'; code: string; message: string; cure: string | undefined }
  | { kind: 'judged'; judged: Judged };

export type Said = Told | { type: 'failed'; failed: Failed };

/** What several calls have told since the last message. */
export type Batch = readonly { id: number; said: readonly Said[] }[];
