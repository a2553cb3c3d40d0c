// Conversations with questions whose evidence is known: read from a file, put into memory through the public import. Not measuring.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Scope } from '#memory/types/scope.ts';

const turnSchema = z.object({
  id: z.string(),
  session: z.string(),
  at: z.string(),
  speaker: z.string(),
  text: z.string(),
  caption: z.string().optional(),
});
const questionSchema = z.object({
  question: z.string(),
  category: z.string(),
  evidence: z.array(z.string()),
});
const fileSchema = z.object({
  conversations: z.array(
    z.object({ id: z.string(), turns: z.array(turnSchema), questions: z.array(questionSchema) }),
  ),
});

export type Conversation = z.infer<typeof fileSchema>['conversations'][number];
export type Question = z.infer<typeof questionSchema>;

/** The conversations of the file; throws with a message for a file of another form. */
export function readConversations(path: string): Conversation[] {
  return parseJson(readFileSync(path, 'utf8'), fileSchema, path).conversations;
}

/** Imports each conversation as a `transcript` and a project of its own; throws when a file is refused. */
export async function importConversations(
  memory: Memory,
  conversations: readonly Conversation[],
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { id, turns } of conversations) {
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, turns.map((turn) => JSON.stringify(turn)).join('\n'));
    const { failures, chunks } = await memory.importPath({
      path,
      format: 'transcript',
      where: { audience: roomOf(id), restricted: true },
      projectID: id,
    });
    if (failures.length > 0 || chunks.stored !== turns.length)
      throw new Error(`${id}: ${chunks.stored} of ${turns.length} turns stored; ${JSON.stringify(failures)}`);
  }
}

/** An exchange as the gateway archives it: a run of one speaker's turns, as the person, and the run of the other that follows, as the assistant. */
export interface Talk {
  session: string;
  at: string;
  speaker: string;
  answerer: string | undefined;
  ids: string[];
  said: string[];
  answered: string[];
}

export function talksOf({ turns }: Conversation): Talk[] {
  const talks: Talk[] = [];
  for (const { id, session, at, speaker, text, caption } of turns) {
    const whole = (caption === undefined ? text : `${text}\n[${caption}]`).trim();
    if (whole === '') continue;
    const last = talks.at(-1);
    const isSame = last?.session === session;
    if (isSame && last.speaker === speaker && last.answered.length === 0) {
      last.said.push(whole);
      last.ids.push(id);
    } else if (isSame && last.speaker !== speaker && (last.answerer ?? speaker) === speaker) {
      last.answerer = speaker;
      last.answered.push(whole);
      last.ids.push(id);
    } else talks.push({ session, at, speaker, answerer: undefined, ids: [id], said: [whole], answered: [] });
  }
  return talks;
}

/** Archives each conversation as exchanges with an assistant, in a room and a project of its own. */
export async function archiveConversations(
  memory: Memory,
  conversations: readonly Conversation[],
): Promise<void> {
  for (const conversation of conversations)
    for (const [index, talk] of talksOf(conversation).entries())
      await memory.archive({
        key: `${conversation.id}/${index}`,
        userText: talk.said.join('\n'),
        assistantText: talk.answered.join('\n'),
        recalled: [],
        at: Date.parse(talk.at),
        speaker: { person: `per_${talk.speaker}`, name: talk.speaker },
        where: { audience: roomOf(conversation.id), restricted: true },
        platform: 'discord',
        chat: `discord:channel:1:-:${conversation.id}:-`,
        sessionID: `${conversation.id}/${talk.session}`,
        projectID: conversation.id,
        workspaceRoot: undefined,
        runID: `run_${conversation.id}_${index}`,
        messageIDs: talk.ids,
      });
}

/** For each turn the first turn of the exchange that it is part of: an exchange is right when it holds an evidence turn. */
export function exchangeOfTurn(conversation: Conversation): Map<string, string> {
  return new Map(talksOf(conversation).flatMap(({ ids }) => ids.map((id) => [id, ids[0] ?? id])));
}

/** Who asks about a conversation: someone who was in it. */
export function scopeOf(id: string): Scope {
  return { audiences: [roomOf(id)], spaces: [], everyone: false };
}

function roomOf(id: string): `room:${string}` {
  return `room:bench:${id}`;
}
