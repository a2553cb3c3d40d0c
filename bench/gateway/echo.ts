// The bare echo bots to compare with: the same client libraries as their documentation shows them, no ledger, no model, no memory.
import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { Client, Events, GatewayIntentBits, Partials } from 'discord.js';
import { Bot } from 'grammy';
import { z } from 'zod';

const environment = z.object({
  DISCORD_URL: z.string(),
  DISCORD_BOT_TOKEN: z.string(),
  TELEGRAM_URL: z.string(),
  TELEGRAM_BOT_TOKEN: z.string(),
  SLACK_URL: z.string(),
  SLACK_BOT_TOKEN: z.string(),
  SLACK_APP_TOKEN: z.string(),
});
const slackEvent = z.object({
  ack: z.custom<() => Promise<void>>((value) => typeof value === 'function'),
  event: z.object({ channel: z.string(), text: z.string().default(''), bot_id: z.string().optional() }),
});

const settings = environment.parse(process.env);
const connected = (platform: string): void => void process.stdout.write(`  ${platform} connected\n`);

const discord = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ],
  partials: [Partials.Channel],
  rest: { api: settings.DISCORD_URL },
});
discord.on(Events.MessageCreate, (message) => {
  if (!message.author.bot && message.channel.isSendable()) void message.channel.send(message.content);
});
discord.once(Events.ClientReady, () => connected('discord'));
await discord.login(settings.DISCORD_BOT_TOKEN);

const telegram = new Bot(settings.TELEGRAM_BOT_TOKEN, { client: { apiRoot: settings.TELEGRAM_URL } });
telegram.on('message:text', async (context) => {
  await context.reply(context.message.text);
});
const polling = telegram.start({ onStart: () => connected('telegram') });

const web = new WebClient(settings.SLACK_BOT_TOKEN, { slackApiUrl: settings.SLACK_URL });
const slack = new SocketModeClient({
  appToken: settings.SLACK_APP_TOKEN,
  clientOptions: { slackApiUrl: settings.SLACK_URL },
});
slack.on('message', async (envelope: unknown) => {
  const { ack, event } = slackEvent.parse(envelope);
  await ack();
  if (event.bot_id === undefined) await web.chat.postMessage({ channel: event.channel, text: event.text });
});
await slack.start();
connected('slack');

process.once('SIGTERM', async () => {
  await Promise.all([discord.destroy(), telegram.stop(), slack.disconnect()]);
  await polling;
  process.exit(0);
});
