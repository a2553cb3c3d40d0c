// Secrets in conversations: the model sees them in their turn, and they are masked where they are stored once the answer is delivered.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EngineService } from '#engine/wire/service.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { found, until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ask, converse, openKit, originOf, textBody } from './support/kit.ts';
import { settingsFor, startMock } from './support/mock-provider.ts';

const redact = createRedact();
const mask = async (text: string): Promise<string> => (await redact(text)).text;
const word = 'hunter2zebra';
const said = `My password is ${word}.`;

/** The files below a folder in which the word stands, read by another process. */
function filesWith(folder: string): string[] {
  try {
    return execFileSync('grep', ['-rlaF', word, folder], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return []; // grep found none
  }
}

const wordsOf = async (engine: EngineService, sessionID: string): Promise<string> =>
  JSON.stringify([await engine.messages(sessionID), await engine.getSession({ sessionID })]);

test('a secret that a person says reaches the model in its turn, and stands nowhere once the answer is delivered', async (t) => {
  const mock = await startMock(t);
  mock.addFixture({
    match: { userMessage: /password/ },
    response: { content: `A long one: my password is ${word}!` },
  });
  const { engine, folder } = await openKit(t, { mask, model: settingsFor('openai', mock) });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const run = await ask(engine, id, textBody(said, originOf()));
  assert.match(run.text, /hunter2zebra/, 'who delivers it gets the answer as it was');
  assert.match(JSON.stringify(mock.getRequests()), /hunter2zebra/);
  assert.match(await wordsOf(engine, id), /hunter2zebra/);
  await engine.delivered({ runID: run.runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  await found('masked', () => (filesWith(folder).length === 0 ? true : undefined));
  assert.match(await wordsOf(engine, id), /My password is \[redacted:password\]\./);
  assert.match(
    (await engine.getRun({ runID: run.runID })).text ?? '',
    /my password is \[redacted:password\]/,
  );
  const replayed = await engine.replayRun({ runID: run.runID, from_checkpoint: false });
  assert.deepEqual(Object(replayed.drift).mismatch, false);
  mock.addFixture({ match: { userMessage: /again/ }, response: { content: 'Good.' } });
  const before = mock.getRequests().length;
  await ask(engine, id, textBody('and again', originOf()));
  const later = JSON.stringify(mock.getRequests().slice(before));
  assert.match(later, /redacted:password/);
  assert.doesNotMatch(later, /hunter2zebra/, 'later turns have the masked text');
});

test('what was not masked before a crash is masked at the next start, and what nobody delivers is masked after a day', async (t) => {
  const clock = createManualClock();
  const kit = await openKit(t, { clock });
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  await converse(kit.engine, id, textBody(said, originOf()));
  const other = await kit.engine.createSession({ sourceKind: 'channel' });
  await ask(kit.engine, other.id, textBody(said, originOf()));
  await kit.restart({ mask });
  await until('the first one is masked', async () => {
    await clock.advance(100);
    return !/hunter2zebra/.test(await wordsOf(kit.engine, id));
  });
  assert.match(await wordsOf(kit.engine, other.id), /hunter2zebra/, 'its answer may still be delivered');
  await clock.advance(24 * 3600_000 + 61_000);
  await until('the other one is masked', async () => {
    await clock.advance(100);
    return !/hunter2zebra/.test(await wordsOf(kit.engine, other.id));
  });
  await kit.engine.close();
  assert.deepEqual(
    filesWith(kit.folder).filter((file) => !file.startsWith(join(kit.folder, 'memory'))),
    [],
  );
});

test('what a client says is masked a minute after its answer, and a fork of it too', async (t) => {
  const clock = createManualClock();
  const { engine } = await openKit(t, { clock, mask });
  const { id } = await engine.createSession({ sourceKind: 'api' });
  await ask(engine, id, said);
  const fork = await engine.forkSession({ sessionID: id });
  await clock.advance(30_000);
  assert.match(await wordsOf(engine, id), /hunter2zebra/);
  await clock.advance(120_000);
  for (const each of [id, fork.id]) assert.doesNotMatch(await wordsOf(engine, each), /hunter2zebra/);
});

test('however many runs are due at once, all with a secret are masked and no other is written again', async (t) => {
  const clock = createManualClock();
  const { engine, folder } = await openKit(t, { clock, mask });
  const ids: string[] = [];
  for (let n = 0; n < 45; n += 1) {
    const { id } = await engine.createSession({ sourceKind: 'api' });
    await ask(engine, id, n % 4 === 0 ? said : `The boat number ${n} is blue.`);
    ids.push(id);
  }
  await clock.advance(59_000);
  assert.match(await wordsOf(engine, ids[0] ?? ''), /hunter2zebra/);
  for (let turn = 0; turn < 40 && filesWith(folder).length > 0; turn += 1) await clock.advance(61_000);
  for (const [n, id] of ids.entries()) {
    const words = await wordsOf(engine, id);
    assert.doesNotMatch(words, /hunter2zebra/);
    if (n % 4 !== 0) assert.match(words, new RegExp(`boat number ${n} is blue`));
  }
  assert.deepEqual(filesWith(folder), []);
});

test('a run that cannot be masked holds up no other', async (t) => {
  const broken = async (text: string): Promise<string> => {
    if (text.includes('breaks')) throw new Error('it breaks');
    return mask(text);
  };
  const { engine } = await openKit(t, { mask: broken });
  const first = await engine.createSession({ sourceKind: 'channel' });
  const second = await engine.createSession({ sourceKind: 'channel' });
  for (const [{ id }, text] of [
    [first, 'It breaks here.'],
    [second, said],
  ] as const) {
    const { runID } = await ask(engine, id, textBody(text, originOf()));
    await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  }
  await found('masked', async () =>
    (await wordsOf(engine, second.id)).includes('[redacted:password]') ? true : undefined,
  );
});
