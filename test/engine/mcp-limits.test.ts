// MCP servers that answer too much, list in pages, have names that are nearly one, or die: refused in words, reached, and shown.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createActiveProblems } from '#base/active-problems.ts';
import { connectMcpServers, type McpServer } from '#engine/tools/mcp/servers.ts';
import { until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { createOddServer } from './support/odd-mcp-server.ts';
import { toolContext } from './support/tool-context.ts';

const overStdio: McpServer = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'support', 'odd-mcp-server.ts')],
  env: {},
};
const tooMuch = { bytes: 12 * 1024 * 1024 };

async function connect(t: TestContext, servers: Record<string, McpServer>) {
  const clock = createManualClock();
  const problems = createActiveProblems(clock);
  const mcp = connectMcpServers({ servers, version: '1', clock, log: quietLog().log, problems });
  t.after(() => mcp.close());
  await mcp.tried;
  const call = async (name: string, args: unknown = {}) => {
    const tool = mcp.tools().find((each) => each.name === name);
    assert.ok(tool !== undefined, `no tool ${name}`);
    const called = await tool.call(args, toolContext('t'));
    return JSON.stringify(called.status === 'completed' && called.result);
  };
  return { mcp, clock, problems, call, names: () => mcp.tools().map(({ name }) => name) };
}

/** The odd server over HTTP, answering in JSON or as a stream of events. */
async function serveHttp(t: TestContext, enableJsonResponse: boolean) {
  const server = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined as never, // its types do not know exactOptionalPropertyTypes
      enableJsonResponse,
    });
    response.on('close', () => void transport.close());
    await createOddServer().connect(transport as never); // as above
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  t.after(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // it listens on TCP
  return { how: { url, headers: {} }, close };
}

test('an answer that is too large is refused with a message, and its server continues: over stdio, in JSON and as a stream', async (t) => {
  const { mcp, call } = await connect(t, {
    stdio: overStdio,
    json: (await serveHttp(t, true)).how,
    stream: (await serveHttp(t, false)).how,
  });
  for (const server of ['stdio', 'json', 'stream']) {
    await assert.rejects(call(`mcp_${server}_large`, tooMuch), /larger than 10 MB and was refused/, server);
    assert.match(await call(`mcp_${server}_large`, { bytes: 1_000_000 }), /x{1000000}/, server);
  }
  assert.deepEqual(
    mcp.status().map(({ state, problem }) => [state, problem]),
    [1, 2, 3].map(() => ['ready', undefined]),
  );
});

test('tools on later pages are there, and tools whose names would be equal are each reached under their own', async (t) => {
  const { names, call } = await connect(t, { odd: overStdio });
  const [dotted = '', large, plain = ''] = names();
  assert.equal(large, 'mcp_odd_large');
  assert.match(dotted, /^mcp_odd_a_b_[0-9a-f]{6}$/);
  assert.match(plain, /^mcp_odd_a_b_[0-9a-f]{6}$/);
  assert.match(await call(dotted), /"a\.b"/);
  assert.match(await call(plain), /"a_b"/);
});

test('tools of two servers whose names would be equal are reached too, by names that do not hang on their order', async (t) => {
  const one = await connect(t, { x: overStdio, x_large: overStdio, 'x large': overStdio });
  assert.equal(new Set(one.names()).size, 9);
  const two = await connect(t, { 'x large': overStdio, x_large: overStdio, x: overStdio });
  assert.deepEqual(two.names().toSorted(), one.names().toSorted());
});

test('a server over HTTP that died is found out, also by a call that fails, and is failing until it is back', async (t) => {
  for (const how of ['by asking', 'by a call']) {
    const { how: at, close } = await serveHttp(t, true);
    const { mcp, clock, problems, call } = await connect(t, { odd: at });
    await clock.advance(60_000);
    await until('the next time that it is asked', () => clock.sleeping() > 0);
    assert.deepEqual([mcp.status()[0]?.state, problems.list()], ['ready', []]);
    close();
    if (how === 'by asking') await clock.advance(60_000);
    else await assert.rejects(call('mcp_odd_large', { bytes: 1 }));
    await until(`the problem, ${how}`, () => problems.list().length > 0);
    const [problem] = problems.list();
    assert.match(problem?.message ?? '', /^The MCP server odd cannot be used: /);
    assert.match(problem?.hint ?? '', /`mcp\.odd` in the config/);
    assert.equal(mcp.status()[0]?.state, 'connecting');
    await mcp.close();
  }
});

test('a server that was out of reach at first is failing, and no longer once it answers', async (t) => {
  const { how, close } = await serveHttp(t, true);
  close();
  const { mcp, clock, problems } = await connect(t, { odd: how });
  assert.equal(problems.list().length, 1);
  const { port } = new URL(how.url);
  const server = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never }); // as above
    await createOddServer().connect(transport as never); // as above
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await clock.advance(5_000);
  await until('the server to be there', () => mcp.status()[0]?.state === 'ready');
  assert.deepEqual(problems.list(), []);
});
