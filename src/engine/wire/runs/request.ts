// What a run asks people while it works: approval to use a tool, and questions. Shapes only.
import { z } from 'zod';

/** Who answered, as far as the one who passes the answer on knows. */
export const answerer = z.object({ person: z.string().min(1).max(300), name: z.string().max(300) });
export type Answerer = z.infer<typeof answerer>;

export const permissionReplies = ['once', 'always', 'reject', 'allow', 'deny'] as const;

const asked = {
  sessionID: z.string(),
  runID: z.string(),
  requester: z
    .string()
    .optional()
    .describe('The agent of a mission that asks, where it is not the run itself.'),
  requestedAtMs: z.number(),
  /** From then on it counts as not allowed, or not answered. */
  expiresAtMs: z.number(),
};

export const permissionRequest = z.object({
  requestID: z.string(),
  ...asked,
  agent: z.string(),
  tool: z.string(),
  args: z.unknown(),
  argsSource: z.literal('model').meta({ description: 'Who wrote the arguments' }),
  argsIntegrity: z.literal('whole').meta({ description: 'That they are here as they will be used' }),
  query: z.string().nullable().meta({ description: 'The argument of that name, as of searches' }),
  /** SHA-256 over tool and arguments: what is allowed is exactly this. */
  actionDigest: z.string(),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

/** What a model may ask. */
export const modelQuestion = z.object({
  question: z.string().min(1).max(2_000),
  /** Short answers to choose from; any other answer may be given too. */
  options: z.array(z.string().min(1).max(200)).max(10).optional(),
});
/** The options, in order, of a question about a call that may have run before the program stopped. */
export const interruptedCallOptions = ['Try again', 'Skip it', 'Stop'] as const;

/** Which of the options an answer is, however it is written; undefined for another text. */
export function choiceIn(options: readonly string[], answer: string): number | undefined {
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/[.!]+$/, '')
      .toLowerCase();
  const at = options.findIndex((option) => bare(option) === bare(answer));
  return at < 0 ? undefined : at;
}

/** A question of a run: of its model, or of the engine about a call. */
export const question = modelQuestion.extend({
  interruptedCall: z
    .object({ tool: z.string(), args: z.unknown() })
    .optional()
    .describe('The call that may have run before the program stopped, where the question is about one.'),
});
export type Question = z.infer<typeof question>;

export const questionRequest = z.object({
  id: z.string(),
  ...asked,
  questions: z.array(question),
});
export type QuestionRequest = z.infer<typeof questionRequest>;

/** One answer for each question, in order. */
export const questionAnswer = z.array(z.string().max(10_000)).min(1).max(10);

export const standingRule = z.object({
  id: z.string(),
  agent: z.string(),
  tool: z.string(),
  createdAtMs: z.number(),
  by: answerer.optional(),
});
export type PermissionRule = z.infer<typeof standingRule>;
