// Calls to a Slack sandbox as bare HTTP and WebSocket, where the SDK would hide what is on the wire. No test.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { systemClock } from '#base/clock.ts';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from '#sandbox/slack/server.ts';

export type Body = { [key: string]: unknown };

export interface Client {
  sandbox: SlackSandbox;
  /** Calls a method with a form body and the bot token. */
  call(method: string, args?: Record<string, string>, token?: string): Promise<Body>;
  /** Opens a socket and collects its frames; acknowledges what `ack` says. */
  connect(ack: (frame: Body) => boolean): Promise<{ frames: Body[]; socket: WebSocket }>;
}

/** A sandbox that is closed when the test ends. */
export async function client(t: TestContext, options: Partial<SlackSandboxOptions> = {}): Promise<Client> {
  const sandbox = await createSlackSandbox({ clock: systemClock, ...options });
  t.after(() => sandbox.close());
  async function call(method: string, args: Record<string, string> = {}, token = sandbox.tokens.bot) {
    const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(sandbox.url + method, {
      method: 'POST',
      headers,
      body: new URLSearchParams(args),
    });
    return (await response.json()) as Body; // the tests look at what they need of it
  }
  return {
    sandbox,
    call,
    async connect(ack) {
      const opened = await call('apps.connections.open', {}, sandbox.tokens.app);
      assert.ok(typeof opened.url === 'string');
      const socket = new WebSocket(opened.url);
      const frames: Body[] = [];
      socket.on('message', (data) => {
        const frame: Body = JSON.parse(data.toString());
        frames.push(frame);
        if (frame.envelope_id !== undefined && ack(frame))
          socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
      });
      t.after(() => socket.terminate());
      await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
      return { frames, socket };
    },
  };
}
