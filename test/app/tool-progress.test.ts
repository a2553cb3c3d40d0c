// Progress of tools in a chat on each platform: words while a slow tool runs, and the answer in their place.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;

const details = ['off', 'short', 'full'] as const;

for (const turned of [0, 1, 2])
  test(`while a tool runs the chat reads what it does, and then the answer in the same message, or nothing where that is switched off: ${all.map((_, at) => details[(at + turned) % 3]).join(', ')} (R32)`, async (t) => {
    const detailOf = Object.fromEntries(all.map((platform, at) => [platform, details[(at + turned) % 3]]));
    const gate = Promise.withResolvers<void>();
    const page = createServer((_, response) => {
      void gate.promise.then(() =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end('Tides: nine.'),
      );
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      page.closeAllConnections();
      page.close();
    });
    const { port } = page.address() as AddressInfo; // it listens on TCP
    const { settings } = await startRaw(t, ({ body, ...call }) => {
      call.open();
      if (body.messages.at(-1)?.role === 'tool') call.answer('The tide turns at nine.');
      else call.callTool('web_fetch', { url: `http://127.0.0.1:${port}/tides` });
    });
    const house = await openHouse(t, {
      config: {
        model: { name: 'm' },
        tools: { web: true, webPrivateHosts: ['127.0.0.1'] },
        channels: Object.fromEntries(all.map((platform) => [platform, { toolProgress: detailOf[platform] }])),
      },
      variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
    });
    await house.ready(...all);
    const talks = all.map((platform) => ({ platform, chat: 'dm', user: 'you' }) as const);
    for (const { platform } of talks)
      await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'When does the tide turn?' });
    const shown = new Map<string, string>();
    for (const talk of talks) {
      const detail = detailOf[talk.platform];
      if (detail === 'off') continue;
      const live = await found(`${talk.platform}: the tool`, () =>
        house.answers(talk).find(({ text }) => text.includes('Running')),
      );
      assert.match(live.text, /Running .*web_fetch.* \S*127\.0\.0\.1:\d+\S* …/, talk.platform);
      assert.equal(live.text.includes('tides'), detail === 'full', `${talk.platform}: ${live.text}`);
      shown.set(talk.platform, live.id);
    }
    for (const talk of talks)
      if (detailOf[talk.platform] === 'off') assert.deepEqual(house.answers(talk), [], talk.platform);
    gate.resolve();
    for (const talk of talks) {
      const answer = await found(`${talk.platform}: the answer`, () =>
        house.answers(talk).find(({ text }) => text.trim() === 'The tide turns at nine.'),
      );
      assert.equal(house.answers(talk).length, 1, `${talk.platform}: one message`);
      assert.equal(answer.id, shown.get(talk.platform) ?? answer.id, `${talk.platform}: in its place`);
    }
  });

test('while the web is searched the chat reads so, with what is searched for where all is shown, and then the answer in its place', async (t) => {
  const gate = Promise.withResolvers<void>();
  const search = createServer((_, response) => {
    void gate.promise.then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          JSON.stringify({ results: [{ url: 'https://tides.example/', title: 'Tides', content: 'Nine.' }] }),
        ),
    );
  });
  await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    search.closeAllConnections();
    search.close();
  });
  const { port } = search.address() as AddressInfo; // it listens on TCP
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    call.open();
    if (body.messages.at(-1)?.role === 'tool') call.answer('High water is at nine.');
    else call.callTool('web_search', { query: 'high water today' });
  });
  const house = await openHouse(t, {
    config: {
      model: { name: 'm' },
      tools: { search: { service: 'searxng', baseUrl: `http://127.0.0.1:${port}` } },
      channels: { telegram: { toolProgress: 'full' } },
    },
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  const talks = all.map((platform) => ({ platform, chat: 'dm', user: 'you' }) as const);
  for (const { platform } of talks)
    await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'search the web for the tides' });
  for (const talk of talks) {
    const live = await found(`${talk.platform}: the search`, () =>
      house.answers(talk).find(({ text }) => text.includes('Searching the web')),
    );
    assert.equal(live.text.includes('high water today'), talk.platform === 'telegram', live.text);
    assert.doesNotMatch(live.text, /web_search/, 'in plain words');
  }
  gate.resolve();
  for (const talk of talks) {
    await found(`${talk.platform}: the answer`, () =>
      house.answers(talk).find(({ text }) => text.trim() === 'High water is at nine.'),
    );
    assert.equal(house.answers(talk).length, 1, `${talk.platform}: one message`);
  }
});
