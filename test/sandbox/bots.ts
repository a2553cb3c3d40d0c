// One bot on each sandbox server over bare HTTP and WebSocket, where a library would hide what is on the wire. No test.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import type { SandboxPlatform, SandboxServer } from '#sandbox/contract.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { settle } from '../support/manual-clock.ts';

export interface Outcome {
  status: number;
  id: string;
  /** Seconds that the platform asks to wait; NaN when it says nothing. */
  retryAfter: number;
}

export interface Bot {
  /** Posts into the direct message with `you`; rejects when the answer never comes. */
  send(text: string): Promise<Outcome>;
  edit(id: string, text: string): Promise<Outcome>;
  /** Opens the live connection, and resolves, once it stands, with what ends it: `closed` or `op 9`. */
  listen(t: TestContext): Promise<{ ended: Promise<string> }>;
}

type Answer = { [key: string]: unknown };

async function call(
  url: string,
  body: object,
  init: RequestInit,
): Promise<{ response: Response; answer: Answer }> {
  const headers = { 'content-type': 'application/json', ...init.headers };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), ...init, headers });
  return { response, answer: (await response.json()) as Answer }; // each bot looks at what its platform sends
}

const numberIn = (value: unknown, key: string): number =>
  typeof value === 'object' && value !== null && key in value
    ? Number(value[key as keyof typeof value])
    : Number.NaN;

/** Resolves with the first message that fits; all of them stay for later calls. */
function frames(t: TestContext, url: string) {
  const socket = new WebSocket(url);
  t.after(() => socket.terminate());
  const seen: Answer[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    seen.push(JSON.parse(data.toString()));
    for (const look of waiting) look();
  });
  const first = (fits: (frame: Answer) => boolean): Promise<Answer> =>
    new Promise((resolve) => {
      const look = (): void => {
        const frame = seen.find(fits);
        if (frame !== undefined) resolve(frame);
      };
      waiting.add(look);
      look();
    });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
  return { socket, first, closed };
}

function discordBot({ url, tokens, userID }: SandboxServer): Bot {
  const headers = { authorization: `Bot ${tokens.bot}` };
  const rest = `${url}/v10`;
  const channel = async (): Promise<string> => {
    const { answer } = await call(`${rest}/users/@me/channels`, { recipient_id: userID('you') }, { headers });
    return String(answer.id);
  };
  const outcome = ({ response, answer }: Awaited<ReturnType<typeof call>>): Outcome => ({
    status: response.status,
    id: String(answer.id),
    retryAfter: numberIn(answer, 'retry_after'),
  });
  return {
    send: async (content) =>
      outcome(await call(`${rest}/channels/${await channel()}/messages`, { content }, { headers })),
    edit: async (id, content) => {
      const message = `${rest}/channels/${await channel()}/messages/${id}`;
      return outcome(await call(message, { content }, { method: 'PATCH', headers }));
    },
    async listen(t) {
      const line = frames(t, `ws://${new URL(url).host}/?v=10&encoding=json`);
      await line.first(({ op }) => op === 10);
      line.socket.send(JSON.stringify({ op: 2, d: { token: tokens.bot, intents: 1, properties: {} } }));
      await line.first(({ t: name }) => name === 'READY');
      const invalid = line.first(({ op }) => op === 9).then(() => 'op 9');
      return { ended: Promise.race([invalid, line.closed]) };
    },
  };
}

function telegramBot(server: SandboxServer): Bot {
  const { url, tokens, userID, polling } = server as TelegramSandbox; // startSandbox makes it one
  const method = `${url}/bot${tokens.bot}`;
  const ask = async (name: string, params: object): Promise<Outcome> => {
    const { response, answer } = await call(`${method}/${name}`, { chat_id: userID('you'), ...params }, {});
    return {
      status: response.status,
      id: String(numberIn(answer.result, 'message_id')),
      retryAfter: numberIn(answer.parameters, 'retry_after'),
    };
  };
  return {
    send: (text) => ask('sendMessage', { text }),
    edit: (id, text) => ask('editMessageText', { message_id: Number(id), text }),
    async listen() {
      const poll = call(`${method}/getUpdates`, { timeout: 50 }, {}).then(
        ({ answer }) => JSON.stringify(answer),
        () => 'closed',
      );
      while (!polling()) await settle();
      return { ended: poll };
    },
  };
}

function slackBot({ url, tokens }: SandboxServer): Bot {
  const headers = { authorization: `Bearer ${tokens.bot}` };
  const ask = async (name: string, args: object): Promise<Outcome> => {
    const { response, answer } = await call(url + name, { channel: 'D0YOU0000', ...args }, { headers });
    const wait = response.headers.get('retry-after');
    return {
      status: response.status,
      id: String(answer.ts),
      retryAfter: wait === null ? Number.NaN : Number(wait),
    };
  };
  return {
    send: (text) => ask('chat.postMessage', { text }),
    edit: (ts, text) => ask('chat.update', { ts, text }),
    async listen(t) {
      const authorization = `Bearer ${tokens.app}`;
      const { answer } = await call(`${url}apps.connections.open`, {}, { headers: { authorization } });
      assert.ok(typeof answer.url === 'string');
      const line = frames(t, answer.url);
      await line.first(({ type }) => type === 'hello');
      return { ended: line.closed };
    },
  };
}

const bots = { discord: discordBot, telegram: telegramBot, slack: slackBot };

/** The bot of this server's token. */
export function botOn(server: SandboxServer): Bot {
  const platform: SandboxPlatform = server.platform;
  return bots[platform](server);
}
