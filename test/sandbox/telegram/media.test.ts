// Media in the Telegram sandbox, against Telegram's own list of types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { png } from '../../adapters/uploads/samples.ts';
import { callerOf } from './bot-api.ts';
import { botApiJudge } from './bot-api-judge.ts';

test('every kind of media, and an album, comes in an update as the Bot API has it', async (t) => {
  const judge = botApiJudge();
  if (judge === undefined) return t.skip('shared/platform-specs/telegram-bot-api.json is not there');
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const kinds = [
    'photo',
    'document',
    'audio',
    'video',
    'voice',
    'video_note',
    'sticker',
    'animation',
  ] as const;
  for (const as of kinds)
    await sandbox.sayFile({
      chat: 'dm',
      user: 'you',
      name: 'a.bin',
      mime: 'a/b',
      bytes: png(),
      as,
      caption: 'c',
    });
  const image = { name: 'a.png', mime: 'image/png', bytes: png() };
  await sandbox.say({ chat: 'dm', user: 'you', text: 'two', files: [image, image] });
  const { result } = await call('getUpdates');
  assert.deepEqual(judge.result('getUpdates', result), []);
  const messages = (result as { message: Record<string, unknown> }[]).map(({ message }) => message);
  assert.deepEqual(
    kinds.map((kind, index) => Object.hasOwn(messages[index] ?? {}, kind)),
    kinds.map(() => true),
  );
  const [first, second] = messages.slice(kinds.length);
  assert.deepEqual([first?.caption, second?.caption], ['two', undefined]);
  assert.ok(first?.media_group_id !== undefined && first.media_group_id === second?.media_group_id);
});
