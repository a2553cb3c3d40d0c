// A local embedding model that the config names: downloaded once from a hub on loopback, checked, and searched with.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chooseEmbedder } from '#app/compose/embedder.ts';
import { fetchModel, localModelFolder } from '#app/compose/local-model/fetch-model.ts';
import { loadConfig } from '#app/config/load.ts';
import { downloadBytes, knownModels, offeredModel } from '#app/config/memory/known-models.ts';
import { ParleyError } from '#base/errors.ts';
import { localModels, writeTinyModel } from '../engine/support/tiny-model.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

const revision = '0123456789abcdef0123456789abcdef01234567';
const weights = 'onnx/model_quantized.onnx';

interface HubOptions {
  /** Cuts the answer for the weights after so many bytes, so often. */
  cuts?: { after: number; times: number };
  /** What is sent in place of a file. */
  instead?: Record<string, Buffer>;
  /** Paths that the hub does not have. */
  without?: readonly string[];
  /** Sends files whole, whatever was asked for. */
  wholeOnly?: boolean;
}

/** The tree and the files of a commit, as huggingface.co serves them: large files with their SHA-256, small ones with git's name. */
async function openHub(t: TestContext, options: HubOptions = {}) {
  const made = tempFolder(t);
  writeTinyModel(made);
  const files = new Map(
    readdirSync(made, { recursive: true, encoding: 'utf8', withFileTypes: false })
      .filter((path) => path.includes('.'))
      .map((path) => [path, readFileSync(join(made, path))]),
  );
  for (const path of options.without ?? []) files.delete(path);
  const asked: string[] = [];
  let { times = 0, after = 0 } = options.cuts ?? {};
  const tree = (): object[] =>
    [...files].map(([path, content]) => {
      const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
      const large = { oid: createHash('sha256').update(content).digest('hex'), size: content.length };
      return { type: 'file', path, size: content.length, oid, ...(path === weights ? { lfs: large } : {}) };
    });
  const send = (response: ServerResponse, path: string, range: string | undefined): void => {
    const content = options.instead?.[path] ?? files.get(path);
    if (content === undefined) return void response.writeHead(404).end('Entry not found');
    const from = options.wholeOnly === true ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from });
    if (path !== weights || times === 0) return void response.end(content.subarray(from));
    times -= 1;
    response.write(content.subarray(from, from + after), () => response.destroy());
  };
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.range ?? ''}`.trim());
    if (url === `/api/models/test/tiny/tree/${revision}?recursive=true`)
      response.end(JSON.stringify([{ type: 'directory', path: 'onnx', size: 0, oid: 'x' }, ...tree()]));
    else send(response, url.replace(`/test/tiny/resolve/${revision}/`, ''), headers.range);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}`, asked, files };
}

function config(t: TestContext, hub: string, model = 'test/tiny') {
  const folder = tempFolder(t);
  const embedding = { provider: 'local', model, revision, baseUrl: hub };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ home: 'home', memory: { embedding } }));
  const loaded = loadConfig({ folder, variables: {} });
  return { folder, loaded, place: localModelFolder(loaded) ?? '' };
}

const signal = (): AbortSignal => new AbortController().signal;

test('a model that the config names is downloaded once, and memory is searched with it', async (t) => {
  const hub = await openHub(t);
  const { loaded, place } = config(t, hub.url);
  assert.match(
    chooseEmbedder(loaded).embedderMissing ?? '',
    /test\/tiny is not downloaded: run "parley memory download"/,
  );
  const steps: number[] = [];
  await fetchModel(loaded, { signal: signal(), onProgress: ({ done, total }) => steps.push(done / total) });
  assert.equal(steps.at(-1), 1);
  assert.deepEqual(
    steps,
    steps.toSorted((one, other) => one - other),
  );
  for (const [path, content] of hub.files) assert.deepEqual(readFileSync(join(place, path)), content);
  assert.match(chooseEmbedder(loaded).embedder?.identity.model ?? '', /^tiny-[0-9a-f]{12}$/);
  hub.asked.length = 0;
  await fetchModel(loaded, { signal: signal() });
  assert.deepEqual(
    hub.asked.filter((url) => url.includes('/resolve/')),
    [],
  );
});

