// Generated garbage at every route: refused or answered, never an inner failure, never a word about our insides.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';
import { ask } from '../support/kit.ts';
import { bearer, json, serveKit } from './kit.ts';
import { openService } from './service-kit.ts';

const insides = /node_modules|node:internal|file:\/\/|\n\s+at |\.ts:\d+|\/work\/|\/home\/|\/tmp\//;

const word = fc.oneof(
  fc.constantFrom(
    '',
    '..',
    '%',
    '%00',
    '%2f',
    '\u0000',
    '__proto__',
    'constructor',
    '*',
    ':id',
    '{id}',
    '\\',
    '日本語',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY', 'BREW');
const headerValue = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom('0', '-1', '1e999', 'null', 'application/json', 'gzip', 'run', 'http://127.0.0.1:7410'),
);
const headerName = fc.constantFrom(
  'content-type',
  'content-encoding',
  'idempotency-key',
  'x-tandem-idempotency-key',
  'last-event-id',
  'origin',
  'accept',
  'x-anything',
);
const part = fc.oneof(
  fc.record({
    type: fc.constantFrom('text', 'file', 'tool', 'x'),
    text: fc.jsonValue(),
    url: fc.jsonValue(),
  }),
  fc.jsonValue(),
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json(),
  fc
    .record({ parts: fc.array(part, { maxLength: 4 }), model: fc.jsonValue(), origin: fc.jsonValue() })
    .map(asJson),
  fc.record({ title: fc.jsonValue(), directory: fc.jsonValue() }).map(asJson),
  fc
    .record({ messageID: fc.oneof(fc.constant('MESSAGE'), fc.jsonValue()), archived: fc.jsonValue() })
    .map(asJson),
  fc.record({ todos: fc.array(fc.jsonValue()), reply: fc.jsonValue(), answer: fc.jsonValue() }).map(asJson),
  fc.json().map((value) => `{"__proto__":${value},"parts":${value}}`),
  fc.string().map((title) => JSON.stringify({ title, parts: [{ type: 'text', text: title }] })),
);

function asJson(value: unknown): string {
  return JSON.stringify(value);
}

/** What stands in a target for the id of something that is there. */
const holes = ['SESSION', 'RUN', 'MESSAGE'] as const;

/** What a hostile or broken client asks: one of our paths with garbage or ids in its holes, or a path of its own. */
function targetOf(paths: string[]) {
  const id = fc.oneof(fc.constantFrom(...holes), word.map(encodeURIComponentLoosely), word);
  const names = [
    'sessionID',
    'runID',
    'return',
    'page',
    'page_size',
    'limit',
    'after_seq',
    'by',
    'from',
    'x',
  ];
  const value = fc.oneof(word, fc.constantFrom(...holes), fc.nat().map(String));
  const query = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
    .map((pairs) => pairs.map(([name, given]) => `${name}=${given}`).join('&'));
  const ours = fc
    .tuple(fc.constantFrom(...paths), fc.array(id, { minLength: 3, maxLength: 3 }))
    .map(([path, ids]) => ids.reduce((filled, each) => filled.replace(/:\w+/, () => each), path));
  const path = fc.oneof(
    { weight: 5, arbitrary: ours },
    { weight: 1, arbitrary: word.map((each) => `/${each}`) },
  );
  return fc.tuple(path, query).map(([at, asked]) => (asked === '' ? at : `${at}?${asked}`));
}

function encodeURIComponentLoosely(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80';
}

/** The request, or undefined where the platform's own Request cannot be made of it. */
function requestOf(target: string, init: RequestInit): Request | undefined {
  try {
    return new Request(`http://127.0.0.1:7410${target}`, init);
  } catch {
    return undefined;
  }
}

test('no garbage gets an internal error, a stack or a path out of any route', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  const { engine } = service.kit;
  const { id } = await engine.createSession({ title: 'to be asked for' });
  const { runID } = await ask(engine, id, 'What is my name?');
  const [message] = await engine.messages(id);
  const known = { SESSION: id, RUN: runID, MESSAGE: message?.info.id ?? '' };
  const fill = (text: string): string => holes.reduce((all, hole) => all.replaceAll(hole, known[hole]), text);
  const paths = [...new Set(service.routes().map(({ path }) => path))].filter((path) => !path.includes('*'));
  assert.ok(paths.length > 20, 'the routes are found');
  const headers = fc.dictionary(headerName, headerValue, { maxKeys: 3 });
  const seen = new Set<number>();
  const given = [targetOf(paths), method, headers, body, fc.boolean()] as const;
  await fc.assert(
    fc.asyncProperty(...given, async (target, verb, extra, sent, withToken) => {
      const at = fill(target);
      const own = { host: '127.0.0.1:7410', ...json, ...(withToken ? bearer : {}) };
      const sends = verb !== 'GET' && verb !== 'HEAD';
      const leave = new AbortController();
      const init = { method: verb, headers: { ...own, ...extra }, signal: leave.signal };
      const request = requestOf(
        at,
        sends ? { ...init, body: typeof sent === 'string' ? fill(sent) : sent } : init,
      );
      if (request === undefined) return;
      const response = await service.fetch(request);
      seen.add(response.status);
      assert.ok(response.status < 500, `${verb} ${at}: ${response.status}`);
      if (response.headers.get('content-type') === 'text/event-stream') {
        leave.abort();
        await response.body?.cancel();
        return;
      }
      const answer = await response.text();
      assert.doesNotMatch(answer, insides);
      if (response.status >= 400 && verb !== 'HEAD') {
        const envelope = JSON.parse(answer) as Record<string, unknown>;
        assert.deepEqual([typeof envelope.error, typeof envelope.code], ['string', 'string']);
        assert.equal(typeof envelope.retryable, 'boolean');
      }
    }),
    // what is drawn seldom has another content type
    { numRuns: 2000, examples: [['/session', 'POST', { 'content-type': 'text/plain' }, 'a title', true]] },
  );
  assert.deepEqual(service.logged, []);
  for (const status of [200, 400, 401, 403, 404, 405, 415])
    assert.ok(seen.has(status), `no case gave ${status}`);
});

test('no garbage on the socket itself gets more than a refusal, and the server continues', async (t) => {
  const { server, logged } = await serveKit(t);
  const line = fc.string({ unit: 'binary-ascii', maxLength: 60 });
  const bytes = fc.oneof(
    line,
    fc.tuple(method, word).map(([verb, at]) => `${verb} /${at} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}`),
    fc.tuple(method, line).map(([verb, value]) => `${verb} /session HTTP/1.1\r\nhost: ${value}`),
    line.map(
      (value) => `POST /session HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-length: ${value}`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (head) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined); // a reset is one of the ways to be refused
      socket.end(`${head}\r\nconnection: close\r\n\r\n`);
      const answer = await text(socket).catch(() => '');
      assert.doesNotMatch(answer, /^HTTP\/1\.1 5/);
      assert.doesNotMatch(answer, insides);
    }),
    { numRuns: 150 },
  );
  assert.deepEqual(logged, []);
  assert.equal((await fetch(`${server.url}/global/health`)).status, 200);
});
