// The built-in model: it streams and calls tools like any other, and needs no network. What it says is decided in turn.ts.
import type { ModelMessage } from 'ai';
import type { Clock } from '#base/clock.ts';
import type { ModelStreamEvent } from '#engine/providers/calls/model-call.ts';
import { nextTurn, type OfflineInput } from './turn.ts';

export const offlineModelID = 'offline';

/** Characters: without a pause between them, the pieces of a shorter answer would be seen by nobody. */
const minInPieces = 1_000;

/** Asks a deterministic model. `deltaMs` is the pause between two pieces of its answer; nothing is metered, since no tokens are bought. */
export function createOfflineModel({ clock, deltaMs }: { clock: Clock; deltaMs: number }) {
  return async function* ask(asked: OfflineInput, signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    const turn = nextTurn(asked);
    const asMessages = (content: Extract<ModelMessage, { role: 'assistant' }>['content']): ModelMessage[] => [
      { role: 'assistant', content },
    ];
    if (turn.type === 'call') {
      // no two calls of one conversation have the same id
      const calls = turn.calls.map((call, at) => ({
        ...call,
        callID: `offline_${asked.messages.length}${at === 0 ? '' : `_${at}`}`,
      }));
      for (const call of calls) yield { type: 'tool call', ...call };
      const parts = calls.map(({ callID, tool, args }) => ({
        ...{ type: 'tool-call' as const, toolCallId: callID, toolName: tool, input: args },
      }));
      yield { type: 'end', finish: 'tool-calls', usage: undefined, messages: asMessages(parts) };
      return;
    }
    const { text } = turn;
    for (const delta of deltaMs > 0 || text.length > minInPieces ? piecesOf(text) : [text]) {
      signal.throwIfAborted();
      if (deltaMs > 0) await clock.sleep(deltaMs, signal);
      yield { type: 'text', delta };
    }
    signal.throwIfAborted();
    yield { type: 'end', finish: 'stop', usage: undefined, messages: asMessages([{ type: 'text', text }]) };
  };
}

/** The text in pieces of a few words each, spaces and line ends kept. */
function piecesOf(text: string): string[] {
  return text.match(/(?:\S+\s*|\s+){1,3}/g) ?? [];
}
