// What starts a run: the prompt's body, where it came from, and what the caller gets at once.
import { z } from 'zod';
import { isTimeZone } from '#base/time-zone.ts';

const nativeMessageID = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    "The platform's id of the message that the part belongs to, so that a later edit or deletion finds it",
  );

const textPart = z.object({ type: z.literal('text'), text: z.string().min(1).max(200_000) });
const filePart = z.object({
  type: z.literal('file'),
  mime: z.string().min(1).max(200),
  filename: z.string().max(300).optional(),
  url: z.string().max(2_000_000),
});

const promptPart = z.discriminatedUnion('type', [
  textPart.extend({ nativeID: nativeMessageID }),
  filePart.extend({ nativeID: nativeMessageID }),
]);
export type PromptPart = z.infer<typeof promptPart>;

const maxParts = 500;

/** A message that is written into a session and starts no run; the next prompt is answered with it in view. */
export const appendedMessage = z.strictObject({
  parts: z
    .array(z.discriminatedUnion('type', [textPart, filePart]))
    .min(1)
    .max(maxParts),
});
export type AppendedMessage = z.infer<typeof appendedMessage>;

/** A burst of the longest messages of a chat, with what was quoted and read of files, in UTF-8 and JSON. */
export const promptLimitBytes = 16 * 1024 * 1024;

/** A model in either spelling. */
export const modelChoice = z.union([
  z.object({ providerID: z.string().optional(), modelID: z.string() }),
  z
    .object({ provider_id: z.string().optional(), model_id: z.string() })
    .transform(({ provider_id: providerID, model_id: modelID }) => ({ providerID, modelID })),
]);

/** Where a prompt was written and by which person: the ground of its memory scope and of its archive's provenance. */
export const promptOrigin = z.object({
  platform: z.string().min(1),
  /** Canonical address of the chat. */
  chat: z.string().min(1),
  kind: z.enum(['dm', 'group', 'channel']),
  /** The place that owns what is written here: `person:...` or `room:...`. */
  audience: z.string().regex(/^(person|room):.+/),
  /** `platform:account:space` of a room, absent in direct messages. */
  space: z.string().optional(),
  /** Direct messages and private rooms: never shared beyond the audience. */
  restricted: z.boolean(),
  speaker: z.object({
    person: z.string().min(1),
    name: z.string(),
    zone: z
      .string()
      .max(100)
      .refine(isTimeZone, 'expected the name of a time zone')
      .optional()
      .describe('The time zone of the account, as its platform says it: counts where the person set none'),
  }),
  /** A room where someone reads along who may not open all that is open in the space: what is written elsewhere is not shown there. */
  outsiders: z.boolean().optional(),
  /**
   * What a direct message may recall besides its own: this person's linked accounts, and the rooms and spaces that the person may read
   * now. Of an audience in `since`, only what was written after that time, in milliseconds since the epoch.
   */
  reach: z.object({
    audiences: z.array(z.string()),
    spaces: z.array(z.string()),
    since: z.record(z.string(), z.number()).optional(),
  }),
  /** The platform's ids of the messages that make up this prompt. */
  nativeIDs: z.array(z.string()),
  /** When the person spoke, in milliseconds since the epoch. */
  at: z.number(),
  /** When the platforms said who may read what, in milliseconds since the epoch; the begin of the run when absent. */
  reachAtMs: z.number().optional(),
});
export type PromptOrigin = z.infer<typeof promptOrigin>;

/** How one run is to be answered, beyond its words. */
export const runSettings = z.strictObject({
  /** `required`: the model has to call a tool first. */
  toolMode: z.enum(['auto', 'required']).optional(),
  /** How much of the conversation goes along: `compact` at most 12,000 characters in 12 messages, `full` as much as a prompt may hold. */
  contextMode: z.enum(['auto', 'compact', 'full']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  /** Of one call of the model. */
  maxTokens: z.int().min(1).max(1_000_000).optional(),
  /** The answer comes as speech too, where a model for it is configured. */
  spoken: z.boolean().optional(),
  /** `false`: no look into memory before the answer, where the config has one. */
  activeMemory: z.boolean().optional(),
});
export type RunSettings = z.infer<typeof runSettings>;

export const promptBody = z.object({
  parts: z.array(promptPart).min(1).max(maxParts),
  model: z.object({ providerID: z.string().optional(), modelID: z.string() }).optional(),
  agent: z.string().optional(),
  origin: promptOrigin.optional(),
  /**
   * True when the caller shows what the run asks (approval for a tool, questions) to the person and passes the answer
   * on. When absent: true without an origin, since clients see the events, and false for a chat.
   */
  canAsk: z.boolean().optional(),
  /** Names or patterns: of the tools of its agent, the run has only these. All of them when absent. */
  toolAllowlist: z.array(z.string().min(1).max(100)).max(200).optional(),
  settings: runSettings.optional(),
  roomContext: z
    .array(z.string().min(1).max(8_000))
    .max(200)
    .optional()
    .describe(
      'What others said around the prompt, a note each, oldest first. Only this run has it, and it is stored nowhere.',
    ),
});
export type PromptBody = z.infer<typeof promptBody>;

export interface ActiveRun {
  runID: string;
  startedAtMs: number;
  lastActivityAtMs: number;
}

/** The answer to a prompt: a run was started, the same key had started one before, or another run is active. */
export type PromptOutcome =
  | { status: 'started'; runID: string; messageID: string }
  | { status: 'replayed'; runID: string; messageID: string }
  | { status: 'conflict'; activeRun: ActiveRun };
