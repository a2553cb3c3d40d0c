// What one person said in people's own talk, as a chunk: masked, with its conversation, speaker, time and audience.
import type { z } from 'zod';
import { formatZodError } from '#base/json.ts';
import type { NewChunk } from '#memory/chunks/sources.ts';
import { formatPassage } from '#memory/types/block.ts';
import type { Provenance } from '#memory/types/scope.ts';
import type { ImportContext } from './item.ts';
import type { Tally } from './tally.ts';

/** Of a platform or a file, the same for every turn of one conversation. */
export interface ImportedConversation {
  /** Named in session ids. */
  id: string;
  where: Provenance;
  platform: string;
  /** Canonical address, or a word for where else it came from. */
  chat: string;
  projectID?: string | undefined;
}

export interface ImportedMessage {
  /** Its own id in its conversation. */
  id: string;
  /** Turns of one session follow each other. */
  session: string;
  /** In milliseconds since the epoch. */
  at: number;
  speaker: string;
  /** Whose it is, as `platform:ID`; by the name alone where nothing else is known. */
  person?: string | undefined;
  text: string;
  /** What was sent along: what a picture shows, or the name of a file. */
  caption?: string | undefined;
}

/** The chunk of a turn; undefined when nothing was written. */
export async function draftOf(
  turn: ImportedMessage,
  of: ImportedConversation,
  { redact }: ImportContext,
): Promise<NewChunk | undefined> {
  const whole = turn.caption === undefined ? turn.text : `${turn.text}\n[${turn.caption}]`;
  const { text: userText } = await redact(whole.trim());
  if (userText === '') return undefined;
  return {
    source: 'turn',
    audience: of.where.audience,
    space: of.where.space,
    restricted: of.where.restricted,
    at: Math.round(turn.at),
    lastWrittenAt: Math.round(turn.at),
    speaker: turn.speaker,
    person: turn.person ?? `said:${turn.speaker}`,
    platform: of.platform,
    chat: of.chat,
    sessionID: `${of.id}/${turn.session}`,
    projectID: of.projectID,
    workspaceRoot: undefined,
    runID: '',
    messageIDs: [turn.id],
    tokenCount: Math.ceil(userText.length / 4),
    content: formatPassage({ speaker: turn.speaker, userText, answered: '' }),
    userText: userText,
    assistantText: '',
    about: '',
    metadata: { pieces: 1 },
  };
}

/** The chunks of these turns, in order, without those in which nothing was written. */
export async function* draftsOf(
  turns: Iterable<ImportedMessage> | AsyncIterable<ImportedMessage>,
  of: ImportedConversation,
  reading: ImportContext,
): AsyncGenerator<NewChunk> {
  for await (const turn of turns) {
    const draft = await draftOf(turn, of, reading);
    if (draft === undefined) reading.tally.skip('empty');
    else yield draft;
  }
}

/** A message of a history against its schema; one that does not fit is counted, with `what` it is, and undefined. */
export function parseValue<T>(
  value: unknown,
  schema: z.ZodType<T>,
  { tally, what }: { tally: Tally; what: string },
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  tally.unreadable(`${what}: ${formatZodError(result.error).join('; ')}`);
  return undefined;
}

/** The day in UTC: a session of a history that is the same however much of it an export holds. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
