// Every route of the document with hostile values in its path: refused with a message, never a failure of Parley.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createUploadStore } from '#adapters/uploads/store.ts';
import { systemClock } from '#base/clock.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openKit } from '../support/kit.ts';
import type { OpenApiDocument } from './document-check.ts';
import { bearer, json, token } from './kit.ts';

const content = 'x';
const sha256 = createHash('sha256').update(content).digest('hex');

/** As they stand in the request line. */
const hostile = [
  'a%2fb%2fc',
  'a%2Fb',
  '%2f',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc',
  '..%5c..',
  '%00',
  'a%00b',
  '%0a',
  '%',
  '%zz',
  '%ED%A0%80',
  '%FF',
  '%25',
  '%252f',
  '.hidden',
  'a'.repeat(255),
  'a'.repeat(4_000),
  encodeURIComponent('漢'.repeat(255)),
  encodeURIComponent('\u202e'),
  encodeURIComponent('👩‍👩‍👧‍👦'),
  'con',
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  "'%20or%201=1--",
  '*',
  '%7b%7d',
];

const bodies = [
  '{}',
  JSON.stringify({ reply: 'once', answer: 'a', answers: [['a']], text: 'a', title: 'a', runID: 'a' }),
  JSON.stringify({ messageID: 'msg_1', partID: 'a', todos: [], parts: [{ type: 'text', text: 'a' }] }),
];

/** The path with the value in all of its holes, in only the first one and in only the last one. */
function filled(path: string, value: string): Set<string> {
  const holes = [/\{\w+\}/g, /\{\w+\}/, /\{\w+\}(?=[^{]*$)/];
  return new Set(holes.map((which) => path.replace(which, () => value).replace(/\{\w+\}/g, 'a')));
}

test('no route of the document fails over what is in its path', async (t) => {
  const { log, lines } = quietLog('info');
  const folder = join(tempFolder(t), 'uploads');
  const { engine } = await openKit(t, { model: { provider: 'offline' } });
  const hosts = () => ['127.0.0.1:7410'];
  const uploads = createUploadStore({ folder, limitBytes: 100 });
  const app = createHttpApp({ engine, token, hosts, clock: systemClock, log, version: '1', uploads });
  const send = async (method: string, path: string, body?: string): Promise<Response> =>
    app.request(path, {
      method,
      headers: { host: '127.0.0.1:7410', ...bearer, ...json },
      ...(body === undefined || method === 'GET' ? {} : { body }),
    });
  const document = (await (await send('GET', '/openapi.json')).json()) as OpenApiDocument;
  const withHoles = Object.entries(document.paths).filter(([path]) => path.includes('{'));
  assert.ok(withHoles.length > 20, 'the routes are found');
  let asked = 0;
  for (const [path, operations] of withHoles)
    for (const method of Object.keys(operations).map((each) => each.toUpperCase()))
      for (const value of hostile)
        for (const at of filled(path, value)) {
          const given = path.startsWith('/upload') ? [content] : method === 'GET' ? [''] : bodies;
          for (const body of given) {
            const response = await send(method, `${at}?sha256=${sha256}`, body);
            asked += 1;
            const words = `${method} ${at}: ${response.status}`;
            assert.ok(response.status < 500, `${words} ${lines.at(-1)}`);
            if (response.headers.get('content-type')?.startsWith('text/event-stream') === true)
              await response.body?.cancel();
            else if (response.status >= 400) {
              const said = (await response.json()) as Record<string, unknown>;
              assert.ok(typeof said.error === 'string' && said.error !== '', words);
              assert.equal(typeof said.code, 'string', words);
            }
          }
        }
  assert.ok(asked > 1_000);
  assert.deepEqual(lines, []);
  // what was stored is three names deep inside of the folder
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    assert.ok(name.split('/').length <= 3 || name.startsWith('.'), name);
});
