// One call of a model as a stream of pieces, with silence limits and retries before anything was shown.
import type { ModelMessage } from 'ai';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { noTracing, type Parent } from '#base/tracing.ts';
import { detailsOf, failureOf } from '#engine/providers/calls/failure.ts';
import type { ModelCallInput, Sampling, ToolSpec } from '#engine/providers/calls/model-call.ts';
import { type CallUsage, usageOf } from '#engine/providers/calls/price.ts';
import { maskPieces } from './masked-pieces.ts';
import type { ModelPiece } from './model-piece.ts';
import type { Provider } from './provider.ts';
import { isOutage, retryDelay } from './retry.ts';
import { traceCall } from './traced-call.ts';
import { createWatch, type SilenceLimits } from './watch.ts';

/** A tool as a call offers it. */
interface CallableTool extends ToolSpec {
  /** The arguments as its schema reads them, with its defaults; as they came where they do not fit. */
  read(args: unknown): unknown;
}

interface ModelCall {
  provider: Provider;
  system: string;
  messages: ModelMessage[];
  /** Only their schemas: the caller runs them. */
  tools: readonly CallableTool[];
  /** As in `ModelCallInput`. */
  toolChoice: ModelCallInput['toolChoice'];
  sampling?: Sampling | undefined;
  /** True when what is written here will be remembered; given to the offline model, which says so. */
  remembers: boolean;
  signal: AbortSignal;
  /** Receives the call's progress; nobody does when absent. */
  under?: Parent | undefined;
}

export interface CallContext {
  clock: Clock;
  log: Log;
  /** `outputChars`: of one call, arguments of tools included. */
  limits: SilenceLimits & { outputChars?: number | undefined };
  /** What must not be said, whatever the model says. */
  secrets: Secrets;
  /** Where is noted that a model does not answer. */
  problems: ActiveProblems;
}

/** What is failing while no model answers; whichever answers next ends it. */
const theModel = 'the model';
const outHint = 'It is asked again with the next message; "parley doctor" looks whether it can be reached.';

/**
 * Streams the pieces of one answer, without the configuration's secrets; when its provider is out and nothing was shown, the next one answers. Ends with an `end` piece, or
 * throws the last provider's error or the signal's reason.
 */
export function callModel(first: ModelCall, context: CallContext): AsyncGenerator<ModelPiece> {
  return maskPieces(callAny(first, context), context.secrets);
}

/** The answer to one question as a whole text, without tools and outside of any conversation. Throws as `callModel` does. */
export async function askForText(
  { prompt, ...how }: Pick<ModelCall, 'provider' | 'system' | 'sampling' | 'signal'> & { prompt: string },
  context: CallContext,
): Promise<{ text: string; usage: CallUsage | undefined }> {
  const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
  let text = '';
  let usage: CallUsage | undefined;
  const call: ModelCall = { ...how, messages, tools: [], toolChoice: 'none', remembers: false };
  for await (const piece of callModel(call, context)) {
    if (piece.type === 'text') text += piece.delta;
    if (piece.type === 'end') usage = piece.usage;
  }
  return { text, usage };
}

async function* callAny(first: ModelCall, context: CallContext): AsyncGenerator<ModelPiece> {
  let call = first;
  for (let attempt = 1; ; attempt += 1) {
    let shown = false;
    try {
      const { provider, under = noTracing.under('') } = call;
      for await (const piece of traceCall(attemptOnce(call, context), { provider, under })) {
        if (!shown) context.problems.clear(theModel);
        shown = true;
        yield piece;
      }
      return;
    } catch (error) {
      const wait = shown || call.signal.aborted ? undefined : retryDelay(error, attempt, context.clock);
      const { next, providerID, modelID } = call.provider;
      if (wait === undefined) {
        if (!shown && !call.signal.aborted) noteOutage(call.provider, error, context);
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

/** An outage that another model takes over is in the log only; a refused key is for the operator, and no other model takes over. */
function noteOutage(provider: Provider, error: unknown, { problems }: CallContext): void {
  const { providerID, modelID, next } = provider;
  const { code, sentence } = failureOf(error);
  const isMissed = isOutage(error) ? next === undefined : code === 'AUTHENTICATION_ERROR';
  if (!isMissed) return;
  const words = `The model ${providerID}/${modelID} does not answer: ${sentence}`;
  problems.note(theModel, new ParleyError('model_out', words, { hint: outHint }));
}

async function* attemptOnce(call: ModelCall, { clock, limits }: CallContext): AsyncGenerator<ModelPiece> {
  const { provider, system, messages, toolChoice, sampling, remembers } = call;
  const watch = createWatch(limits, clock, call.signal);
  const tools = call.tools.map(({ name, description, schema, argumentChars }) => ({
    name,
    description,
    schema,
    argumentChars,
  }));
  const read = (tool: string, args: unknown): unknown =>
    call.tools.find(({ name }) => name === tool)?.read(args) ?? args;
  try {
    const asked = { system, messages, tools, toolChoice, sampling, remembers, maxChars: limits.outputChars };
    for await (const event of provider.ask(asked, watch.signal)) {
      watch.touch();
      switch (event.type) {
        case 'text':
        case 'reasoning':
          if (event.delta !== '') yield event;
          break;
        case 'tool call':
          yield { ...event, args: read(event.tool, event.args) };
          break;
        case 'alive':
          break;
        case 'end': {
          const usage = usageOf(event.usage, provider.prices);
          yield { type: 'end', reason: endOf(event.finish), messages: withArgs(event.messages, read), usage };
          break;
        }
      }
    }
  } finally {
    watch.end();
  }
}

/** The assistant's messages with the arguments as they were read; providers refuse any that are no object. */
function withArgs(
  messages: readonly ModelMessage[],
  read: (tool: string, args: unknown) => unknown,
): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call') return part;
      const input = read(part.toolName, part.input);
      return { ...part, input: typeof input === 'object' ? input : {} };
    });
    return { ...message, content };
  });
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
