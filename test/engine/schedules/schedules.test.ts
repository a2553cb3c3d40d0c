// Schedules of an engine: limits, firings over restarts and set clocks, quiet hours, claims of gateways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScheduleKit, type ScheduleKit, tuesday } from '../support/schedule-kit.ts';

const person = 'per_a';
const chat = 'discord:dm:bot:-:D1:-';
const zone = 'Europe/Berlin';
const minute = 60_000;
const day = 24 * 60 * minute;
const make = (kit: ScheduleKit, when: string, more: object = {}) =>
  kit.rooms.service.createSchedule({ when, text: 'tea', person, chat, zone, ...more });
const take = (kit: ScheduleKit, gateway = 'one', platforms = ['discord']) =>
  kit.rooms.service.takeFirings({ gateway, platforms });

test('a time in the past, "every second" and a person without end of schedules are refused with the limit', async (t) => {
  const kit = openScheduleKit(t);
  await assert.rejects(
    make(kit, 'yesterday at 9'),
    /Monday, 23 November 2026 at 09:00 \(Europe\/Berlin\) is in the past/,
  );
  for (const often of [
    'every second',
    'every 30 seconds',
    'every minute',
    'cron * * * * *',
    'cron 0,5 9 * * *',
  ])
    await assert.rejects(make(kit, often), /too often .* at least 15 minutes/, often);
  await assert.rejects(make(kit, 'tomorrow at 9 and then some'), /not "and then some": write the time only/);
  await assert.rejects(make(kit, 'tomorrow', { text: undefined }), /What is it about/);
  assert.equal((await make(kit, 'tomorrow at 9', { zone: undefined, person: 'per_c' })).zone, 'UTC');
  for (let n = 0; n < 50; n += 1) await make(kit, 'tomorrow at 9');
  await assert.rejects(
    make(kit, 'tomorrow at 9'),
    /You have 50 schedules, which is as many as one person may have/,
  );
  await make(kit, 'tomorrow at 9', { person: 'per_b' });
});

test('a schedule that is made again with its key is the same one', async (t) => {
  const { rooms } = openScheduleKit(t);
  const input = { when: 'tomorrow at 9', text: 'tea', person, chat, zone };
  const first = await rooms.service.createSchedule(input, { idempotencyKey: 'k' });
  assert.equal((await rooms.service.createSchedule(input, { idempotencyKey: 'k' })).id, first.id);
  assert.equal((await rooms.service.listSchedules({})).length, 1);
});

test('a changed schedule comes with its new words at its new time, for the same person in the same chat', async (t) => {
  const kit = openScheduleKit(t);
  const change = kit.rooms.service.changeSchedule;
  const made = await make(kit, 'every 2 weeks on Monday at 10');
  const words = await change({ id: made.id, text: 'coffee', kind: 'prompt' });
  assert.deepEqual(words, { ...made, text: 'coffee', kind: 'prompt' }, 'its times are those of before');
  const moved = await change({ id: made.id, when: 'tomorrow at 9', zone: 'Europe/London' });
  assert.equal(moved.words, 'Wednesday, 25 November 2026 at 09:00 (Europe/London)');
  assert.deepEqual(
    [moved.recurrence, moved.text, moved.person, moved.chat],
    [undefined, 'coffee', person, chat],
  );
  await kit.clock.advance(day);
  assert.deepEqual(
    (await take(kit)).map(({ text, due_at_ms }) => [text, new Date(due_at_ms).toISOString().slice(0, 16)]),
    [['coffee', '2026-11-25T09:00']],
  );
  const again = await change({ id: made.id, when: 'tomorrow at 9' });
  assert.equal(again.state, 'active', 'one that was over fires again');
});

