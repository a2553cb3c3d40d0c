// One piece of an answer, as a run gets it from whichever provider answers. A shape only.
import type { ModelMessage } from 'ai';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import type { Provider } from './provider.ts';

export type ModelPiece =
  | { type: 'text' | 'reasoning'; delta: string }
  /** All text of this call so far was what the model thought. */
  | { type: 'was reasoning' }
  /** A call that said nothing used so much; another one follows. */
  | { type: 'spent'; usage: CallUsage | undefined }
  /** What the model is not shown; told whole again when the request was changed, or another model answers. */
  | { type: 'unseen'; notices: RunNotice[] }
  /** Another provider has taken over, before anything was shown. */
  | { type: 'fallback'; provider: Provider }
  | { type: 'tool call'; callID: string; tool: string; args: unknown }
  /** The call is over: the messages that continue the conversation. */
  | {
      type: 'end';
      reason: 'said' | 'cut' | 'filtered';
      messages: ModelMessage[];
      /** Absent when the provider told none. */
      usage?: CallUsage | undefined;
    };
