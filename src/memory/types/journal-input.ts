// What the calls of the journal take: one schema each. A field that is not named here is refused.
import { z } from 'zod';
import {
  bundleDepths,
  elementKinds,
  journalKinds,
  journalStates,
  lessonKinds,
  settlements,
} from './journal.ts';

/** Characters of one text, and of a title or a name. */
const [maxText, maxName] = [20_000, 300];
/** Slices of one build: what a build shows fits into one answer. */
const maxSlices = 200;
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
/** By what a lesson or a decision is found again as a memory is; what is pinned is in every bundle. */
const marks = {
  key: z.string().trim().min(1).max(200).optional(),
  tags,
  pinned: z.boolean().default(false),
};
const decision = item.extend(marks);
const note = z.string().trim().max(2_000).optional();
const items = z.array(item).max(200).default([]);
const holds = id.optional().describe('Answers which of two memories holds: its id');
/** In any case, as models write it. */
const lessonKind = z.preprocess(
  (given) => (typeof given === 'string' ? given.trim().toLowerCase() : given),
  z.enum(lessonKinds),
);
const status = z.enum(['planned', 'active', 'done', 'dropped']);
const mode = z.enum(['exact', 'forms']).default('exact');

/** One schema for each operation of the journal. */
export const journalInputs = {
  closeSession: z.strictObject({
    agentID: name,
    key: name,
    title: name,
    summary: text,
    decisions: z.array(decision).max(200).default([]),
    threads: items,
    steps: items,
    context: items,
    inherited: z
      .array(z.strictObject({ id, action: z.enum(settlements), note }))
      .max(2_000)
      .default([]),
  }),
  noteElement: decision.extend({ agentID: name, kind: z.enum(elementKinds) }),
  askWhichHolds: item.extend({ agentID: name, records: z.array(id).min(1).max(10) }),
  updateElement: z.strictObject({
    agentID: name,
    id,
    action: z.enum(settlements),
    note,
    holds,
  }),
  bundle: z.strictObject({
    /** May be left out in a project. */
    agentID: name.optional(),
    depth: z.enum(bundleDepths).default('cold_start'),
    intent: z.string().trim().max(2_000).optional(),
  }),
  listElements: z.strictObject({
    agentID: name.optional(),
    kind: z.enum(elementKinds),
    status: z.enum(['open', 'pending', 'resolved', 'parked', 'dropped']).optional(),
    ...page,
  }),
  listSessions: z.strictObject({
    agentID: name.optional(),
    kind: z.enum(['session', 'conversation', 'build']).default('session'),
    ...page,
  }),
  listEntries: z.strictObject({
    kinds: z.array(z.enum(journalKinds)).min(1),
    statuses: z.array(z.enum(journalStates)).min(1).optional(),
    agentID: name.optional(),
    projectID: name.optional(),
    limit: z.number().int().min(1).max(1_000).default(100),
  }),
  settleEntry: z.strictObject({ id, action: z.enum([...settlements, 'answered']), note, holds }),
  listProjects: z.strictObject({}),
  listAgents: z.strictObject({}),
  byID: z.strictObject({ id }),
  getSession: z.strictObject({ id, cursor }),
  forget: z.strictObject({
    ids: z.array(id).min(1).max(1_000),
    reason: z.string().trim().max(2_000).optional(),
  }),
  search: z.strictObject({ query: z.string().trim().min(1).max(500), mode, ...page }),
  recordLesson: z.strictObject({
    ...{ agentID: name, taskType: name, lessonKind, lesson: text, ...marks },
    again: z
      .literal(true)
      .optional()
      .describe('Words that were forgotten: only where someone wants them back'),
  }),
  deprecateLesson: z.strictObject({
    agentID: name,
    id,
    successorID: id.optional(),
    reason: z.string().trim().max(2_000).optional(),
  }),
  getLessons: z.strictObject({
    agentID: name.optional(),
    taskType: name.optional(),
    lessonKind: lessonKind.optional(),
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
  getTouchstones: z.strictObject({ agentID: name.optional(), ...page }),
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
      .refine((phases) => phases.flatMap(({ slices }) => slices).length <= maxSlices, {
        message: `expected at most ${maxSlices} slices in all`,
      })
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
