// What the tables hold, as an export has it. Changes nothing.
import { defined } from '#base/json.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { toWireSession } from '#engine/sessions/wire-shapes.ts';
import type {
  ExportedMission,
  ExportedRequest,
  ExportedRun,
  ExportedSession,
  SessionMeta,
} from './shapes.ts';
import type { TransferTables } from './tables.ts';

/** One session with all its messages. */
export function sessionOut(tables: TransferTables, sessionID: string): ExportedSession {
  return toWireSession(sessionIn(tables, sessionID), messagesOf(tables, sessionID));
}

/** What its wire shape rounds or leaves out, its runs among it. */
export function metaOut(tables: TransferTables, sessionID: string): SessionMeta {
  const session = sessionIn(tables, sessionID);
  const { createdAtMs, updatedAtMs, archivedAtMs, sharedAtMs, parentID } = session;
  const { idempotencyKey, requestHash, chosenModel } = session;
  return {
    archived: archivedAtMs !== undefined,
    shared: sharedAtMs !== undefined,
    todos: tables.todos.get(sessionID),
    todoLists: tables.todos.remembered(sessionID),
    snapshots: tables.snapshots.ofSession(sessionID),
    createdAtMs,
    updatedAtMs,
    ...defined({ parentID, archivedAtMs, sharedAtMs, idempotencyKey, requestHash, chosenModel }),
    ...(session.title === undefined ? { untitled: true as const } : {}),
    messages: Object.fromEntries(
      messagesOf(tables, sessionID).map((message) => [
        message.id,
        {
          createdAtMs: message.createdAtMs,
          ...defined({ completedAtMs: message.completedAtMs, revertedAtMs: message.revertedAtMs }),
          parts: message.parts.map((part) => ({ id: part.id })),
        },
      ]),
    ),
    runs: tables.runs.ofSession(sessionID).map((run) => runOut(tables, run)),
  };
}

/** Everything that people were asked, oldest first. */
export function requestsOut(tables: TransferTables): ExportedRequest[] {
  return tables.requests.all().map((request) => {
    const { callID, messageID, tool, digest, questions, reply, by, settledAtMs, ...rest } = request;
    return {
      ...rest,
      messageID,
      tool: { callID, messageID },
      toolName: tool,
      actionDigest: digest,
      ...defined({ questions, by, settledAtMs }),
      ...(reply === undefined ? {} : { reply }),
    };
  });
}

/** Every mission with its instances, oldest first. */
export function missionsOut({ teams: { missions, instances } }: TransferTables): ExportedMission[] {
  const all = missions.page({}, Number.MAX_SAFE_INTEGER).toReversed();
  return all.map((mission) => ({
    ...mission,
    instances: instances.ofMission(mission.id).map(({ missionID: _, ...instance }) => instance),
  }));
}

function runOut(tables: TransferTables, run: StoredRun): ExportedRun {
  const {
    sessionID: _,
    artifacts: _public,
    model = { providerID: 'unknown', modelID: 'unknown' },
    ...rest
  } = run;
  const artifacts = tables.artifacts
    .ofRun(run.runID)
    .map(({ sessionID: _session, runID: _run, ...artifact }) => artifact);
  return {
    ...rest,
    model,
    ...defined({ usage: tables.usage.get(run.runID) }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
  };
}

function sessionIn(tables: TransferTables, sessionID: string) {
  const session = tables.sessions.withPlace(sessionID);
  if (session === undefined) throw new Error(`session ${sessionID} was listed and cannot be read`);
  return session;
}

function messagesOf({ messages, parts }: TransferTables, sessionID: string): StoredMessage[] {
  const found = messages.ofSession(sessionID);
  const byMessage = parts.ofMessages(found.map(({ id }) => id));
  return found.map((message) => ({ ...message, parts: byMessage.get(message.id) ?? [] }));
}