test('a change without a time that can be read, or of an unknown schedule, changes nothing', async (t) => {
  const kit = openScheduleKit(t);
  const change = kit.rooms.service.changeSchedule;
  const made = await make(kit, 'every Monday at 9');
  await assert.rejects(change({ id: made.id, when: 'cron 99 9 * * *' }), /no cron pattern/);
  await assert.rejects(change({ id: made.id, when: 'yesterday at 9', text: 'coffee' }), /is in the past/);
  await assert.rejects(change({ id: made.id, when: 'every minute' }), /too often/);
  await assert.rejects(change({ id: 'sch_none', text: 'coffee' }), /no schedule/);
  assert.deepEqual(await kit.rooms.service.listSchedules({}), [made]);
  const proposed = await make(kit, 'tomorrow at 9', { confirmed: false });
  assert.equal((await change({ id: proposed.id, when: 'in 20 minutes' })).state, 'proposed');
});

test('a person with as many schedules as one may have changes each of them, and has none that is over fire again', async (t) => {
  const kit = openScheduleKit(t);
  const change = kit.rooms.service.changeSchedule;
  const over = await make(kit, 'in 20 minutes');
  await kit.clock.advance(30 * minute);
  for (let n = 0; n < 50; n += 1) await make(kit, 'tomorrow at 9');
  await assert.rejects(change({ id: over.id, when: 'in 20 minutes' }), /as many as one person may have/);
  const [newest] = await kit.rooms.service.listSchedules({});
  assert.match((await change({ id: newest?.id ?? '', when: 'every day at 7' })).words, /every day at 07:00/);
});

test('what is only proposed does not fire until it is confirmed, by its person', async (t) => {
  const kit = openScheduleKit(t);
  const { id } = await make(kit, 'in 20 minutes', { confirmed: false });
  await assert.rejects(kit.rooms.service.confirmSchedule({ id, persons: ['per_b'] }), /no schedule/);
  await kit.clock.advance(10 * minute);
  await kit.rooms.service.confirmSchedule({ id, persons: [person] });
  await kit.clock.advance(11 * minute);
  assert.deepEqual(
    (await take(kit)).map(({ text }) => text),
    ['tea'],
  );
  const late = await make(kit, 'in 20 minutes', { confirmed: false });
  await kit.clock.advance(30 * minute);
  await assert.rejects(kit.rooms.service.confirmSchedule({ id: late.id }), /is in the past/);
});

test('after a time without a process a reminder is due with its time, and a recurring job once (S16)', async (t) => {
  const kit = openScheduleKit(t);
  await make(kit, 'tomorrow at 9', { text: 'once' });
  await make(kit, 'every day at 9', { text: 'daily' });
  await make(kit, 'every 20 minutes', { text: 'often' });
  kit.stop();
  await kit.clock.advance(3 * day);
  kit.start();
  const due = await take(kit);
  assert.deepEqual(
    due.map(({ text, due_at_ms }) => [text, new Date(due_at_ms).toISOString().slice(0, 16)]).sort(),
    [
      ['daily', '2026-11-27T08:00'],
      ['often', '2026-11-27T10:00'],
      ['once', '2026-11-25T08:00'],
    ],
  );
  for (const { id } of due) await kit.rooms.service.settleFiring({ id, status: 'sent' });
  await kit.clock.advance(19 * minute);
  assert.deepEqual(await take(kit), []);
  await kit.clock.advance(2 * minute);
  assert.deepEqual(
    (await take(kit)).map(({ text }) => text),
    ['often'],
  );
});

test('a clock that is set forward or back neither loses nor doubles a firing', async (t) => {
  const kit = openScheduleKit(t);
  await make(kit, 'tomorrow at 9', { text: 'once' });
  await make(kit, 'every day at 9', { text: 'daily' });
  const texts = async (): Promise<string[]> => {
    const due = await take(kit);
    for (const { id } of due) await kit.rooms.service.settleFiring({ id, status: 'sent' });
    return due.map(({ text }) => text).sort();
  };
  kit.clock.jump(day);
  await kit.clock.advance(20_000);
  assert.deepEqual(await texts(), ['daily', 'once'], 'noticed within 15 seconds');
  kit.clock.jump(-day);
  await kit.clock.advance(day);
  assert.deepEqual(await texts(), [], 'what was sent too early is not sent again');
  await kit.clock.advance(day);
  assert.deepEqual(await texts(), ['daily']);
});

