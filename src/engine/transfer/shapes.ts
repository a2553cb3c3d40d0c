// The four files of an export: `sessions.json`, `session_meta.json`, `questions.json`, `missions.json`. Shapes only.
// What the wire rounds or leaves out stands in the meta file, so that what is imported is what was exported; files of the
// documents' bare shape, without these fields, can be imported too.
import { z } from 'zod';
import { promptOrigin, runSettings } from '#engine/wire/runs/prompt.ts';
import { answerer, question } from '#engine/wire/runs/request.ts';
import { runStatuses, wireRun } from '#engine/wire/runs/run.ts';
import { tokenUsage } from '#engine/wire/runs/usage.ts';
import { wireSession } from '#engine/wire/sessions/message.ts';
import { todoList } from '#engine/wire/sessions/todo.ts';
import { instanceStatuses, missionStatuses, spawnSources } from '#engine/wire/teams/team.ts';
import { dimensions, teamRoles } from '#engine/wire/teams/team-policy.ts';

export const fileNames = {
  sessions: 'sessions.json',
  meta: 'session_meta.json',
  questions: 'questions.json',
  missions: 'missions.json',
} as const;

const id = z.string().min(1).max(200);
const ms = z.int().min(0);

/** Canonical session storage: every session with all its messages, those that a revert set aside included. */
export const sessionsFile = z.array(wireSession.extend({ id, time: z.object({ created: ms, updated: ms }) }));
export type ExportedSession = z.infer<typeof sessionsFile>[number];

const artifact = z.strictObject({
  id,
  kind: z.enum(['file', 'cut']),
  name: z.string().min(1).max(300),
  mediaType: z.string().min(1).max(200),
  size: z.int().min(0),
  /** Inside the folder of artifacts, and not out of it again. */
  path: z.string().regex(/^artifacts\/(?!\.\.?\/)[^/]+\/(?!\.\.?$)[^/]+$/, 'expected "artifacts/RUN/NAME"'),
  createdAtMs: ms,
});

const exportedRun = z.strictObject({
  runID: id,
  userMessageID: id,
  assistantMessageID: id,
  idempotencyKey: z.string().optional(),
  status: z.enum(runStatuses),
  origin: promptOrigin.optional(),
  canAsk: z.boolean(),
  toolAllowlist: z.array(z.string()).optional(),
  settings: runSettings.optional(),
  requestHash: z.string().optional(),
  partition: z.string().optional(),
  agent: z.string().optional(),
  model: z.object({ providerID: z.string(), modelID: z.string() }),
  startedAtMs: ms,
  finishedAtMs: ms.optional(),
  text: z.string(),
  failure: wireRun.shape.failure,
  notices: wireRun.shape.notices,
  recalled: z.array(z.string()),
  seenRuns: z.array(id).default([]),
  given: z
    .strictObject({
      passages: z.array(z.strictObject({ id: z.string(), score: z.number() })),
      injected: z.int().min(0),
    })
    .optional(),
  deliveredAtMs: ms.optional(),
  nativeIDs: z.array(z.string()).optional(),
  archived: z.enum(['stored', 'duplicate', 'nothing to store', 'skipped']).optional(),
  /** Its answer is of words that were taken back. */
  outdated: z.literal(true).optional(),
  usage: tokenUsage.optional(),
  artifacts: z.array(artifact).optional(),
});
export type ExportedRun = z.infer<typeof exportedRun>;

const messageMeta = z.strictObject({
  createdAtMs: ms,
  completedAtMs: ms.optional(),
  /** Revert state: when it was set aside. */
  revertedAtMs: ms.optional(),
  parts: z.array(z.strictObject({ id })),
});

/** Snapshot history, flags, parent lineage, revert state and to-dos of one session. */
export const sessionMeta = z.strictObject({
  archived: z.boolean().default(false),
  shared: z.boolean().default(false),
  parentID: id.optional(),
  todos: todoList.default([]),
  /** As they were while a message was the newest; without one before every message. */
  todoLists: z.array(z.strictObject({ messageID: id.optional(), todos: todoList })).default([]),
  snapshots: z.array(z.strictObject({ messageIDs: z.array(id), takenAtMs: ms })).default([]),
  untitled: z.literal(true).optional(),
  createdAtMs: ms.optional(),
  updatedAtMs: ms.optional(),
  archivedAtMs: ms.optional(),
  sharedAtMs: ms.optional(),
  idempotencyKey: z.string().optional(),
  requestHash: z.string().optional(),
  chosenModel: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
  messages: z.record(id, messageMeta).default({}),
  runs: z.array(exportedRun).default([]),
});
export type SessionMeta = z.infer<typeof sessionMeta>;

/** By session. */
export const metaFile = z.record(id, sessionMeta);

/** Structured questions, and approvals that were requested for tools, with their outcomes. */
export const questionsFile = z.array(
  z.strictObject({
    id,
    kind: z.enum(['question', 'permission']).default('question'),
    sessionID: id,
    runID: id,
    userMessageID: id,
    messageID: id,
    tool: z.strictObject({ callID: id, messageID: id }),
    questions: z.array(question).optional(),
    agent: z.string(),
    toolName: z.string(),
    args: z.unknown(),
    actionDigest: z.string(),
    state: z.enum(['pending', 'answered', 'taken', 'expired', 'dropped']),
    reply: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
    by: answerer.optional(),
    requestedAtMs: ms,
    expiresAtMs: ms,
    settledAtMs: ms.optional(),
  }),
);
export type ExportedRequest = z.infer<typeof questionsFile>[number];

const dimension = z.enum(dimensions);
const amount = z.number().min(0);
const budget = z.partialRecord(dimension, amount);

const exportedInstance = z.strictObject({
  id,
  parentID: id.optional(),
  depth: z.int().min(1),
  idempotencyKey: z.string().min(1),
  requestHash: z.string(),
  source: z.enum(spawnSources),
  templateID: z.string(),
  displayName: z.string(),
  role: z.enum(teamRoles),
  task: z.string(),
  justification: z.string().optional(),
  profile: z.strictObject({
    systemPrompt: z.string(),
    model: z.strictObject({ providerID: z.string(), modelID: z.string() }).optional(),
    tools: z.array(z.string()),
    memory: z.enum(['full', 'recall', 'off']),
    partition: z.string().optional(),
    skills: z.array(z.strictObject({ id: z.string(), folder: z.string(), files: z.array(z.string()) })),
  }),
  skillHash: z.string().optional(),
  /** What it was asked and what it answered; the session may be deleted. */
  sessionID: id,
  runID: id.optional(),
  granted: budget,
  spent: z.record(dimension, amount),
  isPriced: z.boolean(),
  status: z.enum(instanceStatuses),
  stopping: z.boolean(),
  discarded: z.boolean(),
  exhausted: dimension.optional(),
  error: z.string().optional(),
  createdAtMs: ms,
  endedAtMs: ms.optional(),
});

/** Missions, oldest first, each with its instances in the order in which they were started. */
export const missionsFile = z.array(
  z.strictObject({
    id,
    source: z.enum(spawnSources),
    sessionID: id.optional(),
    runID: id.optional(),
    messageID: id.optional(),
    agent: z.string().optional(),
    origin: promptOrigin.optional(),
    canAsk: z.boolean(),
    budget,
    warnings: z.array(z.string()),
    status: z.enum(missionStatuses),
    reason: z.string().optional(),
    exhausted: dimension.optional(),
    createdAtMs: ms,
    endedAtMs: ms.optional(),
    instances: z.array(exportedInstance).min(1),
  }),
);
export type ExportedMission = z.infer<typeof missionsFile>[number];
