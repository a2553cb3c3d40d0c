// The text of an answer as it streams: its thoughts apart from its words, and calls of tools that were written instead of made.
import type { ModelMessage } from 'ai';
import type { ModelCallInput, ModelStreamEvent } from '#engine/providers/calls/model-call.ts';
import { createThoughtSplitter, type SpokenPiece } from './thought-splitter.ts';
import { createWrittenCalls } from './written-call.ts';

type Piece = Extract<ModelStreamEvent, { type: 'text' | 'reasoning' | 'was reasoning' | 'tool call' }>;

export interface AnswerText {
  push(delta: string): Piece[];
  /** What was held back, before the model does something else than write. */
  flush(): Piece[];
  /** The same at the end of an answer without calls, which its text may be: then with the message that continues the conversation. */
  end(): { pieces: Piece[]; messages?: ModelMessage[] };
}

/** For one answer to what was asked. */
export function createAnswerText({
  tools,
  toolChoice,
  mayBeginThinking = false,
}: ModelCallInput): AnswerText {
  const offered = toolChoice === 'none' ? [] : tools;
  let splitter = createThoughtSplitter({
    holds: mayBeginThinking === 'unknown' ? 'thoughts' : mayBeginThinking,
  });
  let written = createWrittenCalls(offered);
  const told = (spoken: readonly SpokenPiece[]): Piece[] =>
    spoken.flatMap((piece): Piece[] => {
      if (piece.type === 'reasoning') return [piece];
      if (piece.type === 'text') return textOf(written.push(piece.delta));
      const held = written.rest();
      written = createWrittenCalls(offered);
      return [
        { type: 'was reasoning' },
        ...(held === '' ? [] : [{ type: 'reasoning' as const, delta: held }]),
      ];
    });
  const flush = (): Piece[] => {
    const pieces = told(splitter.end());
    splitter = createThoughtSplitter({ holds: false });
    return [...pieces, ...textOf(written.rest())];
  };
  return {
    push: (delta) => told(splitter.push(delta)),
    flush,
    end() {
      const pieces = told(splitter.end());
      const calls = written.calls()?.map((call) => ({ ...call, callID: `call_${crypto.randomUUID()}` }));
      if (calls === undefined) return { pieces: [...pieces, ...textOf(written.rest())] };
      const content = calls.map(({ callID, tool, args }) => ({
        ...{ type: 'tool-call' as const, toolCallId: callID, toolName: tool, input: args },
      }));
      return {
        pieces: [...pieces, ...calls.map((call) => ({ type: 'tool call' as const, ...call }))],
        messages: [{ role: 'assistant', content }],
      };
    },
  };
}

function textOf(delta: string): Piece[] {
  return delta === '' ? [] : [{ type: 'text', delta }];
}
