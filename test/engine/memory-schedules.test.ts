// What memory does while the engine runs: sweeps that are due and budgets that are exceeded, with the configured model, and what a failure leaves.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openKit } from './support/kit.ts';
import { frame, type RawCall, startRaw } from './support/raw-provider.ts';

const minute = 60_000;

/** An engine whose memory does for its schedules what the test says; time is the test's. */
async function stage(
  t: TestContext,
  over: Partial<Memory>,
  { model, ...memorySettings }: { dreams?: boolean; budgets?: boolean; model?: object } = {},
) {
  const clock = createManualClock();
  const path = join(tempFolder(t), 'memory.sqlite');
  const memory = { ...createMemory({ path, clock, newId: createIds(clock) }), ...over };
  const kit = await openKit(t, {
    ...{ clock, memory, memorySettings },
    ...(model === undefined ? {} : { model: model as never }), // settings of a provider
  });
  await clock.advance(0);
  const told = (words: string) => kit.logged.filter((line) => line.includes(words)).length;
  return { kit, clock, told };
}

const due = (...audiences: string[]) =>
  ({ due: audiences.map((audience) => ({ audience, slot: 1 })) }) as never; // what a schedule reads of it
const report = (status: string) => ({ status, promoted: [], dropped: 0, calls: 0, tokens: 0 }) as never; // as above

test('sweeps that are due are run at the start and a minute after each look, one after the other, and none where dreams are off', async (t) => {
  const swept: string[] = [];
  let at: string[] = ['person:a', 'person:b'];
  const over: Partial<Memory> = {
    dueSweeps: async () => due(...at),
    repairDreams: async () => ['a report was torn'],
    async sweep({ audience, model }) {
      assert.equal(model, undefined, 'there is no model');
      swept.push(audience);
      return report(audience === 'person:b' ? 'nothing due' : 'done');
    },
  };
  const { clock, told, kit } = await stage(t, over, { dreams: true });
  assert.deepEqual(swept.splice(0), ['person:a', 'person:b']);
  assert.deepEqual([told('a sweep was run'), told('a report was torn')], [1, 1]);
  at = ['person:c'];
  await clock.advance(minute - 1);
  assert.deepEqual(swept, []);
  await clock.advance(1);
  assert.deepEqual(swept.splice(0), ['person:c']);
  await kit.engine.close();
  await clock.advance(10 * minute);
  assert.deepEqual(swept, []);
  const off = await stage(t, over, { dreams: false });
  await off.clock.advance(10 * minute);
  assert.deepEqual(swept, []);
});

test('a sweep that fails is tried again and holds up no other, unless the disk refuses, and a look that fails is made again', async (t) => {
  const swept: string[] = [];
  let error: unknown = new Error('torn');
  let isLooking = true;
  const { clock, told } = await stage(
    t,
    {
      async dueSweeps() {
        if (!isLooking) throw new Error('locked');
        return due('person:a', 'person:b');
      },
      repairDreams: async () => Promise.reject(new Error('no folder')),
      async sweep({ audience }) {
        swept.push(audience);
        if (audience === 'person:a') throw error;
        return report('done');
      },
    },
    { dreams: true },
  );
  assert.deepEqual(swept.splice(0), ['person:a', 'person:b'], 'a repair that fails is no reason either');
  assert.equal(told('a sweep failed, and is tried again'), 1);
  error = Object.assign(new Error('no room'), { code: 'SQLITE_FULL' });
  await clock.advance(minute);
  assert.deepEqual(swept.splice(0), ['person:a'], 'what the disk refuses once, it refuses for all');
  isLooking = false;
  await clock.advance(minute);
  assert.deepEqual([swept.splice(0), told('sweeps could not be looked for')], [[], 1]);
  isLooking = true;
  await clock.advance(minute);
  assert.deepEqual(swept, ['person:a']);
});

