// Conversations with questions whose evidence is known: read from a file, put into memory through the public import. Not measuring.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { Scope } from '#memory/terms/scope.ts';

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

/** The conversations of the file; throws in words for a file of another form. */
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

/** Who asks about a conversation: someone who was in it. */
export function scopeOf(id: string): Scope {
  return { audiences: [roomOf(id)], spaces: [], everyone: false };
}

function roomOf(id: string): `room:${string}` {
  return `room:bench:${id}`;
}
