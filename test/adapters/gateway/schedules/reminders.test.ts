// Reminders and recurring jobs as people meet them: asked for in a chat, confirmed, sent once, stopped where nobody can be reached.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { FiringOutcome } from '#engine/wire/schedules/schedule.ts';
import type { HarnessOptions } from '../harness.ts';
import { createScriptedChannel, dm, message, ScriptedFailure } from '../scripted-channel.ts';
import { minute, press, type ScheduleStage, scheduleStage } from './stage.ts';

const you = { actor: { id: 'u1', name: 'Ann', isBot: false }, address: dm };
const room = { ...dm, kind: 'channel' as const, chat: 'C1', space: 'G1' };
const inRoom = {
  ...you,
  address: room,
  addressed: 'mention' as const,
  room: { names: { channel: 'general' }, restricted: false },
};

/** A person in Berlin. */
async function start(t: TestContext, options: HarnessOptions = {}): Promise<ScheduleStage> {
  const stage = await scheduleStage(t, options);
  await stage.say('/zone berlin', you);
  stage.news();
  return stage;
}

test('bad times are refused with what to write, and one of a person whose zone is not known says which was taken', async (t) => {
  const stage = await scheduleStage(t);
  assert.match(
    await stage.say('/remind', you),
    /When, and what\? For example `\/remind tomorrow at 9 call the bank`/,
  );
  assert.match(
    await stage.say('/remind tomorrow at 9 tea', you),
    /at 09:00 \(UTC\): “tea”[\s\S]*do not know your time zone and took UTC\. `\/zone Berlin`/,
  );
  assert.match(await stage.say('/remind no', you), /dropped/);
  assert.match(await stage.say('/zone Berlinn', you), /I know no time zone.*nearest name is Europe\/Berlin/);
  assert.match(
    await stage.say('/zone berlin', you),
    /Your time zone is Europe\/Berlin\. There it is Tuesday, 24 November 2026 at 11:0\d/,
  );
  assert.match(
    await stage.say('/remind yesterday at 9 tea', you),
    /Monday, 23 November 2026 at 09:00 .* is in the past/,
  );
  assert.match(
    await stage.say('/remind every second tea', you),
    /too often \(every second\)\. .* at least 15 minutes/,
  );
  assert.match(await stage.say('/remind me some day', you), /could not read a time/);
  assert.match(
    await stage.say('/quiet 25:00-07:00', you),
    /Write them as two times, like `\/quiet 22:00-07:00`/,
  );
  assert.match(await stage.say('/unschedule 123456', you), /nothing with the ID `123456` here/);
  assert.match(await stage.say('/remind yes', you), /Nothing waits here for your yes or no/);
  assert.match(await stage.say('/schedules', you), /Nothing is scheduled here/);
});

test('a reminder is shown in the zone of the person, set by a button, and sent once at its time (S17)', async (t) => {
  const stage = await start(t);
  const shown = await stage.say('/remind tomorrow at 9 call mum', you);
  assert.match(shown, /remind you on Wednesday, 25 November 2026 at 09:00 \(Europe\/Berlin\): “call mum”/);
  await press(stage, /Yes, set it/, you);
  assert.match(stage.news().at(-1) ?? '', /It is set \(`\w{6}`\): Wednesday, 25 November 2026 at 09:00/);
  await press(stage, /Yes, set it/, you);
  stage.news();
  await stage.wait(22 * 60 * minute - minute);
  assert.deepEqual(stage.news(), []);
  await stage.wait(minute);
  assert.deepEqual(stage.news(), ['⏰ call mum'], '09:00 in Berlin is 08:00 UTC');
  await stage.restart();
  await stage.wait(60 * minute);
  assert.deepEqual(stage.news(), []);
  assert.match(await stage.say('/schedules', you), /Nothing is scheduled here/);
});

