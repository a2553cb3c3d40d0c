// How a run begins: the user message, the run and its key in one transaction, or the reason why not.
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import { refuseOtherRequest } from '#engine/sessions/same-request.ts';
import type { Session } from '#engine/sessions/session-rows.ts';
import { titleOf, unknownSession } from '#engine/sessions/sessions.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import { endInterrupted } from './interrupt.ts';
import { resumeParts } from './resume-parts.ts';
import type { StoredRun } from './tables/run-row.ts';
import type { RunTables } from './tables/run-tables.ts';

export interface StartRunInput {
  sessionID: string;
  body: PromptBody;
  agent: string;
  /** See `StoredRun`. */
  partition?: string | undefined;
  model: { providerID: string; modelID: string };
  idempotencyKey?: string | undefined;
  /** See `StoredRun`. */
  requestHash?: string | undefined;
  /** Whether an interrupted run of the same key is resumed; see `prompt` of the engine. */
  retryInterrupted: boolean;
  /** The very run that is resumed; it must be the newest one for its message. */
  again?: StoredRun | undefined;
}

export type Begun =
  | {
      status: 'started';
      run: StoredRun;
      /** What earlier lives of the run have done; the beginning of its answer. */
      resumed: readonly Part[];
    }
  | { status: 'replayed'; run: StoredRun }
  | { status: 'conflict'; active: StoredRun };

/**
 * Writes the beginning of a run; call it inside a commit that records with `record`. `isWorking` tells whether this process works on a run
 * that the table calls running. Throws a ParleyError `session_not_found`, or `idempotency_key_reused` for another request under the key.
 */
export function beginRun(
  tables: RunTables,
  beginning: StartRunInput,
  { record, isWorking }: { record: RecordEvent; isWorking: (runID: string) => boolean },
): Begun {
  const { runs, conversation } = tables;
  const { sessionID, idempotencyKey } = beginning;
  const session = conversation.sessions.get(sessionID);
  if (session === undefined) throw unknownSession(sessionID);
  const active = runs.running(sessionID);
  // The end of a run that could not be written (a full disk, say) must not lock its session for ever.
  const stuck = active !== undefined && !isWorking(active.runID);
  if (stuck) endInterrupted(tables, active, record);
  const known = beginning.again ?? (idempotencyKey === undefined ? undefined : runs.ofKey(idempotencyKey));
  if (beginning.again === undefined) refuseOtherRequest(known?.requestHash, beginning.requestHash);
  const again = known?.status === 'interrupted' && beginning.retryInterrupted ? known : undefined;
  if (known !== undefined && again === undefined) return { status: 'replayed', run: known };
  if (beginning.again !== undefined && runs.newest(sessionID)?.runID !== beginning.again.runID)
    return { status: 'replayed', run: beginning.again };
  if (active !== undefined && !stuck) {
    record({ type: 'session.run.conflict', properties: { sessionID, runID: active.runID } });
    return { status: 'conflict', active };
  }
  return { status: 'started', ...insertRun(tables, { ...beginning, again, session }, record) };
}

function insertRun(
  tables: RunTables,
  beginning: StartRunInput & { again: StoredRun | undefined; session: Session },
  record: RecordEvent,
): { run: StoredRun; resumed: readonly Part[] } {
  const { runs, conversation, clock, newId } = tables;
  const { sessionID, session, body, agent, model, idempotencyKey, again } = beginning;
  const now = clock.now();
  const runID = newId('run');
  // A run that is resumed answers the message that is there already.
  const userMessageID = again?.userMessageID ?? insertUserMessage(tables, { sessionID, runID, body, now });
  const assistantMessageID = newId('msg');
  conversation.messages.insert({
    id: assistantMessageID,
    sessionID,
    runID,
    role: 'assistant',
    model,
    createdAtMs: now,
  });
  const title = session.title === undefined ? titleOf(body) : undefined;
  conversation.sessions.touch(sessionID, now, { title, model });
  const run = runs.insert({
    runID,
    sessionID,
    userMessageID,
    assistantMessageID,
    idempotencyKey,
    // of a run that is begun again, and of an agent that another run starts, what was said then
    origin:
      again === undefined
        ? body.origin && { ...body.origin, reachAtMs: body.origin.reachAtMs ?? now }
        : again.origin,
    canAsk: again === undefined ? (body.canAsk ?? body.origin === undefined) : again.canAsk,
    toolAllowlist: again === undefined ? body.toolAllowlist : again.toolAllowlist,
    settings: again === undefined ? body.settings : again.settings,
    requestHash: again === undefined ? beginning.requestHash : again.requestHash,
    agent,
    partition: beginning.partition,
    model,
    startedAtMs: now,
  });
  tables.usage.begin({ runID, sessionID, startedAtMs: now });
  if (title !== undefined) record({ type: 'session.updated', properties: { sessionID, title } });
  const resumes = again?.runID;
  record({
    type: 'session.run.started',
    properties: { sessionID, runID, startedAtMs: now, ...(resumes === undefined ? {} : { resumes }) },
  });
  const resumed = again === undefined ? [] : resumeParts(tables, { from: again, to: run }, record);
  tables.observer.begun(run, record);
  if (resumed.length > 0) tables.observer.resumed(run);
  return { run, resumed };
}

function insertUserMessage(
  { conversation, newId }: RunTables,
  { sessionID, runID, body, now }: { sessionID: string; runID: string; body: PromptBody; now: number },
): string {
  const id = newId('msg');
  const speaker = body.origin && { id: body.origin.speaker.person, name: body.origin.speaker.name };
  conversation.messages.insert({
    id,
    sessionID,
    runID,
    role: 'user',
    speaker,
    createdAtMs: now,
    completedAtMs: now,
  });
  for (const part of body.parts) conversation.parts.insert(id, { ...part, id: newId('prt') });
  return id;
}
