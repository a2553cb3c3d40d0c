// The part of the demo that is played in the room of each platform: what happens there, what is asked about it, and what is seen. Data only.
import type { SandboxPlatform, SandboxUser } from '#sandbox/contract.ts';

export interface RoomScene {
  /** What happens before the question, without the bot's name. */
  happens: 'a picture' | 'an alert' | 'a long thread' | 'two people talk';
  /** What `you` ask, with the bot's name. */
  text: string;
  /** What the one answer has to contain on each platform: they do not all show a bot the same. */
  expects: Readonly<Record<SandboxPlatform, RegExp>>;
}

/** As a monitoring program posts it. */
export const alert = {
  title: '[FIRING] DiskFull',
  text: 'The disk of db-1 is at 97 %.',
  fields: [
    { name: 'Instance', value: 'db-1' },
    { name: 'Since', value: '09:14' },
  ],
};

const plan: readonly [string, string] = [
  'Shall we take the boat to the island?',
  'Then we meet at the pier at nine.',
];
/** Messages of the long thread. */
const threadLength = 40;

/** What is written in the thread, in turn by `guest` and `you`. */
export const threadLines: readonly { user: SandboxUser; text: string }[] = Array.from(
  { length: threadLength },
  (_, at) => ({
    user: at % 2 === 0 ? 'guest' : 'you',
    text: at === 0 ? plan[0] : at === threadLength - 1 ? plan[1] : `A thought about the boat, number ${at}.`,
  }),
);

/** What two people write to each other in the same thread. */
export const talk: readonly { user: SandboxUser; text: string }[] = [
  { user: 'guest', text: 'Will you bring the life jackets?' },
  { user: 'you', text: 'Yes, all four of them.' },
];

const alerted = /DiskFull[\s\S]*97 %[\s\S]*09:14/;
const thread = new RegExp(`${threadLength} messages[\\s\\S]*the island[\\s\\S]*at nine`);
const talked = /the last \d+ messages[\s\S]*four of them/;

/** The scenes; the last two are in one thread. */
export const roomsStory: readonly RoomScene[] = [
  {
    happens: 'a picture',
    text: 'What is in this picture?',
    expects: {
      discord: /cannot look into .?lift\.png/,
      telegram: /cannot look into .?photo\.jpg/,
      slack: /cannot look into .?lift\.png/,
    },
  },
  {
    happens: 'an alert',
    text: 'What is this alert?',
    expects: { discord: alerted, telegram: alerted, slack: alerted },
  },
  {
    happens: 'a long thread',
    text: 'Summarise this thread, please.',
    // Telegram's bots see what came while they listened, and no history
    expects: { discord: thread, telegram: /the last 20 messages[\s\S]*at nine/, slack: thread },
  },
  {
    happens: 'two people talk',
    text: 'Is there more in this thread now?',
    expects: { discord: talked, telegram: talked, slack: talked },
  },
];
