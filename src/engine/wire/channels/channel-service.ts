// What the process with the channels answers about people, tokens, deliveries and what it stores. Shapes only.
import { z } from 'zod';

const ms = z.number().describe('Milliseconds since the epoch');
const role = z.enum(['owner', 'member', 'guest']);
const code = z.string().min(1).max(40);
const use = { messages: z.number(), tokens: z.number(), costUSD: z.number() };
const used = z.object(use).describe('Within the last 24 hours');

const seenIn = z
  .array(z.string())
  .describe('Titles of the rooms in which they were seen last, at most three');

const account = z.object({
  platform: z.string(),
  userID: z.string(),
  person: z.string().describe('As memory knows it (`per_...`)'),
  shownAs: z.string().describe('As the platform showed it last'),
});

export const person = z.object({
  name: z.string().describe('The name, or the key of a person without one (`unnamed:per_...`)'),
  role: role.optional().describe('Absent for one who is not admitted'),
  inConfig: z.boolean().describe('Whether the config names the person, who is then changed there'),
  sinceMs: ms,
  accounts: z.array(account.extend({ by: z.enum(['config', 'approved', 'link']) })),
});
export type PersonEntry = z.infer<typeof person>;

export const pairingRequest = z.object({
  platform: z.string(),
  account: z.string().describe("The bot's own account"),
  userID: z.string(),
  name: z.string().describe('As the platform shows it'),
  address: z.object({
    platform: z.string(),
    account: z.string(),
    space: z.string().optional(),
    chat: z.string(),
    thread: z.string().optional(),
    kind: z.string(),
  }),
  state: z.enum(['told', 'pending', 'denied', 'approved']),
  code: z.string().optional(),
  expiresAtMs: ms.optional(),
  notifiedAtMs: ms.describe('When something was written to them last'),
  locale: z.string().optional(),
});

const waiting = pairingRequest.extend({
  looksLike: z.array(z.string()).describe('Persons whose name this one looks like'),
});
export type WaitingEntry = z.infer<typeof waiting>;

export const blockedAccount = account.extend({ blockedAtMs: ms });
export type BlockedEntry = z.infer<typeof blockedAccount>;

export const people = z.object({
  people: z.array(person.extend({ used, seenIn })),
  pending: z.array(waiting).describe('Pairing requests whose code is valid now, oldest first'),
  others: z.array(account.extend({ used, seenIn })).describe('Accounts that nobody has named'),
  blocked: z.array(blockedAccount).describe('Accounts that are answered nothing, the newest first'),
  limits: z.object(use).partial().describe('Within 24 hours, for anyone who is no owner'),
  assistants: z
    .array(z.object({ name: z.string(), used, limits: z.object(use).partial() }))
    .describe('Assistants with a limit, and what everyone together used of it'),
});
export type PeopleList = z.infer<typeof people>;

export const approval = z.strictObject({
  code,
  name: z.string().max(100).optional(),
  role: role.optional(),
  samePerson: z.boolean().optional(),
});
/** Of an account that nobody has: `platform:id`. */
export const admission = approval.omit({ code: true }).extend({ account: z.string().min(1).max(300) });
export const approved = z.object({ person, pairingRequest: waiting });
/** `platform:id`. */
export const accountNamed = z.strictObject({ account: z.string().min(1).max(300) });
export const denial = z.strictObject({ code });
export const roleChange = z.strictObject({ role });

export const token = z.object({
  id: z.string(),
  person: z.string().optional().describe('Whose memory it reads'),
  agent: z.string().optional().describe('Or the agent that has it'),
  readOnly: z.boolean(),
  createdAtMs: ms,
  expiresAtMs: ms.optional().describe('Absent for one that does not expire'),
  revokedAtMs: ms.optional(),
  usedAtMs: ms.optional().describe('The last use, to the minute'),
  left: z
    .literal(true)
    .optional()
    .describe(
      'The person was removed, or left the config: refused until one of their accounts is theirs again',
    ),
});
export const newToken = z.strictObject({
  person: z.string().min(1).max(200).optional(),
  agent: z.string().min(1).max(200).optional(),
  readOnly: z.boolean().optional(),
  expiresInDays: z.number().optional(),
});
export const tokenMade = z.object({ token, secret: z.string() });

const delivery = z.object({
  id: z.string(),
  address: z.string(),
  runID: z.string().nullable(),
  state: z.string(),
  error: z.string().nullable(),
  createdAtMs: ms,
});

const deliveredPart = z.object({
  ordinal: z.number(),
  state: z.string(),
  attempts: z.number(),
  nativeID: z.string().nullable().describe("The platform's id; null without a receipt"),
  receivedAtMs: ms.nullable(),
  possibleRepeat: z.boolean().describe('It may be in the chat twice'),
});

export const wayOfRun = z.object({
  messages: z.array(
    z.object({ id: z.string(), platform: z.string(), state: z.string(), writtenAtMs: ms, receivedAtMs: ms }),
  ),
  turn: z
    .object({
      ...{ id: z.string(), state: z.string(), attempts: z.number(), createdAtMs: ms },
      shownAtMs: ms
        .nullable()
        .describe('When a part of the answer first stood in the chat before it was complete'),
    })
    .nullable(),
  delivery: delivery.extend({ parts: z.array(deliveredPart) }).nullable(),
});
export type WayOfRun = z.infer<typeof wayOfRun>;

/** An answer that is not in its chat. */
export const undeliveredAnswer = delivery.extend({ parts: z.number(), sent: z.number() });
export type UndeliveredAnswer = z.infer<typeof undeliveredAnswer>;

const list = z.array(z.string().min(1).max(1_000)).max(1_000).default([]);
export const forgetStored = z
  .strictObject({
    of: z.strictObject({ persons: list, chats: list }),
    apply: z.boolean().default(false),
    sessionIDs: z.array(z.string()).max(100_000).default([]),
  })
  .refine(({ of, sessionIDs }) => of.persons.length + of.chats.length + sessionIDs.length > 0, {
    message: 'expected persons or chats',
  });
export const storedForgotten = z.object({
  applied: z.boolean(),
  messages: z.number(),
  answers: z.number(),
  files: z.number(),
  busy: z.number().describe('Messages that are being answered: they are left'),
  remains: z.array(z.string()),
});
