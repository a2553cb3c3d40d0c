// The manifest holds what the code makes use of, neither more nor less. That it is enough is held by every other test of this folder, whose app is one of it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { newsSchema } from '#adapters/slack/codecs/members.ts';
import { reactionEvents } from '#adapters/slack/codecs/reactions.ts';
import { farewells } from '#adapters/slack/codecs/uninstalled.ts';
import type { AppKind } from '#adapters/slack/setup/manifest.ts';
import { main } from '#app/main.ts';
import { hears } from '#sandbox/slack/events/subscriptions.ts';
import { allows } from '#sandbox/slack/world/tokens.ts';
import { createWorkspace, type Room } from '#sandbox/slack/world/workspace.ts';
import { grantedBy } from './fixture.ts';

const kinds: readonly Room['kind'][] = ['channel', 'group', 'mpim', 'im'];
const folder = join(import.meta.dirname, '../../../src/adapters/slack');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
/** Methods by their name in a string, or called through the client. */
const methods = [
  ...new Set(
    [
      ...source.matchAll(
        /['.]((?:auth|users|conversations|chat|files|reactions|assistant)(?:\.[a-zA-Z]+)+)['(]/g,
      ),
    ].map(([, name = '']) => name),
  ),
];

/** What the code does that a scope is needed for: calls, and events that it wants. */
function refusedWith(app: AppKind, { scopes, subscriptions }: ReturnType<typeof grantedBy>): string[] {
  const { channel, ...rooms } = roomsByKind();
  // only an agent's threads have titles
  const called = methods.filter((method) => app === 'agent' || method !== 'assistant.threads.setTitle');
  const calls = called.flatMap((method) =>
    kinds.filter((kind) => !allows(method, kind, scopes)).map((kind) => `${method} in ${kind}`),
  );
  const events = subscriptions.flatMap((name) => {
    const [type = '', of] = name.split('.');
    const kind = kinds.find((each) => of === each || of === `${each}s`);
    const asked = kind === undefined || kind === 'channel' ? channel : rooms[kind];
    const event = kind === undefined ? { type } : { type, channel_type: kind };
    return hears({ scopes, subscriptions }, event, asked) ? [] : [name];
  });
  return [...calls, ...events];
}

function roomsByKind(): Record<Room['kind'], Room> {
  const workspace = createWorkspace();
  const made = kinds.map((kind) => [kind, workspace.addRoom({ kind, name: kind, members: [] })] as const);
  return Object.fromEntries(made) as Record<Room['kind'], Room>; // one of each kind
}

for (const app of ['bot', 'agent'] as const) {
  const granted = grantedBy(app);
  test(`an app of the manifest (${app}) may do all that the code does, and no scope of it can be left out`, () => {
    assert.ok(methods.length > 15, methods.join());
    assert.deepEqual(refusedWith(app, granted), []);
    // what makes Slack take the slash command; no call and no event needs it
    const idle = granted.scopes.filter((scope) => {
      const scopes = granted.scopes.filter((one) => one !== scope);
      return refusedWith(app, { ...granted, scopes }).length === 0;
    });
    assert.deepEqual(idle, ['commands']);
  });
}

test('the manifest subscribes to every event that is taken in', () => {
  const { subscriptions } = grantedBy('agent');
  const news = newsSchema.options.flatMap(({ shape }) =>
    'value' in shape.type ? [shape.type.value] : [...shape.type.options],
  );
  const messages = ['message.channels', 'message.groups', 'message.im', 'message.mpim'];
  const taken = [
    'app_mention',
    'agent_session_stopped',
    ...messages,
    ...news,
    ...farewells,
    ...reactionEvents,
  ];
  assert.deepEqual(subscriptions, [...new Set(taken)].sort());
});

const manifestSchema = z.strictObject({
  _metadata: z.object({ major_version: z.literal(2) }),
  display_information: z.strictObject({ name: z.string().max(35), description: z.string().max(140) }),
  features: z.looseObject({
    bot_user: z.strictObject({ display_name: z.string().max(80), always_online: z.boolean() }),
    agent_view: z.strictObject({ agent_description: z.string().max(300) }).optional(),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()) }) }),
  settings: z.looseObject({ socket_mode_enabled: z.literal(true), org_deploy_enabled: z.boolean() }),
});

async function parley(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const writing = (to: 'out' | 'err') => (line: string) => {
    said[to] += line;
  };
  const output = { out: writing('out'), err: writing('err') };
  return { code: await main(['slack', ...words], {}, output), ...said };
}

test('parley slack manifest prints the manifest, the link that makes an app of it, or what is wrong', async () => {
  const plain = await parley('manifest');
  const manifest = manifestSchema.parse(JSON.parse(plain.out));
  assert.deepEqual([plain.code, manifest.features.agent_view], [0, undefined]);
  const agent = manifestSchema.parse(JSON.parse((await parley('manifest', '--agent', '--name', 'Ada')).out));
  assert.equal(agent.display_information.name, 'Ada');
  assert.ok(agent.features.agent_view !== undefined);
  const whole = manifestSchema.parse(JSON.parse((await parley('manifest', '--org')).out));
  assert.deepEqual(
    [manifest, agent, whole].map(({ settings }) => settings.org_deploy_enabled),
    [false, false, true],
  );
  const link = new URL((await parley('manifest', '--link')).out);
  assert.equal(link.origin + link.pathname, 'https://api.slack.com/apps');
  assert.deepEqual(JSON.parse(link.searchParams.get('manifest_json') ?? ''), JSON.parse(plain.out));
  assert.deepEqual([(await parley()).code, (await parley('help')).code], [0, 0]);
  for (const words of [
    ['install'],
    ['manifest', 'now'],
    ['manifest', '--name', ' '],
    ['manifest', '--name', 'n'.repeat(36)],
  ]) {
    const { code, err } = await parley(...words);
    assert.deepEqual(
      [code, /See "parley slack (manifest )?--help"|Choose one of manifest\./.test(err)],
      [2, true],
      err,
    );
  }
});
