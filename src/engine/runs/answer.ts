// The work of a run: context, then model and tools in turns until the model has answered.
import type { ModelMessage } from 'ai';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { withAbort } from '#base/waiting/with-abort.ts';
import { callModel } from '#engine/providers/call-model.ts';
import type { ModelPiece } from '#engine/providers/model-piece.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Repair } from '#engine/providers/repair/repair.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { specsOf } from '#engine/tools/definition/registry.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import type { RunSettings } from '#engine/wire/runs/prompt.ts';
import type { ModelCallTimes } from '#engine/wire/runs/run-prompt.ts';
import { isAnnouncement, mayBeAskedFor } from './announcement.ts';
import type { AnswerParts, AnswerTask } from './answer-task.ts';
import { type Call, callTools } from './call-tools.ts';
import { offeredTools, specFormOf } from './offered.ts';
import type { PartWriter } from './part-writer.ts';
import { resumeCalls } from './resume-calls.ts';

/** Turns of model and tools in one run; in the last one the model has to answer. */
const maxTurns = 8;
/** Writes the whole answer through the task's writer; throws what ends the run otherwise. */
export async function generateAnswer(parts: AnswerParts, task: AnswerTask): Promise<void> {
  const { run, agent, signal, writer, instance, resumed } = task;
  let { provider } = task;
  const message = await parts.sessions.message(run.userMessageID);
  if (message === undefined) throw new Error(`the user message ${run.userMessageID} is missing`);
  const known = (await parts.calls.learned()).known(provider);
  const context = await parts.context.build({
    message,
    agent,
    origin: run.origin,
    remembers: task.remembers,
    roomContext: task.roomContext,
    takesFile: provider.takesFile,
    maxImages: provider.settings.images,
    ...{ contextTokens: known.contextTokens, historyTokens: provider.historyTokens },
    contextMode: run.settings?.contextMode,
    look: parts.activeMemory.lookFor(task),
    signal,
  });
  task.shown(context.recalled, context.runIDs);
  const sinceBegin = (): number => parts.calls.clock.now() - run.startedAtMs;
  const calls: ModelCallTimes[] = [];
  task.prompted({ ...context.made, builtMs: sinceBegin(), calls });
  task.injected(context.injected);
  task.found(context.found);
  for (const notice of context.unseen) task.noticed(notice);
  // what was left out because it was asked for needs no summary
  if (run.settings?.contextMode !== 'compact') task.sent(context);
  const isResumed = resumed.length > 0;
  // a call is resumed right after a start, when its server is still being connected to
  if (isResumed) await withAbort(parts.toolsReady, signal);
  const messages: ModelMessage[] = [...context.messages];
  const at = { platform: run.origin?.platform, canAsk: run.canAsk, allowlist: run.toolAllowlist };
  const offered = offeredTools(parts, agent, at);
  const { scopeNow } = context;
  const isToolRequired = run.settings?.toolMode === 'required' && !isResumed;
  if (isToolRequired && offered.length === 0)
    throw new ParleyError('NO_TOOL_TO_CALL', 'A tool is required, and the run has none.');
  const specs = specsOf(offered, specFormOf(known.contextTokens));
  const specChars = instance === undefined ? 0 : JSON.stringify(specs).length;
  const asking = { run, provider, context, offered };
  if (isResumed) messages.push(...(await resumeCalls(parts, task, { offered, scopeNow })));
  const before = isResumed ? undefined : await parts.responseCache.of(asking);
  if (before !== undefined) {
    writer.add('text', before);
    return addSpeech(parts, task);
  }
  const repairs = new Map<string, Repair>();
  const announced = createAnnounced(parts, { specs, message, writer });
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const bounds = instance?.meter.beforeCall(
      specChars + context.system.length + JSON.stringify(messages).length,
      { tools: offered.length > 0 },
    );
    instance?.count();
    const request = {
      provider,
      system: context.system,
      messages,
      tools: specs,
      toolChoice: bounds?.mustAnswer === true ? ('none' as const) : toolChoiceOf(turn, isToolRequired),
      sampling: boundedBy(run.settings, bounds?.maxTokens),
      remembers: task.remembers,
      mustAnswer: true,
      readFile: context.readFile,
      repairs,
      signal,
      under: task.span,
    };
    const before = writer.text().length;
    const times: ModelCallTimes = { fromMs: sinceBegin() };
    calls.push(times);
    const outcome = await say(callModel(request, parts.calls), task, (piece) => {
      times.firstMs ??= sinceBegin();
      if (piece.type === 'tool call') announced.beforeCall(writer.text().slice(before));
    });
    const { calls: wanted, end } = outcome;
    const { inputTokens, outputTokens } = end.usage ?? {};
    Object.assign(times, defined({ untilMs: sinceBegin(), inputTokens, outputTokens }));
    if (turn === 1) for (const notice of outcome.unseen) task.noticed(notice);
    instance?.meter.afterCall(end.usage, writer.text().length - before + JSON.stringify(wanted).length);
    provider = outcome.provider ?? provider;
    const atBound = bounds?.maxTokens !== undefined && bounds.maxTokens === request.sampling?.maxTokens;
    if (end.reason === 'cut' && atBound) instance?.meter.cut();
    const mayCall = wanted.length === 0 && end.reason === 'said' && request.toolChoice === 'auto';
    if (mayCall && (await announced.only(writer.text().slice(before), provider))) {
      messages.push(...end.messages, { role: 'user', content: announcedOnly });
      continue;
    }
    if (wanted.length === 0) {
      if (end.reason !== 'said') task.noticed({ code: end.reason });
      // what tools gave is not the same another time, and another provider's answer is not this one's
      const isWhole =
        turn === 1 &&
        !isResumed &&
        end.reason === 'said' &&
        outcome.provider === undefined &&
        outcome.unseen.length === 0;
      // nor does what others said around it outlast the run, in an answer that is cached for another run
      const isPassing = task.roomContext.length > 0;
      if (isWhole && !isPassing) await parts.responseCache.save(asking, writer.text());
      return addSpeech(parts, task);
    }
    task.calling();
    const results = await callTools(parts, task, { calls: wanted, offered, scopeNow });
    messages.push(...end.messages, { role: 'tool', content: results });
  }
  if (writer.text() === '')
    throw new ParleyError('EMPTY_ANSWER', `The model called tools ${maxTurns} times.`);
}

