// What Discord is told to show below the links of an answer: from a person's message to the calls that post and edit the answer.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import { openStage } from './stage.ts';

/** Discord's flag of a message below which no page is shown (SUPPRESS_EMBEDS). */
const noPages = 4;

interface Written {
  method: string;
  content: string;
  flags: number | undefined;
}

/** Stands between the program and Discord's API, and keeps what is posted and edited. */
async function startBetween(t: TestContext) {
  const written: Written[] = [];
  let far = new URL('http://127.0.0.1');
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const body = Buffer.concat(chunks);
      const { method = 'GET', url: path = '/', headers } = asked;
      if (/\/messages/.test(path) && /POST|PATCH/.test(method)) {
        const { content = '', flags } = JSON.parse(body.toString('utf8'));
        written.push({ method, content, flags });
      }
      const way = request({ host: far.hostname, port: far.port, path, method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      way.on('error', () => answer.destroy());
      way.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    written,
    /** The address by which the API there is reached through it. */
    to(apiUrl = ''): string {
      far = new URL(apiUrl);
      return apiUrl.replace(far.host, `127.0.0.1:${port}`);
    },
  };
}

for (const linkPreviews of [undefined, true])
  test(`no page is shown below a link of an answer, while it is written and when it is whole, unless the config wants it: ${linkPreviews} (R37)`, async (t) => {
    let goOn = (): void => {};
    const { settings } = await startRaw(t, (call) => {
      call.open();
      call.say('See https://tides.example/today, [the moon](https://moon.example/now) and ');
      goOn = () => {
        call.say('the moon again.');
        call.finish();
      };
    });
    const between = await startBetween(t);
    const stage = await openStage(t, {
      platforms: ['discord'],
      configure: (config) => ({
        ...config,
        model: { ...config.model, name: 'm' },
        channels: {
          ...config.channels,
          discord: {
            ...config.channels.discord,
            apiUrl: between.to(config.channels.discord.apiUrl),
            ...(linkPreviews && { linkPreviews }),
          },
        },
      }),
      variables: { OPENAI_BASE_URL: settings.baseUrl ?? '', OPENAI_API_KEY: 'k'.repeat(20) },
    });
    const program = stage.start();
    await program.connected('discord');
    const talk = { platform: 'discord', chat: 'dm', user: 'you' } as const;
    await stage.say(talk, 'when is high water?');
    await found('the beginning', () =>
      between.written.find(({ content }) => content.includes('tides.example')),
    );
    goOn();
    await stage.answered(talk, /the moon again/);
    const withLink = between.written.filter(({ content }) => content.includes('tides.example'));
    assert.deepEqual(new Set(withLink.map(({ method }) => method)), new Set(['POST', 'PATCH']));
    const expected = linkPreviews ? [undefined] : [noPages];
    assert.deepEqual([...new Set(withLink.map(({ flags }) => flags))], expected);
    const last = withLink.at(-1)?.content ?? '';
    const links = ['https://tides.example/today', '[the moon](https://moon.example/now)'];
    const hidden = ['<https://tides.example/today>', '[the moon](<https://moon.example/now>)'];
    for (const link of linkPreviews ? links : hidden) assert.ok(last.includes(link), `${link} in ${last}`);
    assert.equal(/<https/.test(last), linkPreviews !== true, 'Discord shows no page of a link in brackets');
    program.signal('SIGTERM');
    assert.equal(await program.ended, 0);
  });
