// The calls of tools that a model asks for in one turn: leave first, then the tool, then the files that it wrote.
import type { ToolResultPart } from 'ai';
import { partitionOf } from '#engine/context/agents.ts';
import { outputOf } from '#engine/context/history.ts';
import { noteOriginOf } from '#engine/context/scope-of.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import { detailsOf } from '#engine/providers/calls/failure.ts';
import type { ToolPart } from '#engine/sessions/part-rows.ts';
import type { AnyTool, ToolContext } from '#engine/tools/definition/registry.ts';
import type { AnswerParts, AnswerTask } from './answer-task.ts';

/** Calls in one turn; further ones fail with a message. */
const maxCalls = 16;

export interface Call {
  callID: string;
  part: ToolPart;
}

/** Runs the calls one after another and gives their results in order; each state is an event. */
export async function callTools(
  parts: AnswerParts,
  task: AnswerTask,
  { calls, ...how }: { calls: Call[]; offered: readonly AnyTool[]; scopeNow: () => ToolContext['scope'] },
): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const [index, { callID, part }] of calls.entries()) {
    const done = await endCall(task, { part, ...how }, () =>
      index < maxCalls
        ? runCall(parts, task, { part, ...how })
        : toolPart(part, { state: 'failed', error: `At most ${maxCalls} calls can be made at once.` }),
    );
    results.push({ type: 'tool-result', toolCallId: callID, toolName: part.tool, output: outputOf(done) });
  }
  return results;
}

/** A call and what decides how it is made. */
export interface CallHow {
  part: ToolPart;
  offered: readonly AnyTool[];
  /** Asked when a tool is called, which may wait long for its approval. */
  scopeNow: () => ToolContext['scope'];
  /** True for a call whose leave was given in an earlier life of the run. */
  hasLeave?: boolean | undefined;
}

/** Stores the end of a call that `work` gives, and traces it. */
export async function endCall(
  task: AnswerTask,
  { part, offered }: Pick<CallHow, 'part' | 'offered'>,
  work: () => Promise<ToolPart> | ToolPart,
): Promise<ToolPart> {
  // a model may call a tool by any name: only existing tools are named in events
  const name = offered.find((tool) => tool.name === part.tool)?.name ?? 'unknown';
  const span = task.span.child(`execute_tool ${name}`, {
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
  });
  const done = await work();
  span.end(done.state === 'completed' ? undefined : done.state);
  task.writer.move(done);
  task.touch();
  return done;
}

/** The call as requests for approval and questions about it name it. */
export function askingOf({ run, instance, agent }: AnswerTask, { id, tool, args }: ToolPart): RequestingCall {
  return {
    sessionID: run.sessionID,
    runID: run.runID,
    userMessageID: run.userMessageID,
    messageID: run.assistantMessageID,
    callID: id,
    agent: instance?.leaveOf ?? agent.name,
    shownIn: instance?.shownIn(),
    tool,
    args,
    inRoom: run.origin !== undefined && run.origin.kind !== 'dm',
  };
}

/** One call: leave first, then the tool, then the files that it wrote. */
export async function runCall(
  { tools, permissions, calls: { log } }: AnswerParts,
  task: AnswerTask,
  { part, offered, scopeNow, hasLeave = false }: CallHow,
): Promise<ToolPart> {
  const { run, writer, signal } = task;
  const { tool, args } = part;
  const asking = askingOf(task, part);
  const place = {
    ...noteOriginOf(run.origin, partitionOf(task.agent)),
    projectID: task.projectID,
    zone: run.origin?.speaker.zone,
  };
  const known = offered.find(({ name }) => name === tool);
  const exists = known ?? tools.list().find(({ name }) => name === tool);
  if (known === undefined && exists !== undefined) task.instance?.denied(tool);
  if (exists !== undefined) {
    const at = { platform: run.origin?.platform, otherwise: exists.otherwise };
    const now = known === undefined ? 'deny' : permissions.verdict(tool, at);
    const verdict = now === 'ask' && hasLeave ? 'allow' : now;
    const leave = await task.pause(() =>
      permissions.authorize(asking, { verdict, canAsk: run.canAsk, signal }),
    );
    if (leave.status === 'denied') return toolPart(part, { state: 'denied', error: leave.error });
  }
  const usedUp = task.instance?.meter.beforeTool();
  if (usedUp !== undefined) return toolPart(part, { state: 'failed', error: `${usedUp} Answer now.` });
  task.instance?.count();
  writer.move(toolPart(part, { state: 'running' }));
  const calling = () => tools.call(tool, args, { scope: scopeNow(), place, signal, asking });
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
export function toolPart({ id, type, tool, args }: ToolPart, state: ToolState): ToolPart {
  return { id, type, tool, args, ...state };
}
