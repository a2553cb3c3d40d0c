// What a person deletes or edits while Parley is off is forgotten, or known by its new words, once Parley is back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found, until } from '../support/found.ts';
import { openStage } from './stage.ts';

const dm = { platform: 'discord', chat: 'dm', user: 'you' } as const;

test('a message that was deleted while Parley was off is recalled no more, and an edited one by its new words; a note of a slash command stays', async (t) => {
  const stage = await openStage(t, { platforms: ['discord'] });
  const { discord } = stage.sandbox;
  const answered = async <T>(said: Promise<T> | T): Promise<T> => {
    const before = stage.answers(dm).length;
    const id = await said;
    await found('an answer', () => (stage.answers(dm).length > before ? true : undefined));
    return id;
  };
  const first = stage.start();
  await first.connected('discord');
  const heron = await answered(stage.say(dm, 'My heron nests near Oslo.'));
  const kayak = await answered(stage.say(dm, 'My kayak is green.'));
  await answered(stage.say(dm, 'My sledge is red.'));
  const note = 'save The cellar key hangs behind the clock.';
  await answered(discord.slash({ chat: 'dm', user: 'you', name: 'memory', text: note }));
  first.signal('SIGTERM');
  await first.ended;
  await discord.deleteMessage(heron);
  await discord.editMessage(kayak, 'My kayak is orange.');
  const second = stage.start();
  await second.connected('discord');
  const { audiences } = (await second.get('/memory/audiences')) as { audiences: { audience: string }[] };
  const audience = audiences[0]?.audience;
  const hitsOf = async (query: string): Promise<string> =>
    JSON.stringify(await (await second.send('POST', '/memory/search', { query, audience })).json());
  await until('heron without Oslo', async () => !(await hitsOf('heron')).includes('Oslo'));
  await until('an orange kayak and no green one', async () => {
    const text = await hitsOf('kayak');
    return text.includes('orange') && !text.includes('green');
  });
  assert.match(await hitsOf('sledge'), /red/);
  assert.match(await hitsOf('cellar key'), /clock/);
});
