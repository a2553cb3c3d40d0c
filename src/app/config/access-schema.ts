// The keys of parley.config.json about people: who they are, and who may talk to the bot where. The others are in schema.ts.
import { z } from 'zod';
import { toolProgressDetails } from '#adapters/gateway/admission/channel-rules.ts';
import { type ReactionAct, usualReactions } from '#adapters/gateway/admission/reaction-rules.ts';
import { editRerunRules } from '#adapters/gateway/admission/rerun-choices.ts';
import {
  answerRules,
  approvalPlaces,
  directMessageRules,
  isUnnamed,
  whoRules,
} from '#adapters/gateway/terms/access-types.ts';
import { type CommandName, commandNames } from '#adapters/gateway/terms/command-table.ts';
import { memoryReaches, profileNames } from '#adapters/gateway/terms/profiles.ts';
import { roles } from '#adapters/gateway/terms/role.ts';
import { isSharedName } from '#adapters/gateway/terms/shared-names.ts';

interface IDs {
  person: z.ZodType<string, string>;
  room: z.ZodType<string, string>;
  space: z.ZodType<string, string>;
}

const ids = (pattern: RegExp, expected: string) =>
  z.string().regex(pattern, `expected ${expected}; names are not taken, since anyone can take any name`);
const discordID = (what: string) =>
  ids(/^\d{5,25}$/, `${what} as Discord's own id, which is digits (developer mode, right click, "Copy ID")`);
const telegramChat = ids(/^-?\d{1,16}$/, "a chat as Telegram's own id, which is a number");

/** How each platform names people, rooms and spaces. */
export const platformIDs = {
  discord: {
    person: discordID('an account'),
    room: discordID('a channel'),
    space: discordID('a server'),
  },
  telegram: {
    person: ids(/^\d{1,16}$/, "an account as Telegram's own id, which is a number and no @name"),
    room: telegramChat,
    space: telegramChat,
  },
  slack: {
    person: ids(
      /^[A-Z0-9]+\/[A-Z0-9]+$/,
      'an account as Slack\'s own ids, "TEAM/USER" (profile, "Copy member ID")',
    ),
    room: ids(/^[A-Z0-9]+$/, "a channel as Slack's own id"),
    space: ids(/^[A-Z0-9]+$/, "a workspace as Slack's own id"),
  },
} satisfies Record<string, IDs>;

const some = <T extends z.ZodType>(each: T) =>
  z
    .array(each)
    .min(1, 'it is empty, so that the bot would answer nowhere: name some, or leave the key out for all');
const who = z.enum(whoRules);
const answers = z.enum(answerRules);
const context = z.int().min(0).max(50);

const emojis = (act: ReactionAct, does: string) =>
  z
    .array(z.string().min(1).max(100))
    .default([...usualReactions[act]])
    .describe(
      `Reactions to an answer that ${does}: emoji, or names of the platform's own like \`:party:\`. Empty for none.`,
    );

/** The keys about what reactions to an answer, and edits of its question, do. */
const reactionKeys = {
  editReruns: z
    .enum(editRerunRules)
    .default('ask')
    .describe(
      'When someone edits their question within an hour, and nothing was answered there since: offer to answer it again, by a button (`ask`), do it at once (`always`), or only tell the model with the next message (`never`).',
    ),
  reactions: z
    .strictObject({
      good: emojis('good', 'are stored with its run as praise'),
      bad: emojis('bad', 'are stored with its run as a complaint'),
      retry: emojis('retry', 'have its question answered again, from whom was answered'),
      delete: emojis('delete', 'delete it, from whom was answered and from owners'),
      stop: emojis('stop', 'stop it while it is written'),
      context: z
        .boolean()
        .default(true)
        .describe(
          'The model is told of all other reactions to its answers, with the next message of the chat.',
        ),
    })
    .prefault({}),
};

/** The keys about what a channel shows of the work on an answer. */
const shownWork = {
  toolProgress: z
    .enum(toolProgressDetails)
    .default('short')
    .describe(
      'What the chat reads while a tool takes longer than a second: what is done (`short`), also the words that are searched for and whole addresses (`full`), or nothing (`off`).',
    ),
  indicators: z
    .strictObject({
      reactions: z.boolean().default(true).describe('A reaction to a message that waits.'),
      typing: z.boolean().default(true).describe('The typing indicator while an answer is made.'),
      notices: z
        .boolean()
        .default(true)
        .describe(
          'Words to a message that waits, where no reaction can be shown, and to one that takes longer than a minute.',
        ),
    })
    .prefault({}),
};

