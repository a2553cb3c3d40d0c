// From what Telegram says of a chat to the audience of a run: a gateway over grammy and the sandbox.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { telegramStage } from '../gateway/live-stage.ts';

async function createStage(t: TestContext) {
  const { sandbox, engine, until } = await telegramStage(t);
  const { places } = sandbox;
  return {
    places,
    until,
    engine,
    space: places.addSpace('Home'),
    anna: places.addAccount('Anna'),
    ben: places.addAccount('Ben'),
    /** Lets someone speak and resolves with what the run is told of where and by whom, once it was answered. */
    async told(say: () => Promise<string>) {
      const before = engine.runs.length;
      await say();
      await until('a run', () => engine.runs.length > before);
      const { run, body } = engine.runs[before] ?? {};
      assert.ok(run && body);
      engine.complete(run.runID, 'an answer');
      await until('the delivery', () => engine.deliveries.length > before);
      return body.origin;
    },
  };
}

test('what two people write to a channel are two audiences, and neither reaches the other’s', async (t) => {
  const { places, space, anna, ben, told } = await createStage(t);
  const [annas = '', bens = ''] = [anna, ben].map((member) =>
    places.addRoom({ space, kind: 'channel direct', name: 'Direct', members: [member] }),
  );
  const first = await told(() =>
    places.say({ account: anna, room: annas, text: 'my secret', mention: true }),
  );
  const second = await told(() =>
    places.say({ account: ben, room: bens, text: 'what is it?', mention: true }),
  );
  assert.ok(first?.restricted && second?.restricted);
  assert.notEqual(first.audience, second.audience);
  assert.ok(!second.reach.audiences.includes(first.audience));
  assert.deepEqual(
    places.messages(annas).map(({ text }) => text),
    ['@parley_sandbox_bot my secret', 'an answer'],
    'the answer goes where it was asked',
  );
  assert.equal(places.messages(bens).length, 2);
});

test('two who write as one channel in two rooms are two speakers', async (t) => {
  const { places, space, anna, ben, told } = await createStage(t);
  const channel = { id: -1_001_000_009_999, title: 'News' };
  const origins = [];
  for (const account of [anna, ben]) {
    const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [account] });
    const text = '@parley_sandbox_bot hello';
    origins.push(await told(() => places.sayAs({ account, room, text, channel })));
  }
  const [one, two] = origins;
  assert.ok(one && two);
  assert.notEqual(one.speaker?.person, two.speaker?.person);
  assert.ok(!two.reach.audiences.includes(one.audience));
});
