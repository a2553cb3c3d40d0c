// One call of a model as a stream of pieces, with silence limits and retries before anything was shown.
import type { FilePart, ModelMessage } from 'ai';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { noTracing, type Parent } from '#base/tracing.ts';
import { detailsOf } from '#engine/providers/calls/failure.ts';
import type { ModelCallInput, Sampling, ToolSpec } from '#engine/providers/calls/model-call.ts';
import { type CallUsage, usageOf } from '#engine/providers/calls/price.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import { maskPieces } from './masked-pieces.ts';
import type { ModelPiece } from './model-piece.ts';
import { clearOutage, noteOutage } from './outage.ts';
import type { Provider } from './provider.ts';
import type { ReadFile } from './repair/file-texts.ts';
import type { Learned } from './repair/learned.ts';
import type { Repair } from './repair/repair.ts';
import { mayAnotherAnswer, retryDelay } from './retry.ts';
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
  /** True where an answer without words or calls is none: it is asked for again, then of the next model. */
  mustAnswer?: boolean | undefined;
  /** True when what is written here will be remembered; given to the offline model, which says so. */
  remembers: boolean;
  signal: AbortSignal;
  /** Gives the text of files that are no pictures where the model does not take them; they are sent as they are when absent. */
  readFile?: ReadFile | undefined;
  /** What is done about refusals, by model, for all calls of one run: what was left out once stays left out. Of this call alone when absent. */
  repairs?: Map<string, Repair> | undefined;
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
  /** What models taught by refusing; read with the first call. */
  learned: () => Promise<Learned>;
}

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
    if (piece.type === 'was reasoning') text = '';
    if (piece.type === 'end') usage = piece.usage;
  }
  return { text, usage };
}

async function* callAny(first: ModelCall, context: CallContext): AsyncGenerator<ModelPiece> {
  const { clock, log, problems } = context;
  const learned = await context.learned();
  let call = first;
  let repair = await repairFor(call, learned, context);
  let isAskedAgain = false;
  /** Why something was left out of the request, in words that nobody knows. */
  let unexplained: unknown;
  for (let attempt = 1; ; attempt += 1) {
    let shown = false;
    try {
      const { provider, under = noTracing.under('') } = call;
      const repaired = repair === undefined ? call : repair.request(call);
      const { sent, unread } = await asTaken(repaired, repair);
      const unseen = [...(repair?.unseen(call.messages) ?? []), ...unread];
      if (unseen.length > 0) yield { type: 'unseen', notices: unseen };
      const mayBeginThinking = learned.of(provider.key).beginsThinking ?? beginsThinking(provider);
      const takesCalls = sent.tools.length === first.tools.length;
      for await (const piece of traceCall(attemptOnce({ ...sent, mayBeginThinking, takesCalls }, context), {
        provider,
        under,
      })) {
        if (piece.type === 'was reasoning') learned.add(provider.key, { beginsThinking: true }, thoughtFirst);
        if (isSaid(piece) && !shown) {
          clearOutage(provider, problems);
          shown = true;
        }
        yield piece;
      }
      if (hasFile(sent.messages, ({ mediaType }) => mediaType.startsWith('image/')))
        learned.note(provider.key, { sees: true });
      // a model that may think without saying so did not: the next answer need not wait for its end
      if (mayBeginThinking !== false)
        learned.note(provider.key, { beginsThinking: learned.of(provider.key).beginsThinking ?? false });
      return;
    } catch (error) {
      if (shown || call.signal.aborted) throw error;
      repair ??= await newRepair(call, learned, context);
      const refused = repair.learn(call, error);
      if (refused.again) {
        attempt -= 1; // no repetition: it is another request
        continue;
      }
      const wait = retryDelay(refused.error, attempt, clock);
      if (wait !== undefined) {
        log.warn({ attempt, waitMs: wait, error: detailsOf(refused.error) }, 'model call is tried again');
        await clock.sleep(wait, call.signal);
        continue;
      }
      if (codeOf(error) === 'EMPTY_ANSWER' && !isAskedAgain) {
        isAskedAgain = true;
        call = { ...call, messages: asked(call.messages) };
        continue;
      }
      if (call.provider.next === undefined && repair.leaveOut(call, refused.error)) {
        unexplained = refused.error;
        continue;
      }
      noteOutage(call.provider, refused.error, problems);
      const { next, providerID, modelID } = call.provider;
      if (next === undefined || !mayAnotherAnswer(refused.error))
        throw codeOf(error) === 'EMPTY_ANSWER' ? (unexplained ?? error) : refused.error;
      const to = `${next.providerID}/${next.modelID}`;
      log.warn({ from: `${providerID}/${modelID}`, to, error: detailsOf(refused.error) }, 'a model is out');
      call = { ...call, messages: first.messages, provider: next };
      repair = await repairFor(call, learned, context);
      attempt = 0;
      isAskedAgain = false;
      yield { type: 'fallback', provider: next };
    }
  }
}

const thoughtFirst = 'An answer began with thoughts that were only closed.';