test('a firing is claimed by one gateway, given to it again until it has accepted it, and to no other (S18)', async (t) => {
  const kit = openScheduleKit(t);
  await make(kit, 'in 20 minutes');
  await kit.clock.advance(20 * minute);
  assert.deepEqual(await take(kit, 'two', ['telegram']), []);
  const [first] = await take(kit, 'one');
  assert.ok(first);
  assert.deepEqual(await take(kit, 'two'), []);
  kit.stop();
  kit.start();
  assert.deepEqual(await take(kit, 'one'), [first], 'the gateway died before it had stored it');
  await kit.rooms.service.settleFiring({ id: first.id, status: 'accepted' });
  assert.deepEqual(await take(kit, 'one'), []);
  await kit.rooms.service.settleFiring({ id: first.id, status: 'sent' });
  await kit.rooms.service.settleFiring({ id: first.id, status: 'failed', reason: 'a late report' });
  assert.equal((await kit.rooms.service.listSchedules({}))[0]?.state, 'done');
});

test('a gateway that waits is given what becomes due in that moment', async (t) => {
  const kit = openScheduleKit(t);
  await make(kit, 'in 20 minutes');
  const waiting = kit.rooms.service.takeFirings({
    gateway: 'one',
    platforms: ['discord'],
    wait_ms: 60 * minute,
  });
  await kit.clock.advance(20 * minute);
  const [due] = await waiting;
  assert.equal(due?.due_at_ms, tuesday + 20 * minute);
});

test('in quiet hours what is due waits for their end', async (t) => {
  const kit = openScheduleKit(t);
  await kit.rooms.service.setPersonTimes({
    persons: [person],
    zone: 'berlin',
    quiet: { from: '22:00', until: '07:00' },
  });
  const made = await make(kit, 'today at 23:30', { zone: undefined });
  assert.equal(made.next_release_at_ms, Date.UTC(2026, 10, 25, 6));
  await kit.clock.advance(19 * 60 * minute);
  assert.deepEqual(await take(kit), [], '06:00 in Berlin');
  await kit.clock.advance(61 * minute);
  const [due] = await take(kit);
  assert.deepEqual(
    [due?.due_at_ms, due?.released_at_ms],
    [Date.UTC(2026, 10, 24, 22, 30), Date.UTC(2026, 10, 25, 6)],
  );
});

test('a schedule whose message failed permanently is stopped with the reason, and fires no more (S19)', async (t) => {
  const kit = openScheduleKit(t);
  await make(kit, 'every 20 minutes');
  await kit.clock.advance(20 * minute);
  const [due] = await take(kit);
  await kit.rooms.service.settleFiring({
    id: due?.id ?? '',
    status: 'failed',
    reason: 'The room no longer exists.',
  });
  const [stopped] = await kit.rooms.service.listSchedules({ person: [person] });
  assert.deepEqual(
    [stopped?.state, stopped?.reason, stopped?.next_at_ms],
    ['stopped', 'The room no longer exists.', null],
  );
  await kit.clock.advance(day);
  assert.deepEqual(await take(kit), []);
});

test('its status counts what is active, what waits for a channel and what failed, until it is taken', async (t) => {
  const kit = openScheduleKit(t);
  const none = { active: 0, nextAtMs: null, waiting: [], failedLastDay: 0 };
  assert.deepEqual(kit.rooms.standing(), none);
  const { next_at_ms: at } = await make(kit, 'in 20 minutes');
  assert.deepEqual(kit.rooms.standing(), { ...none, active: 1, nextAtMs: at });
  await kit.clock.advance(30 * minute);
  assert.deepEqual(kit.rooms.standing(), {
    ...none,
    waiting: [{ platform: 'discord', count: 1, sinceMs: at }],
  });
  const [firing] = await take(kit);
  assert.ok(firing !== undefined);
  await kit.rooms.service.settleFiring({ id: firing.id, status: 'accepted' });
  assert.deepEqual(kit.rooms.standing(), none);
  await kit.rooms.service.settleFiring({
    id: firing.id,
    status: 'failed',
    reason: 'the room no longer exists',
  });
  assert.deepEqual(kit.rooms.standing(), { ...none, failedLastDay: 1 });
  await kit.clock.advance(day + minute);
  assert.deepEqual(kit.rooms.standing(), none);
});
