// Missions in a chat on each platform: one live message with who does what and a button to stop, and one final answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { chef, type Script, startScripted } from '../engine/teams/team-kit.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;

async function openTeamHouse(t: TestContext, script: Script, config: object = {}): Promise<House> {
  const model = await startScripted(t, script);
  const { provider, model: name, baseUrl } = model.settings;
  const house = await openHouse(t, {
    config: {
      model: { provider, name, baseUrl },
      agents: { team: { enabled: true, requireJustification: false, costPer1kTokensUSD: 0.01 } },
      ...config,
    },
  });
  await house.ready(...all);
  return house;
}

test('while agents work, the chat sees in one message who does what and the cost, and then one answer in its place (S12)', async (t) => {
  const gates = { researcher: Promise.withResolvers<void>(), reviewer: Promise.withResolvers<void>() };
  const house = await openTeamHouse(t, async (asked) => {
    const who = /You are a (researcher|reviewer)/.exec(asked.system)?.[1];
    const held = who === 'researcher' || who === 'reviewer' ? gates[who].promise : undefined;
    return {
      ...(await chef(asked)),
      ...(asked.prompt.includes('old') || who === 'reviewer' ? { held } : {}),
    };
  });
  const talks = all.map((platform) => ({ platform, chat: 'dm', user: 'you' }) as const);
  const shown = (talk: (typeof talks)[number], wanted: RegExp) =>
    found(`${talk.platform}: ${wanted}`, () => house.answers(talk).find(({ text }) => wanted.test(text)));
  for (const { platform } of talks)
    await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'How long is the bridge?' });
  const first = new Map<string, string>();
  for (const talk of talks) {
    const live = await shown(talk, /2 agents work on this: 1 of 2 done/);
    assert.match(live.text, /✅ .*Researcher.*: How long is the bridge\?/, talk.platform);
    assert.match(live.text, /⏳ .*Researcher.*: How old is the bridge\?/, talk.platform);
    assert.match(live.text, /So far: [\d,]+ tokens, \$\d/, talk.platform);
    assert.deepEqual(live.buttons, ['Stop'], talk.platform);
    first.set(talk.platform, live.id);
  }
  gates.researcher.resolve();
  for (const talk of talks) {
    const live = await shown(talk, /3 agents work on this: 2 of 3 done/);
    assert.equal(live.id, first.get(talk.platform), `${talk.platform}: the same message`);
  }
  gates.reviewer.resolve();
  for (const talk of talks) {
    const answer = await shown(talk, /40 m long, and that was checked/);
    await found(`${talk.platform}: settled`, () =>
      house.answers(talk).every(({ buttons }) => buttons === undefined) ? true : undefined,
    );
    assert.equal(answer.id, first.get(talk.platform), `${talk.platform}: in its place`);
    assert.equal(house.answers(talk).length, 1, `${talk.platform}: one message`);
  }
});

test('the button below it, or the command, stops the agents and the answer on each platform (S4, S12)', async (t) => {
  const never = Promise.withResolvers<void>().promise;
  const house = await openTeamHouse(t, async (asked) => ({
    ...(await chef(asked)),
    ...(asked.system.includes('You are a researcher') ? { held: never } : {}),
  }));
  for (const platform of all) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    const server = house.sandbox[platform];
    assert.match(
      await house.ask(talk, platform === 'slack' ? '!mission' : '/mission'),
      /No agents have worked/,
    );
    await server.say({ chat: 'dm', user: 'you', text: 'How long is the bridge?' });
    const live = await found(`${platform}: the agents`, () =>
      house.answers(talk).find(({ text }) => /2 agents work on this/.test(text)),
    );
    server.pressButton({ id: live.id, user: 'you', at: 0 });
    await found(`${platform}: stopped`, () =>
      house.answers(talk).find(({ text }) => /I stopped the agents/.test(text)),
    );
    const ended = await found(`${platform}: the end`, () =>
      house.answers(talk).find(({ text }) => /\(stopped\)/.test(text)),
    );
    assert.deepEqual([ended.id, ended.buttons], [live.id, undefined], platform);
    assert.match(
      await house.ask(talk, platform === 'slack' ? '!mission stop' : '/mission stop'),
      /No agents are running/,
    );
    assert.match(await house.ask(talk, platform === 'slack' ? '!mission' : '/mission'), /⏹️ .*Researcher/);
  }
});

/** Two look-ups at once, a text made of both, and a review of it. */
const writing: Script = ({ system, prompt, results }) => {
  if (system.includes('You are a researcher'))
    return { text: prompt.includes('long') ? 'It is 40 m long.' : 'It was built in 1911.' };
  if (system.includes('You are a writer'))
    return {
      text: prompt.includes('40 m') && prompt.includes('1911') ? 'Built in 1911, 40 m long.' : 'nothing',
    };
  if (system.includes('You are a reviewer'))
    return { text: prompt.includes('Built in 1911, 40 m long.') ? 'sound' : 'unsound' };
  const spawn = (template: string, task: string) => ({ name: 'spawn_agent', args: { template, task } });
  const wait = { calls: [{ name: 'wait_agents', args: {} }] };
  const found = (at: number): string[] =>
    [...(results[at] ?? '').matchAll(/"result":"([^"]*)"/g)].map(([, text = '']) => text);
  switch (results.length) {
    case 0:
      return {
        calls: [
          spawn('researcher', 'How long is the bridge?'),
          spawn('researcher', 'How old is the bridge?'),
        ],
      };
    case 2:
    case 4:
    case 6:
      return wait;
    case 3:
      return { calls: [spawn('writer', `Write one sentence of: ${found(2).join(' ')}`)] };
    case 5:
      return { calls: [spawn('reviewer', `Check: ${found(4).at(-1)}`)] };
    default:
      return { text: `${found(4).at(-1)} (${found(6).at(-1)})` };
  }
};

test('two look-ups at once, a text by the writer and a review become one answer on each platform, and all four are shown (S12)', async (t) => {
  const house = await openTeamHouse(t, writing);
  for (const platform of all) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'Write a caption for the bridge.' });
    await found(`${platform}: the answer`, () =>
      house.answers(talk).find(({ text }) => text.includes('Built in 1911, 40 m long. (sound)')),
    );
    const told = await house.ask(talk, platform === 'slack' ? '!mission' : '/mission');
    for (const line of [/✅ .*Researcher/, /✅ .*Writer/, /✅ .*Reviewer/])
      assert.match(told, line, `${platform}: ${told}`);
  }
  const { url: baseUrl, tokenFile = '' } = house.parley;
  const client = createClient({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
  const missions = await client.missions.list();
  assert.equal(missions.length, all.length);
  for (const { status, instances } of missions) {
    assert.equal(status, 'completed');
    assert.deepEqual(
      instances.map(({ templateID }) => templateID),
      ['researcher', 'researcher', 'writer', 'reviewer'],
    );
    const [long, old] = instances;
    assert.ok((old?.createdAtMs ?? 0) < (long?.endedAtMs ?? 0), 'both look-ups run at once');
  }
});
