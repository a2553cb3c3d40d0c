// People's own talk: conversations as JSON, or one turn a line as JSONL. Not the exchanges that the assistant was part of.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson, zodWords } from '#base/json.ts';
import type { Draft } from '#memory/store/sources.ts';
import { formatPassage } from '#memory/terms/block.ts';
import type { ImportRequest } from '#memory/terms/import.ts';

const turnSchema = z.object({
  /** The turn's own id in its conversation. */
  id: z
    .union([z.string().min(1), z.number()])
    .transform(String)
    .optional(),
  /** Turns of one session follow each other; one session when absent. */
  session: z.union([z.string(), z.number()]).transform(String).default('1'),
  /** When it was said: ISO 8601, or milliseconds since the epoch. */
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

type Turn = z.infer<typeof turnSchema>;

/** The turns of a file as chunks, in order. Throws a ParleyError that names the line or the field that does not fit. */
export async function* readTranscript(
  content: string,
  request: Pick<ImportRequest, 'where' | 'projectID'>,
  path: string,
): AsyncGenerator<Draft> {
  if (isOneJson(content)) {
    const { conversations } = parseJson(content, fileSchema, path);
    for (const { id, turns } of conversations)
      for (const [index, turn] of turns.entries())
        yield draftOf({ ...turn, conversation: turn.conversation ?? id }, { request, path, index });
    return;
  }
  let number = 0;
  for (const line of content.split('\n')) {
    number += 1;
    if (line.trim() === '') continue;
    yield draftOf(turnOf(line, `${path}, line ${number}`), { request, path, index: number });
  }
}

/** A file whose first line is no JSON value by itself is one JSON document. */
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

function turnOf(line: string, what: string): Turn {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ParleyError('invalid_json', `${what} is not valid JSON.`, {
      cure: 'Write one JSON object a line: {"at", "speaker", "text"}.',
      cause,
    });
  }
  const result = turnSchema.safeParse(value);
  if (result.success) return result.data;
  throw new ParleyError('invalid_value', `${what}: ${zodWords(result.error).join('; ')}`);
}

function draftOf(
  turn: Turn,
  from: { request: Pick<ImportRequest, 'where' | 'projectID'>; path: string; index: number },
): Draft {
  const { where, projectID } = from.request;
  const conversation = turn.conversation ?? projectID ?? from.path;
  const said = turn.caption === undefined ? turn.text : `${turn.text}\n[${turn.caption}]`;
  return {
    source: 'turn',
    audience: where.audience,
    space: where.space,
    restricted: where.restricted,
    at: Math.round(turn.at),
    lastSaidAt: Math.round(turn.at),
    speaker: turn.speaker,
    person: `said:${turn.speaker}`,
    platform: 'import',
    chat: `import:${conversation}`,
    sessionID: `${conversation}/${turn.session}`,
    projectID: projectID ?? turn.conversation,
    workspaceRoot: undefined,
    runID: '',
    messageIDs: [turn.id ?? String(from.index)],
    tokenCount: Math.ceil(said.length / 4),
    content: formatPassage({ speaker: turn.speaker, said, answered: '' }),
    userText: said,
    assistantText: '',
    about: '',
    metadata: { pieces: 1 },
  };
}
