// The built-in model as an AI SDK language model: it streams and calls tools like any other. What it says is decided in turn.ts.
import type { Clock } from '#base/clock.ts';
import type { CallOptions, Generated, ModelV4, StreamPart } from './spec.ts';
import { nextTurn, searchTool, type Turn } from './turn.ts';

export const offlineModelID = 'offline';

/** Nothing is metered: no tokens are bought. */
const usage: Generated['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Characters: without a pause between them, the pieces of a shorter answer would be seen by nobody. */
const leastInPieces = 1_000;

/** A deterministic model that needs no network. `deltaMs` is the pause between two pieces of its answer. */
export function createOfflineModel({ clock, deltaMs }: { clock: Clock; deltaMs: number }): ModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: offlineModelID,
    supportedUrls: {},
    async doGenerate(options) {
      const turn = nextTurn(options);
      return { content: [contentOf(turn, options)], finishReason: reasonOf(turn), usage, warnings: [] };
    },
    async doStream(options) {
      return { stream: ReadableStream.from(partsOf(options, { clock, deltaMs })) };
    },
  };
}

async function* partsOf(
  options: CallOptions,
  { clock, deltaMs }: { clock: Clock; deltaMs: number },
): AsyncGenerator<StreamPart> {
  const turn = nextTurn(options);
  yield { type: 'stream-start', warnings: [] };
  if (turn.type === 'search') yield callOf(turn.query, options);
  else {
    const id = 'text';
    yield { type: 'text-start', id };
    for (const delta of deltaMs > 0 || turn.text.length > leastInPieces ? piecesOf(turn.text) : [turn.text]) {
      options.abortSignal?.throwIfAborted();
      if (deltaMs > 0) await clock.sleep(deltaMs, options.abortSignal);
      yield { type: 'text-delta', id, delta };
    }
    yield { type: 'text-end', id };
  }
  yield { type: 'finish', finishReason: reasonOf(turn), usage };
}

function contentOf(turn: Turn, options: CallOptions): Generated['content'][number] {
  return turn.type === 'search' ? callOf(turn.query, options) : { type: 'text', text: turn.text };
}

/** The tool call; its id counts the messages before it, so that no two of one conversation are equal. */
function callOf(query: string, { prompt }: CallOptions) {
  return {
    type: 'tool-call' as const,
    toolCallId: `offline_${prompt.length}`,
    toolName: searchTool,
    input: JSON.stringify({ query }),
  };
}

function reasonOf(turn: Turn): Generated['finishReason'] {
  return { unified: turn.type === 'search' ? 'tool-calls' : 'stop', raw: undefined };
}

/** The text in pieces of a few words each, spaces and line ends kept. */
function piecesOf(text: string): string[] {
  return text.match(/(?:\S+\s*|\s+){1,3}/g) ?? [];
}
