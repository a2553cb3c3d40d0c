// The work of a run: context, then model and tools in turns until the model has answered.
import type { ModelMessage, ToolResultPart } from 'ai';
import { ParleyError } from '#base/errors.ts';
import type { Parent } from '#base/tracing.ts';
import type { ActiveMemory } from '#engine/active/active-memory.ts';
import { type Agent, partitionOf } from '#engine/context/agents.ts';
import type { Context, ContextBuilder } from '#engine/context/build.ts';
import { outputOf } from '#engine/context/history.ts';
import { noteOriginOf } from '#engine/context/scope-of.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import { type CallContext, callModel } from '#engine/providers/call-model.ts';
import { detailsOf } from '#engine/providers/calls/failure.ts';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { ModelPiece } from '#engine/providers/model-piece.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { ToolPart } from '#engine/sessions/part-rows.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { type AnyTool, specsOf, type ToolContext, type Tools } from '#engine/tools/registry.ts';
import type { RunSettings } from '#engine/wire/runs/prompt.ts';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { GivenPassage } from '#memory/types/dreaming.ts';
import type { RunInstance } from './instance.ts';
import { offeredTools } from './offered.ts';
import type { PartWriter } from './part-writer.ts';
import type { ResponseCache } from './response-cache.ts';
import type { SpeakAnswer } from './spoken-answer.ts';
import type { StoredRun } from './tables/run-row.ts';

/** Turns of model and tools in one run; in the last one the model has to answer. */
const maxTurns = 8;
/** Calls in one turn; further ones fail with a message. */
const maxCalls = 16;

export interface AnswerParts {
  sessions: Sessions;
  context: ContextBuilder;
  tools: Tools;
  permissions: Pick<Permissions, 'verdict' | 'authorize'>;
  calls: CallContext;
  responseCache: Pick<ResponseCache, 'of' | 'save'>;
  activeMemory: Pick<ActiveMemory, 'lookFor'>;
  speakAnswer: SpeakAnswer;
}

interface AnswerTask {
  run: StoredRun;
  provider: Provider;
  agent: Agent;
  /** Set for the run of an instance of a mission. */
  instance: RunInstance | undefined;
  /** Notes on what others said around the prompt. */
  roomContext: readonly string[];
  /** The project of the session. */
  projectID: string | undefined;
  /** True when the exchange will be archived. */
  remembers: boolean;
  writer: PartWriter;
  signal: AbortSignal;
  /** The run's own, which its calls' events carry. */
  span: Parent;
  /** Waits for a person: time that the run is not charged for. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Receives every passage of memory that the model is shown, and of the runs whose answers it sees. */
  shown(passages: readonly string[], runIDs: readonly string[]): void;
  /** Receives how many messages the prompt neither has nor summarizes, and how full the history is; see `Context`. */
  sent(conversation: Pick<Context, 'leftOut' | 'fullness'>): void;
  /** Told how many of the passages that it is shown first are memory files. */
  injected(files: number): void;
  /** Receives what was found in memory for the run. */
  found(passages: readonly GivenPassage[]): void;
  /** Receives what each call of the model used. */
  used(usage: CallUsage): void;
  /** Told before tools are called. */
  calling(): void;
  /** Told when another provider has taken over. */
  tookOver(provider: Provider): void;
  /** Something happened. */
  touch(): void;
  /** Called with what the prompt is made of, before it is sent. */
  prompted(made: StoredPrompt): void;
}

interface Call {
  callID: string;
  part: ToolPart;
}

/** Writes the whole answer through the task's writer; throws what ends the run otherwise. */
export async function generateAnswer(parts: AnswerParts, task: AnswerTask): Promise<void> {
  const { run, agent, signal, writer, instance } = task;
  let { provider } = task;
  const message = await parts.sessions.message(run.userMessageID);
  if (message === undefined) throw new Error(`the user message ${run.userMessageID} is missing`);
  const context = await parts.context.build({
    message,
    agent,
    origin: run.origin,
    remembers: task.remembers,
    roomContext: task.roomContext,
    takesFile: provider.takesFile,
    contextMode: run.settings?.contextMode,
    look: parts.activeMemory.lookFor(task),
    signal,
  });
  task.shown(context.recalled, context.runIDs);
  task.prompted(context.made);
  task.injected(context.injected);
  task.found(context.found);
  // what was left out because it was asked for needs no summary
  if (run.settings?.contextMode !== 'compact') task.sent(context);
  const messages: ModelMessage[] = [...context.messages];
  const at = { platform: run.origin?.platform, canAsk: run.canAsk, allowlist: run.toolAllowlist };
  const offered = offeredTools(parts, agent, at);
  const isToolRequired = run.settings?.toolMode === 'required';
  if (isToolRequired && offered.length === 0)
    throw new ParleyError('NO_TOOL_TO_CALL', 'A tool is required, and the run has none.');
  const specChars = instance === undefined ? 0 : JSON.stringify(specsOf(offered)).length;
  const asking = { run, provider, context, offered };
  const known = await parts.responseCache.of(asking);
  if (known !== undefined) {
    writer.add('text', known);
    return addSpeech(parts, task);
  }
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const bounds = instance?.meter.beforeCall(
      specChars + context.system.length + JSON.stringify(messages).length,
    );
    const request = {
      provider,
      system: context.system,
      messages,
      tools: specsOf(offered),
      toolChoice: bounds?.mustAnswer === true ? ('none' as const) : toolChoiceOf(turn, isToolRequired),
      sampling: boundedBy(run.settings, bounds?.maxTokens),
      remembers: task.remembers,
      signal,
      under: task.span,
    };
    const before = writer.text().length;
    const outcome = await say(callModel(request, parts.calls), task);
    const { calls, end } = outcome;
    instance?.meter.afterCall(end.usage, writer.text().length - before + JSON.stringify(calls).length);
    provider = outcome.provider ?? provider;
    if (end.reason === 'filtered' && writer.text() === '')
      throw new ParleyError('CONTENT_FILTERED', 'The provider ended the answer with content-filter.');
    if (calls.length === 0) {
      if (writer.text() === '') throw new ParleyError('EMPTY_ANSWER', 'The model ended without any text.');
      // what tools gave is not the same another time, and another provider's answer is not this one's
      const isWhole = turn === 1 && end.reason === 'said' && outcome.provider === undefined;
      // nor does what others said around it outlast the run, in an answer that is stored for another
      const isPassing = task.roomContext.length > 0;
      if (isWhole && !isPassing) await parts.responseCache.save(asking, writer.text());
      return addSpeech(parts, task);
    }
    task.calling();
    const results = await runCalls(parts, task, { calls, offered, scope: context.scope });
    messages.push(...end.messages, { role: 'tool', content: results });
  }
  if (writer.text() === '')
    throw new ParleyError('EMPTY_ANSWER', `The model called tools ${maxTurns} times.`);
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

