// `parley hook`: a webhook is made for a chat that is there, a test says what became of it, and the list why one stopped.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { openHouse } from './house.ts';
import { callWith } from './terminal.ts';

test('a webhook is checked, tried and explained where it is made', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  const hook = (...words: string[]) => callWith(join(house.folder, 'parley.config.json'), ['hook', ...words]);
  const without = await hook('create', 'door');
  assert.equal(without.code, 2);
  assert.match(without.err, /^parley: Expected --chat CHAT: where it writes\.\nA room has a name once/);
  const talk = { platform: 'telegram', chat: 'room', user: 'you' } as const;
  await house.ask(talk, 'hello');
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const client = createClient({ baseUrl: house.parley.url, token });
  const [place] = await client.places.named();
  assert.ok(place !== undefined);
  const mistyped = place.chat.replace(/:-$/, '7:-');
  const unknown = await hook('create', 'door', '--chat', mistyped);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /^parley: Nothing was said to the bot in telegram:\S+ yet\.\n.*--unchecked/);
  const wrongName = await hook('create', 'Front door', '--chat', place.chat);
  assert.match(
    wrongName.err,
    /^parley: name: expected a name of lower-case letters, digits and "-", at most 40\n$/,
  );

  const made = await hook('create', 'door', '--chat', place.chat);
  assert.equal(made.code, 0);
  const [, url = '', secret = ''] = /^POST (\S+)\nAuthorization: Bearer (\S+)\n/.exec(made.out) ?? [];
  const headers = { authorization: `Bearer ${secret}` };
  const posted = await fetch(url, { method: 'POST', headers, body: 'The door is open.' });
  assert.equal(posted.status, 202, made.out);
  const sent = await hook('test', 'door');
  assert.deepEqual([sent.code, sent.out], [0, 'The test message was sent.\n'], sent.err);
  assert.match(house.answers(talk).at(-1)?.text ?? '', /door: .*This is a test/);

  assert.equal((await hook('create', 'gone', '--chat', mistyped, '--unchecked')).code, 0);
  const refused = await hook('test', 'gone');
  assert.equal(refused.code, 1);
  assert.match(refused.out.replaceAll('\n', ' '), /^The test message was not sent: .*chat not found/i);
  const { out } = await hook('list');
  assert.match(out, /^door {2}text {2}active {2}/m);
  assert.match(
    out,
    /^gone {2}text {2}stopped {2}.*\n {2}It stopped: .*chat not found[\s\S]*make it\s+again\.$/im,
  );
  assert.match((await hook('test', 'gone')).err, /^parley: This webhook is stopped: /);

  await house.parley.close();
  const nobody = await hook('test', 'door');
  assert.match(nobody.err, /^parley: No Parley runs with this home folder, so nothing would be sent\.\n/);
  assert.match((await hook('test', 'bell')).err, /^parley: There is no webhook "bell"\.\n"parley hook list"/);
});
