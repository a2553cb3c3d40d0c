// What a person notices works differently on the three platforms: a row for each, as docs/platforms.md shows it, with what shows it.
import type { Platform } from './platforms.ts';

/** A row of a table that compares the platforms, each with its cell. */
export interface Row extends Readonly<Record<Platform['name'], string>> {
  what: string;
  /** Members of the channels' contract (`caps.` for its figures) that this row is about. */
  facets?: readonly string[];
  /** Tests that show it: a file below test/, and the beginning of a title. */
  tests: readonly (readonly [string, string])[];
}

/** Where the channels differ without anyone noticing, with the reason. */
export const unnoticed: Readonly<Record<string, string>> = {
  budgets: 'Discord says its limits in headers; the others document them, and Parley obeys each.',
  'caps.splitsAt':
    'where apps cut what is pasted: Discord and Telegram do, and Parley joins it again, so that it is one message as on Slack',
  find: 'only Slack finds a message again by a mark that was posted with it: the row on repeats says what follows',
  'caps.typingMs': 'how often the activity indicator is renewed; it is there as long as the work',
  'caps.threadsLimitedAlone': 'Discord counts calls by thread: an internal matter of the rate limiter',
};

const threads = 'conformance/threads.test.ts';
const commands = 'app/slack-commands.test.ts';

