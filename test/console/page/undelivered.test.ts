// An answer that could not be delivered: an operator sends it again from the page Now, or leaves it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import { openHouse } from '../../app/house.ts';
import { found } from '../../support/found.ts';
import { clientOf, signedIn, skip } from './browser.ts';

test('an answer that its room refused is sent again from the page Now, once the room takes it, or is left there', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config: { gateway: { debounceMs: 1_500, shutdownSeconds: 1 } } });
  await house.ready('slack');
  const client = clientOf(house);
  const slack = house.sandbox.slack as SlackSandbox;
  const bot = 'U0PARLEY0';
  const account = slack.userID('you');
  const room = slack.places.addRoom({ space: '', kind: 'public', name: 'harbour', members: [account, bot] });
  const posted = () => slack.places.messages(room).filter(({ author }) => author.endsWith(bot));
  /** The bot is put out of the room between a question and its answer. */
  const askInVain = async (text: string): Promise<void> => {
    const before = (await client.deliveries.waiting()).length;
    await slack.places.say({ account, room, text, mention: true });
    await found('the question is accepted', async () =>
      (await client.status()).channels.slack?.inboxBacklog === 1 ? true : undefined,
    );
    slack.places.leaveRoom(bot, room, 'kicked');
    await found('the answer failed', async () =>
      (await client.deliveries.waiting()).length > before ? true : undefined,
    );
  };

  await askInVain('When is high tide?');
  const { page, accessible, complaints } = await signedIn(t, house);
  const card = page.locator('.card', { hasText: 'Not delivered' });
  await card.getByRole('button', { name: 'Send again' }).waitFor();
  await accessible();
  const sends = () => slack.calls().filter(({ name }) => name === 'chat.postMessage').length;
  const before = sends();
  await card.getByRole('button', { name: 'Send again' }).click();
  await found('it failed once more', async () => {
    const [again] = await client.deliveries.waiting();
    return sends() > before && again?.state === 'failed' ? again : undefined;
  });
  assert.deepEqual(posted(), []);

  slack.places.joinRoom(bot, room);
  await page.reload();
  await card.getByRole('button', { name: 'Send again' }).click();
  const answer = await found('the answer', () => posted()[0]);
  assert.match(answer.text, /high tide|offline/i);
  await found('nothing waits', async () =>
    (await client.deliveries.waiting()).length === 0 ? true : undefined,
  );
  assert.equal(posted().length, 1);

  await askInVain('When is low tide?');
  slack.places.joinRoom(bot, room);
  await page.reload();
  await card.getByRole('button', { name: 'Leave it' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  assert.equal(posted().length, 1, 'what is left is not sent');
  assert.deepEqual(await client.deliveries.waiting(), []);
  assert.deepEqual(complaints, []);
});

test('a delivery that does not exist, or is in its chat, cannot be sent again or left, and the error says why', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  const client = clientOf(house);
  await assert.rejects(client.deliveries.retry('out_x'), /There is no answer out_x/);
  await assert.rejects(client.deliveries.dismiss('out_x'), /There is no answer out_x/);
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'When is high tide?');
  const [run] = await client.runs.list();
  assert.ok(run !== undefined);
  const { delivery } = await client.deliveries.ofRun(run.runID);
  assert.equal(delivery?.state, 'done');
  for (const settle of [client.deliveries.retry, client.deliveries.dismiss])
    await assert.rejects(settle(delivery?.id ?? ''), /in its chat already/);
});

test('an answer that the platform does not take yet is given up: it is not sent, and the next one of its chat is', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  const client = clientOf(house);
  const telegram = house.sandbox.telegram;
  const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  telegram.inject({ kind: 'server_error', target: 'send', times: 2 });
  await telegram.say({ ...dm, text: 'When is high tide?' });
  const failing = await found('a send that failed', async () => {
    const [run] = await client.runs.list();
    const way = run && (await client.deliveries.ofRun(run.runID));
    const [part] = way?.delivery?.parts ?? [];
    return way?.delivery?.state === 'open' && (part?.attempts ?? 0) > 0 ? way.delivery : undefined;
  });
  await assert.rejects(client.deliveries.retry(failing.id), /is sending this answer already/);
  await client.deliveries.dismiss(failing.id);
  await house.ask(dm, 'When is low tide?');
  const texts = house.answers(dm).map(({ text }) => text);
  assert.equal(texts.length, 1, texts.join('\n'));
});
