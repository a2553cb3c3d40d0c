// The inputs of the journal: their schemas, and the error that names the field, what was expected and what came.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { bundleDepths, elementKinds, settlements } from '#memory/types/journal.ts';

/** Characters of one text, and of a title or a name. */
const [maxText, maxName] = [20_000, 300];
const text = z.string().trim().min(1).max(maxText);
const body = z.string().trim().max(maxText).default('');
const name = z.string().trim().min(1).max(maxName);
const tags = z.array(name).max(50).default([]);
const id = z.string().min(1).max(100);
const cursor = z
  .string()
  .regex(/^\d{1,15}$/, 'expected the `next` of a page')
  .optional();
const limit = z.number().int().min(1).max(100).default(20);
const page = { limit, cursor };
const item = z.strictObject({ title: name, body });
const items = z.array(item).max(200).default([]);
const status = z.enum(['planned', 'active', 'done', 'dropped']);
const mode = z.enum(['exact', 'forms']).default('exact');

/** One schema for each operation. */
export const inputs = {
  closeSession: z.strictObject({
    agentID: name,
    key: name,
    title: name,
    summary: text,
    decisions: items,
    threads: items,
    steps: items,
    context: items,
    inherited: z
      .array(
        z.strictObject({ id, action: z.enum(settlements), note: z.string().trim().max(2_000).optional() }),
      )
      .max(2_000)
      .default([]),
  }),
  updateElement: z.strictObject({
    agentID: name,
    id,
    action: z.enum(settlements),
    note: z.string().trim().max(2_000).optional(),
  }),
  bundle: z.strictObject({
    agentID: name,
    depth: z.enum(bundleDepths).default('cold_start'),
    intent: z.string().trim().max(2_000).optional(),
  }),
  listElements: z.strictObject({
    agentID: name,
    kind: z.enum(elementKinds),
    status: z.enum(['open', 'pending', 'resolved', 'parked', 'dropped']).optional(),
    ...page,
  }),
  byID: z.strictObject({ id }),
  forget: z.strictObject({
    ids: z.array(id).min(1).max(1_000),
    reason: z.string().trim().max(2_000).optional(),
  }),
  search: z.strictObject({ query: z.string().trim().min(1).max(500), mode, ...page }),
  recordLesson: z.strictObject({ agentID: name, taskType: name, lessonKind: name, lesson: text, tags }),
  deprecateLesson: z.strictObject({
    agentID: name,
    id,
    successorID: id.optional(),
    reason: z.string().trim().max(2_000).optional(),
  }),
  getLessons: z.strictObject({
    agentID: name,
    taskType: name.optional(),
    lessonKind: name.optional(),
    status: z.enum(['active', 'deprecated']).default('active'),
    ...page,
  }),
  recordTouchstone: z.strictObject({
    agentID: name,
    type: name,
    title: name,
    feltWeight: z.number().int().min(1).max(10),
    fact: text,
    texture: body,
    whyItMatters: body,
  }),
  linkTouchstone: z.strictObject({ agentID: name, id, lineageID: id }),
  getTouchstones: z.strictObject({ agentID: name, ...page }),
  createConversation: z.strictObject({ agentID: name, title: name, topic: body, topicTags: tags }),
  addConversationEntry: z.strictObject({ agentID: name, id, entryType: name, author: name, body: text }),
  getConversation: z.strictObject({ id, ...page }),
  putBuild: z.strictObject({
    agentID: name,
    key: name,
    title: name,
    status,
    summary: body,
    phases: z
      .array(
        z.strictObject({
          title: name,
          status,
          slices: z
            .array(z.strictObject({ title: name, status }))
            .max(100)
            .default([]),
        }),
      )
      .max(50)
      .default([]),
  }),
  putT4Entry: z.strictObject({
    agentID: name,
    projectSlug: name,
    entryType: name,
    entryID: name,
    title: name,
    body: text,
  }),
  getT4Entry: z.strictObject({ projectSlug: name, entryType: name, entryID: name }),
  searchT4: z.strictObject({
    query: z.string().trim().min(1).max(500),
    projectSlug: name.optional(),
    mode,
    ...page,
  }),
};

/** The checked input; throws a ParleyError `invalid_journal`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => {
    const field = issue.path.map(String).join('.') || 'the input';
    return `${field}: ${issue.message}, received ${received(issue.input)}`;
  });
  throw new ParleyError(
    'invalid_journal',
    `The journal entry does not fit: ${issues.slice(0, 10).join('; ')}.`,
    {
      hint: 'Change the named fields, and call again. Nothing was written.',
    },
  );
}

function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
