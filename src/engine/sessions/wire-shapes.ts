// Sessions and messages as clients read them, made from the rows. Pure; times turn from milliseconds into seconds here.
import { defined } from '#base/json.ts';
import type { WirePart, WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';
import type { Message } from './message-rows.ts';
import type { Part } from './part-rows.ts';
import type { Session } from './session-rows.ts';

export interface StoredMessage extends Message {
  parts: Part[];
}

/** What a session is called before anything was written in it. */
export const untitled = 'New session';

/** The session on the wire; without a workspace root of its own its directory takes that place. */
export function toWireSession(session: Session, messages: StoredMessage[], reverts = 0): WireSession {
  const { attachment } = session;
  const workspaceRoot = session.workspaceRoot ?? session.directory;
  return defined({
    id: session.id,
    title: session.title ?? untitled,
    projectID: session.projectID,
    directory: session.directory,
    workspaceRoot,
    originWorkspaceRoot: attachment?.origin,
    attachedFromWorkspace: attachment?.from,
    attachedToWorkspace: attachment && workspaceRoot,
    attachTimestampMs: attachment?.atMs,
    attachReason: attachment?.reason,
    time: { created: seconds(session.createdAtMs), updated: seconds(session.updatedAtMs) },
    model: session.model ?? session.chosenModel,
    sourceKind: session.sourceKind,
    sourceMetadata: session.sourceMetadata,
    parentID: session.parentID,
    place: session.place,
    archived: session.archivedAtMs === undefined ? undefined : true,
    shared: session.sharedAtMs === undefined ? undefined : true,
    reverts: reverts === 0 ? undefined : reverts,
    messages: messages.map(wireMessage),
  });
}

/** The message on the wire. */
export function wireMessage(message: StoredMessage): WireSessionMessage {
  return {
    info: defined({
      id: message.id,
      sessionID: message.sessionID,
      role: message.role,
      time: defined({
        created: seconds(message.createdAtMs),
        completed: message.completedAtMs === undefined ? undefined : seconds(message.completedAtMs),
      }),
      speaker: message.speaker,
      model: message.model,
      error: message.error,
      runID: message.runID,
      reverted: message.revertedAtMs === undefined ? undefined : true,
    }),
    parts: message.parts.map(wirePart),
  };
}

function wirePart(part: Part): WirePart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text };
    case 'file': {
      const { id: _, ...file } = part;
      return file;
    }
    case 'tool': {
      const base = { type: part.type, tool: part.tool, args: part.args, state: part.state };
      if (part.state === 'completed') return { ...base, result: part.result };
      return part.state === 'failed' || part.state === 'denied' ? { ...base, error: part.error } : base;
    }
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