/** The schema of a channel's keys about who may talk to it. */
export function accessKeys(platform: keyof typeof platformIDs) {
  const { person, room, space } = platformIDs[platform];
  return {
    directMessages: z
      .enum(directMessageRules)
      .optional()
      .describe(
        'Who may write in private: known people, while strangers get a code (`pairing`), people in `allowlist`, everyone (`open`), or nobody (`off`). Default: `pairing`; `open` in the sandbox.',
      ),
    allowlist: z
      .array(person)
      .default([])
      .describe("Accounts that may write in private, in addition to owners, by the platform's own ids."),
    rooms: z
      .strictObject({
        allow: who
          .default('anyone')
          .describe('Who is answered in rooms: anyone there, people who are known, or owners.'),
        respondTo: answers
          .default('addressed')
          .describe(
            'What is answered there: no more than what mentions or answers the bot (`mentions`); that, and threads between it and one person, until others talk there (`addressed`); that, and all that is written in threads that it takes part in (`threads`); or `everything`.',
          ),
        spaces: some(space)
          .optional()
          .describe('Only in these spaces (servers, workspaces, groups). Default: all.'),
        include: some(room).optional().describe('Only in these rooms. Default: all.'),
        overrides: z
          .record(
            room,
            z.strictObject({
              allow: who.optional(),
              respondTo: answers.optional(),
              context: context.optional(),
            }),
          )
          .default({})
          .describe('Other `allow`, `respondTo` and `context` for single rooms, by their ids.'),
        context: context
          .default(20)
          .describe(
            'How many messages of the last hour that were written in the room go along with one that is meant for the bot, for that answer only: nothing of them is stored. 0 for none.',
          ),
        contextCharacters: z
          .int()
          .min(0)
          .max(100_000)
          .default(6_000)
          .describe('Characters of all these messages at most; the newest are shown.'),
      })
      .prefault({}),
    bots: z
      .strictObject({
        allowed: z
          .array(person)
          .default([])
          .describe(
            'Other bots that are answered in rooms when they mention or answer this one. All others are ignored.',
          ),
        perHour: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .describe('How many messages of one such bot are answered in one room within an hour.'),
      })
      .prefault({}),
    profile: z
      .enum(profileNames)
      .default('operator')
      .describe(
        'What the channel may do, in one word: `operator` (nothing narrower than the rest of the config), `trusted_team` (no foreign tools, no export) or `public_demo` (no tools but to-dos and questions, each chat remembers only itself, few commands).',
      ),
    tools: z
      .array(z.string().min(1).max(100))
      .optional()
      .describe(
        'Tools of the channel, with * for any characters, of those that its agent has. Default: as `profile` says.',
      ),
    memory: z
      .enum(memoryReaches)
      .optional()
      .describe(
        'What chats of the channel are reminded of: all that the people there may recall, or only the chat itself. Default: as `profile` says.',
      ),
    commands: z
      .array(z.enum(commandNames as [CommandName, ...CommandName[]]))
      .optional()
      .describe(
        'Commands that people other than owners may use there, as far as their role allows. Default: as `profile` says.',
      ),
    ...shownWork,
    ...reactionKeys,
  };
}

/** Adds an issue for each combination of a channel's keys that contradicts itself. */
export function checkAccess(
  channel: { directMessages?: string | undefined; allowlist: readonly string[] },
  add: (issue: { code: 'custom'; path: string[]; message: string }) => void,
): void {
  if (channel.directMessages === 'allowlist' && channel.allowlist.length === 0)
    add({
      code: 'custom',
      path: ['allowlist'],
      message:
        'it is empty while "directMessages" is "allowlist", so that nobody could write to the bot: name accounts, or choose "off" (nobody), "pairing" or "open"',
    });
}

const account = z
  .string()
  .regex(
    /^(discord|telegram|slack|terminal):.+$/,
    'expected "discord:ID", "telegram:ID", "slack:TEAM/USER" or "terminal:USER"',
  )
  .refine(
    (typed) => !isSharedName({ platform: typed.split(':')[0] ?? '', userID: typed.replace(/^[^:]*:/, '') }),
    'expected the account of one person, whose number on Telegram is not negative; a chat is nobody, since several people may write in its name',
  );
const accounts = z.array(account).min(1, 'it is empty: name at least one account');

/** Persons by name: a list of accounts, or accounts and a role. */
export const peopleSchema = z
  .record(
    z
      .string()
      .min(1)
      .refine((name) => !isUnnamed(name), 'expected a name that does not begin with "unnamed:"'),
    z.union(
      [
        accounts.transform((own) => ({ role: 'member' as const, accounts: own })),
        z.strictObject({ role: z.enum(roles).default('member'), accounts }),
      ],
      { error: 'expected a list of accounts, or { "role": "owner", "accounts": [...] }' },
    ),
  )
  .default({})
  .describe(
    'Which accounts are one person: `NAME: [accounts]`, or `NAME: { role, accounts }` with `owner`, `member` (default) or `guest`. What they say in private on one platform is recalled on the others.',
  );

export const approvals = z.strictObject({
  approvers: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Names of the persons who may approve tool calls; with an empty list nobody may. Default: every owner.',
    ),
  requestIn: z
    .enum(approvalPlaces)
    .default('room')
    .describe(
      'Where a room asks for the approval of a tool: in the `room`, where only approvers can answer, or in a `direct` message to one of them.',
    ),
});

const limit = (whose: string) =>
  z
    .strictObject({
      messages: z.int().min(1).optional().describe(`Messages of ${whose} that are answered within 24 hours.`),
      tokens: z
        .int()
        .min(1)
        .optional()
        .describe(`Tokens that ${whose} may use within 24 hours, sent and come back.`),
      costUSD: z
        .number()
        .positive()
        .optional()
        .describe(`US dollars that ${whose} may use within 24 hours; needs \`model.prices\`.`),
    })
    .prefault({});

/** How much may be used within a day. */
export const limits = z.strictObject({
  person: limit('a person, on all accounts,'),
  room: limit('a room'),
  assistant: limit('each assistant, by everyone together,'),
  assistants: z
    .record(z.string().min(1), limit('one assistant'))
    .default({})
    .describe(
      'Of single assistants by name: each bound takes the place of the same one of `limits.assistant`. Owners are never refused, and what they use counts.',
    ),
});
