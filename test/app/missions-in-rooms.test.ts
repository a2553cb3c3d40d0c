// Missions where several people talk: shown, stopped and answered in the room or thread where they were asked for, and approvals in them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { chef, type Script, startScripted } from '../engine/teams/team-kit.ts';
import { fastClock } from '../support/fast-clock.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, openThread } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const never = Promise.withResolvers<void>().promise;
const room = { chat: 'room', user: 'you' } as const;

async function openTeamHouse(
  t: TestContext,
  script: Script,
  { team = {}, ...config }: { team?: object; channels?: object; tools?: object } = {},
) {
  const model = await startScripted(t, script);
  const { provider, model: name, baseUrl } = model.settings;
  const house = await openHouse(t, {
    config: {
      model: { provider, name, baseUrl },
      agents: { team: { enabled: true, requireJustification: false, ...team } },
      ...config,
    },
    clock: fastClock(10), // between two edits of a message are three seconds
  });
  await house.ready(...all);
  return { house, model };
}

/** Waits for a message of the bot in the room that fits, in this thread where one is named. */
const shown = (house: House, platform: SandboxPlatform, wanted: RegExp, thread?: string) =>
  found(`${platform}: ${wanted}`, () =>
    house
      .answers({ platform, ...room })
      .find((message) => wanted.test(message.text) && (thread === undefined || message.thread === thread)),
  );

test('in a room and in a thread of each platform the agents are shown where they were asked for, and the answer takes that place (S12)', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { house } = await openTeamHouse(t, async (asked) => ({
    ...(await chef(asked)),
    ...(asked.prompt.includes('old') ? { held: gate.promise } : {}),
  }));
  const places = await Promise.all(
    all.map(async (platform) => ({ platform, thread: await openThread(house, platform) })),
  );
  for (const { platform, thread } of places) {
    const server = house.sandbox[platform];
    await server.say({ ...room, text: 'How long is the bridge?', mention: true });
    await server.say({ ...room, text: 'How long is the bridge?', mention: true, thread });
  }
  const live = new Map<string, { id: string; thread: string | undefined }>();
  for (const { platform, thread } of places) {
    const two = await found(`${platform}: both`, () => {
      const now = house
        .answers({ platform, ...room })
        .filter(
          ({ text, buttons }) => /2 agents work on this: 1 of 2 done/.test(text) && buttons?.[0] === 'Stop',
        );
      return now.length === 2 ? now : undefined;
    });
    assert.equal(
      two.filter((message) => message.thread === thread).length,
      1,
      `${platform}: one in the thread`,
    );
    for (const { id, thread: place } of two) live.set(`${platform} ${id}`, { id, thread: place });
  }
  gate.resolve();
  for (const { platform } of places) {
    const answers = await found(`${platform}: the answers`, () => {
      const now = house.answers({ platform, ...room });
      const isDone = now.every(({ text, buttons }) => /that was checked/.test(text) && buttons === undefined);
      return isDone ? now : undefined;
    });
    assert.equal(answers.length, 2, platform);
    for (const { id, thread } of answers)
      assert.deepEqual(live.get(`${platform} ${id}`), { id, thread }, `${platform}: in its place`);
    assert.deepEqual(
      house.answers({ platform, chat: 'dm', user: 'you' }),
      [],
      `${platform}: nothing in private`,
    );
  }
});

for (const sessions of ['room', 'person'] as const)
  test(`the button stops the agents in a room and in a thread, also for others there, with sessions of each ${sessions} (S4, S12)`, async (t) => {
    const { house } = await openTeamHouse(
      t,
      async (asked) => ({
        ...(await chef(asked)),
        ...(asked.system.includes('You are a researcher') ? { held: never } : {}),
      }),
      { channels: Object.fromEntries(all.map((platform) => [platform, { sessions }])) },
    );
    for (const platform of all)
      for (const thread of [undefined, await openThread(house, platform)]) {
        const server = house.sandbox[platform];
        const before = house.answers({ platform, ...room }).length;
        await server.say({ ...room, text: 'How long is the bridge?', mention: true, thread });
        const { id } = await found(`${platform}: the agents`, () =>
          house
            .answers({ platform, ...room })
            .slice(before)
            .find(({ text }) => /2 agents work on this/.test(text)),
        );
        server.pressButton({ id, user: 'you', at: 0 });
        const ended = await found(`${platform}: the end`, () =>
          house
            .answers({ platform, ...room })
            .find((message) => message.id === id && /\(stopped\)/.test(message.text)),
        );
        assert.equal(ended.buttons, undefined, platform);
        await found(`${platform}: it says so`, () =>
          house
            .answers({ platform, ...room })
            .slice(before)
            .find(({ text }) => /I stopped the agents/.test(text)),
        );
      }
  });

const request = { behavior: 'request_only', canSpawn: [] };