/** What a person is shown: once there was some of it, nobody else begins the answer again. */
function isSaid(piece: ModelPiece): boolean {
  if (piece.type === 'text') return piece.delta.trim() !== '';
  return piece.type === 'tool call' || piece.type === 'end';
}

/** The conversation with a word to a model that called tools and then said nothing. */
function asked(messages: readonly ModelMessage[]): ModelMessage[] {
  if (messages.at(-1)?.role !== 'tool') return [...messages];
  return [
    ...messages,
    { role: 'user', content: '[You have not answered yet. Answer now, with what you have.]' },
  ];
}

/** The call with the text of files that its model does not take, and what of the question it therefore does not see. */
async function asTaken(
  call: ModelCall,
  repair: Repair | undefined,
): Promise<{ sent: ModelCall; unread: RunNotice[] }> {
  const { provider, readFile } = call;
  if (readFile === undefined || !hasFile(call.messages, () => true)) return { sent: call, unread: [] };
  const { withFileTexts } = await import('./repair/file-texts.ts');
  const { takesFile } = provider;
  const unreadable = repair?.unreadable ?? new Set<string>();
  const { messages, unread } = await withFileTexts(call.messages, { takesFile, unreadable, readFile });
  return {
    sent: { ...call, messages },
    unread: unread.length === 0 ? [] : [{ code: 'unreadable', files: unread }],
  };
}

function hasFile(messages: readonly ModelMessage[], is: (file: FilePart) => boolean): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'user' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'file' && is(part)),
  );
}

/** Where something is known that may not be taken; what that needs is loaded only then. */
async function repairFor(
  call: ModelCall,
  learned: Learned,
  context: CallContext,
): Promise<Repair | undefined> {
  const { settings, key } = call.provider;
  if (call.repairs?.has(key) === true) return call.repairs.get(key);
  const hasLimits = [settings, learned.of(key)].some((known) =>
    Object.values(known).some((value) => value !== undefined),
  );
  return hasLimits ? await newRepair(call, learned, context) : undefined;
}

async function newRepair(
  { provider, repairs }: ModelCall,
  learned: Learned,
  context: CallContext,
): Promise<Repair> {
  const { createRepair } = await import('./repair/repair.ts');
  const repair = createRepair(provider, { learned, log: context.log });
  repairs?.set(provider.key, repair);
  return repair;
}

/** Models whose templates begin an answer inside of a thought, where no parser of the server takes it out; of others it is not known. */
function beginsThinking({ providerID, modelID }: Provider): boolean | 'unknown' {
  if (providerID !== 'openai-compatible') return false;
  return /\b(r1|qwq|magistral)\b|think|reason|minimax-m/i.test(modelID) || 'unknown';
}

async function* attemptOnce(
  call: ModelCall & {
    mayBeginThinking: boolean | 'unknown';
    /** False where tools were left out of the request: a call of one is no answer then. */
    takesCalls: boolean;
  },
  { clock, limits }: CallContext,
): AsyncGenerator<ModelPiece> {
  const { provider, system, messages, toolChoice, sampling, remembers, mayBeginThinking, takesCalls } = call;
  let hasAnswer = call.mustAnswer !== true;
  let isCallingAnyway = false;
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
    const asked = {
      system,
      messages,
      tools,
      toolChoice,
      sampling,
      remembers,
      maxChars: limits.outputChars,
      mayBeginThinking,
    };
    for await (const event of provider.ask(asked, watch.signal)) {
      if (event.type === 'alive') watch.alive();
      else watch.touch();
      switch (event.type) {
        case 'text':
          hasAnswer ||= event.delta.trim() !== '';
          if (event.delta !== '') yield event;
          break;
        case 'reasoning':
          if (event.delta !== '') yield event;
          break;
        case 'was reasoning':
          hasAnswer = call.mustAnswer !== true;
          yield event;
          break;
        case 'tool call':
          isCallingAnyway = !takesCalls;
          if (isCallingAnyway) break;
          hasAnswer = true;
          yield { ...event, args: read(event.tool, event.args) };
          break;
        case 'alive':
          break;
        case 'end': {
          const usage = usageOf(event.usage, provider.prices);
          if (!hasAnswer || isCallingAnyway) {
            yield { type: 'spent', usage };
            throw nothingSaid(endOf(event.finish));
          }
          yield { type: 'end', reason: endOf(event.finish), messages: withArgs(event.messages, read), usage };
          break;
        }
      }
    }
  } finally {
    watch.end();
  }
}

function nothingSaid(reason: ReturnType<typeof endOf>): ParleyError {
  return reason === 'filtered'
    ? new ParleyError('CONTENT_FILTERED', 'The provider ended the answer with content-filter.')
    : new ParleyError('EMPTY_ANSWER', 'The model ended without any text.');
}

/** The assistant's messages with the arguments as they were read. */
function withArgs(
  messages: readonly ModelMessage[],
  read: (tool: string, args: unknown) => unknown,
): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call') return part;
      const input = read(part.toolName, part.input);
      return { ...part, input };
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
