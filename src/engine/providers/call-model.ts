// One call of a model as a stream of pieces, with silence limits and retries before anything was shown. Not the loop over tools.
import { type ModelMessage, streamText, type ToolSet } from 'ai';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { noTracing, type Parent } from '#base/tracing.ts';
import { detailsOf } from './failure.ts';
import { maskPieces } from './masked-pieces.ts';
import { type CallUsage, usageOf } from './price.ts';
import type { Provider } from './provider.ts';
import { isOutage, retryDelay } from './retry.ts';
import { traceCall } from './traced-call.ts';
import { createWatch, type SilenceLimits } from './watch.ts';

export interface ModelCall {
  provider: Provider;
  system: string;
  messages: ModelMessage[];
  /** Their schemas only: the caller runs them. */
  tools: ToolSet;
  /** `none` when the model has to answer now. */
  toolChoice: 'auto' | 'none';
  /** True when what is said here will be remembered; told to the offline model, which says so. */
  remembers: boolean;
  signal: AbortSignal;
  /** Where the call is told of; nowhere when absent. */
  under?: Parent | undefined;
}

export type ModelPiece =
  | { type: 'text' | 'reasoning'; delta: string }
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

export interface CallContext {
  clock: Clock;
  log: Log;
  limits: SilenceLimits;
  /** What must not be said, whatever the model says. */
  secrets: Secrets;
}

/**
 * Streams the pieces of one answer, without the configuration's secrets; when its provider is out and nothing was shown, the next one answers. Ends with an `end` piece, or
 * throws the last provider's error or the signal's reason.
 */
export function callModel(first: ModelCall, context: CallContext): AsyncGenerator<ModelPiece> {
  return maskPieces(callAny(first, context), context.secrets);
}

async function* callAny(first: ModelCall, context: CallContext): AsyncGenerator<ModelPiece> {
  let call = first;
  for (let attempt = 1; ; attempt += 1) {
    let shown = false;
    try {
      const { provider, under = noTracing.under('') } = call;
      for await (const piece of traceCall(attemptOnce(call, context), { provider, under })) {
        shown = true;
        yield piece;
      }
      return;
    } catch (error) {
      const wait = shown || call.signal.aborted ? undefined : retryDelay(error, attempt, context.clock);
      const { next, providerID, modelID } = call.provider;
      if (wait === undefined) {
        if (next === undefined || shown || call.signal.aborted || !isOutage(error)) throw error;
        const to = `${next.providerID}/${next.modelID}`;
        context.log.warn({ from: `${providerID}/${modelID}`, to, error: detailsOf(error) }, 'a model is out');
        call = { ...call, provider: next };
        attempt = 0;
        yield { type: 'fallback', provider: next };
        continue;
      }
      context.log.warn({ attempt, waitMs: wait, error: detailsOf(error) }, 'model call is tried again');
      await context.clock.sleep(wait, call.signal);
    }
  }
}

async function* attemptOnce(call: ModelCall, { clock, limits }: CallContext): AsyncGenerator<ModelPiece> {
  const watch = createWatch(limits, clock, call.signal);
  const leave = new AbortController();
  const abortSignal = AbortSignal.any([watch.signal, leave.signal]);
  let finished = false;
  try {
    const result = streamText({
      model: call.provider.model,
      instructions: call.system,
      messages: call.messages,
      tools: call.tools,
      toolChoice: call.toolChoice,
      providerOptions: { ...call.provider.options, parley: { remembers: call.remembers } },
      maxRetries: 0,
      abortSignal,
      // The error arrives as a part of the stream; without this it would also be printed.
      onError: () => {},
    });
    let reason = 'other';
    let usage: CallUsage | undefined;
    for await (const part of result.stream) {
      watch.touch();
      switch (part.type) {
        case 'text-delta':
          if (part.text !== '') yield { type: 'text', delta: part.text };
          break;
        case 'reasoning-delta':
          if (part.text !== '') yield { type: 'reasoning', delta: part.text };
          break;
        case 'tool-call':
          yield { type: 'tool call', callID: part.toolCallId, tool: part.toolName, args: part.input };
          break;
        case 'finish-step':
          reason = part.finishReason;
          usage = usageOf(part.usage, call.provider.prices);
          break;
        case 'error':
          throw part.error;
        case 'abort':
          throw abortSignal.reason;
        default:
          break;
      }
    }
    abortSignal.throwIfAborted();
    finished = true;
    yield { type: 'end', reason: endOf(reason), messages: await answerMessages(result), usage };
  } finally {
    watch.end();
    if (!finished) leave.abort(new ParleyError('left', 'The reader of the answer left.'));
  }
}

/** What the assistant said and called, without tool results: those are the caller's. */
async function answerMessages(result: { responseMessages: PromiseLike<ModelMessage[]> }) {
  const messages = await result.responseMessages;
  return messages.filter((message) => message.role === 'assistant');
}

function endOf(reason: string): 'said' | 'cut' | 'filtered' {
  switch (reason) {
    case 'content-filter':
      return 'filtered';
    case 'length':
      return 'cut';
    case 'interrupted':
    case 'error':
      throw new ParleyError('PROVIDER_STREAM_BROKEN', `The provider's stream ended with ${reason}.`);
    default:
      return 'said';
  }
}
