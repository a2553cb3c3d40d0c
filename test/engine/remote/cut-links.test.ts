// Files over real sockets that are cut or go silent in the middle: what came stays, and only the rest is sent, both ways.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { content, openApart, size } from './apart.ts';

/** Most that lies in the buffers of both ends when a connection is cut, which is lost. */
const buffered = 700_000;

interface Proxy {
  /** Bytes that passed each way. */
  passed: { out: number; back: number };
  /** What is done to a connection once so many bytes of it have passed in that direction. */
  breaking: { way: 'out' | 'back'; after: number; times: number; how: 'cut' | 'silent' };
  through(url: string): Promise<string>;
}

/** A TCP proxy that breaks connections where it is told. */
function openProxy(t: TestContext): Proxy {
  const proxy: Proxy = {
    passed: { out: 0, back: 0 },
    breaking: { way: 'out', after: Number.POSITIVE_INFINITY, times: 0, how: 'cut' },
    async through(url) {
      const target = Number(new URL(url).port);
      const sockets = new Set<Socket>();
      const server = createServer((near) => {
        const far = connect(target, '127.0.0.1');
        const own = { out: 0, back: 0 };
        let isSilent = false;
        const carry = (from: Socket, to: Socket, way: 'out' | 'back'): void => {
          sockets.add(from);
          from.on('error', () => undefined);
          from.on('close', () => isSilent || to.destroySoon());
          from.on('data', (bytes: Buffer) => {
            const { breaking } = proxy;
            if (isSilent) return;
            own[way] += bytes.length;
            if (way === breaking.way && breaking.times > 0 && own[way] > breaking.after) {
              breaking.times -= 1;
              isSilent = breaking.how === 'silent';
              // what has passed arrives
              if (!isSilent) to.destroySoon();
              if (!isSilent) from.resetAndDestroy();
              return;
            }
            proxy.passed[way] += bytes.length;
            if (!to.write(bytes)) {
              from.pause();
              to.once('drain', () => from.resume());
            }
          });
        };
        carry(near, far, 'out');
        carry(far, near, 'back');
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      t.after(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    },
  };
  return proxy;
}

async function open(t: TestContext, clock = systemClock) {
  const proxy = openProxy(t);
  const parts = await openApart(t, { clock, through: proxy.through });
  const file = join(tempFolder(t), 'a.txt');
  writeFileSync(file, content);
  return { ...parts, proxy, file };
}

const path = 'discord/p1/20260102T030405Z_a.txt';

test('an upload whose connection is cut three times continues from where it stopped, and is whole', async (t) => {
  const { engine, proxy, file, uploads } = await open(t);
  proxy.breaking = { way: 'out', after: 900_000, times: 3, how: 'cut' };
  proxy.passed.out = 0;
  assert.ok((await engine.keepUpload({ path, file })) !== undefined);
  assert.equal(proxy.breaking.times, 0, 'it was cut');
  const saved = await uploads.find(path);
  assert.ok(saved !== undefined && readFileSync(saved, 'utf8') === content);
  assert.ok(proxy.passed.out < size + buffered, `${proxy.passed.out} bytes for a file of ${size}`);
});

test('a file of an answer whose connection is cut three times continues from where it stopped, and is whole', async (t) => {
  const { engine, proxy, artifact } = await open(t);
  proxy.breaking = { way: 'back', after: 900_000, times: 3, how: 'cut' };
  proxy.passed.back = 0;
  assert.equal(readFileSync(await engine.artifactFile(artifact), 'utf8'), content);
  assert.equal(proxy.breaking.times, 0, 'it was cut');
  assert.ok(proxy.passed.back < size + buffered, `${proxy.passed.back} bytes for a file of ${size}`);
});

test('an upload whose connection goes silent continues with over another one, from where it stopped', async (t) => {
  // half a minute of silence passes in a second
  const sleep: typeof systemClock.sleep = (ms, signal) => systemClock.sleep(ms / 30, signal);
  const { engine, proxy, file, uploads } = await open(t, { ...systemClock, sleep });
  proxy.breaking = { way: 'out', after: 2_000_000, times: 1, how: 'silent' };
  proxy.passed.out = 0;
  assert.ok((await engine.keepUpload({ path, file })) !== undefined);
  const saved = await uploads.find(path);
  assert.ok(saved !== undefined && readFileSync(saved, 'utf8') === content);
  assert.ok(proxy.passed.out < size + buffered, `${proxy.passed.out} bytes for a file of ${size}`);
});
