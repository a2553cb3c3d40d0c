// The web searched for someone in a chat: by each service, with links in the answer, and what is said where a service gives nothing.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { checkSearch } from '#app/doctor/search.ts';
import { systemClock } from '#base/clock.ts';
import { searchServiceNames } from '#engine/tools/web/search-services.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { openHouse } from './house.ts';
import { type OddAnswer, startSearchService } from './search-service.ts';

const key = `key-${'7'.repeat(24)}`;
const pages = [
  { url: 'https://tides.example/today', title: 'Tides today', text: 'High water is at nine.' },
  { url: 'https://tides.example/today', title: 'The same again', text: 'Twice.' },
  { url: 'javascript:alert(1)', title: 'No page', text: 'Not of the web.' },
  { url: 'https://moon.example/', title: '', text: `A\u0007 long\n${'x'.repeat(2_000)}` },
];
const services = searchServiceNames;
const variables = {
  ...{ BRAVE_API_KEY: key, TAVILY_API_KEY: key },
  ...{ ANTHROPIC_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key },
};
const ofModel = 'k'.repeat(20);

/** A house whose model searches once for what it is asked, and then says what the search gave. */
async function openSearchHouse(t: TestContext, search: object) {
  const results: string[] = [];
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    call.open();
    const last = body.messages.at(-1);
    if (last?.role !== 'tool') return call.callTool('web_search', { query: 'high water today' });
    results.push(JSON.stringify(last.content));
    call.answer('High water is at nine: [Tides today](https://tides.example/today)');
  });
  const house = await openHouse(t, {
    config: { model: { name: 'm' }, tools: { search } },
    variables: { ...variables, OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: ofModel },
  });
  return { house, results };
}

for (const service of services)
  test(`"search the web for …" gives pages with their addresses, which the answer cites: ${service} (R39)`, async (t) => {
    const server = await startSearchService(t, pages);
    const { house, results } = await openSearchHouse(t, { service, baseUrl: server.url });
    await house.ready('telegram', 'discord', 'slack');
    for (const platform of ['telegram', 'discord', 'slack'] as const) {
      const talk = { platform, chat: 'dm', user: 'you' } as const;
      const answer = await house.ask(talk, 'search the web for the tides');
      assert.match(answer, /High water is at nine: .*Tides today/, platform);
    }
    const [first] = server.asked;
    assert.ok(first);
    const { method, query, headers } = first;
    assert.match(query, /high water today/);
    assert.equal(method, service === 'brave' || service === 'searxng' ? 'GET' : 'POST');
    const given = {
      brave: headers['x-subscription-token'],
      tavily: headers.authorization,
      searxng: undefined,
      openai: headers.authorization,
      anthropic: headers['x-api-key'],
      google: headers['x-goog-api-key'],
    };
    const expected = { brave: key, tavily: `Bearer ${key}`, searxng: undefined };
    const ofProviders = { openai: `Bearer ${ofModel}`, anthropic: key, google: key };
    assert.equal(given[service], { ...expected, ...ofProviders }[service]);
    const found = results[0] ?? '';
    assert.match(found, /tides\.example\/today[\s\S]*moon\.example/);
    assert.match(found, /High water is at nine/);
    assert.doesNotMatch(found, /The same again|javascript:|u0007|x{700}/);
  });

const failures: readonly [what: string, answer: OddAnswer, words: RegExp][] = [
  [
    'a wrong key',
    { status: 401, body: '{"detail":{"error":"Unauthorized: missing or invalid API key."}}' },
    /refuses the key \(status 401\)/,
  ],
  [
    'too many searches',
    { status: 429, headers: { 'retry-after': '30' }, body: '{}' },
    /too often \(status 429\)\. Try again in 30 seconds/,
  ],
  ['a plan that is used up', { status: 432, body: '{}' }, /used up \(status 432\)/],
  ['a page instead of JSON', { body: '<html>Hello' }, /something else than results/],
  ['JSON of another form', { body: '{"results":[{"url":7}]}' }, /something else than results/],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://elsewhere.example/' } },
    /redirects more than 0 times/,
  ],
  ['a server that fails', { status: 500, body: key }, /failed \(status 500\)/],
  ['nothing', { body: '{"results":[]}' }, /Nothing was found/],
];

test('where a service gives nothing the model reads why, without the key and without the words of the service, and the chat is answered', async (t) => {
  const server = await startSearchService(t, pages);
  const { house, results } = await openSearchHouse(t, { service: 'tavily', baseUrl: server.url });
  await house.ready('telegram');
  for (const [what, answer, words] of failures) {
    server.answerWith(answer);
    await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, `search: ${what}`);
    assert.match(results.at(-1) ?? '', words, what);
    assert.doesNotMatch(results.at(-1) ?? '', new RegExp(key), what);
  }
});

test('the doctor says whether the search service answers and takes the key; a key that is missing is refused at the start', async (t) => {
  const server = await startSearchService(t, pages);
  const { house } = await openSearchHouse(t, { service: 'brave', baseUrl: server.url });
  const loaded = loadConfig({ folder: house.folder, variables });
  const finding = async () => (await checkSearch(loaded, systemClock))[0];
  assert.deepEqual(await finding(), {
    level: 'ok',
    what: 'Brave Search searches the web and takes the key.',
  });
  const own = { tools: { search: { service: 'searxng', baseUrl: server.url } } };
  const keyless = await openHouse(t, { config: own });
  const [found] = await checkSearch(loadConfig({ folder: keyless.folder, variables: {} }), systemClock);
  assert.deepEqual(found, { level: 'ok', what: 'SearXNG searches the web.' });
  server.answerWith({ status: 422, body: '{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID"}}' });
  const refused = await finding();
  assert.match(
    `${refused?.level} ${refused?.what} ${refused?.hint}`,
    /error .*refuses the key.*BRAVE_API_KEY/,
  );
  const [missing] = await checkSearch({ ...loaded, environment: {} }, systemClock);
  assert.match(missing?.what ?? '', /Brave Search, which needs a key, but BRAVE_API_KEY is not set/);
  await assert.rejects(
    openHouse(t, { config: { tools: { search: { service: 'brave' } } } }),
    /BRAVE_API_KEY is not set/,
  );
});