export const differences: readonly Row[] = [
  {
    what: 'how a command is written',
    discord: '`/new`, from a list',
    telegram: '`/new`, from a menu',
    slack: '`!new`, or `/parley new` outside of threads',
    tests: [[commands, 'every command is named as Slack takes it']],
  },
  {
    what: 'who sees the answer to a command in a room',
    discord: 'who ran it from the list; everyone where it was typed as a message',
    telegram: 'everyone; what is private is sent in private',
    slack: 'who gave it',
    facets: ['ephemeralFor'],
    tests: [
      ['adapters/discord/ephemeral.test.ts', 'what is for the asker is seen by nobody else'],
      ['app/ephemeral.test.ts', 'Slack: after a mention the asker alone sees'],
      ['app/ephemeral.test.ts', 'Telegram, which does not promise'],
    ],
  },
  {
    what: 'a command where the bot may not answer',
    discord: 'refused to its sender',
    telegram: 'passed over',
    slack: '`/parley` is refused to its sender, `!` is passed over',
    tests: [
      ['adapters/discord/ephemeral.test.ts', 'a command in a room where the bot may not answer'],
      ['app/ephemeral.test.ts', 'Slack: a slash command in a room where the bot may not answer'],
    ],
  },
  {
    what: 'answering one message',
    discord: 'a reply; its text and files are seen',
    telegram: 'a reply; its text and files are seen',
    slack: 'Slack has threads in its place',
    tests: [['app/pointed-at.test.ts', 'the picture of the message that is answered is shown']],
  },
  {
    what: 'a whole thread, from before the first mention',
    discord: 'read',
    telegram: 'bots are given no history: at most the last 20 messages that it received',
    slack: 'read',
    facets: ['thread'],
    tests: [
      ['app/pointed-at.test.ts', 'a whole thread is read, page by page'],
      ['app/demo-rooms.test.ts', 'the story of the rooms comes true on each platform'],
    ],
  },
  {
    what: 'the name of a thread',
    discord: 'seen, with the tags of a forum post',
    telegram: 'not given with the messages of a topic',
    slack: 'threads have none',
    tests: [['app/pointed-at.test.ts', 'a forum post is reported with its title']],
  },
  {
    what: 'the room before a mention',
    discord: 'from its history',
    telegram: 'what the bot received since it started',
    slack: 'from its history',
    tests: [['app/room-context.test.ts', 'a message that mentions the assistant goes with']],
  },
  {
    what: 'posts of other programs (alerts)',
    discord: 'seen',
    telegram: 'bots receive none of other bots: a person passes them on',
    slack: 'seen',
    tests: [['app/pointed-at.test.ts', 'an alert of another program is reported']],
  },
  {
    what: 'the preview of a link',
    discord: 'seen, also when it comes after the message and before the answer is begun',
    telegram: 'not given to bots',
    slack: 'seen, also when it comes after the message and before the answer is begun',
    tests: [['conformance/previews.test.ts', 'a preview that comes while the message waits']],
  },
  {
    what: 'a thread without the name of the bot',
    discord: 'answered while it is between the bot and one person',
    telegram: 'the same, in a group only with privacy mode off or the bot an administrator',
    slack: 'answered while it is between the bot and one person',
    tests: [[threads, 'a thread between one person and the bot is answered']],
  },
  {
    what: 'a mention at the top of a room',
    discord: 'answered there, or in a thread with `replyInThread`',
    telegram: 'answered there',
    slack: 'answered in a thread, or there with `replyInThread`',
    tests: [['app/threads.test.ts', 'a mention in a channel is answered in a thread or in the channel']],
  },
  {
    what: 'the activity indicator',
    discord: 'typing',
    telegram: 'typing',
    slack: 'a status in a thread, outside of threads a reaction to the message',
    tests: [['conformance/signs.test.ts', 'a person sees within a second']],
  },
  {
    what: 'an answer while it is written',
    discord: 'a message that is edited',
    telegram: 'a draft in private, in groups a message that is edited',
    slack: 'a stream in a thread, outside of threads a message that is edited',
    facets: ['live'],
    tests: [
      ['adapters/telegram/live.test.ts', 'drafts are for private chats'],
      ['adapters/slack/outgoing/live.test.ts', 'there is no stream outside of threads'],
    ],
  },
  {
    what: 'an answer whose delivery is not certain',
    discord: 'sent again; Discord drops a repeat',
    telegram: 'sent again, marked as a possible repeat',
    slack: 'looked for, and sent again only where it is not there',
    facets: ['caps.idempotentSend', 'caps.idempotentForMs'],
    tests: [
      [
        'adapters/discord/outbound.test.ts',
        'a send whose answer was lost may be repeated with its key and is once (C1)',
      ],
      ['adapters/telegram/outbound.test.ts', 'a repeat is marked as one'],
      ['adapters/slack/outgoing/outbound.test.ts', 'a post whose answer was lost is found by its key'],
    ],
  },
  {
    what: 'the largest file that is sent',
    discord: '10 MiB',
    telegram: '50 MB',
    slack: '100 MiB',
    facets: ['caps.files.limitBytes'],
    tests: [],
  },
  {
    what: 'reactions to answers',
    discord: 'yes',
    telegram:
      "in private, and in groups where the bot is an administrator; Telegram's own list has no 🔁, ❌ and ⏹",
    slack: 'yes, with an app-level token',
    tests: [['app/reactions.test.ts', 'the reactions that retry, delete and stop do what the commands do']],
  },
  {
    what: 'buttons',
    discord: 'yes',
    telegram: 'yes',
    slack: 'only with an app-level token; else numbers',
    tests: [['app/buttons.test.ts', 'approval is given by a button on each platform']],
  },
  {
    what: 'a room that refuses an answer',
    discord: 'the person gets a direct message',
    telegram: 'the person gets a direct message, once they have started the bot',
    slack: 'the person gets a direct message',
    tests: [['conformance/refused.test.ts', 'anyone who never wrote in private']],
  },
  {
    what: 'topics of a direct message',
    discord: 'Discord has none',
    telegram: 'each is a session, with its title',
    slack: 'of an agent, each chat is a session, with its title',
    facets: ['retitle'],
    tests: [['app/topics.test.ts', 'each topic of a direct message is a session of its own']],
  },
  {
    what: 'a message that its author deletes',
    discord: 'forgotten',
    telegram: 'bots get no notice of it: it stays',
    slack: 'forgotten',
    tests: [['app/room-context.test.ts', 'what was written in a room goes with its author']],
  },
  {
    what: 'an administrator without a name',
    discord: 'Discord has none',
    telegram: 'has no rights, and is shown how to say who they are',
    slack: 'Slack has none',
    tests: [['adapters/telegram/groups.test.ts', 'an anonymous administrator has no rights']],
  },
  {
    what: 'posts with comments, business accounts',
    discord: 'Discord has none',
    telegram: 'a post and its comments are one conversation; business accounts are refused with a message',
    slack: 'Slack has none',
    tests: [
      ['adapters/telegram/groups.test.ts', 'comments below a post are a conversation of their own'],
      ['adapters/telegram/groups.test.ts', 'anyone who connects the bot to a business account'],
    ],
  },
  {
    what: 'the time zone of a person, for reminders',
    discord: 'the person says it once',
    telegram: 'the person says it once',
    slack: 'that of the profile, unless the person says another',
    facets: ['zoneOf'],
    tests: [['app/reminders.test.ts', 'on Slack the zone of the profile is taken, and a person need']],
  },
  {
    what: 'one installation for many workspaces',
    discord: 'every server, over several connections (`channels.discord.shards`)',
    telegram: 'every group',
    slack: 'one workspace, or an organisation whose people are one person in all of them',
    tests: [
      ['app/sharding.test.ts', 'a shard that is away is named by the status'],
      ['adapters/slack/rooms/organisation.test.ts', 'a person is one person in all workspaces'],
    ],
  },
];

/** A table of docs/platforms.md, whose first column has this heading. */
export function tableOf(heading: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${[row.what, row.discord, row.telegram, row.slack].join(' | ')} |`);
  return [`| ${heading} | Discord | Telegram | Slack |`, '| --- | --- | --- | --- |', ...lines].join('\n');
}