const announcedOnly =
  '[You have only said what you are about to do. Do it now, or answer with what you have.]';

/** Sees announcements that stand in the place of an answer: where there are tools, and such words were not asked for. */
function createAnnounced(
  { calls }: Pick<AnswerParts, 'calls'>,
  {
    specs,
    message: { parts },
    writer,
  }: { specs: readonly unknown[]; message: Pick<StoredMessage, 'parts'>; writer: PartWriter },
) {
  let before = false;
  const known = new Set<string>();
  return {
    /** Takes back what was announced in the same words before another call of this answer: once is enough. */
    beforeCall(said: string): void {
      const words = said.trim();
      if (known.has(words)) writer.rethink();
      else if (isAnnouncement(words)) known.add(words);
    },
    /** Whether the model is to be asked once more, as what it said is taken back; throws EMPTY_ANSWER where it was. */
    async only(said: string, provider: Provider): Promise<boolean> {
      if (specs.length === 0 || !isAnnouncement(said)) return false;
      const question = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      if (mayBeAskedFor(question) || (await calls.learned()).known(provider).tools === false) return false;
      if (before) throw new ParleyError('EMPTY_ANSWER', 'The model announced an answer twice.');
      before = true;
      writer.rethink();
      writer.close();
      return true;
    },
  };
}

/** Adds the answer as a voice message where the chat wants it, or says why there is none. */
async function addSpeech({ speakAnswer }: AnswerParts, { run, writer, signal }: AnswerTask): Promise<void> {
  const spoken = await speakAnswer(run, writer.text(), signal);
  if (spoken === undefined) return;
  if ('sentence' in spoken) writer.add('text', `\n\n_(${spoken.sentence})_`);
  else writer.file(spoken);
}

/** One call is enough where one is required, and the last turn is for the answer. */
function toolChoiceOf(turn: number, isToolRequired: boolean): 'auto' | 'none' | 'required' {
  if (turn === maxTurns) return 'none';
  return isToolRequired && turn === 1 ? 'required' : 'auto';
}

/** The run's settings, with no longer an answer than its budget allows. */
function boundedBy(settings: RunSettings | undefined, maxTokens: number | undefined) {
  if (maxTokens === undefined) return settings;
  return { ...settings, maxTokens: Math.min(maxTokens, settings?.maxTokens ?? maxTokens) };
}

/** Writes what the model says in one turn, and gives the calls that it asks for; `came` is called with each piece, before it is written where it is a call. */
async function say(
  pieces: AsyncIterable<ModelPiece>,
  { writer, touch, used, tookOver }: AnswerTask,
  came: (piece: ModelPiece) => void,
) {
  const calls: Call[] = [];
  let provider: Provider | undefined;
  let unseen: RunNotice[] = [];
  let end: Extract<ModelPiece, { type: 'end' }> | undefined;
  for await (const piece of pieces) {
    touch();
    switch (piece.type) {
      case 'text':
      case 'reasoning':
        came(piece);
        if (piece.delta !== '') writer.add(piece.type, piece.delta);
        break;
      case 'was reasoning':
        writer.rethink();
        break;
      case 'unseen':
        unseen = piece.notices;
        break;
      case 'spent':
        if (piece.usage !== undefined) used(piece.usage);
        break;
      case 'tool call':
        came(piece);
        calls.push({ callID: piece.callID, part: writer.open(piece.tool, piece.args) });
        break;
      case 'fallback':
        provider = piece.provider;
        unseen = [];
        tookOver(provider);
        break;
      case 'end':
        end = piece;
        if (piece.usage !== undefined) used(piece.usage);
        break;
    }
  }
  if (end === undefined) throw new ParleyError('PROVIDER_STREAM_BROKEN', 'The stream had no end.');
  // The last part stays open, so that its end and the end of the run can be one transaction.
  if (calls.length > 0) writer.close();
  return { calls, end, provider, unseen };
}