/** One agent is started, which looks into memory. */
const careful: Script = ({ system, results }) => {
  if (system.includes('You are a researcher'))
    return results.length === 0
      ? { calls: [{ name: 'memory_search', args: { query: 'bridge' } }] }
      : { text: 'It is 40 m long.' };
  if (results.length === 0)
    return {
      calls: [{ name: 'spawn_agent', args: { template: 'researcher', task: 'How long is the bridge?' } }],
    };
  return results.length === 1
    ? { calls: [{ name: 'wait_agents', args: {} }] }
    : { text: 'The bridge is 40 m long.' };
};

test('while a mission waits, an agent and its tool are approved in the room by those who may, with the name of the agent (S7, S11)', async (t) => {
  const { house } = await openTeamHouse(t, careful, {
    team: { spawnEdges: { orchestrator: request } },
    tools: { policy: { memory_search: 'ask' } },
  });
  for (const platform of all) {
    const server = house.sandbox[platform];
    await server.say({ chat: 'room', user: 'guest', text: 'How long is the bridge?', mention: true });
    const spawn = await shown(house, platform, /spawn_agent/);
    assert.match(spawn.text, /How long is the bridge\?/, platform);
    assert.deepEqual(spawn.buttons, ['yes, this once', 'no'], platform);
    server.pressButton({ id: spawn.id, user: 'guest', at: 0 });
    await found(`${platform}: the refusal`, () =>
      server.whispers('guest').find((words) => /cannot approve/.test(words)),
    );
    server.pressButton({ id: spawn.id, user: 'you', at: 0 });
    const tool = await shown(house, platform, /memory_search/);
    assert.match(tool.text, /Researcher/, platform);
    const live = await shown(house, platform, /1 agent works on this: 0 of 1 done/);
    assert.match(live.text, /⏳ .*Researcher/, platform);
    server.pressButton({ id: tool.id, user: 'you', at: 0 });
    const answer = await shown(house, platform, /The bridge is 40 m long\./);
    assert.equal(answer.id, live.id, `${platform}: in the place of what it showed`);
    for (const id of [spawn.id, tool.id]) {
      const settled = await found(`${platform}: settled`, () =>
        house
          .answers({ platform, ...room })
          .find((message) => message.id === id && /allowed this once/.test(message.text)),
      );
      assert.equal(settled.buttons, undefined, platform);
    }
  }
});

test('in private on each platform a number approves an agent, and one that is refused is not started and said so to the model (S7, S11)', async (t) => {
  const { house, model } = await openTeamHouse(t, careful, {
    team: { spawnEdges: { orchestrator: request } },
  });
  for (const platform of all) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    const say = (text: string) => house.sandbox[platform].say({ chat: 'dm', user: 'you', text });
    const said = (wanted: RegExp, from = 0) =>
      found(`${platform}: ${wanted}`, () =>
        house
          .answers(talk)
          .slice(from)
          .find(({ text }) => wanted.test(text)),
      );
    await say('How long is the bridge?');
    await said(/spawn_agent[\s\S]*yes, this once/);
    await say('1');
    await said(/The bridge is 40 m long\./);
    const before = house.answers(talk).length;
    const calls = model.asked.length;
    await say('And again: how long is the bridge?');
    await said(/spawn_agent[\s\S]*yes, this once/, before);
    await say('2');
    await said(/The bridge is 40 m long\./, before);
    const later = model.asked.slice(calls);
    assert.ok(
      !later.some(({ system }) => system.includes('You are a researcher')),
      `${platform}: none started`,
    );
    assert.ok(
      later.some(({ results }) => results.some((result) => /"started":false/.test(result))),
      `${platform}: the model sees that it was refused`,
    );
  }
});

test('a mission of a group that becomes a supergroup while agents work is answered there, once', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { house } = await openTeamHouse(t, async (asked) => ({
    ...(await chef(asked)),
    ...(asked.prompt.includes('old') ? { held: gate.promise } : {}),
  }));
  const { telegram } = house.sandbox;
  const { places } = telegram;
  const robin = telegram.userID('you');
  const group = places.addRoom({ space: '', kind: 'basic group', name: 'Bridges', members: [robin] });
  const said = (where: string, text: RegExp) =>
    found(`${text}`, () => places.messages(where).find((message) => text.test(message.text)));
  await places.say({ account: robin, room: group, text: 'How long is the bridge?', mention: true });
  await said(group, /2 agents work on this: 1 of 2 done/);
  const moved = places.move?.(group) ?? '';
  gate.resolve();
  await said(moved, /40 m long, and that was checked/);
  await places.say({ account: robin, room: moved, text: '/mission', mention: true });
  await said(moved, /3 of 3 done/);
  const answers = places.messages(moved).filter(({ text }) => /that was checked/.test(text));
  assert.equal(answers.length, 1);
});
