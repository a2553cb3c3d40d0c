// Parley's MCP server judged by other programs: the Inspector's command line, and the protocol's conformance suite.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTelegramHouse } from './house.ts';
import { tokenFor } from './mcp-kit.ts';

const folder = join(import.meta.dirname, '..', 'mcp-clients', 'node_modules');
const inspector = join(
  folder,
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'launcher',
  'build',
  'index.js',
);
const conformance = join(folder, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const skip = existsSync(folder) ? false : 'other MCP clients are not here: npm run mcp-clients:install';
const bin = join(import.meta.dirname, '..', '..', 'bin', 'parley.js');

/** Scenarios that ask for no tools, resources and prompts that only their own example server has. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

interface Ended {
  code: number;
  out: string;
}

function run(t: TestContext, script: string, args: readonly string[], home: string): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: home, env, signal: t.signal }, (error, out, err) =>
      resolve({ code: error === null ? 0 : 1, out: `${out}${err}` }),
    );
  });
}

async function open(t: TestContext) {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  return { house, secret };
}

test('the Inspector lists and calls the tools over HTTP and over standard input and output', {
  skip,
}, async (t) => {
  const { house, secret } = await open(t);
  const targets = [
    [
      new URL('/mcp', house.parley.url).href,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${secret}`,
    ],
    [process.execPath, bin, 'mcp', '-e', `PARLEY_MCP_TOKEN=${secret}`, '-e', `PARLEY_HOME=${house.home}`],
  ];
  for (const target of targets) {
    const inspect = (...words: string[]): Promise<Ended> =>
      // a busy machine takes longer than the Inspector waits by itself
      run(t, inspector, ['--cli', ...target, '--connect-timeout', '60000', ...words], house.folder);
    const listed = await inspect('--method', 'tools/list');
    assert.equal(listed.code, 0, listed.out);
    assert.match(listed.out, /get_memory_bundle[\s\S]*memory_verify/);
    const lesson = ['task_type=build', 'lesson_kind=pattern', 'lesson=Read before you write.'];
    const recorded = await inspect(
      ...['--method', 'tools/call', '--tool-name', 'record_lesson'],
      ...lesson.flatMap((pair) => ['--tool-arg', pair]),
    );
    assert.equal(recorded.code, 0, recorded.out);
    const read = await inspect('--method', 'resources/read', '--uri', 'parley://bundle/coder');
    assert.match(read.out, /Read before you write/);
    const prompts = await inspect('--method', 'prompts/list');
    assert.match(prompts.out, /"wake"[\s\S]*"close"/);
  }
});

test('the conformance suite passes for everything that does not ask for its own example tools', {
  skip,
}, async (t) => {
  const { house, secret } = await open(t);
  const url = await withToken(t, new URL(house.parley.url), secret);
  for (const scenario of scenarios) {
    const { code, out } = await run(
      t,
      conformance,
      ['server', '--url', url, '--scenario', scenario],
      house.folder,
    );
    assert.equal(code, 0, `${scenario}:\n${out}`);
    assert.doesNotMatch(out, /[1-9]\d* failed/, scenario);
  }
  const { out } = await run(t, conformance, ['list'], house.folder);
  const [, ofServers = ''] = /Server scenarios[^\n]*\n([\s\S]*?)\n\n/.exec(out) ?? [];
  const all = [...ofServers.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  assert.ok(all.length > scenarios.length, out);
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'mcp.md'), 'utf8');
  const unsaid = all.filter((name) => !page.includes(`\`${name}\``));
  assert.deepEqual(unsaid, [], 'the page says of each scenario that it passes, or why it does not apply');
});

/** The suite has no place for a token: what it sends passes through here unchanged, with one. */
async function withToken(t: TestContext, { hostname, port, host }: URL, secret: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        name === 'host' || name === 'origin'
          ? String(value)
              .replace(own, host)
              .replace(`localhost:${own.split(':')[1]}`, host)
          : value,
      ]),
    );
    const { method, url: path } = incoming;
    const sent = request({
      hostname,
      port,
      method,
      path,
      headers: { ...headers, authorization: `Bearer ${secret}` },
    });
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