test('what is dropped, or belongs to someone else, is not set', async (t) => {
  const stage = await start(t);
  await stage.say('/remind in 20 minutes tea', inRoom);
  const eve = { ...inRoom, actor: { id: 'u2', name: 'Eve', isBot: false } };
  await stage.say('hello', eve);
  await press(stage, /Yes, set it/, eve);
  assert.match(stage.news().at(-1) ?? '', /nothing with the ID/);
  assert.match(await stage.say('/remind no', inRoom), /I dropped it/);
  stage.news();
  await stage.wait(30 * minute);
  assert.deepEqual(stage.news(), []);
});

test('the process is killed between firing and sending, and the reminder is sent once (S18)', async (t) => {
  const stage = await start(t, {
    channel: createScriptedChannel({ partLimit: 4_000, caps: { idempotentSend: true } }),
  });
  await stage.say('/remind in 20 minutes tea', you);
  await stage.say('/remind yes', you);
  stage.news();
  stage.channel.failing.send.push(
    new ScriptedFailure({ kind: 'transient', maybeDelivered: true, retryAfterMs: 60 * minute }, 'effective'),
  );
  await stage.wait(20 * minute);
  assert.deepEqual(stage.news(), ['⏰ tea'], 'it is in the chat, and nothing knows that it is');
  await stage.kill();
  await stage.wait(minute);
  stage.kit.stop();
  stage.kit.start();
  await stage.kill();
  await stage.wait(minute);
  assert.deepEqual(stage.news(), []);
  assert.equal(stage.channel.messages.filter(({ text }) => text.startsWith('⏰')).length, 1);
});

test('where sends can neither be found nor repeated safely, the repeat of a reminder is marked as one (S18)', async (t) => {
  const channel = Object.assign(createScriptedChannel({ partLimit: 4_000, find: 'cannot find' }), {
    markRepeat: (part: { text: string; body: unknown }) => ({
      ...part,
      text: `${part.text} (perhaps a repeat)`,
    }),
  });
  const stage = await start(t, { channel });
  await stage.say('/remind in 20 minutes tea', you);
  await stage.say('/remind yes', you);
  stage.news();
  channel.failing.send.push(
    new ScriptedFailure({ kind: 'transient', maybeDelivered: true, retryAfterMs: 60 * minute }, 'effective'),
  );
  await stage.wait(20 * minute);
  await stage.kill();
  await stage.wait(minute);
  assert.deepEqual(stage.news(), ['⏰ tea', '⏰ tea (perhaps a repeat)']);
});

test('a platform knows the key of a send for some minutes only: a repeat after an outage is marked as one (S18)', async (t) => {
  const caps = { idempotentSend: true, idempotentForMs: 2 * minute };
  const channel = Object.assign(createScriptedChannel({ partLimit: 4_000, caps }), {
    markRepeat: (part: { text: string; body: unknown }) => ({
      ...part,
      text: `${part.text} (perhaps a repeat)`,
    }),
  });
  const stage = await start(t, { channel });
  await stage.say('/remind in 20 minutes tea', you);
  await stage.say('/remind yes', you);
  const sends = (): string[] => channel.calls.filter((call) => call.startsWith('send ⏰'));
  channel.failing.send.push(
    new ScriptedFailure({ kind: 'transient', maybeDelivered: true, retryAfterMs: 60 * minute }, 'effective'),
  );
  await stage.wait(20 * minute);
  assert.deepEqual(sends(), ['send ⏰ tea']);
  await stage.clock.advance(5 * minute);
  await stage.kill();
  await stage.wait(minute);
  assert.deepEqual(sends(), ['send ⏰ tea', 'send ⏰ tea (perhaps a repeat)']);
});

