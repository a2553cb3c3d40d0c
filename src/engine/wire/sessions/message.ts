// Sessions and messages as clients read them. Spelling follows the Tandem wire (`sessionID`, epoch seconds in `time`).
import { z } from 'zod';
import { placeNames } from '#engine/wire/channels/place-names.ts';

const toolStates = ['pending', 'running', 'completed', 'failed', 'denied'] as const;

/** A call of a tool as it stands; files of other programs have no state. */
const wireToolPart = z.object({
  type: z.literal('tool'),
  tool: z.string(),
  args: z.unknown(),
  state: z.enum(toolStates).optional().describe('How far the call is, as in `message.part.updated`'),
  result: z.unknown().optional(),
  error: z.string().optional(),
});

/** A part of a stored message, in order. */
const wirePart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  wireToolPart,
  z.object({ type: z.literal('file'), mime: z.string(), filename: z.string().optional(), url: z.string() }),
]);
export type WirePart = z.infer<typeof wirePart>;

export const wireSessionMessage = z.object({
  info: z.object({
    id: z.string(),
    sessionID: z.string(),
    role: z.enum(['user', 'assistant']),
    time: z.object({ created: z.number(), completed: z.number().optional() }),
    /** Who said a user message, where more than one person shares the session. */
    speaker: z.object({ id: z.string(), name: z.string() }).optional(),
    model: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
    /** Set on the record of a run that failed or was cancelled. Only of a cancelled one what it had said is sent to a model later. */
    error: z.object({ code: z.string(), message: z.string(), ref: z.string() }).optional(),
    runID: z.string().optional(),
    /** Set aside by a revert: kept, shown on request, not sent to a model. */
    reverted: z.literal(true).optional(),
  }),
  parts: z.array(wirePart),
});
export interface WireSessionMessage extends z.infer<typeof wireSessionMessage> {}

export const wireSession = z.object({
  id: z.string(),
  title: z.string(),
  projectID: z.string().optional(),
  directory: z.string().optional(),
  workspaceRoot: z.string().optional(),
  /** Of a session that was attached to its workspace root: where it was made, and where it was before. */
  originWorkspaceRoot: z.string().optional(),
  attachedFromWorkspace: z.string().optional(),
  attachedToWorkspace: z.string().optional(),
  /** When, in milliseconds since the epoch, and why. */
  attachTimestampMs: z.number().optional(),
  attachReason: z.string().optional(),
  time: z.object({ created: z.number(), updated: z.number() }),
  model: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
  /** `channel` for a chat's session, `api` for one made over HTTP. */
  sourceKind: z.enum(['channel', 'api']).optional(),
  sourceMetadata: z.record(z.string(), z.unknown()).optional(),
  /** The session that this one was forked from; it may be gone. */
  parentID: z.string().optional(),
  /** Of a chat's session: where it is, and who wrote there last. */
  place: z
    .object({
      platform: z.string(),
      chat: z.string(),
      kind: z.enum(['dm', 'group', 'channel']),
      audience: z.string(),
      names: placeNames.optional(),
      private: z.boolean().describe('Direct messages and private rooms'),
      person: z.string().describe('The name of who wrote last'),
      agent: z.string().optional().describe('The assistant that answered last'),
    })
    .optional(),
  /** In a search of texts: the newest messages that have the text. */
  found: z
    .array(
      z.object({
        messageID: z.string(),
        atMs: z.number(),
        name: z.string().nullable().describe('Who wrote it; null for an answer'),
        before: z.string(),
        match: z.string().describe('What was searched, as it stands there'),
        after: z.string(),
      }),
    )
    .optional(),
  archived: z.literal(true).optional(),
  shared: z.literal(true).optional(),
  /** How often `unrevert` can go back. */
  reverts: z.number().optional(),
  messages: z.array(wireSessionMessage),
});
/** An interface, so that the types of the client name it and do not have its shape at each call. */
export interface WireSession extends z.infer<typeof wireSession> {}