test('a download that is cut continues where it stopped, also in the next call', async (t) => {
  const hub = await openHub(t, { cuts: { after: 50, times: 3 } });
  const { loaded, place } = config(t, hub.url);
  await fetchModel(loaded, { signal: signal() });
  const ranges = hub.asked.filter((url) => url.includes(weights)).map((url) => url.split(' ')[1]);
  assert.deepEqual(ranges, [undefined, 'bytes=50-', 'bytes=100-', 'bytes=150-']);
  assert.deepEqual(readFileSync(join(place, weights)), hub.files.get(weights));
});

test('a hub that sends no parts of files sends the whole file', async (t) => {
  const hub = await openHub(t, { cuts: { after: 50, times: 1 }, wholeOnly: true });
  const { loaded, place } = config(t, hub.url);
  await fetchModel(loaded, { signal: signal() });
  assert.deepEqual(readFileSync(join(place, weights)), hub.files.get(weights));
});

test('a file with another content than its commit has is refused, and nothing of it is stored', async (t) => {
  const good = await openHub(t);
  for (const path of ['tokenizer.json', weights]) {
    const length = good.files.get(path)?.length ?? 0;
    for (const bytes of [length, length + 1]) {
      const hub = await openHub(t, { instead: { [path]: Buffer.alloc(bytes, 'x') } });
      const { loaded, place } = config(t, hub.url);
      await assert.rejects(fetchModel(loaded, { signal: signal() }), (error) => {
        assert.ok(error instanceof ParleyError);
        assert.match(error.message, /sent other files of "test\/tiny" than its commit has/);
        return true;
      });
      assert.equal(existsSync(join(place, path)), false);
      assert.deepEqual(readdirSync(join(place, '.arriving')), []);
      assert.match(chooseEmbedder(loaded).embedderMissing ?? '', /not downloaded/);
    }
  }
});

test('a model that the hub does not have, or that has no weights for here, is refused with a message', async (t) => {
  const empty = await openHub(t, { without: [weights] });
  await assert.rejects(
    fetchModel(config(t, empty.url).loaded, { signal: signal() }),
    /The model "test\/tiny" has no onnx\/model_quantized\.onnx or onnx\/model\.onnx/,
  );
  const unknown = config(t, empty.url, 'test/other').loaded;
  await assert.rejects(fetchModel(unknown, { signal: signal() }), /has no model "test\/other" at .* \(404\)/);
  const other = await openHub(t, {
    instead: { [`/api/models/test/other/tree/${revision}?recursive=true`]: Buffer.from('<html>') },
  });
  const page = config(t, other.url, 'test/other').loaded;
  await assert.rejects(fetchModel(page, { signal: signal() }), /does not list the files of "test\/other"/);
});

test('the command downloads it, and says what else is needed; without a model in the config it says so', async (t) => {
  const hub = await openHub(t);
  const embedding = { provider: 'local', model: 'test/tiny', revision, baseUrl: hub.url };
  const { call, home } = openTerminal(t, { memory: { embedding } });
  const done = await call('memory', 'download');
  assert.equal(done.code, 0, done.err);
  const place = join(home, 'models', '0123456789ab', 'tiny');
  assert.match(done.out, /^The model is in .*tiny\.\nWhat runs it is not installed: run "npm install/);
  assert.ok(existsSync(join(place, weights)));
  const none = await openTerminal(t).call('memory', 'download');
  assert.deepEqual([none.code, /names no model to download/.test(none.err)], [2, true]);
});

test('the model that is offered is known with its size and the digest of each file', () => {
  const known = knownModels[offeredModel];
  assert.ok(known !== undefined);
  assert.match(known.revision, /^[0-9a-f]{40}$/);
  for (const { sha256 } of known.files) assert.match(sha256 ?? '', /^[0-9a-f]{64}$/);
  assert.equal(downloadBytes(known), 135_392_016);
});

test('a downloaded model gives vectors', { skip: localModels.skip }, async (t) => {
  const hub = await openHub(t);
  const { loaded } = config(t, hub.url);
  await fetchModel(loaded, { signal: signal() });
  const { createLocalEmbedder } = await import('#engine/providers/local/embedder.ts');
  const embedder = createLocalEmbedder({
    folder: localModelFolder(loaded) ?? '',
    pooling: 'mean',
    documentPrefix: '',
    queryPrefix: '',
    from: localModels.from,
  });
  t.after(() => embedder.close?.());
  const [bike, bicycle, tea] = await embedder.embed(['bike', 'bicycle', 'tea'], {
    purpose: 'document',
    signal: signal(),
  });
  const dot = (one: readonly number[] = [], other: readonly number[] = []): number =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  assert.ok(dot(bike, bicycle) > 0.9 && dot(bike, tea) < 0.3);
});
