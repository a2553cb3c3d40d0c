// No secret of the configuration leaves: not in an answer, its parts, its files or their names, nor in what is stored about a run.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { z } from 'zod';
import { secretsOf } from '#app/config/environment.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const key = 'sk-canary_0123456789-abcdef';

/** The files under a folder that hold one of the words. */
function filesWith(folder: string, words: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const path = join(folder, file);
    return statSync(path).isFile() && words.some((word) => readFileSync(path).includes(word));
  });
}

test('a token in the answer of a model, also in a file, is shown to nobody and stored nowhere (J7)', async (t) => {
  const model = new LLMock({ port: 0, chunkSize: 5 });
  await model.start();
  t.after(() => model.stop());
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: key },
  });
  const token = house.sandbox.environment.TELEGRAM_BOT_TOKEN ?? '';
  assert.ok(token.length > 20);
  const notify = `Yours: ${token}, **${key}**, \`${token}\`, ${token.replace(/\W|_/g, '\\$&')} and <${encodeURIComponent(token)}>. Good.`;
  const file = { name: `${key}.txt`, content: `TELEGRAM_BOT_TOKEN=${token}` };
  const hidden = {
    name: 'b.bin',
    content: Buffer.from(`\0\xff${token}`, 'latin1').toString('base64'),
    encoding: 'base64',
  };
  model.addFixture({
    match: { userMessage: /token/, hasToolResult: false },
    response: {
      content: notify,
      toolCalls: [file, hidden].map((args) => ({ name: 'artifact', arguments: JSON.stringify(args) })),
    },
  });
  model.addFixture({ match: { hasToolResult: true }, response: { content: notify } });
  await house.ready(...all);
  for (const platform of all) {
    const answer = await house.ask({ platform, ...dm }, 'what is your token?');
    assert.match(answer, /Yours: \[redacted\]/, platform);
    assert.match(answer, /Good\./, platform);
    const messages = house.answers({ platform, ...dm });
    const bytes = messages.flatMap(({ files = [] }) =>
      files.map((each) => Buffer.from(each.bytes).toString('latin1')),
    );
    const seen = JSON.stringify([messages, bytes]);
    assert.match(seen, /TELEGRAM_BOT_TOKEN=\[redacted\]/, `${platform}: the file came`);
    for (const secret of [token, key, encodeURIComponent(token)])
      assert.ok(!seen.includes(secret), `${platform}: ${seen}`);
  }
  const get = async (path: string): Promise<string> =>
    (await fetch(`${house.parley.url}${path}`, bearer(house.home))).text();
  const [session] = z.array(z.object({ id: z.string() })).parse(JSON.parse(await get('/session')));
  const history = await get(`/session/${session?.id}/message`);
  assert.match(history, /redacted/);
  assert.doesNotMatch(history, /canary/);
  assert.doesNotMatch(await get(`/session/${key}/message`), /canary/);
  await house.parley.close();
  assert.deepEqual(filesWith(house.home, [token, key]), []);
});

function bearer(home: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` } };
}

test('a key that is a plain word is no secret, a token and a password in an address are (J7)', () => {
  assert.deepEqual(
    secretsOf({
      OPENAI_API_KEY: 'not-needed',
      ANTHROPIC_API_KEY: key,
      OPENAI_BASE_URL: 'http://me:pass%20word1@host/v1',
      PARLEY_TOKEN: 'harbour',
    }),
    [key, 'harbour', 'pass%20word1', 'pass word1'],
  );
});
