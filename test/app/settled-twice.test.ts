// What is settled already, and what "done" does not settle: a person is told what was decided and by whom, or how to decide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, tokenFor } from './mcp-kit.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const claude = { agent_id: 'claude', project_id: 'parley' };
const shortOf = (id: unknown): string => String(id).slice(-6);

test('"done" does not settle which of two memories holds but says how, and a second answer is told what was decided and by whom', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const fact = { ...claude, kind: 'fact', key: 'deploy day' };
  const monday = { ...fact, content: 'Deploys are on Monday.', confidence: 0.9, source: 'the handbook' };
  await call(client, 'memory_create', monday);
  const sunday = { ...fact, content: 'Deploys are on Sunday.', confidence: 0.3, source: 'a stand-up' };
  const { question } = await call(client, 'memory_create', sunday);
  const short = shortOf(question);
  assert.match(
    await house.ask(dm, `/done ${short} I looked`),
    /asks which of two memories holds[\s\S]*\/answer \w+ 1[\s\S]*1\. Deploys are on Monday[\s\S]*2\. Deploys are on Sunday/,
  );
  assert.match(await house.ask(dm, '/open parley'), /Deploys are on Sunday/);
  assert.match(await house.ask(dm, `/answer ${short} 2`), /holds now/);
  for (const again of [`/answer ${short} 1`, `/done ${short}`]) {
    const reply = await house.ask(dm, again);
    assert.match(reply, /settled already: [\s\S]*Robin: 2[\s\S]*This holds: Deploys are on Sunday/, again);
  }
  const { items } = await call(client, 'memory_lookup', { key: fact.key, project_id: 'parley' });
  assert.deepEqual(
    (items as Answer[]).map(({ text }) => text),
    [sunday.content],
  );
  // an entry that asks about no memories says its own words
  const step = await call(client, 'add_session_element', { ...claude, kind: 'step', title: 'Measure it' });
  await house.ask(dm, `/done ${shortOf(step.id)} fast enough`);
  assert.match(
    await house.ask(dm, `/answer ${shortOf(step.id)} slow`),
    /settled already: Measure it\s+Robin: fast enough/,
  );
  assert.match(
    await house.ask(dm, '/open agent:claud'),
    /no project or agent .*claud[\s\S]*Did you mean .*claude/,
  );
  assert.match(await house.ask(dm, '/open agent:nope'), /no project or agent .*nope.* here, but .*claude/);
});
