// A masked channel gives away no secret: neither in what it renders, however it is spelt, nor in what it says of itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskChannel } from '#adapters/gateway/masked-channel.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { createSecrets } from '#base/secrets.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { createScriptedChannel, dm } from './scripted-channel.ts';

const secret = 'xoxb-12_34-canary*key';
const bare = createTelegramChannel({ token: '1:AAE', clock: createManualClock(), log: quietLog().log });
const channel = maskChannel(bare, createSecrets([secret]));
const rendered = (markdown: string): string => JSON.stringify(channel.render(markdown));

test('a secret is not rendered, bare, in code, in a link, in bold, escaped or as a reference (J7)', () => {
  const spelt = [
    secret,
    `\`${secret}\``,
    `[here](https://example.org/?t=${encodeURIComponent(secret)})`,
    secret.replace(/[_*-]/g, '\\$&'),
    secret.replace('*', '&ast;'),
    secret.replace('12_34', '**12_34**'),
    `\`\`\`\n${secret}\n\`\`\``,
  ];
  for (const one of spelt) {
    const sent = rendered(`Yes, **this**: ${one}`);
    assert.ok(!sent.includes(secret) && !sent.includes(encodeURIComponent(secret)), sent);
    assert.match(sent, /Yes, this:.*redacted/);
  }
  const usual = 'A *plain* answer with `code`.';
  assert.deepEqual(channel.render(usual), bare.render(usual));
});

test('a secret in an error of the platform is not said, nor in a finding of the doctor (J7)', () => {
  const { words } = channel.explain(new Error(`401 for ${secret}`));
  assert.doesNotMatch(words, /canary/);
  assert.notEqual(bare.explain(new Error(`401 for ${secret}`)).words, '');
});

test('a secret is not shown on a live surface either, whole or as it is written (J7)', async () => {
  const shown: string[] = [];
  const surface = createScriptedChannel({
    partLimit: 1_000,
    live: () => ({
      renewAt: () => undefined,
      async update(markdown) {
        shown.push(markdown);
        return 'shown';
      },
      finish: async (markdown) => void shown.push(markdown),
    }),
  });
  const masked = maskChannel(surface, createSecrets([secret]));
  const live = masked.live?.({
    address: dm,
    actor: 'u1',
    key: 'k',
    messages: { intend: async () => 'k', posted: async () => {} },
    stopped() {},
  });
  for (const written of [`The key is ${secret}`, `The key is ${secret}, says \`${secret}\`.`])
    assert.equal(await live?.update(written), 'shown');
  await live?.finish?.(`The key was ${secret}.`);
  assert.equal(shown.length, 3);
  for (const one of shown) assert.doesNotMatch(one, /canary/);
  assert.match(shown[1] ?? '', /The key is .*redacted.*says/s);
});