test('a sweep in progress ends when the engine closes, which is no failure, and no other begins', async (t) => {
  const swept: string[] = [];
  const { kit, told } = await stage(
    t,
    {
      dueSweeps: async () => due('person:a', 'person:b'),
      repairDreams: async () => [],
      sweep({ audience, signal }) {
        swept.push(audience);
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    },
    { dreams: true },
  );
  await kit.engine.close();
  assert.deepEqual(swept, ['person:a']);
  assert.deepEqual([told('a sweep failed'), told('no sweep is run any more')], [0, 0]);
});

test('memory is brought back within its budgets every ten seconds, and for a twentieth of the time at most', async (t) => {
  const looks: number[] = [];
  let takesMs = 0;
  let isBroken = false;
  const begun = createManualClock().now();
  const ran: { clock?: Awaited<ReturnType<typeof stage>>['clock'] } = {};
  const { clock, told, kit } = await stage(
    t,
    {
      async consolidate() {
        looks.push((ran.clock?.now() ?? begun) - begun);
        if (takesMs > 0) await ran.clock?.sleep(takesMs);
        if (isBroken) throw new Error('locked');
        return [{ step: 'summary', owner: 'person:a', over: 3, ids: ['mem_1'] }] as never; // what is logged of it
      },
    },
    { budgets: true },
  );
  ran.clock = clock;
  assert.deepEqual([looks.splice(0), told('memory was over a budget')], [[0], 1]);
  await clock.advance(9_999);
  assert.deepEqual(looks, []);
  takesMs = 2_000;
  await clock.advance(1);
  assert.deepEqual(looks.splice(0), [10_000]);
  await clock.advance(2_000 + 40_000 - 1);
  assert.deepEqual(looks, [], 'it took two seconds: it rests for twenty times as long');
  takesMs = 0;
  isBroken = true;
  await clock.advance(1);
  assert.deepEqual([looks.splice(0), told('could not be brought back within its budgets')], [[52_000], 1]);
  await clock.advance(10_000);
  assert.equal(looks.splice(0).length, 1, 'a failure is tried again');
  await kit.engine.close();
  await clock.advance(100_000);
  assert.deepEqual([looks, told('budgets are not looked after any more')], [[], 0]);
  const off = await stage(t, { consolidate: async () => assert.fail('there are no budgets') }, {});
  await off.clock.advance(minute);
});

test('memory asks the configured model, whose tokens count as it says, or by the length where it says nothing, and whose failure is named without its words', async (t) => {
  const raw = await startRaw(t);
  const given = Promise.withResolvers<AskDreamModel | undefined>();
  const { clock } = await stage(
    t,
    {
      async consolidate({ model } = {}) {
        given.resolve(model);
        return [];
      },
    },
    { budgets: true, model: raw.settings },
  );
  const model = await given.promise;
  assert.ok(model !== undefined);
  const { signal } = new AbortController();
  const ask = () => model({ system: 'Be brief.', prompt: 'What lasts?', maxTokens: 77, signal });
  for (const [usage, tokens] of [
    [{ prompt_tokens: 20, completion_tokens: 5 }, 25],
    [undefined, Math.ceil(('Be brief.'.length + 'What lasts?'.length + 'The boat.'.length) / 3)],
  ] as const) {
    const asked = ask();
    const call = await raw.next();
    assert.match(JSON.stringify(call.body), /Be brief\..*What lasts\?/);
    assert.equal(call.body.max_tokens ?? call.body.max_completion_tokens, 77);
    assert.equal(call.body.tools, undefined);
    call.say('The ');
    call.say('boat.');
    call.write(frame({}, 'stop'));
    if (usage !== undefined)
      call.write(
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`,
      );
    call.write('data: [DONE]\n\n');
    call.end();
    assert.deepEqual(await asked, { text: 'The boat.', tokens });
  }
  const error = { message: 'It may not ask "What lasts?"' };
  for (const [fail, said] of [
    [(call: RawCall) => call.refuse(400, { error }), /did not accept/],
    [(call: RawCall) => call.write('data: {"What lasts?\n\n'), /is not an answer/],
  ] as const) {
    const failed = ask().catch((thrown: Error) => thrown.message);
    const call = await raw.next();
    fail(call);
    call.end();
    assert.match(String(await failed), said);
    assert.doesNotMatch(String(await failed), /lasts/, 'a report of a dream has these words');
  }
  const late = ask().catch((error: Error) => error);
  const call = await raw.next();
  for (let second = 0; second < 12; second += 1) {
    call.say('x');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(10_000);
  }
  assert.match(String(await late), /A call for memory/, 'it is given up after two minutes, whatever it says');
});
