// Files of channels in other processes: stored once under their path, refused when they are not what they say, never outside of the folder.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createUploadStore } from '#adapters/uploads/store.ts';
import { systemClock } from '#base/clock.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { bearer, token } from './kit.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function openShelf(t: TestContext, options: { without?: true } = {}) {
  const folder = tempFolder(t);
  const { log, lines } = quietLog('info');
  const app = createHttpApp({
    engine: createScriptedEngine(createManualClock()),
    token,
    hosts: () => ['127.0.0.1:7410'],
    clock: systemClock,
    log,
    version: '1',
    uploads: options.without ? undefined : createUploadStore({ folder, limitBytes: 100 }),
  });
  const ask = async (
    method: string,
    path: string,
    { text, sha256 = hashOf(text ?? ''), range }: { text?: string; sha256?: string; range?: string } = {},
  ) => {
    const more: Record<string, string> = range === undefined ? {} : { 'content-range': range };
    const init = { method, headers: { host: '127.0.0.1:7410', ...bearer, ...more } };
    const response = await app.request(
      `/upload/${path}?sha256=${sha256}`,
      text === undefined ? init : { ...init, body: text },
    );
    const body = (await response.json()) as { url?: string; code?: string; error?: string };
    return { status: response.status, said: body.url ?? body.code };
  };
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.txt/.test(name));
  return { folder, ask, files, lines };
}

test('a file is stored under its path once, and next to it when another content lies there', async (t) => {
  const { ask, files, folder } = openShelf(t);
  const path = 'discord/room%201/20260102T030405Z_a%20b.txt';
  const url = `upload:${path}`;
  assert.deepEqual(await ask('GET', path, { sha256: hashOf('one') }), {
    status: 404,
    said: 'UPLOAD_NOT_FOUND',
  });
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(await ask('PUT', path, { text: 'one' }), { status: 200, said: url });
  assert.deepEqual(await ask('GET', path, { sha256: hashOf('one') }), { status: 200, said: url });
  assert.deepEqual(await ask('GET', path, { sha256: hashOf('two') }), {
    status: 404,
    said: 'UPLOAD_NOT_FOUND',
  });
  const second = await ask('PUT', path, { text: 'two' });
  assert.deepEqual(second, { status: 200, said: url.replace('.txt', '-2.txt') });
  assert.equal(files().length, 2);
  assert.equal(readFileSync(join(folder, decodeURIComponent(path)), 'utf8'), 'one');
});

test('what is too large, empty, torn, or would leave the folder is refused and leaves nothing behind (K3)', async (t) => {
  const { ask, files, lines } = openShelf(t);
  const refused: [string, { text?: string; sha256?: string }, [number, string]][] = [
    ['discord/room/a.txt', { text: 'x'.repeat(101) }, [413, 'UPLOAD_TOO_LARGE']],
    ['discord/room/a.txt', { text: '' }, [400, 'UPLOAD_REFUSED']],
    ['discord/room/a.txt', { text: 'torn', sha256: hashOf('whole') }, [400, 'UPLOAD_REFUSED']],
    ['discord/room/a.txt', { text: 'x', sha256: 'no hash' }, [400, 'INVALID_REQUEST']],
    ['discord/..%2F..%2Fetc/a.txt', { text: 'x' }, [400, 'INVALID_REQUEST']],
    ['discord/room/.hidden.txt', { text: 'x' }, [400, 'INVALID_REQUEST']],
    ['.content/room/a.txt', { text: 'x' }, [400, 'INVALID_REQUEST']],
    ['discord/room/a%00.txt', { text: 'x' }, [400, 'INVALID_REQUEST']],
    ['discord/a.txt', { text: 'x' }, [404, 'NOT_FOUND']],
  ];
  for (const [path, given, [status, said]] of refused)
    assert.deepEqual(await ask('PUT', path, given), { status, said }, path);
  assert.deepEqual(files(), []);
  assert.deepEqual(lines, [], 'all of it was expected');
});

test('an engine that stores no files says so', async (t) => {
  const { ask } = openShelf(t, { without: true });
  assert.equal((await ask('PUT', 'a/b/c.txt', { text: 'x' })).said, 'UPLOADS_OFF');
  assert.equal((await ask('GET', 'a/b/c.txt', { sha256: hashOf('x') })).status, 404);
});

test('the rest of a file is taken only where its beginning came before, and of a wrong rest nothing stays', async (t) => {
  const { ask, files, folder } = openShelf(t);
  const path = 'discord/c1/20260102T030405Z_a.txt';
  const sha256 = hashOf('one two');
  const rest = (range: string, text: string) => ask('PUT', path, { text, sha256, range });
  assert.deepEqual(await rest('bytes 3-6/7', ' two'), { status: 409, said: 'UPLOAD_RANGE' });
  for (const range of ['3-6/7', 'bytes 3-6/*', 'bytes -3/7', 'bytes */7'])
    assert.deepEqual(await rest(range, ' two'), { status: 400, said: 'INVALID_REQUEST' });
  const begin = (): void => writeFileSync(join(folder, '.arriving', `${sha256}.part`), 'one-------');
  begin();
  assert.deepEqual(await rest('bytes 3-6/7', ' six'), { status: 400, said: 'UPLOAD_REFUSED' });
  assert.deepEqual(readdirSync(join(folder, '.arriving')), []);
  begin();
  assert.deepEqual(await rest('bytes 3-6/7', ' two'), { status: 200, said: `upload:${path}` });
  assert.deepEqual(files(), [path]);
  assert.equal(readFileSync(join(folder, path), 'utf8'), 'one two');
  assert.equal(statSync(join(folder, path)).mode & 0o777, 0o400);
  assert.deepEqual(readdirSync(join(folder, '.arriving')), []);
});
