// Drafts in the Telegram sandbox: what is refused, what fades, and what the stop button does.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Update } from 'grammy/types';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { callerOf } from './bot-api.ts';
import { createTestClock } from './test-clock.ts';

async function stage(t: TestContext) {
  const clock = createTestClock();
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = Number(sandbox.userID('you'));
  const send = (params: object) =>
    call('sendMessageDraft', { chat_id, draft_id: 7, text: 'so far', ...params });
  const shown = () => sandbox.draft('dm', 'you')?.text;
  return { clock, sandbox, call, chat_id, send, shown };
}

test('drafts that Telegram would not take are refused in its words, and nothing is shown', async (t) => {
  const { send, shown, sandbox } = await stage(t);
  const refusal = async (params: object) => (await send(params)).description;
  assert.equal(await refusal({ chat_id: '@parley_sandbox_room' }), 'Bad Request: TEXTDRAFT_PEER_INVALID');
  assert.equal(await refusal({ chat_id: 1 }), 'Bad Request: chat not found');
  assert.equal(await refusal({ draft_id: 0 }), 'Bad Request: invalid draft_id specified');
  assert.equal(await refusal({ draft_id: undefined }), 'Bad Request: invalid draft_id specified');
  assert.equal(await refusal({ message_thread_id: 9 }), 'Bad Request: message thread not found');
  assert.equal(await refusal({ text: 'x'.repeat(4097) }), 'Bad Request: message is too long');
  sandbox.setAccess({ chat: 'dm', user: 'you' }, 'closed');
  assert.equal(await refusal({}), 'Forbidden: bot was blocked by the user');
  assert.equal(shown(), undefined);
});

test('a draft is replaced by its next version, fades after thirty seconds, and is no message', async (t) => {
  const { send, shown, clock, sandbox } = await stage(t);
  assert.equal((await send({ text: '' })).result, true);
  assert.equal(shown(), 'Thinking…');
  await send({ entities: [{ type: 'bold', offset: 0, length: 2 }] });
  assert.deepEqual(sandbox.draft('dm', 'you')?.blocks, [
    {
      kind: 'paragraph',
      runs: [
        { text: 'so', styles: ['bold'] },
        { text: ' far', styles: [] },
      ],
    },
  ]);
  clock.advance(29_999);
  assert.equal(shown(), 'so far');
  clock.advance(1);
  assert.equal(shown(), undefined);
  assert.deepEqual(sandbox.shown('dm', 'you'), []);
});

test('the stop button is there when it was asked for, notifies the bot, and ends the drafts of that answer (D10)', async (t) => {
  const { send, shown, call, sandbox, chat_id } = await stage(t);
  await send({});
  assert.throws(() => sandbox.stopDraft('you'), /No draft with a stop button/);
  await send({ can_stop: true });
  sandbox.stopDraft('you');
  assert.equal(shown(), undefined);
  await send({ text: 'more', can_stop: true });
  assert.equal(shown(), undefined, 'no further drafts of this answer');
  await send({ draft_id: 8, text: 'kept', can_stop: true, keep_on_stop: true });
  sandbox.stopDraft('you');
  assert.equal(shown(), 'kept');
  await call('sendMessage', { chat_id, text: 'kept for good' });
  assert.equal(shown(), undefined);
  // As grammy's types have it: Bot API 10.3, newer than the list that the other updates are compared with.
  const chat = { id: chat_id, type: 'private', first_name: 'Robin', username: 'robin_sandbox' } as const;
  const { result } = await call('getUpdates');
  assert.deepEqual(
    result.map(({ update_id: _, ...update }: Update) => update),
    [
      { stopped_message_generation: { chat, draft_id: 7 } },
      { stopped_message_generation: { chat, draft_id: 8 } },
    ] satisfies Omit<Update, 'update_id'>[],
  );
});
