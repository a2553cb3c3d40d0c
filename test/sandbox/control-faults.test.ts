// Faults asked for through the control interface, as a bot meets them on each platform's wire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '../support/manual-clock.ts';
import { botOn } from './bots.ts';
import { type Control, openControl, platforms } from './control-client.ts';

async function inject(control: Control, platform: string, fault: object): Promise<void> {
  const { status, text } = await control.post(`/sandbox/${platform}/fault`, fault);
  assert.equal(status, 204, text);
}

for (const platform of platforms) {
  const texts = async (control: Control): Promise<string[]> =>
    (await control.messages(platform, 'dm')).map(({ text }) => text);

  test(`${platform}: a rate limit answers 429 with the time to wait, as often as asked, and has no effect`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    await inject(control, platform, { kind: 'rate_limit', target: 'send', times: 2, retryAfterMs: 7000 });
    for (const text of ['once', 'twice']) {
      const { status, retryAfter } = await bot.send(text);
      assert.deepEqual([status, retryAfter], [429, 7]);
    }
    assert.deepEqual(await texts(control), []);
    // What was limited stays so until the time is over; then the fault is used up.
    await control.clock.advance(7000);
    assert.equal((await bot.send('third')).status, 200);
    assert.deepEqual(await texts(control), ['third']);
  });

  test(`${platform}: a server error answers 500 and has no effect`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    await inject(control, platform, { kind: 'server_error', target: 'send', times: 1 });
    assert.equal((await bot.send('lost')).status, 500);
    assert.equal((await bot.send('kept')).status, 200);
    assert.deepEqual(await texts(control), ['kept']);
  });

  test(`${platform}: a lost response has its effect, but the answer never comes`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    await inject(control, platform, { kind: 'lost_response', target: 'send', times: 1 });
    await assert.rejects(bot.send('stands'));
    assert.deepEqual(await texts(control), ['stands']);
    assert.equal((await bot.send('next')).status, 200);
  });

  test(`${platform}: a fault waits for a call that is its target`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    const { id } = await bot.send('first');
    await inject(control, platform, { kind: 'server_error', target: 'edit', times: 1 });
    assert.equal((await bot.send('second')).status, 200);
    assert.equal((await bot.edit(id, 'first, again')).status, 500);
    assert.equal((await bot.edit(id, 'first, again')).status, 200);
    assert.deepEqual(await texts(control), ['first, again', 'second']);
  });

  test(`${platform}: a slow call is answered when its time has come, not before`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    // Discord's bot looks its direct message up first; that call is not slowed down.
    await inject(control, platform, { kind: 'slow', target: 'send', times: 1, delayMs: 60_000 });
    const waiting = control.clock.sleeping();
    let answered = false;
    const sent = bot.send('late').then((outcome) => {
      answered = true;
      return outcome;
    });
    while (control.clock.sleeping() === waiting) await settle();
    await control.clock.advance(59_999);
    assert.equal(answered, false);
    assert.deepEqual(await texts(control), []);
    await control.clock.advance(1);
    assert.equal((await sent).status, 200);
    assert.deepEqual(await texts(control), ['late']);
  });

  test(`${platform}: a dropped socket ends the live connection, and a new one may be opened`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    const first = await bot.listen(t);
    await inject(control, platform, { kind: 'drop_socket' });
    assert.equal(await first.ended, 'closed');
    const second = await bot.listen(t);
    await inject(control, platform, { kind: 'drop_socket' });
    assert.equal(await second.ended, 'closed');
  });

  test(`${platform}: an invalid session ends the live connection in the platform's way`, async (t) => {
    const control = await openControl(t);
    const { ended } = await botOn(control.sandbox[platform]).listen(t);
    await inject(control, platform, { kind: 'invalid_session' });
    assert.equal(await ended, platform === 'discord' ? 'op 9' : 'closed');
  });

  test(`${platform}: at most 100 faults wait; the oldest give way`, async (t) => {
    const control = await openControl(t);
    const bot = botOn(control.sandbox[platform]);
    await inject(control, platform, { kind: 'server_error', target: 'send', times: 1 });
    for (let n = 0; n < 100; n += 1)
      await inject(control, platform, { kind: 'server_error', target: 'edit', times: 1 });
    assert.equal((await bot.send('past the forgotten one')).status, 200);
  });
}