test('nothing ran at the time: the reminder says that it is late, the recurring job runs once (S16)', async (t) => {
  const stage = await start(t);
  await stage.say('/remind in 20 minutes tea', you);
  await stage.say('/remind yes', you);
  await stage.say('/schedule every 20 minutes summarise the news', you);
  await stage.say('/remind yes', you);
  stage.kit.stop();
  await stage.clock.advance(24 * 60 * minute);
  stage.kit.start();
  stage.news();
  await stage.restart();
  await stage.wait(minute);
  const news = stage.news();
  assert.equal(news.length, 2, news.join('\n'));
  assert.match(
    news.find((text) => text.startsWith('⏰')) ?? '',
    /tea\n\n_\(This is late: it was due on Tuesday, 24 November 2026 at 11:2\d/,
  );
  assert.match(
    news.find((text) => text.startsWith('You said')) ?? '',
    /scheduled earlier, due now\]\nsummarise the news/,
  );
});

test('the room no longer exists: the schedule is stopped, and its person reads so once, in private (S19)', async (t) => {
  const stage = await start(t);
  await stage.say('/remind every 20 minutes stretch', inRoom);
  await stage.say('/remind yes', inRoom);
  stage.news(dm);
  stage.channel.failing.send.push(
    new ScriptedFailure({ kind: 'gone', words: 'The channel no longer exists.' }),
  );
  await stage.wait(20 * minute);
  await stage.wait(minute);
  assert.equal(stage.channel.messages.filter(({ text }) => text.startsWith('⏰')).length, 0);
  const told = stage.news(dm).filter((text) => /I stopped/.test(text));
  assert.equal(told.length, 1, stage.channel.messages.map(({ text }) => text).join('\n'));
  assert.match(
    told[0] ?? '',
    /I stopped “stretch” \(every 20 minutes\), because I could not send it there\. .*no longer exists/,
  );
  await stage.kill();
  await stage.wait(3 * 60 * minute);
  assert.deepEqual(stage.news(dm), []);
  assert.match(await stage.say('/schedules', you), /stretch.*\(stopped: .*no longer exists/);
});

test('a schedule has the rights of its person at the time: who is not admitted any more is sent nothing (S20)', async (t) => {
  const access = { ...openAccess('guest'), directMessages: 'allowlist' as const, allowlist: ['u1'] };
  const stage = await start(t, { access });
  await stage.say('/remind every 20 minutes stretch', you);
  await stage.say('/remind yes', you);
  await stage.say('/schedule in 20 minutes delete everything', you);
  await stage.say('/remind yes', you);
  stage.news();
  access.allowlist = [];
  await stage.wait(20 * minute);
  await stage.wait(minute);
  assert.deepEqual(stage.news(), []);
  assert.equal(stage.engine.runs.length, 0);
  const [one] = await stage.kit.rooms.service.listSchedules({ state: 'stopped' });
  assert.equal(one?.reason, 'its person may not use me there any more');
});

test('quiet hours are shown before a reminder is set, and it comes when they end', async (t) => {
  const stage = await start(t);
  assert.match(
    await stage.say('/quiet 22:00-07:00', you),
    /Your quiet hours are 22:00 to 07:00 \(Europe\/Berlin\)/,
  );
  const shown = await stage.say('/remind today at 23:30 lock up', you);
  assert.match(shown, /in your quiet hours, so it comes at their end: Wednesday, 25 November 2026 at 07:00/);
  await stage.say('/remind yes', you);
  stage.news();
  await stage.wait(19 * 60 * minute);
  assert.deepEqual(stage.news(), []);
  await stage.wait(61 * minute);
  assert.match(
    stage.news().join(),
    /lock up\n\n_\(It was due in your quiet hours, on Tuesday, 24 November 2026 at 23:30/,
  );
  assert.match(await stage.say('/quiet off', you), /You have no quiet hours/);
});

test('a reminder of a room speaks in that room only and names its person (S21)', async (t) => {
  const stage = await start(t);
  await stage.say('/remind in 20 minutes write to channel C9 that I am late', inRoom);
  await stage.say('/remind yes', inRoom);
  assert.match(await stage.say('/schedules', inRoom), /write to channel C9/);
  assert.match(await stage.say('/schedules', you), /in another chat on discord/);
  stage.news();
  await stage.wait(21 * minute);
  const sent = stage.channel.messages.filter(({ text }) => text.startsWith('⏰'));
  assert.deepEqual(
    sent.map(({ address, text }) => [address.split(':')[4], text]),
    [['C1', '⏰ For Ann: write to channel C9 that I am late']],
  );
});

test('a recurring job is removed by its short id, and asks nothing more', async (t) => {
  const stage = await start(t);
  await stage.say('/schedule every 20 minutes summarise', you);
  const [, id = ''] = /`(\w{6})`/.exec(await stage.say('/remind yes', you)) ?? [];
  await stage.wait(20 * minute);
  assert.equal(stage.engine.runs.length, 1);
  assert.match(await stage.say(`/unschedule ${id}`, you), /I removed “summarise”/);
  await stage.wait(60 * minute);
  assert.equal(stage.engine.runs.length, 1);
  await stage.channel.sink.accept(message('m', 'still there?', you));
  await stage.pass();
  assert.equal(stage.engine.runs.length, 2, 'the conversation continues');
});

test('a job that was answered counts as sent, and one that its person takes back before it begins as skipped', async (t) => {
  const stage = await start(t);
  await stage.say('/schedule every 20 minutes summarise', you);
  await stage.say('/remind yes', you);
  const outcomes: FiringOutcome[] = [];
  const { service } = stage.kit.rooms;
  const { settleFiring } = service;
  service.settleFiring = ({ id, ...outcome }) => {
    outcomes.push(outcome);
    return settleFiring({ id, ...outcome });
  };
  await stage.wait(20 * minute);
  await stage.wait(minute);
  assert.deepEqual(outcomes.splice(0), [{ status: 'accepted' }, { status: 'sent' }]);
  await stage.kit.clock.advance(18 * minute);
  for (let turns = 0; outcomes.length === 0 && turns < 2_000; turns += 1) await stage.kit.clock.advance(50);
  assert.match(await stage.say('/stop', you), /topped/);
  await stage.wait(minute);
  assert.deepEqual(outcomes, [
    { status: 'accepted' },
    { status: 'skipped', reason: 'It was taken back in the chat.' },
  ]);
  assert.equal(stage.engine.runs.length, 1);
});

test('something due that cannot be taken in holds up nothing else that is due, and is stopped after ten minutes', async (t) => {
  const stage = await scheduleStage(t);
  const { service } = stage.kit.rooms;
  const create = (chat: string, text: string) =>
    service.createSchedule({ when: 'in 5 minutes', text, zone: 'UTC', person: 'discord:u1', chat });
  await create('discord:no address of anything', 'A broken one.');
  await create(formatAddress(dm), 'A good one.');
  await stage.wait(6 * minute);
  assert.match(stage.news().join(), /A good one/);
  const broken = async () =>
    (await service.listSchedules({ person: ['discord:u1'] })).find(({ text }) => text === 'A broken one.');
  assert.equal((await broken())?.reason, undefined);
  for (let at = 0; at < 12; at += 1) await stage.wait(minute);
  assert.match((await broken())?.reason ?? '', /could not be taken in/);
});

test('an outcome that the engine does not take holds up the outcome of no other', async (t) => {
  const stage = await scheduleStage(t);
  const { service } = stage.kit.rooms;
  const settled: string[] = [];
  let refused: string | undefined;
  stage.engine.settleFiring = async ({ id, ...outcome }) => {
    if (outcome.status !== 'accepted') {
      refused ??= id;
      if (refused === id) throw new Error('This one is refused.');
      settled.push(id);
    }
    return service.settleFiring({ id, ...outcome });
  };
  for (const text of ['Tea.', 'Bread.'])
    await service.createSchedule({
      ...{ when: 'in 5 minutes', zone: 'UTC', person: 'discord:u1' },
      ...{ chat: formatAddress(dm), text },
    });
  await stage.wait(6 * minute);
  await stage.seen('the other outcome', () => settled[0]);
});
