// Tools of MCP servers, through the official SDK on both sides: over stdio and over HTTP.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { toolName } from '#engine/tools/mcp/names.ts';
import { connectMcpServers, type McpServer } from '#engine/tools/mcp/servers.ts';
import { until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { openService } from './http/service-kit.ts';
import { createTestServer } from './support/mcp-server.ts';
import { toolContext } from './support/tool-context.ts';

const overStdio: McpServer = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'support', 'mcp-server.ts')],
  env: { GIVEN: 'yes' },
};

function connect(t: TestContext, servers: Record<string, McpServer>) {
  const { log } = quietLog();
  const clock = createManualClock();
  const mcp = connectMcpServers({ servers, version: '1', clock, log });
  t.after(() => mcp.close());
  const context = toolContext('t');
  const call = async (name: string, args: unknown) => {
    const tool = mcp.tools().find((each) => each.name === name);
    assert.ok(tool !== undefined, `no tool ${name}`);
    return tool.call(args, context);
  };
  return { mcp, clock, call };
}

/** The same server over HTTP, which only answers with the right header. */
async function serveHttp(t: TestContext): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== 'Bearer let-me-in') return response.writeHead(401).end();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    response.on('close', () => void transport.close());
    await createTestServer().connect(transport as never); // its types do not know exactOptionalPropertyTypes
    await transport.handleRequest(request, response);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // it listens on TCP
}

test('names of servers and tools become names that every provider takes', () => {
  assert.equal(toolName('my files', 'read.file/now'), 'mcp_my_files_read_file_now');
  assert.equal(toolName('x', 'y'.repeat(100)).length, 64);
});

test('a server over stdio is used, fails with a message, sees none of our variables, and comes back when it dies', async (t) => {
  process.env.PARLEY_TEST_CANARY = 'x';
  t.after(() => delete process.env.PARLEY_TEST_CANARY);
  const { mcp, clock, call } = connect(t, { test: overStdio });
  await mcp.tried;
  assert.deepEqual(
    mcp.tools().map(({ name }) => name),
    ['mcp_test_add', 'mcp_test_fail', 'mcp_test_variables', 'mcp_test_die'],
  );
  const sum = await call('mcp_test_add', { a: 2, b: 3 });
  assert.deepEqual(sum.status === 'completed' && sum.result, { content: [{ type: 'text', text: '5' }] });
  await assert.rejects(call('mcp_test_fail', {}), { code: 'mcp_failed', message: 'It is broken.' });
  const seen = JSON.stringify(await call('mcp_test_variables', {}));
  assert.match(seen, /GIVEN/);
  assert.doesNotMatch(seen, /PARLEY_TEST_CANARY/);
  assert.equal((await call('mcp_test_add', [])).status, 'failed');
  await assert.rejects(call('mcp_test_die', {}));
  await until('the loss to be seen', () => mcp.tools().length === 0);
  await until('the pause before the next attempt', () => clock.sleeping() > 0);
  await clock.advance(60_000);
  await until('the server to be back', () => mcp.tools().length === 4);
});

test('a server over HTTP is used with its headers; one that refuses or is not there is named and harms nothing', async (t) => {
  const url = await serveHttp(t);
  const { mcp, call } = connect(t, {
    good: { url, headers: { authorization: 'Bearer let-me-in' } },
    closed: { url, headers: {} },
    missing: { command: '/nowhere/at/all', args: [], env: {} },
  });
  await mcp.tried;
  const sum = await call('mcp_good_add', { a: 2, b: 3 });
  assert.equal(sum.status, 'completed');
  const states = mcp.status().map(({ name, state, problem }) => [name, state, problem !== undefined]);
  assert.deepEqual(states, [
    ['good', 'ready', false],
    ['closed', 'connecting', true],
    ['missing', 'connecting', true],
  ]);
});

test('a model uses a foreign tool only with approval, unless the policy allows it', async (t) => {
  const service = await openService(t, {
    mcp: { test: overStdio },
    policy: { tools: { mcp_test_fail: 'allow' } },
  });
  const { engine } = service.kit;
  await engine.toolsReady();
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'add');
  assert.match(JSON.stringify(call.body.tools), /mcp_test_add.*"required":\["a","b"\]/s);
  const events = engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('mcp_test_add', { a: 2, b: 3 });
  for await (const event of events) if (event.type === 'permission.asked') break;
  const [request] = await engine.permissions();
  await engine.replyPermission({ requestID: request?.requestID ?? '', reply: 'once' });
  const next = await service.raw.next();
  assert.match(JSON.stringify(next.body.messages), /\\"text\\":\\"5\\"/);
  next.callTool('mcp_test_fail', {});
  const last = await service.raw.next();
  assert.match(JSON.stringify(last.body.messages), /It is broken\./);
  last.say('Five.');
  last.finish();
  assert.equal((await engine.finished(runID)).status, 'completed');
});
