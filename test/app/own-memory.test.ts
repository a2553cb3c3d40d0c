// An agent with its own memory, by every way into memory but its answers: what people save, puts, imports, and one conversation with two agents.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { onWords, openModelHouse } from './model-house.ts';
import { openTerminal } from './terminal.ts';

const dm = { chat: 'dm', user: 'you' } as const;
const config = {
  assistants: {
    counsel: { systemPrompt: 'You are a counsellor.', partition: 'own' },
    clerk: { systemPrompt: 'You are a clerk.' },
  },
  bindings: [
    { assistant: 'counsel', platform: 'telegram' },
    { assistant: 'clerk', platform: 'slack' },
    { assistant: 'clerk', platform: 'discord' },
  ],
  people: { Robin: { role: 'owner', accounts: ['telegram:you', 'slack:you', 'discord:you'] } },
};

test('what a person saves in a chat belongs to the agent that answers there', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram', 'slack'], config);
  await house.ask({ platform: 'telegram', ...dm }, '/memory save The spare key is under the blue flowerpot.');
  const asked = async (platform: 'telegram' | 'slack'): Promise<string> => {
    await house.ask({ platform, ...dm }, 'Where is the spare key?');
    return JSON.stringify(model.getLastRequest()?.body);
  };
  assert.match(await asked('telegram'), /blue flowerpot/);
  assert.doesNotMatch(await asked('slack'), /blue flowerpot/);
});

test('what was written to an agent with its own memory, or noted by it in the journal, is found in a chat only where it answers', async (t) => {
  const platforms = ['discord', 'telegram', 'slack'] as const;
  const { house, model } = await openModelHouse(t, platforms, config);
  onWords(model, 'blue flowerpot', [
    {
      name: 'add_session_element',
      args: { kind: 'decision', title: 'The heron key stays outside.', body: '' },
    },
  ]);
  await house.ask({ platform: 'telegram', ...dm }, 'The spare key is under the blue flowerpot.');
  await house.ask({ platform: 'slack', ...dm }, 'The invoice for the flowerpot is in the green folder.');
  const seen = async (platform: (typeof platforms)[number], words: string): Promise<string> =>
    house.ask({ platform, ...dm }, `${platform === 'slack' ? '!' : '/'}${words}`);
  for (const platform of platforms) {
    const isOwn = platform === 'telegram';
    const found = await seen(platform, 'memory search flowerpot');
    assert.equal(found.includes('blue flowerpot'), isOwn, `${platform}: ${found}`);
    assert.equal(found.includes('green folder'), !isOwn, `${platform}: ${found}`);
    const decided = await seen(platform, 'decisions');
    assert.equal(decided.includes('heron key'), isOwn, `${platform}: ${decided}`);
    // what is listed is all that is theirs, so that it can be forgotten anywhere
    assert.match(await seen(platform, 'memory recent'), /blue flowerpot/, platform);
  }
});

test('in one conversation an agent is given no message to an agent with another memory, in either direction', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord'], config);
  const asked = async (text: string): Promise<string> => {
    await house.ask({ platform: 'discord', ...dm }, text);
    return JSON.stringify(model.getLastRequest()?.body);
  };
  await asked('The invoice is in the green folder.');
  await house.ask({ platform: 'discord', ...dm }, '/assistant counsel');
  const counsel = await asked('I dream of a red staircase.');
  assert.match(counsel, /You are a counsellor/);
  assert.doesNotMatch(counsel, /green folder/);
  assert.match(await asked('What did I dream of?'), /red staircase/);
  await house.ask({ platform: 'discord', ...dm }, '/assistant clerk');
  const clerk = await asked('What did I say before?');
  assert.match(clerk, /You are a clerk/);
  assert.match(clerk, /green folder/);
  assert.doesNotMatch(clerk, /red staircase/);
});

test('puts and imports for an agent with its own memory are found under it alone, also of the same words', async (t) => {
  const { folder, home, call } = openTerminal(t);
  const file = join(folder, 'parley.config.json');
  writeFileSync(file, JSON.stringify({ home, assistants: config.assistants }));
  const notes = join(folder, 'notes.md');
  writeFileSync(notes, 'The greenhouse opens with the copper lever.\n');
  const run = (...words: string[]) => call('memory', ...words, '--config', file);
  for (const agent of ['clerk', 'counsel']) {
    assert.equal((await run('import', notes, '--format', 'directory', '--agent', agent)).code, 0);
    assert.equal((await run('put', `Noted for ${agent}`, '--agent', agent)).code, 0);
    assert.equal((await run('put', 'Noted for both', '--agent', agent)).code, 0);
  }
  assert.match(
    (await run('put', 'x', '--agent', 'nobody')).err,
    /There is no assistant "nobody"[\s\S]*counsel/,
  );
  const memory = createMemory({
    path: join(home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
  });
  t.after(() => memory.close());
  for (const [partition, own, other] of [
    [undefined, 'clerk', 'counsel'],
    ['counsel', 'counsel', 'clerk'],
  ] as const) {
    const scope = { audiences: ['person:operator' as const], spaces: [], everyone: false, partition };
    const texts = (await memory.list({ scope })).map(({ text }) => text).join('\n');
    assert.match(texts, /copper lever/);
    assert.match(texts, new RegExp(`Noted for ${own}`));
    assert.match(texts, /Noted for both/);
    assert.doesNotMatch(texts, new RegExp(`Noted for ${other}`));
  }
});
