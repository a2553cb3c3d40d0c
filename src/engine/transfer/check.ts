// Whether the four files fit each other: every id where it is pointed to, and none twice. Words with file and path for the first fault.
import { ParleyError } from '#base/errors.ts';
import {
  type ExportedMission,
  type ExportedRequest,
  type ExportedSession,
  fileNames,
  type SessionMeta,
} from './shapes.ts';

export interface Transfer {
  sessions: ExportedSession[];
  meta: Record<string, SessionMeta>;
  requests: ExportedRequest[];
  missions: ExportedMission[];
}

/** Throws a ParleyError `broken_import` that names file and path. */
export function checkTransfer({ sessions, meta, requests, missions }: Transfer): void {
  const once = createOnce();
  for (const [index, session] of sessions.entries()) {
    once(session.id, fileNames.sessions, `${index}.id`);
    for (const [at, { info }] of session.messages.entries()) {
      const path = `${index}.messages.${at}.info`;
      once(info.id, fileNames.sessions, `${path}.id`);
      if (info.sessionID !== session.id)
        throw invalidImport(
          fileNames.sessions,
          `${path}.sessionID`,
          `expected ${session.id}, got ${info.sessionID}`,
        );
    }
  }
  const byID = new Map(sessions.map((session) => [session.id, session]));
  for (const [sessionID, entry] of Object.entries(meta)) {
    const session = byID.get(sessionID);
    if (session === undefined)
      throw invalidImport(fileNames.meta, sessionID, 'there is no such session in sessions.json');
    checkMeta(session, entry, once);
  }
  for (const [index, { id, sessionID }] of requests.entries()) {
    once(id, fileNames.questions, `${index}.id`);
    if (!byID.has(sessionID))
      throw invalidImport(
        fileNames.questions,
        `${index}.sessionID`,
        'there is no such session in sessions.json',
      );
  }
  const sessionsOfInstances = new Set<string>();
  // Clients choose ids of missions, which may be those of something else.
  const onceAsMission = createOnce();
  for (const [index, mission] of missions.entries()) {
    onceAsMission(mission.id, fileNames.missions, `${index}.id`);
    if (mission.sessionID !== undefined && !byID.has(mission.sessionID))
      throw invalidImport(
        fileNames.missions,
        `${index}.sessionID`,
        'there is no such session in sessions.json',
      );
    checkInstances(mission, { path: `${index}.instances`, once, taken: sessionsOfInstances });
  }
}

type Once = (id: string, file: string, path: string) => void;

/** Throws for an id that it was given before. */
function createOnce(): Once {
  const seen = new Set<string>();
  return (id, file, path) => {
    if (seen.has(id)) throw invalidImport(file, path, `the id ${JSON.stringify(id)} stands twice`);
    seen.add(id);
  };
}

/** Each below one that comes before it, or at the top; two never share a session, which may be deleted. */
function checkInstances(
  { instances }: ExportedMission,
  { path, once, taken }: { path: string; once: Once; taken: Set<string> },
): void {
  const depths = new Map<string, number>();
  for (const [index, { id, parentID, depth, sessionID }] of instances.entries()) {
    const fault = (key: string, words: string): ParleyError =>
      invalidImport(fileNames.missions, `${path}.${index}.${key}`, words);
    once(id, fileNames.missions, `${path}.${index}.id`);
    const above = parentID === undefined ? 0 : depths.get(parentID);
    if (above === undefined) throw fault('parentID', 'no instance before it in this mission has this id');
    if (depth !== above + 1) throw fault('depth', `expected ${above + 1}, got ${depth}`);
    if (taken.has(sessionID)) throw fault('sessionID', 'another instance has this session');
    depths.set(id, depth);
    taken.add(sessionID);
  }
}

function checkMeta({ id, messages }: ExportedSession, meta: SessionMeta, once: Once): void {
  const parts = new Map(messages.map(({ info, parts }) => [info.id, parts.length]));
  const known = (messageID: string, path: string): void => {
    if (!parts.has(messageID))
      throw invalidImport(
        fileNames.meta,
        `${id}.${path}`,
        `the session has no message ${JSON.stringify(messageID)}`,
      );
  };
  for (const [messageID, { parts: exact }] of Object.entries(meta.messages)) {
    known(messageID, `messages.${messageID}`);
    if (exact.length !== parts.get(messageID))
      throw invalidImport(
        fileNames.meta,
        `${id}.messages.${messageID}.parts`,
        `expected ${parts.get(messageID)} entries as in sessions.json, got ${exact.length}`,
      );
  }
  for (const [index, { messageIDs }] of meta.snapshots.entries())
    for (const messageID of messageIDs) known(messageID, `snapshots.${index}.messageIDs`);
  let running = 0;
  for (const [index, run] of meta.runs.entries()) {
    once(run.runID, fileNames.meta, `${id}.runs.${index}.runID`);
    known(run.userMessageID, `runs.${index}.userMessageID`);
    known(run.assistantMessageID, `runs.${index}.assistantMessageID`);
    running += run.status === 'running' ? 1 : 0;
    if (running > 1)
      throw invalidImport(fileNames.meta, `${id}.runs.${index}.status`, 'a session has one running run');
  }
}

/** The error for a file that cannot be imported. */
export function invalidImport(file: string, path: string, words: string, cause?: unknown): ParleyError {
  return new ParleyError('broken_import', `${file}: ${path}: ${words}. Nothing was imported.`, {
    hint: 'Fix the file, or export it again from where it came.',
    cause,
  });
}
