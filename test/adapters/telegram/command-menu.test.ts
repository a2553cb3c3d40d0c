// The command menus of Telegram: what is listed in private, in groups and for their administrators, set once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { found } from '../../support/found.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { memorySink } from '../slack/harness.ts';

test('each scope has its menu, the default stays unchanged, and a start that changes nothing sets nothing', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = async (method: string, body: object): Promise<{ result: unknown }> => {
    const url = `${sandbox.url}/bot${sandbox.tokens.bot}/${method}`;
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<{
      result: unknown;
    }>; // Bot API
  };
  const own = [{ command: 'pizza', description: 'of the owner' }];
  await call('setMyCommands', { commands: own });
  const sets = () => sandbox.calls().filter(({ name }) => name === 'setMyCommands').length;
  const looks = () => sandbox.calls().filter(({ name }) => name === 'getMyCommands').length;
  const run = async (until: () => boolean): Promise<void> => {
    const channel = createTelegramChannel({
      token: sandbox.tokens.bot,
      apiUrl: sandbox.url,
      clock: systemClock,
      log: quietLog().log,
    });
    const stop = new AbortController();
    const running = channel.run(memorySink(), stop.signal);
    await found('the menus', () => until() || undefined);
    stop.abort();
    await running;
  };
  await run(() => sets() === 7);
  const inMenu = (names: readonly string[]) => names.map((name) => name.replaceAll('-', '_'));
  assert.deepEqual(sandbox.menu('private'), inMenu(commandNames));
  const inRooms = commandNames.filter(
    (name) => !['forget', 'link', 'pairings', 'zone', 'quiet'].includes(name),
  );
  assert.deepEqual(sandbox.menu('administrator'), inMenu(inRooms));
  const forAll = inRooms.filter((name) => !['approve', 'deny', 'usage', 'export'].includes(name));
  assert.deepEqual(sandbox.menu('group'), inMenu(forAll));
  assert.deepEqual((await call('getMyCommands', {})).result, own);
  const scope = { type: 'all_private_chats' };
  const german = (await call('getMyCommands', { scope, language_code: 'de' })).result as {
    description: string;
  }[];
  assert.equal(german[0]?.description, 'was ich hier kann');
  const before = looks();
  await run(() => looks() >= before + 6);
  assert.equal(sets(), 7);
});
