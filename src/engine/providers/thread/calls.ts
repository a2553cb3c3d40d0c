// What is said between the thread of the model calls and its starter. Shapes only.

import type { ParleyError } from '#base/errors.ts';
import type { ModelCallInput, ModelStreamEvent, ModelTarget } from '#engine/providers/calls/model-call.ts';
import type { ClassifiedError } from '#engine/providers/calls/provider-failure.ts';

export type ModelWorkerRequest =
  | { kind: 'ask'; id: number; target: ModelTarget; asked: ModelCallInput }
  /** Nobody waits for it any more. */
  | { kind: 'leave'; id: number };

/** What ended a call, as a message or as a judged failure. */
export type Failed =
  | {
      kind: 'words';
      code: string;
      message: string;
      hint: string | undefined;
      details: ParleyError['details'];
    }
  | { kind: 'judged'; judged: ClassifiedError };

export type ModelWorkerEvent = ModelStreamEvent | { type: 'failed'; failed: Failed };

/** What several calls have told since the last message. */
export type Batch = readonly { id: number; events: readonly ModelWorkerEvent[] }[];
