// A home of thirty named rooms on three platforms, in which five people talk with the bot: for pictures and tests of the console. No test.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { startParley } from '#app/compose/compose.ts';
import { type Sandbox, startSandbox } from '#app/compose/sandbox.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { found, until } from './found.ts';

/** Two rooms on two platforms have one name; the others are the only ones of theirs. */
const rooms: Readonly<Record<SandboxPlatform, { space: string; names: readonly string[] }>> = {
  discord: {
    space: 'Harbour crew',
    names: [
      ...['engine-room', 'deck', 'galley', 'charts', 'weather', 'watch-list'],
      ...['safety', 'spare-parts', 'training', 'photos', 'paint', 'radio'],
    ],
  },
  slack: {
    space: 'Harbour office',
    names: [
      ...['engine-room', 'invoices', 'berths', 'customs', 'insurance'],
      ...['suppliers', 'crew-changes', 'fuel', 'permits', 'press'],
    ],
  },
  telegram: {
    space: '',
    names: [
      ...['Night watch', 'Regatta 2026', 'Friends of the Tern', 'Tide tables'],
      ...['Winter storage', 'Harlingen berth', 'Sail loft', 'Sunday crew'],
    ],
  },
};
const people = ['Anna', 'Ben', 'Carla', 'Deniz', 'Eva'];
const exchanges = [
  ['Which oil does the main engine take?', 'SAE 30, nine litres. The next change is due at **4,200 hours**.'],
  ['When does the tide turn today?', 'At 14:20; the next low water is at 20:36.'],
  ['Who has the key of the store?', 'Carla has it until Friday, then it hangs in the office again.'],
  [
    'What did we agree about the paint?',
    'Red below the water line, and two coats. Deniz orders it on Monday.',
  ],
  ['How many life jackets are there?', 'Fourteen, of which two are to be tested before May.'],
] as const;

export interface Harbour {
  /** Says something to the bot as a person, in a room by its platform and name; resolves before it is answered. */
  say(said: { platform: SandboxPlatform; room: string; person: string; text: string }): Promise<void>;
}

/** The model of the harbour: it answers at once what people ask there, and takes minutes for what begins with "Slowly". */
export async function startHarbourModel(): Promise<{ url: string; stop(): Promise<void> }> {
  const model = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', chunkSize: 20 });
  // a response that nobody reads any longer is at its end: it would be written for minutes, and its timers hold the process
  model.mount('', {
    async handleRequest(_, response) {
      response.once('close', () => response.end());
      return false;
    },
  });
  await model.start();
  const long = exchanges.map(([, answer]) => answer).join(' ');
  model.onMessage(/Slowly/, { content: `${long} `.repeat(40) }, { latency: 400, chunkSize: 12 });
  model.addFixture({
    match: { userMessage: /Look up/, hasToolResult: false },
    response: { toolCalls: [{ name: 'memory_search', arguments: '{"query":"spare impeller"}' }] },
  });
  model.onMessage(/Look up/, { content: 'The spare impeller is in the store, on the second shelf.' });
  for (const [question, answer] of exchanges)
    model.onMessage(new RegExp(question.replace(/\?$/, '')), { content: answer }, { latency: 15 });
  model.onMessage(/.*/, { content: 'Noted.' });
  return { url: `${model.url}/v1`, stop: () => model.stop() };
}

/** The config and the environment with which a program opens the harbour. */
export const harbourConfig = {
  model: { name: 'harbour-1', prices: { input: 3, output: 15, cachedInput: 0.3 } },
  tools: { policy: { memory_search: 'ask' } },
} as const;

/** Makes the rooms and has each person ask in each sixth of them; resolves once all of it is answered. */
export async function fillHarbour(sandbox: Sandbox): Promise<Harbour> {
  const accounts = new Map<string, string>();
  const made = new Map<string, string>();
  for (const platform of ['discord', 'slack', 'telegram'] as const) {
    const { places } = sandbox[platform];
    const { space: name, names } = rooms[platform];
    for (const person of people) accounts.set(`${platform} ${person}`, places.addAccount(person));
    const members = people.map((person) => accounts.get(`${platform} ${person}`) ?? '');
    const common = places.addSpace(name);
    if (platform === 'slack') places.renameSpace?.(common, name); // the one workspace that there is
    if (platform !== 'telegram') for (const member of members) places.joinSpace(member, common);
    for (const room of names) {
      const space = platform === 'telegram' ? places.addSpace(room) : common;
      if (platform === 'telegram') for (const member of members) places.joinSpace(member, space);
      const kind = platform === 'telegram' ? 'private' : 'public';
      made.set(`${platform} ${room}`, places.addRoom({ space, kind, name: room, members }));
    }
  }
  const say: Harbour['say'] = async ({ platform, room, person, text }) => {
    const [where = '', account = ''] = [
      made.get(`${platform} ${room}`),
      accounts.get(`${platform} ${person}`),
    ];
    await sandbox[platform].places.say({ account, room: where, text, mention: true });
  };
  let at = 0;
  for (const platform of ['discord', 'slack', 'telegram'] as const)
    for (const room of rooms[platform].names) {
      const { places } = sandbox[platform];
      const [question] = exchanges[at % exchanges.length] ?? exchanges[0];
      await say({ platform, room, person: people[at % people.length] ?? '', text: question });
      at += 1;
      const where = made.get(`${platform} ${room}`) ?? '';
      await found(`an answer in ${room}`, () => (places.messages(where).length > 1 ? true : undefined));
    }
  return { say };
}

/** The program over the three simulated platforms, which are connected, in a folder of its own; `close` ends it and deletes the folder. */
export async function openProgram(config: object, variables: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-harbour-'));
  writeFileSync(
    join(folder, 'parley.config.json'),
    JSON.stringify({
      ...{ engine: { port: 0 }, gateway: { debounceMs: 0, shutdownSeconds: 1 }, log: { level: 'silent' } },
      ...config,
    }),
  );
  const sandbox = await startSandbox(systemClock);
  const loaded = loadConfig({ folder, variables });
  const parley = await startParley(loaded, { clock: systemClock, sandbox });
  const connected = (): boolean =>
    ['discord', 'slack', 'telegram'].every((name) =>
      parley.gateway.status().some(({ platform, state }) => platform === name && state === 'ready'),
    );
  await until('the platforms are connected', connected);
  const token = readFileSync(join(loaded.home, 'token'), 'utf8').trim();
  return {
    ...{ sandbox, url: parley.url },
    client: createClient({ baseUrl: parley.url, token }),
    async close() {
      await parley.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The program over the harbour, with its client. */
export async function openHarbour(): Promise<
  Harbour & { url: string; client: ParleyClient; close(): Promise<void> }
> {
  const model = await startHarbourModel();
  const quick = { rateLimits: 'reactive' };
  const config = { ...harbourConfig, channels: { telegram: quick, slack: quick } };
  const { sandbox, url, client, close } = await openProgram(config, {
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.url,
  });
  return {
    ...(await fillHarbour(sandbox)),
    ...{ url, client },
    async close() {
      await close();
      await model.stop();
    },
  };
}
