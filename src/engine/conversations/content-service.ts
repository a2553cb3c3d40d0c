// All that persons said, or that was written in chats or sessions, counted, forgotten and given out: in memory, then in conversations.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secrets } from '#base/secrets.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { artifactFolder } from '#engine/artifacts/artifacts.ts';
import type { RunFiles } from '#engine/run-files/run-files.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { ScheduleRows } from '#engine/schedules/schedule-rows.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import { personTimes } from '#engine/wire/schedules/schedule.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import type { ContentForgotten, ContentOf } from '#engine/wire/sessions/content.ts';
import type { ContentService } from '#engine/wire/sessions/content-operations.ts';
import { parsePassage } from '#memory/types/block.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { ForgetResult, Selection } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import type { Branches } from './branches.ts';
import { createSessionContentRows } from './content-rows.ts';

/** Entries of memory that are read at once for an export. */
const page = 1_000;

/** The service over one engine and its memory. */
export function createContentService(options: {
  database: Sqlite;
  home: string;
  tables: RunTables;
  memory: Pick<Memory, 'forget' | 'list' | 'places' | 'exportFiles'>;
  sessions: Pick<Sessions, 'changed'>;
  branches: Pick<Branches, 'deleteSession'>;
  team: TeamSessions;
  runFiles: Pick<RunFiles, 'remove'>;
  /** Ends a session's run and waits until it has stopped. */
  stop(sessionID: string): Promise<unknown>;
  schedules: Pick<ScheduleRows, 'countOf' | 'removeOf'> &
    Pick<ScheduleService, 'listSchedules' | 'personTimes'>;
  secrets: Secrets;
}): ContentService {
  const { database, home, tables, memory, sessions, branches, runFiles, schedules, stop, secrets, team } =
    options;
  const rows = createSessionContentRows(database);

  const everyAudience = async (): Promise<Scope> => ({
    audiences: (await memory.places()).map(({ audience }) => audience),
    spaces: [],
    everyone: true,
    everyPartition: true,
  });
  const inMemory = async (
    of: ContentOf,
    mode: 'preview' | 'forget',
    reason?: string,
  ): Promise<ForgetResult> =>
    memory.forget({
      scope: await everyAudience(),
      selection: selectionOf(of),
      mode,
      by: { name: 'operator' },
      reason: reason === undefined ? undefined : secrets.mask(reason),
    });
  const forgetIn = async (of: ContentOf): Promise<void> => {
    const { whole, single } = rows.find(of);
    const others = new Set(rows.texts(single).map(({ sessionID }) => sessionID));
    for (const sessionID of others) await stop(sessionID);
    const remove = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) // an agent's was deleted with the session that it worked for
        if (tables.conversation.sessions.get(id) !== undefined)
          await branches.deleteSession({ sessionID: id });
    };
    await remove(team.sessionsOfMessages(single));
    await remove(whole);
    const { single: messages, runs, titled } = rows.find(of);
    tables.events.commit(() => {
      team.forgetMessages(messages);
      rows.blank({ single: messages, runs, titled });
      rows.dropRecalled();
      tables.feedback.removePersons(of.persons ?? []);
      schedules.removeOf(of);
    });
    sessions.changed(messages);
    await runFiles.remove(runs);
    for (const runID of runs) await rm(join(home, artifactFolder, runID), { recursive: true, force: true });
    emptyLog(database);
  };

  return {
    async forgetContent({ of, apply, reason }) {
      const { whole, messages, runs } = rows.find(of);
      const scheduled = schedules.countOf(of);
      const counts = (forgotten: ForgetResult): Omit<ContentForgotten, 'applied' | 'remains'> => ({
        memories: forgotten.entries,
        sessions: whole.length,
        messages,
        schedules: scheduled,
        runs: runs.length,
        session_ids: whole,
      });
      if (!apply) return { applied: false, ...counts(await inMemory(of, 'preview')), remains: [] };
      // what is written in between is forgotten by the next call
      await forgetIn(of);
      const forgotten = await inMemory(of, 'forget', reason);
      const left = rows.find(of).messages;
      const remains = left === 0 ? [] : [`${left} messages were written in the meantime`];
      return { applied: true, ...counts(forgotten), remains: [...forgotten.remains, ...remains] };
    },
    async exportContent({ persons }) {
      const scope = await everyAudience();
      const memories: Awaited<ReturnType<ContentService['exportContent']>>['memories'] = [];
      for (let offset = 0; ; offset += page) {
        const entries = await memory.list({ scope, person: persons, limit: page, offset });
        for (const { id, at, source, audience, chat, text } of entries)
          memories.push({ id, at_ms: at, source, audience, chat, text: ownWords(text, audience) });
        if (entries.length < page) break;
      }
      const ids = rows.idsOf({ persons: [...persons] });
      const written = rows
        .texts(ids)
        .filter(({ role, audience }) => role === 'user' || audience?.startsWith('room:') !== true);
      const messages = written.map(({ sessionID, at, role, text }) => ({
        session_id: sessionID,
        at_ms: at,
        role,
        text: role === 'user' ? withoutNotes(text) : text,
      }));
      const audiences = persons.map((person) => `person:${person}` as const);
      const files = await memory.exportFiles({ scope: { audiences, spaces: [], everyone: false } });
      return {
        memories,
        memory_files: files.map(({ path, text }) => ({ path, text })),
        schedules: await schedules.listSchedules({ person: [...persons] }),
        times: personTimes.parse(await schedules.personTimes({ person: [...persons] })),
        spawn_approvals: team.waitingOf(ids),
        feedback: tables.feedback
          .ofPersons(persons)
          .map(({ runID, atMs, rating, emoji }) => ({ run_id: runID, at_ms: atMs, rating, emoji })),
        messages,
      };
    },
  };
}

/** What was answered in a room may hold words of others who were there; in private it is the person's. */
function ownWords(text: string, audience: string): string {
  if (audience.startsWith('person:')) return text;
  const { userText, answered } = parsePassage(text);
  return answered === '' ? text : userText;
}

function selectionOf({ persons, chats, sessions }: ContentOf): Selection {
  if (persons !== undefined && persons.length > 0) return { person: persons };
  return chats !== undefined && chats.length > 0 ? { chat: chats } : { session: sessions };
}
