// A wiki, from a platform's event to the answer: in a chat that may read it, and in one that may not.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { tempFolder } from '../support/temp-folder.ts';
import { type House, openHouse, type Talk } from './house.ts';
import { openModelHouse } from './model-house.ts';

const direct: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const group: Talk = { platform: 'telegram', chat: 'room', user: 'you' };
const onSlack: Talk = { platform: 'slack', chat: 'room', user: 'you' };

/** The audience of the person's direct messages, once a note was written for it. */
async function personOf(house: House): Promise<string> {
  await house.ask(direct, '/memory note First.');
  const root = join(house.home, 'memory');
  const name = readdirSync(root).find((each) => each.startsWith('person')) ?? '';
  return JSON.parse(readFileSync(join(root, name, 'audience.json'), 'utf8')).audience;
}

/** The space of a room with a message. */
function spaceOf(house: House): string {
  const database = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  try {
    return String(
      database
        .prepare("SELECT space FROM global_memory_chunks WHERE platform = 'telegram' AND space IS NOT NULL")
        .pluck()
        .get(),
    );
  } finally {
    database.close();
  }
}

function put(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, 'garden'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const question = 'How deep are the raised beds?';

test('a page of the wiki answers a question in Telegram, as it is now, and no chat of another audience', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram', 'slack');
  const audience = await personOf(house);
  const path = tempFolder(t);
  put(path, 'garden/beds.md', '# Beds\n\nThe raised beds are 40 cm deep.\n');
  await house.restart({ memory: { wiki: { path, audience } } });
  await house.ready('telegram', 'slack');
  const answer = await house.ask(direct, question);
  assert.match(answer, /40 cm deep/);
  assert.match(answer, /wiki\/garden\/beds\.md/);
  for (const room of [group, onSlack])
    assert.doesNotMatch(await house.ask(room, question), /40 cm|beds\.md/, room.platform);
  put(path, 'garden/beds.md', '# Beds\n\nThe raised beds are 55 cm deep.\n');
  const later = await house.ask(direct, 'How deep are the raised beds now?');
  assert.match(later, /55 cm deep/);
  assert.doesNotMatch(later, /40 cm/);
  assert.equal(readdirSync(path, { recursive: true }).length, 2, 'nothing is written into the wiki');
});

test('the wiki of a space answers in its rooms and not on another platform, and another audience of it moves with it', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram', 'slack');
  await house.ask(group, 'The gate is green.');
  const space = spaceOf(house);
  const path = tempFolder(t);
  put(path, 'garden/beds.md', '# Beds\n\nThe raised beds are 40 cm deep.\n');
  await house.restart({ memory: { wiki: { path, audience: `space:${space}` } } });
  await house.ready('telegram', 'slack');
  assert.match(await house.ask(group, question), /40 cm deep/);
  assert.doesNotMatch(await house.ask(onSlack, question), /40 cm/);
  await house.restart({ memory: { wiki: { path, audience: 'person:per_other' } } });
  await house.ready('telegram', 'slack');
  assert.doesNotMatch(await house.ask(group, `${question} Again, please.`), /wiki\/garden/);
});

test('a model learns of the wiki where it may read it, searches and reads it with its tools, and is refused where it may not', async (t) => {
  const path = tempFolder(t);
  put(path, 'garden/beds.md', '# Beds\n\nThe raised beds are 40 cm deep.\n');
  const { house, model } = await openModelHouse(t, ['telegram']);
  const audience = await personOf(house);
  await house.restart({ model: { name: 'any' }, memory: { wiki: { path, audience } } });
  await house.ready('telegram');
  const calls = [
    { name: 'memory_search', arguments: JSON.stringify({ query: 'raised beds', corpus: 'wiki' }) },
    { name: 'memory_get', arguments: JSON.stringify({ path: 'garden/beds.md', corpus: 'wiki' }) },
    { name: 'memory_search', arguments: JSON.stringify({ query: 'raised beds', corpus: 'wikki' }) },
  ];
  const results = async (talk: Talk, ask: string): Promise<string> => {
    model.clearFixtures();
    model.addFixture({
      match: { userMessage: new RegExp(ask), hasToolResult: false },
      response: { toolCalls: calls },
    });
    model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
    await house.ask(talk, ask);
    return JSON.stringify(model.getRequests().at(-1)?.body);
  };
  const read = await results(direct, 'Look it up here');
  assert.match(read, /This chat may read pages of the wiki/);
  assert.match(read, /wiki\/garden\/beds\.md/);
  assert.match(read, /The raised beds are 40 cm deep/);
  assert.match(read, /No corpus is called .*wikki.*expected one of memory, sessions, wiki, all/);
  const refused = await results(group, 'Look it up there');
  assert.doesNotMatch(refused, /This chat may read pages of the wiki|40 cm/);
  assert.match(refused, /No memory file that may be read here is called/);
});
