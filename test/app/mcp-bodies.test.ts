// Bodies of `POST /mcp`, and lines of `parley mcp`, of which a parser would pass over something: refused, with what is wrong, and nothing is written.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { openTelegramHouse } from './house.ts';
import { call, overHttp, tokenFor } from './mcp-kit.ts';

const noted = (args: string, id: number | string = 7): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"add_session_element","arguments":${args}}}`;
const thread = '"agent_id":"coder","kind":"thread"';

const bodies: readonly (readonly [
  what: string,
  body: string | Uint8Array,
  code: number,
  id: unknown,
  words: RegExp,
])[] = [
  [
    'a field twice',
    noted(`{${thread},"title":"A","title":"B"}`),
    -32600,
    7,
    /expected "params\.arguments\.title" once, it is there twice/,
  ],
  [
    'a field twice, once as an escape',
    noted(`{${thread},"title":"A","titl\\u0065":"B"}`),
    -32600,
    7,
    /"params\.arguments\.title" once/,
  ],
  [
    'the method twice',
    `{"method":"ping",${noted(`{${thread},"title":"A"}`, 'x').slice(1)}`,
    -32600,
    'x',
    /expected "method" once/,
  ],
  [
    'half of a surrogate pair',
    noted(`{${thread},"title":"a\\ud83d"}`),
    -32600,
    7,
    /params\.arguments\.title: expected Unicode text/,
  ],
  [
    'too many levels',
    noted(`{${thread},"title":${'['.repeat(200)}${']'.repeat(200)}}`),
    -32600,
    7,
    /at most 100 levels/,
  ],
  ['no JSON', '{"jsonrpc":', -32700, null, /not valid JSON/],
  ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32700, null, /not valid UTF-8/],
];

async function opened(t: TestContext) {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const written = async () =>
    (await call(client, 'list_session_elements', { agent_id: 'coder', kind: 'thread' })).items;
  return { house, secret, written };
}

/** The response to a body of this length, of which only the first byte is sent. */
async function refusedAtOnce(url: string, secret: string, length: number) {
  const request = httpRequest(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-length': length,
    },
  });
  request.on('error', () => undefined); // the connection ends with the response
  request.write('{');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  request.destroy();
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
}

test('a body with a field twice, or with what is no text, is refused by the id of its request', async (t) => {
  const { house, secret, written } = await opened(t);
  const post = async (body: string | Uint8Array) =>
    fetch(new URL('/mcp', house.parley.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: body as string,
    });
  for (const [what, body, code, id, words] of bodies) {
    const response = await post(body);
    const { error, id: told } = (await response.json()) as {
      error: { code: number; message: string };
      id: unknown;
    };
    assert.deepEqual([response.status, error.code, told], [400, code, id], what);
    assert.match(error.message, words, what);
  }
  // before it is read
  const large = await refusedAtOnce(house.parley.url, secret, 9 * 1024 * 1024);
  assert.deepEqual(
    [large.status, JSON.parse(large.text).error.message],
    [413, 'The body is larger than 8388608 bytes.'],
  );
  assert.deepEqual(await written(), []);
  assert.equal((await post(noted(`{${thread},"title":"A"}`))).status, 200);
  assert.equal(((await written()) as unknown[]).length, 1);
});

const misfits: readonly (readonly [what: string, request: object, words: RegExp])[] = [
  [
    'arguments as a text of JSON',
    {
      method: 'tools/call',
      params: { name: 'add_session_element', arguments: `{${thread},"title":"A"}` },
    },
    /^The request does not fit: params\.arguments: expected object, received ".*"; send the object itself, not its text\. Change the named fields, and call again\. Nothing was written\.$/s,
  ],
  [
    'arguments as a list',
    { method: 'tools/call', params: { name: 'list_agents', arguments: ['a'] } },
    /params\.arguments: expected object, received a list of 1\./,
  ],
  [
    'no name of a tool',
    { method: 'tools/call', params: {} },
    /params\.name: expected string, received nothing\./,
  ],
  ['no parameters', { method: 'tools/call' }, /params: expected object, received nothing\./],
  [
    'a prompt by a number',
    { method: 'prompts/get', params: { name: 5 } },
    /params\.name: expected string, received 5\./,
  ],
  ['a resource without an address', { method: 'resources/read', params: {} }, /params\.uri: expected string/],
  [
    'a cursor that is an object',
    { method: 'tools/list', params: { cursor: {} } },
    /params\.cursor: expected string/,
  ],
];

test('a request whose parameters do not fit is told in a sentence which field is wrong, and what to send', async (t) => {
  const { house, secret, written } = await opened(t);
  for (const [what, request, words] of misfits) {
    const response = await fetch(new URL('/mcp', house.parley.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, ...request }),
    });
    const { id, error, result } = (await response.json()) as {
      id: unknown;
      error?: { code: number; message: string };
      result?: { isError: boolean; content: { text: string }[] };
    };
    assert.deepEqual([response.status, id], [200, 9], what);
    if (result === undefined) assert.equal(error?.code, -32602, what);
    else assert.equal(result.isError, true, what);
    assert.match(error?.message ?? result?.content[0]?.text ?? '', words, what);
  }
  assert.deepEqual(await written(), []);
});

test('a line of `parley mcp` of which a parser would pass over something is refused in the same words', async (t) => {
  const { house, secret, written } = await opened(t);
  const program = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', '..', 'bin', 'parley.js'), 'mcp'],
    {
      cwd: house.folder,
      env: { PATH: process.env.PATH ?? '', PARLEY_HOME: house.home, PARLEY_MCP_TOKEN: secret },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  t.after(() => program.kill());
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  for (const [what, body, code, id, words] of bodies) {
    if (typeof body !== 'string') continue;
    program.stdin.write(`${body}\n`);
    const { error, id: told } = JSON.parse(String((await lines.next()).value)) as {
      error: { code: number; message: string };
      id: unknown;
    };
    assert.deepEqual([error.code, told], [code, id], what);
    assert.match(error.message, words, what);
  }
  assert.deepEqual(await written(), []);
  program.stdin.end();
  assert.equal((await lines.next()).done, true);
});
