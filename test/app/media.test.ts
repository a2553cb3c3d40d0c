// Files from a person to the model, on all three platforms through their real client libraries and a real model protocol.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { ogg, pdf, png } from '../adapters/uploads/samples.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;

const lastRequest = (model: LLMock): string => JSON.stringify(model.getLastRequest()?.body);

test('an image reaches the model as an image and a text as text on every platform, and both are stored in the home folder (T26)', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  for (const [index, platform] of all.entries()) {
    const picture = png(index + 1);
    const answer = await house.ask({ platform, ...dm }, `what is ${platform}?`, [
      { name: 'shot one.png', mime: 'image/png', bytes: picture },
    ]);
    assert.equal(answer.trim(), 'Seen.', platform);
    assert.ok(
      lastRequest(model).includes(picture.toString('base64')),
      `${platform}: the image is in the request`,
    );
    assert.doesNotMatch(
      lastRequest(model),
      /xoxb|files-pri|AAE-sandbox|\/attachments\//,
      `${platform}: no link, no token`,
    );
    await house.ask({ platform, ...dm }, 'and this?', [
      { name: 'notes.md', mime: 'text/markdown', bytes: Buffer.from('# The heron lands at nine') },
    ]);
    assert.match(lastRequest(model), /The heron lands at nine/, platform);
    assert.ok(
      lastRequest(model).includes(picture.toString('base64')),
      `${platform}: the image is still in view`,
    );
    const folder = join(house.folder, '.parley', 'channel_uploads', platform);
    const [place] = readdirSync(folder);
    const id = house.sandbox[platform].userID('you').replace('/', '_');
    assert.equal(place, id, 'a direct message is kept under its person');
    const names = readdirSync(join(folder, id)).map((name) => name.replace(/^\d{8}T\d{6}Z_/, ''));
    assert.deepEqual(
      names.toSorted(),
      platform === 'telegram' ? ['notes.md', 'photo.jpg'] : ['notes.md', 'shot_one.png'],
    );
    assert.equal(statSync(join(folder, id)).mode & 0o077, 0, 'for the owner alone');
  }
});

test('a picture of 50,000 by 50,000 pixels is passed on as the bytes that it has, and never unpacked', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  const bomb = png(0, 50_000);
  assert.ok(bomb.length < 10_000);
  for (const platform of ['discord', 'slack'] as const) {
    const file = { name: 'huge.png', mime: 'image/png', bytes: bomb };
    assert.equal((await house.ask({ platform, ...dm }, 'what is this?', [file])).trim(), 'Seen.', platform);
    assert.ok(lastRequest(model).includes(bomb.toString('base64')), platform);
    assert.ok(lastRequest(model).length < 100_000, platform);
  }
});

test('a file that the model does not take is reported to the person and named to the model, and the text is answered (K4)', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  for (const platform of all) {
    const answer = await house.ask({ platform, ...dm }, 'what does she say?', [
      { name: 'voice.ogg', mime: 'audio/ogg', bytes: ogg },
      { name: 'paper.pdf', mime: 'application/pdf', bytes: pdf },
    ]);
    assert.match(answer, /Seen\./, platform);
    assert.match(answer, /I cannot look into voice\.ogg \(audio\/ogg/, platform);
    assert.match(
      lastRequest(model),
      /sent a file that cannot be read here: voice\.ogg \(audio\/ogg/,
      platform,
    );
    assert.match(lastRequest(model), /what does she say\?/, platform);
  }
});

test('what is larger than the limit is reported, on every platform (K3, K5)', async (t) => {
  const { house, model } = await openModelHouse(t, all, { uploads: { maxSizeMiB: 0.01 } });
  for (const platform of all) {
    const bytes = Buffer.alloc(20_000, 'x');
    const answer = await house.ask({ platform, ...dm }, 'read it', [
      { name: 'big.txt', mime: 'text/plain', bytes },
    ]);
    assert.match(
      answer,
      /Seen\.[\s\S]*I could not take big\.txt: it has 19\.5 KiB, and I take at most 10\.2 KiB/,
      platform,
    );
    assert.match(lastRequest(model), /that could not be taken: big\.txt/, platform);
    assert.ok(!lastRequest(model).includes('xxxxxxxxxx'), platform);
  }
});

test('an album on Telegram is one run with all its photos (F8, TJ)', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  const photos = [1, 2, 3].map((colour) => ({ name: 'p.png', mime: 'image/png', bytes: png(colour) }));
  await house.ask({ platform: 'telegram', ...dm }, 'which is best?', photos);
  const requests = model.getRequests();
  assert.equal(requests.length, 1);
  for (const { bytes } of photos)
    assert.ok(lastRequest(model).includes(Buffer.from(bytes).toString('base64')));
  assert.equal(house.answers({ platform: 'telegram', ...dm }).length, 1);
});

test('a file of an expired Discord link is fetched by a renewed one', async (t) => {
  const { house, model } = await openModelHouse(t, all, { gateway: { debounceMs: 500, shutdownSeconds: 1 } });
  const picture = png(9);
  const { discord } = house.sandbox;
  await discord.say({
    ...dm,
    text: 'look',
    files: [{ name: 'a.png', mime: 'image/png', bytes: picture }],
  });
  if ('expireLinks' in discord && typeof discord.expireLinks === 'function') discord.expireLinks();
  await found('the answer', () => house.answers({ platform: 'discord', ...dm })[0]);
  assert.ok(discord.calls().some(({ name }) => name === 'POST /attachments/refresh-urls'));
  assert.ok(lastRequest(model).includes(picture.toString('base64')));
});

test('a file that a run writes arrives as a native attachment on every platform, after the answer (F2, T26)', async (t) => {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  const args = JSON.stringify({ name: 'prices.csv', media_type: 'text/csv', content: 'tea,2\nmilk,1\n' });
  model.addFixture({
    match: { userMessage: /list/, hasToolResult: false },
    response: { toolCalls: [{ name: 'artifact', arguments: args }] },
  });
  model.addFixture({ match: { hasToolResult: true }, response: { content: 'Here is the list.' } });
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  for (const platform of all) {
    await house.ask({ platform, ...dm }, 'the list, please');
    const [answer, sent] = house.answers({ platform, ...dm });
    assert.match(answer?.text ?? '', /Here is the list\./, platform);
    const [file] = sent?.files ?? [];
    assert.equal(Buffer.from(file?.bytes ?? []).toString(), 'tea,2\nmilk,1\n', platform);
    assert.match(file?.name ?? '', /prices\.csv$/, platform);
  }
});
