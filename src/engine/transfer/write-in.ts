// One exported session, request or mission, written into the tables as it was. Called inside a transaction that is committed or rolled back as a whole.

import { defined } from '#base/json.ts';
import type { Message } from '#engine/sessions/message-rows.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { Attachment } from '#engine/sessions/session-rows.ts';
import { untitled } from '#engine/sessions/wire-shapes.ts';
import { isOpen } from '#engine/teams/instance-rows.ts';
import { withoutErrorText } from '#engine/wire/sessions/error-text.ts';
import type { WirePart, WireSessionMessage } from '#engine/wire/sessions/message.ts';
import {
  type ExportedMission,
  type ExportedRequest,
  type ExportedRun,
  type ExportedSession,
  type SessionMeta,
  sessionMeta,
} from './shapes.ts';
import type { TransferTables } from './tables.ts';

/** Writes the session with its messages, flags, snapshots and runs; it must not be there yet. */
export function sessionInto(
  tables: TransferTables,
  session: ExportedSession,
  meta: SessionMeta = sessionMeta.parse({}),
): void {
  const { id, title, time, projectID, directory, sourceKind, sourceMetadata, model } = session;
  const createdAtMs = meta.createdAtMs ?? time.created * 1000;
  const updatedAtMs = meta.updatedAtMs ?? time.updated * 1000;
  const archived = meta.archived || session.archived === true;
  const shared = meta.shared || session.shared === true;
  tables.sessions.insert({
    id,
    createdAtMs,
    updatedAtMs,
    ...defined({
      title: meta.untitled === true || title === untitled ? undefined : title,
      projectID,
      directory,
      workspaceRoot: session.workspaceRoot === directory ? undefined : session.workspaceRoot,
      chosenModel: meta.chosenModel,
      requestHash: meta.requestHash,
      sourceKind,
      sourceMetadata,
      model,
      attachment: attachmentOf(session),
      archivedAtMs: archived ? (meta.archivedAtMs ?? updatedAtMs) : undefined,
      sharedAtMs: shared ? (meta.sharedAtMs ?? updatedAtMs) : undefined,
      parentID: meta.parentID ?? session.parentID,
      idempotencyKey: meta.idempotencyKey,
    }),
  });
  tables.todos.restore(id, updatedAtMs, meta.todos);
  for (const message of session.messages) messageInto(tables, message, meta);
  for (const list of meta.todoLists) tables.todos.remember(id, list);
  for (const { messageIDs, takenAtMs } of meta.snapshots) tables.snapshots.push(id, messageIDs, takenAtMs);
  for (const run of meta.runs) runInto(tables, id, run);
}

function attachmentOf({
  originWorkspaceRoot: origin,
  attachedFromWorkspace: from,
  attachTimestampMs: atMs,
  attachReason: reason = '',
}: ExportedSession): Attachment | undefined {
  return atMs === undefined ? undefined : { ...defined({ origin, from }), atMs, reason };
}

function messageInto({ messages, parts }: TransferTables, told: WireSessionMessage, meta: SessionMeta): void {
  const { info, parts: content } = withoutErrorText(told);
  const exact = meta.messages[info.id];
  const createdAtMs = exact?.createdAtMs ?? info.time.created * 1000;
  const completed = info.time.completed === undefined ? undefined : info.time.completed * 1000;
  const message: Message = {
    id: info.id,
    sessionID: info.sessionID,
    role: info.role,
    createdAtMs,
    ...defined({
      runID: info.runID,
      speaker: info.speaker,
      model: info.model,
      error: info.error,
      completedAtMs: exact === undefined ? completed : exact.completedAtMs,
      revertedAtMs: exact === undefined && info.reverted === true ? createdAtMs : exact?.revertedAtMs,
    }),
  };
  messages.insert(message);
  for (const [index, part] of content.entries()) {
    const known = exact?.parts[index];
    parts.insert(info.id, partOf(part, known?.id ?? `prt_${info.id}_${index}`));
  }
}

/** A stored part from its wire shape. Where that has no state, a result means completed, an error failed, neither that it did not end. */
function partOf(part: WirePart, id: string): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { id, type: part.type, text: part.text };
    case 'file':
      return { id, ...part };
    case 'tool': {
      const { state, error, result } = part;
      const base = { id, type: part.type, tool: part.tool, args: part.args };
      if (error !== undefined) return { ...base, state: state === 'denied' ? 'denied' : 'failed', error };
      if (state === 'pending' || state === 'running') return { ...base, state };
      if (result === undefined && state === undefined) return { ...base, state: 'pending' };
      return { ...base, state: 'completed', result };
    }
  }
}

function runInto(tables: TransferTables, sessionID: string, run: ExportedRun): void {
  const {
    runID,
    status,
    finishedAtMs,
    text,
    failure,
    notices,
    recalled,
    seenRuns,
    given,
    deliveredAtMs,
    nativeIDs = [],
  } = run;
  tables.runs.insert({ ...run, sessionID });
  if (status !== 'running')
    tables.runs.end(runID, {
      status,
      finishedAtMs: finishedAtMs ?? run.startedAtMs,
      text,
      failure,
      notices,
      recalled,
      seenRuns,
      given,
    });
  if (deliveredAtMs !== undefined) tables.runs.deliver(runID, deliveredAtMs, nativeIDs);
  if (run.outdated === true) tables.runs.setOutdated(runID);
  if (run.archived !== undefined) tables.runs.setArchived(runID, run.archived);
  if (run.usage !== undefined) {
    // What a deleted session used stays counted, so its row may be there.
    if (tables.usage.get(runID) === undefined)
      tables.usage.begin({ runID, sessionID, startedAtMs: run.startedAtMs });
    tables.usage.restore(runID, run.usage);
    if (status !== 'running') tables.usage.end(runID, status);
  }
  for (const artifact of run.artifacts ?? []) tables.artifacts.insert({ ...artifact, sessionID, runID });
}

/** Writes what people were asked; false when it is there already. */
export function requestInto({ requests }: TransferTables, exported: ExportedRequest): boolean {
  const { tool, toolName, actionDigest, state, reply, by, settledAtMs, ...rest } = exported;
  if (requests.get(rest.id) !== undefined) return false;
  requests.insert({
    ...rest,
    callID: tool.callID,
    tool: toolName,
    digest: actionDigest,
    state: 'pending',
  });
  if (state === 'pending') return true;
  const at = settledAtMs ?? rest.expiresAtMs;
  requests.settle(rest.id, { state: state === 'taken' ? 'answered' : state, reply, by, at });
  if (state === 'taken') requests.take(rest.id);
  return true;
}

/** Writes the mission with its instances. What was still working at `now` is interrupted: nobody works on it here. */
export function missionInto(
  { teams }: TransferTables,
  { instances, ...mission }: ExportedMission,
  now: number,
): void {
  const error = 'It was exported while it was working.';
  const stopped = { status: 'interrupted', endedAtMs: now } as const;
  teams.missions.insert({
    ...mission,
    ...(mission.status === 'active' ? { ...stopped, reason: error } : {}),
  });
  for (const instance of instances)
    teams.instances.insert({
      ...instance,
      missionID: mission.id,
      ...(isOpen(instance) ? { ...stopped, error } : {}),
    });
}
