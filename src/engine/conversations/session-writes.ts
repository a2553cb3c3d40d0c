// What clients write into a session without a run: a message at its end, and the workspace that it moves to.
import { defined } from '#base/json.ts';
import type { Secrets } from '#base/secrets.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { refuseOtherRequest, requestHashOf } from '#engine/sessions/same-request.ts';
import { titleOf, updatedEvent } from '#engine/sessions/sessions.ts';
import { wireMessage } from '#engine/sessions/wire-shapes.ts';
import type { SessionService } from '#engine/wire/sessions/session-operations.ts';
import { createSessionLookup } from './session-lookup.ts';

/** Why a session was attached where nobody says it, as on the Tandem wire. */
export const usualAttachReason = 'manual_attach';

/** The writes over the tables; `written` is called when there is a new text, in which what this program knows to be secret is masked. */
export function createSessionWrites(
  tables: RunTables,
  { written, secrets }: { written: () => void; secrets: Pick<Secrets, 'maskAll'> },
): Pick<SessionService, 'appendMessage' | 'attachSession'> {
  const { conversation, events, clock, newId } = tables;
  const { sessions, messages, parts } = conversation;
  const { existing, wire } = createSessionLookup(tables);
  return {
    async appendMessage({ sessionID, parts: said }, { idempotencyKey } = {}) {
      const message = { parts: secrets.maskAll(said) };
      const requestHash = requestHashOf({ sessionID, ...message });
      const appended = events.commit((record) => {
        const session = existing(sessionID);
        const known = idempotencyKey === undefined ? undefined : messages.ofKey(idempotencyKey);
        refuseOtherRequest(known?.requestHash, requestHash);
        if (known !== undefined) return known;
        const now = clock.now();
        const row = {
          id: newId('msg'),
          sessionID,
          role: 'user',
          createdAtMs: now,
          completedAtMs: now,
        } as const;
        messages.insert(row, { idempotencyKey, requestHash });
        for (const part of message.parts) parts.insert(row.id, { ...part, id: newId('prt') });
        const title = session.title ?? titleOf(message);
        sessions.touch(sessionID, now, { title });
        record(updatedEvent({ ...session, title }));
        return row;
      });
      written();
      return wireMessage({ ...appended, parts: parts.ofMessage(appended.id) });
    },
    async attachSession({
      sessionID,
      target_workspace: workspaceRoot,
      reason_tag: reason = usualAttachReason,
    }) {
      return events.commit((record) => {
        const session = existing(sessionID);
        const from = session.workspaceRoot ?? session.directory;
        if (from === workspaceRoot) return wire(sessionID);
        const origin = session.attachment === undefined ? from : session.attachment.origin;
        sessions.attach(sessionID, workspaceRoot, {
          ...defined({ origin, from }),
          atMs: clock.now(),
          reason,
        });
        record({
          type: 'session.attached',
          properties: {
            sessionID,
            workspaceRoot,
            attachedToWorkspace: workspaceRoot,
            attachReason: reason,
            ...defined({ attachedFromWorkspace: from }),
          },
        });
        return wire(sessionID);
      });
    },
  };
}
