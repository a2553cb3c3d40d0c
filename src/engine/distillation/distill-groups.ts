// What is distilled together: the lines of a conversation that were written in one place, so that no fact rests on the words of two audiences.
import { ParleyError } from '#base/errors.ts';
import { type Agents, partitionOfRun } from '#engine/context/agents.ts';
import type { TranscriptLine } from '#engine/context/distillation.ts';
import { noteOriginOf, operator } from '#engine/context/scope-of.ts';
import { wordsOfMessage } from '#engine/context/speech.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { MemoryDistill } from '#engine/wire/memory/memory-context.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import type { Audience } from '#memory/types/scope.ts';

type NoteOrigin = ReturnType<typeof noteOriginOf>;

/** A line, and the account that said it where that is known. */
export interface SpokenLine extends TranscriptLine {
  person?: string | undefined;
  /** When it was written, in milliseconds since the epoch; undefined where that is not known. */
  at?: number | undefined;
}

/** Lines of one audience that are as private as each other; `place` is where the newest of them was written. */
export interface Group {
  place: NoteOrigin;
  lines: SpokenLine[];
}

/** Messages of a session that are looked at: the newest, summarized or not. */
const maxMessages = 200;

interface GroupsOptions {
  tables: Pick<RunTables, 'runs'>;
  sessions: Pick<Sessions, 'recent' | 'has'>;
  /** The agents whose memory the facts are for. */
  agents: Pick<Agents, 'named'>;
}

/**
 * The groups of what is to be distilled, all of the audience that the request names, if it names one. A line belongs where the run was
 * asked that it is of; one of no known run, in a session that has runs of chats, belongs to nobody and is left out. What the request
 * brings along is of one audience: that of the session, or the one that is named. Throws a ParleyError `audience_mismatch` for an
 * audience that nothing was written for, or where more than one could be meant, and `session_not_found`.
 */
export async function groupsOf(options: GroupsOptions, request: MemoryDistill): Promise<Group[]> {
  const { session_id: sessionID, conversation, audience } = request;
  const known = await options.sessions.has(sessionID);
  if (conversation.length > 0) {
    const place = known ? givenPlace(options, request) : outsidePlace(audience);
    return [{ place, lines: givenLines(request) }];
  }
  if (!known)
    throw new ParleyError('session_not_found', `There is no session ${JSON.stringify(sessionID)}.`, {
      hint: 'Send the conversation along.',
    });
  const { messages } = await options.sessions.recent(sessionID, { limit: maxMessages, summarized: 'too' });
  const whole = messages.filter(({ error }) => error === undefined);
  const groups = groupsOfMessages(options, request, whole);
  const audiences = new Set(groups.map(({ place }) => place.where.audience));
  if (audience === undefined || groups.length === 0) return groups;
  if (!audiences.has(audience)) throw mismatch(sessionID, audiences);
  return groups.filter(({ place }) => place.where.audience === audience);
}

const takenBack = '[taken back]';

interface PlaceOfRun {
  place: NoteOrigin;
  at: number | undefined;
  isOutdated: boolean;
}

/** Messages of a session by the place in which their runs were asked, in their order. Reads only the rows of runs. */
export function groupsOfMessages(
  { tables, agents }: Pick<GroupsOptions, 'tables' | 'agents'>,
  { session_id: sessionID, subject = 'operator' }: Pick<MemoryDistill, 'session_id' | 'subject'>,
  messages: readonly StoredMessage[],
): Group[] {
  const inChat = tables.runs.ofSession(sessionID).some(({ origin }) => origin !== undefined);
  const places = new Map<string, PlaceOfRun | undefined>();
  const placeOfRun = (runID: string | undefined): PlaceOfRun | undefined => {
    const key = runID ?? '';
    if (!places.has(key)) {
      const run = runID === undefined ? undefined : tables.runs.get(runID);
      const known = run !== undefined || !inChat;
      const partition = run === undefined ? undefined : partitionOfRun(run, agents);
      places.set(
        key,
        known
          ? {
              place: noteOriginOf(run?.origin, partition),
              at: run?.origin?.at,
              isOutdated: run?.outdated === true,
            }
          : undefined,
      );
    }
    return places.get(key);
  };
  const groups = new Map<string, Group>();
  for (const message of messages) {
    const found = placeOfRun(message.runID);
    if (found === undefined) continue;
    const { place, at = message.createdAtMs } = found;
    const { audience, space, restricted, partition } = place.where;
    const key = JSON.stringify([audience, space, restricted, partition]);
    const line: SpokenLine = {
      role: message.role,
      speaker: message.speaker?.name ?? subject,
      // an answer to words that were taken back is in no memory; its line stays, as lines are cited by their number
      ...(found.isOutdated && message.role === 'assistant'
        ? { text: takenBack }
        : { text: spokenText(message), messageID: message.id }),
      person: message.role === 'user' ? place.person : undefined,
      at,
    };
    groups.set(key, { place, lines: [...(groups.get(key)?.lines ?? []), line] });
  }
  return [...groups.values()];
}

const spokenText = (message: StoredMessage): string =>
  withoutNotes(removeMemoryBlocks(wordsOfMessage(message)));

/** Whether each of these lines says now what it says here: its message may have been edited or deleted since. Lines of no message do. */
export async function areUnchanged(
  { sessions }: Pick<GroupsOptions, 'sessions'>,
  sessionID: string,
  lines: readonly SpokenLine[],
): Promise<boolean> {
  const known = lines.filter(({ messageID }) => messageID !== undefined);
  if (known.length === 0) return true;
  const { messages } = await sessions.recent(sessionID, { limit: maxMessages, summarized: 'too' });
  const texts = new Map(messages.map((message) => [message.id, spokenText(message)]));
  return known.every(({ messageID = '', text }) => texts.get(messageID) === text);
}

function givenLines({ conversation, subject = 'operator' }: MemoryDistill): SpokenLine[] {
  return conversation.map(({ role, content, speaker = subject }) => ({
    role,
    speaker,
    text: removeMemoryBlocks(content).trim(),
  }));
}

/** Of a session that this engine does not know. */
function outsidePlace(audience: Audience = operator): NoteOrigin {
  return { ...noteOriginOf(undefined), where: { audience, restricted: true } };
}

/** Whose a conversation is that someone says a known session had; as private as the most private part of that session. */
function givenPlace(
  { tables, agents }: GroupsOptions,
  { session_id: sessionID, audience }: MemoryDistill,
): NoteOrigin {
  const runs = tables.runs.ofSession(sessionID);
  const all = (runs.length === 0 ? [undefined] : runs).map((run) =>
    noteOriginOf(run?.origin, run === undefined ? undefined : partitionOfRun(run, agents)),
  );
  const audiences = new Set(all.map(({ where }) => where.audience));
  const own = all.filter(({ where }) => audience === undefined || where.audience === audience);
  const newest = own.at(-1);
  if (newest === undefined || (audience === undefined && audiences.size > 1))
    throw mismatch(sessionID, audiences);
  const restricted = own.some(({ where }) => where.restricted);
  return { ...newest, where: { ...newest.where, restricted } };
}

function mismatch(sessionID: string, audiences: ReadonlySet<string>): ParleyError {
  const all = [...audiences].join(', ');
  return new ParleyError('audience_mismatch', `What was written in ${sessionID} belongs to ${all}.`, {
    hint:
      audiences.size > 1
        ? 'Name one of them, or send no conversation along.'
        : 'Leave the audience out, or name that one.',
  });
}
