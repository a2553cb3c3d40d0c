// What is left of an answer that failed: its error as text for clients, and the words that were streamed before its process died.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openKit } from '../support/kit.ts';
import { openService } from './service-kit.ts';

test('a failed answer has its error as text for clients, a cancelled one has not, and no later prompt has it', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'One');
  call.refuse(401, { error: { message: 'Incorrect API key' } });
  const failed = await service.kit.engine.finished(runID);
  const expected = `ENGINE_ERROR: ${failed.failure?.code}: ${failed.failure?.message}`;
  const look = async (path: string) => (await service.ask('GET', path)).body;
  const answers = [
    (await look(`/session/${id}/message`))[1],
    (await look(`/session/${id}/message?limit=5`))[1],
    (await look(`/session/${id}/message?reverted=true`))[1],
    (await look(`/session/${id}`)).messages[1],
  ];
  for (const { parts } of answers) assert.deepEqual(parts, [{ type: 'text', text: expected }]);
  const next = await service.prompt(id, 'Two');
  assert.doesNotMatch(JSON.stringify(next.call.body), /ENGINE_ERROR/);
  await service.ask('POST', `/session/${id}/cancel`);
  await service.kit.engine.finished(next.runID);
  assert.doesNotMatch(JSON.stringify((await look(`/session/${id}/message`))[3]), /ENGINE_ERROR/);
});

test('prompt_sync gives the error of a failed answer as its text', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const calling = service.raw.next();
  const asked = service.ask('POST', `/session/${id}/prompt_sync`, { parts: [{ type: 'text', text: 'One' }] });
  (await calling).refuse(401, { error: { message: 'Incorrect API key' } });
  const { status, body } = await asked;
  assert.equal(status, 200);
  assert.match(body[1].parts[0].text, /^ENGINE_ERROR: [A-Z_]+: /);
});

test('the text of an error is no longer than 500 characters, and a word that an answer says itself stays', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  await service.exchange(id, 'One', 'ENGINE_ERROR: X: y');
  const [, { parts }] = (await service.ask('GET', `/session/${id}/message`)).body;
  assert.deepEqual(parts, [{ type: 'text', text: 'ENGINE_ERROR: X: y' }]);
});

test('words that were streamed survive a kill as the partial answer of a run that was interrupted', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'One');
  call.say('The first half');
  const heard = service.kit.engine.events({ runID, unfinished: true }, AbortSignal.timeout(20_000));
  for await (const event of heard) if (event.type === 'message.part.updated') break;
  await service.clock.advance(2_000);
  call.say(' and more');
  await until('more', async () => {
    await service.clock.advance(2_000);
    return JSON.stringify(await saved()).includes('more');
  });
  // until it is over the conversation has no half of an answer
  assert.deepEqual((await service.ask('GET', `/session/${id}/message`)).body[1].parts, []);

  // as a kill leaves the files
  const left = tempFolder(t);
  for (const ending of ['', '-wal'])
    cpSync(join(service.kit.folder, `engine.sqlite${ending}`), join(left, `engine.sqlite${ending}`));
  const { engine } = await openKit(t, { path: join(left, 'engine.sqlite') });
  const [, answer] = await engine.messages(id);
  assert.deepEqual(
    [answer?.parts, answer?.info.error?.code],
    [[{ type: 'text', text: 'The first half and more' }], 'INTERRUPTED'],
  );
  assert.equal((await engine.getRun({ runID })).text, 'The first half and more');
  const events = await engine.runEvents({ runID, after_seq: 0, limit: 100 });
  assert.ok(
    events.some(
      (event) =>
        event.type === 'message.part.updated' && event.properties.part.text === 'The first half and more',
    ),
  );
  call.finish();
  await service.kit.engine.finished(runID);
  const [, whole] = (await service.ask('GET', `/session/${id}/message`)).body;
  assert.deepEqual(whole.parts, [{ type: 'text', text: 'The first half and more' }]);

  function saved(): Promise<unknown> {
    const database = new Database(join(service.kit.folder, 'engine.sqlite'), { readonly: true });
    const texts = database.prepare("SELECT text FROM parts WHERE state = 'running'").pluck().all();
    database.close();
    return Promise.resolve(texts);
  }
});
