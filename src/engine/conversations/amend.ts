// Applies what became of a message after its run had begun: its words were changed, or it was deleted.
import { z } from 'zod';
import { truncate } from '#base/text.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import { singleAudienceScope } from '#engine/memory-api/single-audience.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import { existingRun, type StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import { type Sessions, titleLimit, titleOf, updatedEvent } from '#engine/sessions/sessions.ts';
import { attachedIn, deletedNote, goneNote, joinedParts, withoutNotes } from '#engine/wire/channels/notes.ts';
import type { Amendment, ForgottenTurns } from '#engine/wire/runs/amendment.ts';
import { type TodoItem, todoList } from '#engine/wire/sessions/todo.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { RunArchive } from './archive.ts';
import { type Place, placesOf } from './copies.ts';
import { createForgetRun } from './forget-run.ts';
import { forkTitle } from './fork.ts';
import type { Change, LaterAnswers } from './later-answers.ts';

interface AmendOptions {
  tables: RunTables;
  sessions: Pick<Sessions, 'changed'>;
  memory: Pick<Memory, 'forget' | 'forgetTurns'>;
  archive: Pick<RunArchive, 'changing'>;
  team: Pick<TeamSessions, 'sessionsOfMessages'>;
  /** Removes what the agents of a run were given and answered. */
  forgetAgents(run: StoredRun): Promise<void>;
  later: LaterAnswers;
}

/** Forks of forks whose titles are known again. */
const deepestFork = 10;

/** `Engine.amend` and `Engine.forgetTurns` over the tables. Memory forgets first, so that a death in between leaves something to do again. */
export function createAmend(parts: AmendOptions) {
  const { tables, sessions, memory, archive, team, forgetAgents, later } = parts;
  const { conversation, runs, events } = tables;

  const forget = createForgetRun({ tables, memory, team });

  /** The to-do list of the session without what the calls of this answer were the first to note. */
  const withoutTodosOf = (sessionID: string, assistantMessageID: string, record: RecordEvent): void => {
    const noted = notedTodos(conversation.parts.ofMessage(assistantMessageID));
    if (noted.length === 0) return;
    const messages = conversation.messages.ofSession(sessionID);
    const at = messages.findIndex(({ id }) => id === assistantMessageID);
    const before = messages.slice(0, Math.max(0, at)).map(({ id }) => id);
    const earlier = new Set([...conversation.parts.ofMessages(before).values()].flatMap(notedTodos));
    const gone = new Set(noted.filter((content) => !earlier.has(content)));
    const without = (list: readonly TodoItem[]) => list.filter(({ content }) => !gone.has(content));
    for (const { messageID, todos } of conversation.todos.remembered(sessionID))
      conversation.todos.remember(sessionID, { messageID, todos: without(todos) });
    const todos = conversation.todos.get(sessionID);
    const left = without(todos);
    if (left.length === todos.length) return;
    conversation.todos.restore(sessionID, tables.clock.now(), left);
    record({ type: 'todo.updated', properties: { sessionID, todos: left } });
  };
  /** The message as it is now in one session, with what was made of its former words there. */
  const rewriteIn = (place: Place, amendment: Amendment, record: RecordEvent): void => {
    const { sessionID, userMessageID, assistantMessageID } = place;
    const parts = conversation.parts.ofMessage(userMessageID);
    const rewritten = amended(parts, amendment);
    const saved = new Map(rewritten.map((part) => [part.id, part]));
    for (const part of parts) {
      const now = saved.get(part.id);
      if (now === undefined) conversation.parts.remove(part.id);
      else if (now.type === 'text' && now !== part) conversation.parts.setText(part.id, now.text);
    }
    // the model wrote the words into its calls of tools, and no later prompt has them from there
    if (assistantMessageID !== undefined) {
      withoutTodosOf(sessionID, assistantMessageID, record);
      for (const part of conversation.parts.ofMessage(assistantMessageID))
        if (part.type === 'tool') conversation.parts.remove(part.id);
    }
    conversation.summaries.removeFrom(sessionID, userMessageID);
    const session = conversation.sessions.get(sessionID);
    const title = titleOf({ parts });
    const newTitle = truncate(titleOf({ parts: rewritten }) ?? deletedNote, titleLimit);
    const titleNow = title === undefined ? undefined : retitled(session?.title, title, newTitle);
    if (session !== undefined && titleNow !== undefined) {
      conversation.sessions.touch(sessionID, session.updatedAtMs, { title: titleNow });
      record(updatedEvent({ ...session, title: titleNow }));
    }
  };
  /**
   * `gone` is what the message said, with what came with it, and what the messages of the run say now. `isKept` is false where memory has
   * nothing of the run, although it was handed over: then somebody has forgotten it.
   */
  const rewrite = (
    run: StoredRun,
    { gone, isKept }: { gone: Change; isKept: boolean },
    amendment: Amendment,
  ): void => {
    const places = placesOf(conversation, run, amendment.nativeID);
    events.commit((record) => {
      for (const place of places) rewriteIn(place, amendment, record);
      // of messages that were answered together the others stay, with an answer that tells nothing of this one
      const archived = isKept ? undefined : run.archived;
      if (amendment.now !== null) runs.setReworded(run.runID);
      else if (later.isTold(run.text, gone)) runs.setOutdated(run.runID, archived);
      else runs.setArchived(run.runID, archived);
      if (gone.now === '') runs.setArchived(run.runID, 'skipped');
    });
    sessions.changed(
      places.flatMap(({ userMessageID, assistantMessageID = userMessageID }) => [
        userMessageID,
        assistantMessageID,
      ]),
    );
  };

  return {
    async amend(runID: string, amendment: Amendment): Promise<void> {
      const run = existingRun(runs, runID);
      const told = toldBy(conversation.parts.ofMessage(run.userMessageID), amendment);
      const change = {
        ...{ was: told.words, now: amendment.now ?? '' },
        answer: `${run.text}\n${told.attached}`,
      };
      // before too where a later attempt would not find what was spoken or attached any more
      if (told.words !== amendment.was || told.attached !== '') await later.takeBack(run, change);
      await archive.changing(runID, async () => {
        const parts = conversation.parts.ofMessage(run.userMessageID);
        const rewritten = amended(parts, amendment);
        if (rewritten.length === parts.length && rewritten.every((part, at) => part === parts[at])) return;
        if (runs.get(runID)?.status === 'running') tables.outdated.add(runID);
        const now = withoutNotes(textsOf(rewritten));
        const gone = { was: told.words, now, answer: told.attached };
        const had = await forget(run, (text) => later.isTold(text, gone));
        await forgetAgents(run);
        rewrite(run, { gone, isKept: had || run.archived !== 'stored' }, amendment);
      });
      // once memory no longer has the former words, so that no run begins with them; also where a crash left only this to do
      await later.takeBack(run, change);
    },
    async forgetTurns({ audience, message_ids: messageIDs }: ForgottenTurns): Promise<void> {
      await memory.forgetTurns({ audience, messageIDs });
      const quotes = conversation.parts.quoting(audience, messageIDs);
      if (quotes.length === 0) return;
      for (const quote of quotes) await later.takeBackQuoted(quote);
      events.commit(() => {
        for (const { id, type, messageID, sessionID } of quotes) {
          if (type === 'file') conversation.parts.remove(id);
          else conversation.parts.setText(id, goneNote);
          conversation.summaries.removeFrom(sessionID, messageID);
        }
      });
      sessions.changed(quotes.map(({ messageID }) => messageID));
    },
  };
}

