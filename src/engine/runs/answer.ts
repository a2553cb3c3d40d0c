// The work of a run: context, then model and tools in turns until the model has answered. Not how a run begins or ends.
import type { ModelMessage, ToolResultPart } from 'ai';
import { ParleyError } from '#base/errors.ts';
import type { ContextBuilder } from '#engine/context/build.ts';
import { outputOf } from '#engine/context/history.ts';
import { type CallContext, callModel, type ModelPiece } from '#engine/providers/call-model.ts';
import { detailsOf } from '#engine/providers/failure.ts';
import type { CallUsage } from '#engine/providers/price.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { ToolPart } from '#engine/sessions/part-rows.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { ToolContext, Tools } from '#engine/tools/registry.ts';
import type { PartWriter } from './part-writer.ts';
import type { StoredRun } from './run-rows.ts';

/** Turns of model and tools in one run; in the last one the model has to answer. */
const mostTurns = 8;
/** Calls in one turn; further ones fail in words. */
const mostCalls = 16;

export interface AnswerParts {
  sessions: Sessions;
  context: ContextBuilder;
  tools: Tools;
  calls: CallContext;
}

export interface AnswerTask {
  run: StoredRun;
  provider: Provider;
  /** True when the exchange will be archived. */
  remembers: boolean;
  writer: PartWriter;
  signal: AbortSignal;
  /** Told of every passage of memory that the model is shown, and of the runs whose answers it sees. */
  shown(passages: readonly string[], runIDs: readonly string[]): void;
  /** Told of what each call of the model used. */
  used(usage: CallUsage): void;
  /** Something happened. */
  touch(): void;
}

interface Call {
  callID: string;
  part: ToolPart;
}

/** Writes the whole answer through the task's writer; throws what ends the run otherwise. */
export async function answer(parts: AnswerParts, task: AnswerTask): Promise<void> {
  const { run, provider, signal, writer } = task;
  const message = await parts.sessions.message(run.userMessageID);
  if (message === undefined) throw new Error(`the user message ${run.userMessageID} is missing`);
  const context = await parts.context.build({
    message,
    origin: run.origin,
    remembers: task.remembers,
    takesFile: provider.takesFile,
    signal,
  });
  task.shown(context.recalled, context.runIDs);
  const messages: ModelMessage[] = [...context.messages];
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const request = {
      provider,
      system: context.system,
      messages,
      tools: parts.tools.specs,
      toolChoice: turn === mostTurns ? ('none' as const) : ('auto' as const),
      remembers: task.remembers,
      signal,
    };
    const { calls, end } = await say(callModel(request, parts.calls), task);
    if (end.reason === 'filtered' && writer.text() === '') throw withheld();
    if (calls.length === 0) {
      if (writer.text() === '') throw new ParleyError('EMPTY_ANSWER', 'The model ended without any text.');
      return;
    }
    const results = await runCalls(parts, task, { calls, scope: context.scope });
    messages.push(...end.messages, { role: 'tool', content: results });
  }
  if (writer.text() === '')
    throw new ParleyError('EMPTY_ANSWER', `The model called tools ${mostTurns} times.`);
}

function withheld(): ParleyError {
  return new ParleyError('CONTENT_FILTERED', 'The provider ended the answer with content-filter.');
}

/** Writes what the model says in one turn; gives the calls that it asks for. */
async function say(pieces: AsyncIterable<ModelPiece>, { writer, touch, used }: AnswerTask) {
  const calls: Call[] = [];
  let end: Extract<ModelPiece, { type: 'end' }> | undefined;
  for await (const piece of pieces) {
    touch();
    switch (piece.type) {
      case 'text':
      case 'reasoning':
        writer.add(piece.type, piece.delta);
        break;
      case 'tool call':
        calls.push({ callID: piece.callID, part: writer.open(piece.tool, piece.args) });
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
  return { calls, end };
}

/** Runs the calls one after another and gives their results in order; each state is an event. */
async function runCalls(
  { tools, calls: { log } }: AnswerParts,
  task: AnswerTask,
  { calls, scope }: { calls: Call[]; scope: ToolContext['scope'] },
): Promise<ToolResultPart[]> {
  const { writer, signal } = task;
  const results: ToolResultPart[] = [];
  for (const [index, { callID, part: pending }] of calls.entries()) {
    const { id, type, tool, args } = pending;
    const base = { id, type, tool, args };
    let done: ToolPart;
    if (index >= mostCalls) {
      done = { ...base, state: 'failed', error: `At most ${mostCalls} calls can be made at once.` };
    } else {
      writer.move({ ...base, state: 'running' });
      const outcome = await tools.call(tool, args, { scope, signal });
      if (outcome.status === 'completed') {
        task.shown(outcome.recalled, []);
        done = { ...base, state: 'completed', result: outcome.result };
      } else {
        if (outcome.cause !== undefined) {
          log.warn({ runID: task.run.runID, tool, error: detailsOf(outcome.cause) }, 'tool call failed');
        }
        done = { ...base, state: 'failed', error: outcome.error };
      }
    }
    writer.move(done);
    task.touch();
    results.push({ type: 'tool-result', toolCallId: callID, toolName: tool, output: outputOf(done) });
  }
  return results;
}
