// What happens in a room of the demo before the bot is asked about it, as each platform has it.
import type { Sandbox } from '#app/compose/sandbox.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { alert, type RoomScene, talk, threadLines } from './rooms-story.ts';
import { lift } from './sent-files.ts';
import type { PlaceInRoom } from './stage.ts';

/** Where the question about it is asked, and what the transcript shows of it. */
export interface Happened {
  place: PlaceInRoom;
  lines: readonly { who: string; text: string }[];
}

interface About {
  sandbox: Sandbox;
  platform: SandboxPlatform;
  happens: RoomScene['happens'];
  /** Where the scene before was. */
  place: PlaceInRoom | undefined;
}

/** Plays the event on its simulated platform; it is not addressed to the bot. */
export async function happen(about: About): Promise<Happened> {
  switch (about.happens) {
    case 'a picture':
      return postPicture(about);
    case 'an alert':
      return postAlert(about);
    case 'a long thread':
      return writeThread(about);
    case 'two people talk':
      return talkOn(about);
  }
}

/** Slack has threads in the place of replies. */
const at = (platform: SandboxPlatform, id: string): PlaceInRoom =>
  platform === 'slack' ? { thread: id } : { replyTo: id };

async function postPicture({ sandbox, platform }: About): Promise<Happened> {
  const message = { user: 'guest', text: 'Look at the lift.' } as const;
  const { id } = await sandbox[platform].say({ chat: 'room', ...message, files: [lift()] });
  return {
    place: at(platform, id),
    lines: [{ who: message.user, text: `${message.text} (a picture, lift.png)` }],
  };
}

async function postAlert({ sandbox, platform }: About): Promise<Happened> {
  const { title, text, fields } = alert;
  const lines = fields.map(({ name, value }) => `${name}: ${value}`);
  const whole = [title, text, ...lines].join('\n');
  const place = (id: string): PlaceInRoom => at(platform, id);
  switch (platform) {
    case 'discord': {
      const inEmbed = fields.map((field) => ({ ...field, inline: false }));
      const embeds = [{ type: 'rich' as const, title, description: text, fields: inEmbed }];
      const { id } = sandbox.discord.hook({ chat: 'room', name: 'Grafana', embeds });
      return { place: place(id), lines: [{ who: 'Grafana', text: `(an embed)\n${whole}` }] };
    }
    case 'slack': {
      const inSlack = fields.map(({ name, value }) => ({ title: name, value }));
      const attachments = [{ id: 1, title, text, fields: inSlack }];
      const { id } = sandbox.slack.hook({ chat: 'room', name: 'Grafana', attachments });
      return { place: place(id), lines: [{ who: 'Grafana', text: `(an attachment)\n${whole}` }] };
    }
    case 'telegram': {
      // Telegram shows bots no message of another bot: a person passes it on
      const alerts = { id: -1_009, type: 'channel' as const, title: 'Alerts' };
      const from = { type: 'channel' as const, date: 1, message_id: 5, chat: alerts };
      const content = { text: whole, forward_origin: from };
      const { id } = await sandbox.telegram.post({ chat: 'room', user: 'guest' }, content);
      return { place: place(id), lines: [{ who: 'guest', text: `(forwarded from Alerts)\n${whole}` }] };
    }
  }
}

async function writeThread({ sandbox, platform }: About): Promise<Happened> {
  const server = sandbox[platform];
  const [first, ...rest] = threadLines;
  if (first === undefined) return { place: {}, lines: [] };
  let thread: string;
  if (platform === 'slack') thread = (await server.say({ chat: 'room', ...first })).id;
  else {
    thread =
      platform === 'discord'
        ? sandbox.discord.openThread({ chat: 'room', name: 'The island' }).id
        : sandbox.telegram.createTopic('The island');
    await server.say({ chat: 'room', ...first, thread });
  }
  for (const line of rest) await server.say({ chat: 'room', ...line, thread });
  const last = rest.at(-1) ?? first;
  const between = { who: '', text: `(${rest.length - 1} more messages in this thread)` };
  const shown = ({ user, text }: typeof first) => ({ who: user, text });
  return { place: { thread }, lines: [shown(first), between, shown(last)] };
}

async function talkOn({ sandbox, platform, place = {} }: About): Promise<Happened> {
  for (const line of talk) await sandbox[platform].say({ chat: 'room', ...line, ...place });
  const lines = talk.map(({ user, text }) => ({ who: user, text }));
  return { place, lines: [...lines, { who: '', text: '(Parley stays quiet until its name is called)' }] };
}