/** What a title becomes that was made of words which are others now, also that of a fork, or of a fork of one; undefined for any other title. */
function retitled(title: string | undefined, was: string, now: string): string | undefined {
  for (let [at, next, depth] = [was, now, 0]; depth <= deepestFork; depth += 1) {
    if (title === at) return next;
    [at, next] = [forkTitle(at), forkTitle(next)];
  }
  return undefined;
}

/** What a message said, and what came with it: files, and what it passed on. */
interface Told {
  words: string;
  attached: string;
}

/** Of a message that is deleted all goes, also what was spoken in it and its files; of one that is changed only what was typed. */
function toldBy(parts: readonly Part[], { nativeID, was, now }: Amendment): Told {
  if (now !== null) return { words: was, attached: '' };
  const texts = parts.flatMap((part) =>
    part.type === 'text' && part.nativeID === nativeID && part.text !== deletedNote ? [part.text] : [],
  );
  const said = texts.map(withoutNotes).join('\n');
  return {
    words: said.includes(was) ? said : `${was}\n${said}`,
    attached: texts.map(attachedIn).join('\n').trim(),
  };
}

const textsOf = (parts: readonly Part[]): string =>
  joinedParts(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));

/** What calls of the tool that writes the to-do list noted. */
function notedTodos(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool' || part.tool !== 'todo_write') return [];
    const { data } = z.object({ todos: todoList }).safeParse(part.args);
    return data?.todos.map(({ content }) => content) ?? [];
  });
}

/** `Engine.forgetNote`: the note with what was made of it, as far as it is there, and answers that repeat it. */
export async function forgetNote(
  { memory, later }: Pick<AmendOptions, 'later'> & { memory: Pick<Memory, 'forget'> },
  { memoryID, audience }: { memoryID: string; audience: Audience },
): Promise<void> {
  const of = {
    scope: singleAudienceScope(audience),
    selection: { ids: [memoryID] },
    by: { name: 'gateway' },
  };
  const { samples } = await memory.forget({ ...of, mode: 'preview', samples: 'all' });
  const takeBack = async (): Promise<void> => {
    for (const { text, at } of samples) await later.takeBackNote({ text, at, audience });
  };
  // before, as after a death the text is not known any more; and after, as runs may have begun with it in between
  await takeBack();
  await memory.forget({ ...of, mode: 'forget', proof: 'none' });
  await takeBack();
}

/** The parts of a prompt after the amendment, those that it does not change as they were. */
function amended(parts: readonly Part[], { nativeID, was, now }: Amendment): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type === 'tool' || part.nativeID !== nativeID) return [part];
    if (part.type === 'file') return now === null ? [] : [part];
    if (part.text === deletedNote) return [part];
    if (now === null) return [{ ...part, text: deletedNote }];
    // its words now may hold the former ones: what was done already is not done once more
    if (withoutNotes(part.text) === now) return [part];
    const at = was === '' ? -1 : part.text.indexOf(was);
    if (at === -1) return part.text.includes(now) ? [part] : [{ ...part, text: now }];
    const text = `${part.text.slice(0, at)}${now}${part.text.slice(at + was.length)}`;
    return text === part.text ? [part] : [{ ...part, text: text || deletedNote }];
  });
}
