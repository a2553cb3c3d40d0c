// People's own talk: conversations as JSON, or one turn a line as JSONL.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError, parseJson } from '#base/json.ts';
import type { NewChunk } from '#memory/chunks/sources.ts';
import type { ImportContext } from './item.ts';
import { draftOf, type ImportedConversation } from './turn.ts';

const turnSchema = z.object({
  /** The turn's own id in its conversation. */
  id: z
    .union([z.string().min(1), z.number()])
    .transform(String)
    .optional(),
  /** Turns of one session follow each other; one session when absent. */
  session: z.union([z.string(), z.number()]).transform(String).default('1'),
  /** When it was written: ISO 8601, or milliseconds since the epoch. */
  at: z.union([
    z
      .string()
      .refine((text) => Number.isFinite(Date.parse(text)), 'expected a date')
      .transform((text) => Date.parse(text)),
    z.number(),
  ]),
  speaker: z.string().min(1),
  text: z.string(),
  /** What a picture that was sent along shows. */
  caption: z.string().optional(),
  /** The conversation that a line of JSONL belongs to. */
  conversation: z.string().min(1).optional(),
});
const conversationSchema = z.object({ id: z.string().min(1).optional(), turns: z.array(turnSchema) });
const fileSchema = z.union([
  z.object({ conversations: z.array(conversationSchema) }),
  conversationSchema.transform((conversation) => ({ conversations: [conversation] })),
  z.array(turnSchema).transform((turns) => ({ conversations: [{ id: undefined, turns }] })),
]);

type FileTurn = z.infer<typeof turnSchema>;

/** The turns of a file as chunks, in order. Throws a ParleyError that names the line or the field that does not fit. */
export async function* readTranscript(
  content: string,
  reading: ImportContext,
  path: string,
): AsyncGenerator<NewChunk> {
  for (const { turn, index } of turnsIn(content, path)) {
    const { where, projectID } = reading.request;
    const conversation = turn.conversation ?? projectID ?? path;
    const of: ImportedConversation = {
      id: conversation,
      where,
      platform: 'import',
      chat: `import:${conversation}`,
      projectID: projectID ?? turn.conversation,
    };
    const draft = await draftOf({ ...turn, id: turn.id ?? String(index) }, of, reading);
    if (draft === undefined) reading.tally.skip('empty');
    else yield draft;
  }
}

function* turnsIn(content: string, path: string): Generator<{ turn: FileTurn; index: number }> {
  if (isOneJson(content)) {
    const { conversations } = parseJson(content, fileSchema, path);
    for (const { id, turns } of conversations)
      for (const [index, turn] of turns.entries())
        yield { turn: { ...turn, conversation: turn.conversation ?? id }, index };
    return;
  }
  let number = 0;
  for (const line of content.split('\n')) {
    number += 1;
    if (line.trim() !== '') yield { turn: turnOf(line, `${path}, line ${number}`), index: number };
  }
}

/** A file whose first line is no JSON value on its own is one JSON document. */
function isOneJson(content: string): boolean {
  const first = content.trimStart().split('\n', 1)[0] ?? '';
  if (first.startsWith('[')) return true;
  try {
    const value: unknown = JSON.parse(first);
    return typeof value === 'object' && value !== null && ('turns' in value || 'conversations' in value);
  } catch {
    return true;
  }
}

function turnOf(line: string, what: string): FileTurn {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ParleyError('invalid_json', `${what} is not valid JSON.`, {
      hint: 'Write one JSON object a line: {"at", "speaker", "text"}.',
      cause,
    });
  }
  const result = turnSchema.safeParse(value);
  if (result.success) return result.data;
  throw new ParleyError('invalid_value', `${what}: ${formatZodError(result.error).join('; ')}`);
}
