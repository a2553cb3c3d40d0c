// What the status command says in a chat while something is in the way of answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { stage } from './live-stage.ts';

test('the status command says "ready" only while no problem is listed', async (t) => {
  const problems = createActiveProblems({ now: () => 0 });
  const { sandbox, until, texts } = await stage(t, {
    problems,
    async open(clock) {
      const server = await createTelegramSandbox({ clock });
      const { url: apiUrl, tokens } = server;
      const channel = createTelegramChannel({ token: tokens.bot, apiUrl, clock, log: quietLog().log });
      return { sandbox: server, channel };
    },
  });
  const shown = async (count: number): Promise<string> => {
    await sandbox.say({ chat: 'dm', user: 'you', text: '/status' });
    await until('the status', () => texts().length === count);
    return texts().at(-1)?.split('\n')[0] ?? '';
  };
  assert.match(await shown(1), /: everything works$/);
  problems.note('the file', new Error('The file numbers.txt takes long.'));
  assert.match(await shown(2), /: not everything works$/);
  problems.clear('the file');
  assert.match(await shown(3), /: everything works$/);
});
