// A program behind a forward proxy: names that only the proxy knows are all reached, so that nothing can go round it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { trySearch } from '#app/compose/web-search.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { useProxy } from '#base/network/proxy.ts';
import { searchServiceNames, searchServices } from '#engine/tools/web/search-services.ts';
import { ogg, png } from '../adapters/uploads/samples.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { found } from '../support/found.ts';
import { openClinic } from './doctor/clinic.ts';
import { startEmbeddingServer } from './embedding-server.ts';
import { startSearchService } from './search-service.ts';
import { openStage } from './stage.ts';
import { openTerminal } from './terminal.ts';

/** An address of this machine under a name that nobody but the test's proxy can resolve. */
const under = (name: string, url: string): string => url.replace('127.0.0.1', `${name}.test`);

/** A server that answers everything alike and notes the paths that it was asked for. */
async function startListener(t: TestContext, body: string | Buffer, type = 'application/json') {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume();
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}`, paths };
}

test('everything that a program connects to goes through the proxy of its environment, the WebSockets and the pages that models read and search too (R18)', async (t) => {
  const proxy = await startForwardProxy(t);
  const page = await startListener(t, 'The tide turns at nine.', 'text/plain');
  const search = await startListener(t, '{"results":[]}');
  const mcp = await startListener(t, '{}');
  const collector = await startListener(t, '{}');
  const thumbs = await startListener(t, '{}');
  const vectors = await startEmbeddingServer(t);
  let turn = 0;
  const { settings } = await startRaw(t, (call) => {
    call.open();
    turn += 1;
    if (turn === 1) call.callTool('web_fetch', { url: `${under('page', page.url)}/tides` });
    else if (turn === 2) call.callTool('web_search', { query: 'tides' });
    else call.answer(`Answer ${turn}.`);
  });
  const at = (url: string): string => new URL(url).host;
  const stage = await openStage(t, {
    faults: {
      discord: { socketHost: () => at(under('discord-socket', stage.sandbox.discord.url)) },
      slack: { socketHost: () => at(under('slack-socket', stage.sandbox.slack.url)) },
    },
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      network: { ...config.network, resolveNames: 'proxy' },
      feedback: { webhook: `${under('thumbs', thumbs.url)}/thumbs` },
      tools: {
        ...config.tools,
        web: true,
        search: { service: 'searxng', baseUrl: under('search', search.url), results: 3 },
      },
      mcp: { far: { url: `${under('mcp', mcp.url)}/mcp`, headers: {} } },
      memory: {
        ...config.memory,
        embedding: {
          provider: 'openai-compatible',
          model: 'e',
          dimensions: 8,
          baseUrl: under('vectors', vectors.url),
        },
      } as typeof config.memory, // the program reads and checks it
      channels: {
        ...config.channels,
        discord: {
          ...config.channels.discord,
          apiUrl: under('discord', config.channels.discord.apiUrl ?? ''),
        },
        telegram: {
          ...config.channels.telegram,
          apiUrl: under('telegram', config.channels.telegram.apiUrl ?? ''),
        },
        slack: { ...config.channels.slack, apiUrl: under('slack', config.channels.slack.apiUrl ?? '') },
      },
    }),
    variables: {
      HTTP_PROXY: proxy.url,
      https_proxy: proxy.url,
      OPENAI_BASE_URL: under('model', settings.baseUrl ?? ''),
      OPENAI_API_KEY: 'k'.repeat(20),
      OTEL_EXPORTER_OTLP_ENDPOINT: under('collector', collector.url),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
  });
  const program = stage.start();
  await program.connected('discord', 'telegram', 'slack');
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    await stage.say(talk, 'when does the tide turn?');
    await stage.answered(talk, /Answer \d/);
  }
  const answer = stage.sandbox.telegram.shown('dm', 'you').findLast(({ author }) => author === 'bot');
  stage.sandbox.telegram.react({ id: answer?.id ?? '', user: 'you', emoji: '👍' });
  await found('the thumb', () => thumbs.paths[0]);
  assert.deepEqual(page.paths, ['/tides']);
  assert.deepEqual(search.paths, ['/search?q=tides&format=json']);
  await found('spans and vectors', () =>
    collector.paths.length > 0 && vectors.calls.length > 0 ? true : undefined,
  );
  const names =
    'collector discord discord-socket mcp model page search slack slack-socket telegram thumbs vectors';
  assert.deepEqual(
    proxy.hosts(),
    names
      .split(' ')
      .map((name) => `${name}.test`)
      .toSorted(),
  );
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0);
});

test('what writes down speech, what speaks and what draws, and files of messages, go through the proxy too (R18)', async (t) => {
  const proxy = await startForwardProxy(t);
  const ears = await startListener(t, '{"text":"draw a heron and say good night"}');
  const mouth = await startListener(t, ogg, 'audio/ogg');
  const painter = await startListener(t, JSON.stringify({ data: [{ b64_json: png().toString('base64') }] }));
  let turn = 0;
  const { settings } = await startRaw(t, (call) => {
    call.open();
    turn += 1;
    if (turn === 1) call.callTool('image', { prompt: 'A heron', shape: 'wide' });
    else if (turn === 2) call.callTool('speak', { text: 'Good night' });
    else call.answer('Done.');
  });
  const stage = await openStage(t, {
    platforms: ['telegram'],
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      tools: {
        ...config.tools,
        speech: { provider: 'openai-compatible', model: 's', baseUrl: under('mouth', mouth.url) },
        image: { provider: 'openai-compatible', model: 'i', baseUrl: under('painter', painter.url) },
      },
      channels: {
        ...config.channels,
        voice: {
          ...{ provider: 'openai-compatible', model: 'w', baseUrl: under('ears', ears.url) },
          ...{ maxMinutes: 30, maxMiB: 25, timeoutSeconds: 180 },
        },
        telegram: {
          ...config.channels.telegram,
          apiUrl: under('telegram', config.channels.telegram.apiUrl ?? ''),
        },
      },
    }),
    variables: {
      HTTP_PROXY: proxy.url,
      OPENAI_BASE_URL: under('model', settings.baseUrl ?? ''),
      OPENAI_API_KEY: 'k'.repeat(20),
    },
  });
  const program = stage.start();
  await program.connected('telegram');
  const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await stage.sandbox.telegram.say({
    ...{ chat: 'dm', user: 'you', text: '', mention: false },
    files: [{ name: 'voice-message.ogg', mime: 'audio/ogg', bytes: ogg, voice: true }],
  });
  await stage.answered(talk, /Done\./);
  // what was heard came as a file from the platform, under a name that only the proxy knows
  assert.deepEqual(ears.paths, ['/audio/transcriptions']);
  assert.deepEqual(painter.paths, ['/images/generations']);
  assert.deepEqual(mouth.paths, ['/audio/speech']);
  assert.deepEqual(
    proxy.hosts(),
    ['ears', 'model', 'mouth', 'painter', 'telegram'].map((name) => `${name}.test`),
  );
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0);
});

for (const service of searchServiceNames)
  test(`a search by ${service} goes through the proxy (R39)`, async (t) => {
    const proxy = await startForwardProxy(t);
    const server = await startSearchService(t, [{ url: 'https://a.example', title: 'A', text: 'B' }]);
    const key = 'k'.repeat(20);
    const { folder } = openTerminal(t, {
      tools: { search: { service, baseUrl: under(service, server.url) } },
    });
    const variables = {
      ...{ BRAVE_API_KEY: key, TAVILY_API_KEY: key },
      ...{ OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key },
    };
    t.after(useProxy({ http: proxy.url, direct: [], namesBy: 'proxy' }));
    const loaded = loadConfig({ folder, variables });
    assert.equal((await trySearch(loaded, systemClock))?.title, searchServices[service].title);
    assert.deepEqual(proxy.hosts(), [`${service}.test`]);
    assert.equal(server.asked.length, 1);
  });

test('the doctor says which way each connection goes, and names ranges in NO_PROXY that nothing reads', async (t) => {
  const proxy = await startForwardProxy(t);
  const clinic = await openClinic(t);
  clinic.configure((config) => ({
    ...config,
    network: { proxy: proxy.url.replace('//', '//who:secret-of-the-proxy@'), noProxy: ['example.com'] },
    mcp: { near: { url: 'https://mcp.example.com/mcp' }, far: { url: 'http://mcp.example.test/mcp' } },
  }));
  clinic.tokens({ NO_PROXY: '10.0.0.0/8,other.test' });
  const { findings } = await clinic.doctor();
  const network = findings.filter(({ about }) => about === 'network').map(({ what }) => what);
  const { host } = new URL(proxy.url);
  assert.ok(network.includes('The MCP server near: mcp.example.com, directly.'), network.join('\n'));
  assert.ok(
    network.includes(`The MCP server far: mcp.example.test, through the proxy ${host}.`),
    network.join('\n'),
  );
  assert.ok(
    network.some((what) => /^telegram: 127\.0\.0\.1:\d+, directly\.$/.test(what)),
    network.join('\n'),
  );
  assert.ok(network.some((what) => what.includes('10.0.0.0/8')));
  assert.doesNotMatch(JSON.stringify(findings), /secret-of-the-proxy/);
  assert.ok(proxy.hosts().includes('mcp.example.test'), 'the doctor itself asks through it');
  assert.deepEqual(
    proxy.log.filter(({ credentials }) => credentials !== `Basic ${btoa('who:secret-of-the-proxy')}`),
    [],
  );
});

test('the doctor names the ways of speech, pictures and voice messages too, and where no proxy is set in one line that all goes directly', async (t) => {
  const clinic = await openClinic(t);
  clinic.configure((config) => ({
    ...config,
    channels: { ...config.channels, voice: { model: 'gpt-4o-mini-transcribe' } },
    tools: { speech: {}, image: { provider: 'openai-compatible', baseUrl: 'http://draws.test/v1' } },
  }));
  const ways = async (): Promise<string[]> =>
    (await clinic.doctor()).findings.filter(({ about }) => about === 'network').map(({ what }) => what);
  const directly = await ways();
  assert.equal(directly.length, 1, directly.join('\n'));
  assert.match(
    directly[0] ?? '',
    /^No proxy is set: all connections go directly, to 127\.0\.0\.1:\d+.*, api\.openai\.com and draws\.test\.$/,
  );
  const proxy = await startForwardProxy(t);
  clinic.tokens({ HTTPS_PROXY: proxy.url });
  const through = await ways();
  const { host } = new URL(proxy.url);
  assert.ok(
    through.includes(`Voice messages: api.openai.com, through the proxy ${host}.`),
    through.join('\n'),
  );
  assert.ok(through.includes(`Speech: api.openai.com, through the proxy ${host}.`), through.join('\n'));
  assert.ok(through.includes('Pictures: draws.test, directly.'), through.join('\n'));
});

test('a proxy that is none is refused in words, without its password', async (t) => {
  const clinic = await openClinic(t);
  clinic.tokens({ HTTPS_PROXY: 'socks5://who:secret-of-the-proxy@10.0.0.1:1080' });
  const { out, err } = await clinic.call('check');
  assert.match(out + err, /HTTPS_PROXY expects the address of a proxy/);
  assert.doesNotMatch(out + err, /secret-of-the-proxy/);
  clinic.configure((config) => ({ ...config, network: { proxy: 'socks5://10.0.0.1' } }));
  const wrong = await clinic.call('check');
  assert.match(
    wrong.out + wrong.err,
    /network\.proxy.*expected the address of a proxy that begins with http/,
  );
  clinic.configure((config) => ({ ...config, network: { proxy: false } }));
  assert.equal((await clinic.call('check')).code, 0, 'and can be ignored');
});
