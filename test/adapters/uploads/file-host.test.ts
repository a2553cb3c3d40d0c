// Links to files that do not lead to the platform's own servers: into this machine, its network, or by a redirect.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { quietLog } from '../../support/quiet-log.ts';

const never = new AbortController().signal;
const { log } = quietLog();

/** A server on this machine that must not be asked; `location` is where the other one sends everyone. */
async function openServers(t: TestContext) {
  const asked: string[] = [];
  const serve = async (location?: string): Promise<string> => {
    const server = createServer((request, response) => {
      if (location === undefined) asked.push(request.url ?? '');
      if (request.url?.endsWith('/getFile') === true)
        return response
          .setHeader('content-type', 'application/json')
          .end(
            JSON.stringify({ ok: true, result: { file_id: 'f', file_unique_id: 'u', file_path: 'a.pdf' } }),
          );
      if (location !== undefined) response.writeHead(302, { location });
      return response.end('secret of this machine');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const inner = await serve();
  return { inner, platform: await serve(`${inner}/latest/meta-data`), asked };
}

const common = { clock: systemClock, log };
const channels = (apiUrl: string): Record<string, Channel> => ({
  discord: createDiscordChannel({ token: 'x.y.z', apiUrl, ...common }),
  slack: createSlackChannel({ botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl, ...common }),
  telegram: createTelegramChannel({ token: '1:a', apiUrl, ...common }),
});

for (const name of ['discord', 'slack'] as const)
  test(`a link of a file on ${name} that leads to another server is not followed`, async (t) => {
    const { inner, platform, asked } = await openServers(t);
    const channel = channels(platform)[name];
    for (const id of [
      `${inner}/x.png`,
      'http://169.254.169.254/latest/meta-data/',
      'http://localhost/x.png',
      'http://[::1]/x.png',
      'https://cdn.discordapp.com.example/x.png',
      'https://cdn.discordapp.com@127.0.0.1/x.png',
      'https://cdn.discordapp.com:8443/x.png',
      'http://cdn.discordapp.com/x.png',
      'https://files.slack.com:8443/x.png',
      'file:///etc/passwd',
      'data:text/plain,x',
      'nonsense',
    ]) {
      const error: unknown = await channel?.open?.({ id }, 1_000, never).catch((reason) => reason);
      assert.equal(codeOf(error), 'file_unavailable', id);
      assert.match((error as Error).message, /is not on a server of/, id);
    }
    assert.deepEqual(asked, []);
  });

for (const name of ['discord', 'slack', 'telegram'] as const)
  test(`a file server of ${name} that redirects leads nowhere`, async (t) => {
    const { platform, asked } = await openServers(t);
    const opened = channels(platform)[name]?.open?.({ id: `${platform}/a.pdf` }, 1_000, never);
    await assert.rejects(async () => new Response(await opened).text());
    assert.deepEqual(asked, []);
  });
