// What the tools give, as schemas under the names that clients read.
import { z } from 'zod';
import { readerMemoryOutputs } from '#engine/wire/memory/reader-memory.ts';
import { snakeName } from './names.ts';

const next = z.string().optional().describe('Pass it as `cursor` to read on; absent on the last page');
const createdAt = z.number().describe('In milliseconds since the epoch');

/** One entry of the journal; which other fields it has depends on its kind. */
export const journalEntry = z.looseObject({ id: z.string(), agent_id: z.string(), created_at: createdAt });
const entries = z.array(journalEntry);

export const journalPage = z.object({ items: entries, next });

export const closedSession = z.object({
  lineage_id: z.string().describe('The id of the session, for get_session'),
  repeated: z.boolean().describe('True when this key had closed the session before; nothing was written now'),
  swept: z.number().describe('Inherited threads and steps that this close settled or carried on'),
});

export const memoryBundle = z.object({
  agent_id: z.string(),
  depth: z.string(),
  sections: z.record(z.string(), entries),
  left_out: z
    .array(
      z.object({
        section: z.string(),
        items: z.number().describe('Counted to a thousand'),
        more: z.literal(true).optional().describe('There are more than that'),
        call: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
      }),
    )
    .describe('What a section does not show, with the call that shows it'),
});

export const sessionRecord = journalEntry.extend({
  decisions: entries,
  threads: entries,
  steps: entries,
  context: entries,
  touchstones: entries,
  next,
});

export const conversationRecord = journalEntry.extend({
  entries: entries.describe('Newest first'),
  next,
});

export const buildRecord = journalEntry.extend({
  phases: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      slices: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
    }),
  ),
});

export const forgottenEntries = z.object({ forgotten: z.number() });

/** What the operations of memory give, by their names. */
export const memoryOutputs = Object.fromEntries(
  Object.entries(readerMemoryOutputs).map(([name, schema]) => [name, snakeSchema(schema)]),
) as Record<keyof typeof readerMemoryOutputs, z.ZodObject>;

/** The schema with the names of its fields as clients have them, in objects and lists of objects. */
function snakeSchema(schema: z.ZodObject): z.ZodObject {
  const shape = Object.entries(schema.shape).map(([name, field]) => [snakeName(name), snakeField(field)]);
  return z.object(Object.fromEntries(shape));
}

function snakeField(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodArray && field.element instanceof z.ZodObject)
    return z.array(snakeSchema(field.element));
  return field instanceof z.ZodObject ? snakeSchema(field) : field;
}
