// The control interface on a real socket over the three real servers, and one way to call all three as a bot. No test.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { TestContext } from 'node:test';
import { type Sandbox, startSandbox } from '#app/compose/sandbox.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { ChatState, SandboxState, StateMessage } from '#sandbox/control-state.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';

export const platforms = ['discord', 'telegram', 'slack'] as const;

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The answer's JSON; its shape is what the test expects. */
  body: { error?: string; code?: string; id?: string; calls?: { name: string; status: number }[] };
}

export interface ControlRequest {
  method?: string;
  /** Sent as it is when it is a string, else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Control {
  sandbox: Sandbox;
  clock: ManualClock;
  host: string;
  ask(path: string, asked?: ControlRequest): Promise<Reply>;
  /** An answer whose body is still coming. */
  open(path: string): Promise<IncomingMessage>;
  post(path: string, body: unknown): Promise<Reply>;
  /** Says something as `you` and gives the id. */
  say(platform: SandboxPlatform, say: object): Promise<string>;
  chat(platform: SandboxPlatform, chat: string, user?: string): Promise<ChatState>;
  messages(platform: SandboxPlatform, chat: string): Promise<StateMessage[]>;
  /** Ends the event streams, as closing the program does. */
  end(): void;
}

/** Serves the control interface on a free port; everything is closed when the test ends. */
export async function openControl(t: TestContext): Promise<Control> {
  const clock = createManualClock();
  const sandbox = await startSandbox(clock);
  const ending = new AbortController();
  let hosts: string[] = [];
  const app = sandbox.control({
    hosts: () => hosts,
    model: async () => 'a model',
    consolePath: () => '/console#key=once',
    signal: ending.signal,
  });
  const server = await serveHttp({ app, host: '127.0.0.1', port: 0, clock, log: quietLog().log });
  hosts = ownHosts({ host: '127.0.0.1', port: server.port });
  t.after(async () => {
    ending.abort();
    await server.close();
    await sandbox.close();
  });
  const host = `127.0.0.1:${server.port}`;

  async function begin(
    path: string,
    { method = 'GET', body, headers = {} }: ControlRequest,
  ): Promise<IncomingMessage> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const authorization = `Bearer ${sandbox.key}`;
    const call = request(`http://${host}${path}`, {
      method,
      headers: { host, authorization, ...json, ...headers },
      agent: false,
    });
    call.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    const [response] = await once(call, 'response');
    return response;
  }

  const control: Control = {
    sandbox,
    clock,
    host,
    open: (path) => begin(path, {}),
    async ask(path, asked = {}) {
      const response = await begin(path, asked);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const isJson = response.headers['content-type']?.includes('json') === true;
      const body: Reply['body'] = isJson ? JSON.parse(text) : {};
      return { status: response.statusCode ?? 0, headers: response.headers, text, body };
    },
    post: (path, body) => control.ask(path, { method: 'POST', body }),
    async say(platform, say) {
      const said = await control.post(`/sandbox/${platform}/say`, { chat: 'dm', user: 'you', ...say });
      assert.equal(said.status, 201, said.text);
      return said.body.id ?? '';
    },
    async chat(platform, chat, user = 'you') {
      const { text } = await control.ask('/sandbox/state');
      const state: SandboxState = JSON.parse(text);
      const found = state.platforms
        .find((one) => one.platform === platform)
        ?.chats.find((one) => one.chat === chat && one.user === user);
      assert.ok(found, `${platform} ${chat} of ${user}`);
      return found;
    },
    messages: async (platform, chat) => (await control.chat(platform, chat)).messages,
    end: () => ending.abort(),
  };
  return control;
}