/** Writes what the model says in one turn; gives the calls that it asks for. */
async function say(pieces: AsyncIterable<ModelPiece>, { writer, touch, used, tookOver }: AnswerTask) {
  const calls: Call[] = [];
  let provider: Provider | undefined;
  let end: Extract<ModelPiece, { type: 'end' }> | undefined;
  for await (const piece of pieces) {
    touch();
    switch (piece.type) {
      case 'text':
      case 'reasoning':
        if (piece.delta !== '') writer.add(piece.type, piece.delta);
        break;
      case 'tool call':
        calls.push({ callID: piece.callID, part: writer.open(piece.tool, piece.args) });
        break;
      case 'fallback':
        provider = piece.provider;
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
  return { calls, end, provider };
}

/** Runs the calls one after another and gives their results in order; each state is an event. */
async function runCalls(
  parts: AnswerParts,
  task: AnswerTask,
  { calls, ...how }: { calls: Call[]; offered: readonly AnyTool[]; scope: ToolContext['scope'] },
): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const [index, call] of calls.entries()) {
    const { callID, part } = call;
    // a model may call a tool by any name: only existing tools are named in events
    const name = how.offered.find((tool) => tool.name === part.tool)?.name ?? 'unknown';
    const span = task.span.child(`execute_tool ${name}`, {
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
    });
    const done =
      index < maxCalls
        ? await runCall(parts, task, { part, ...how })
        : toolPart(part, { state: 'failed', error: `At most ${maxCalls} calls can be made at once.` });
    span.end(done.state === 'completed' ? undefined : done.state);
    task.writer.move(done);
    task.touch();
    results.push({ type: 'tool-result', toolCallId: callID, toolName: part.tool, output: outputOf(done) });
  }
  return results;
}

/** One call: leave first, then the tool, then the files that it wrote. */
async function runCall(
  { tools, permissions, calls: { log } }: AnswerParts,
  task: AnswerTask,
  { part, offered, scope }: { part: ToolPart; offered: readonly AnyTool[]; scope: ToolContext['scope'] },
): Promise<ToolPart> {
  const { run, writer, signal } = task;
  const { tool, args } = part;
  const asking: RequestingCall = {
    sessionID: run.sessionID,
    runID: run.runID,
    userMessageID: run.userMessageID,
    messageID: run.assistantMessageID,
    callID: part.id,
    agent: task.instance?.leaveOf ?? task.agent.name,
    shownIn: task.instance?.shownIn(),
    tool,
    args,
    inRoom: run.origin !== undefined && run.origin.kind !== 'dm',
  };
  const place = { ...noteOriginOf(run.origin, partitionOf(task.agent)), projectID: task.projectID };
  const known = offered.find(({ name }) => name === tool);
  const exists = known ?? tools.list().find(({ name }) => name === tool);
  if (known === undefined && exists !== undefined) task.instance?.denied(tool);
  if (exists !== undefined) {
    const at = { platform: run.origin?.platform, otherwise: exists.otherwise };
    const verdict = known === undefined ? 'deny' : permissions.verdict(tool, at);
    const leave = await task.pause(() =>
      permissions.authorize(asking, { verdict, canAsk: run.canAsk, signal }),
    );
    if (leave.status === 'denied') return toolPart(part, { state: 'denied', error: leave.error });
  }
  const usedUp = task.instance?.meter.beforeTool();
  if (usedUp !== undefined) return toolPart(part, { state: 'failed', error: `${usedUp} Answer now.` });
  writer.move(toolPart(part, { state: 'running' }));
  const calling = () => tools.call(tool, args, { scope, place, signal, asking });
  const outcome = await (exists?.waits === true ? task.pause(calling) : calling());
  if (outcome.status === 'completed') {
    task.shown(outcome.recalled, []);
    task.found(outcome.found);
    for (const file of outcome.files) writer.file(file);
    return toolPart(part, { state: 'completed', result: outcome.result });
  }
  if (outcome.cause !== undefined)
    log.warn({ runID: run.runID, tool, error: detailsOf(outcome.cause) }, 'tool call failed');
  return toolPart(part, { state: 'failed', error: outcome.error });
}

type ToolState =
  | { state: 'running' }
  | { state: 'completed'; result: unknown }
  | { state: 'failed' | 'denied'; error: string };

/** The part in another state. */
function toolPart({ id, type, tool, args }: ToolPart, state: ToolState): ToolPart {
  return { id, type, tool, args, ...state };
}
