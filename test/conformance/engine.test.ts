// One table of cases for the engine as channels need it: in this process and over HTTP, where connections are lost besides.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { png } from '../adapters/uploads/samples.ts';
import { originOf, textBody, watch } from '../engine/support/kit.ts';
import { arrangements, type EngineArrangement, type EngineWorld } from './engines.ts';

interface CaseWorld extends EngineWorld {
  /** An idempotency key that no other case has. */
  key(name: string): string;
}

interface Case {
  title: string;
  /** Where it can happen at all, when not everywhere. */
  only?: readonly EngineArrangement['name'][];
  run(world: CaseWorld, t: TestContext): Promise<void>;
}

const channel = { sourceKind: 'channel' } as const;

async function begun({ engine }: Pick<EngineWorld, 'engine'>, text: string, key: string, sessionID?: string) {
  const id = sessionID ?? (await engine.createSession(channel)).id;
  const outcome = await engine.prompt(id, textBody(text, originOf()), { idempotencyKey: key });
  assert.ok(outcome.status !== 'conflict', 'no other run is active');
  return { sessionID: id, ...outcome };
}

/** What a chat would show of the events: each part's text as far as it is known. */
function shownBy(events: readonly EngineEvent[]): string {
  const parts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'message.part.updated' || event.properties.part.type !== 'text') continue;
    const { part, delta, offset = 0 } = event.properties;
    const known = parts.get(part.id) ?? '';
    if (delta === undefined) parts.set(part.id, part.text ?? '');
    else if (offset <= known.length) parts.set(part.id, known.slice(0, offset) + delta);
  }
  return [...parts.values()].join('\n');
}

const cases: readonly Case[] = [
  {
    title:
      'a run is begun, seen while it is written, and ends once with its answer; a lost connection costs no piece of it',
    async run(world, t) {
      const { engine, raw, cut } = world;
      const { id } = await engine.createSession(channel);
      const seen = watch(t, engine, { sessionID: id });
      const { runID } = await begun(world, 'hello', world.key('k1'), id);
      const ending = engine.finished(runID);
      const call = await raw.next();
      call.say('The first half,');
      await seen.until(() => shownBy(seen.seen) === 'The first half,');
      await cut();
      call.say(' and more,');
      await seen.until(() => shownBy(seen.seen) === 'The first half, and more,');
      call.say(' and the second.');
      call.finish();
      const run = await ending;
      assert.deepEqual([run.status, run.text], ['completed', 'The first half, and more, and the second.']);
      await seen.until(({ type }) => type === 'session.run.finished');
      assert.equal(shownBy(seen.seen), run.text);
      assert.equal(seen.seen.filter(({ type }) => type === 'session.run.finished').length, 1);
      // read later it also says who asked what
      assert.partialDeepStrictEqual(await engine.getRun({ runID }), run);
      assert.deepEqual(await engine.finished(runID), run, 'and once more, long after');
    },
  },
  {
    title: 'a late listener is given what is being written from its beginning',
    only: ['over HTTP'],
    async run(world) {
      const { engine, raw, cut } = world;
      const { sessionID, runID } = await begun(world, 'hello', world.key('k1'));
      const call = await raw.next();
      call.say('Half of it');
      await cut();
      const late = new AbortController();
      const told: EngineEvent[] = [];
      for await (const event of engine.events({ sessionID }, late.signal)) {
        told.push(event);
        if (shownBy(told) === 'Half of it') late.abort();
      }
      call.finish();
      assert.equal((await engine.finished(runID)).text, 'Half of it');
    },
  },
  {
    title:
      'the same key gives the same session and the same run, during and after it; another key waits for its turn',
    async run(world) {
      const { engine, raw } = world;
      const { id } = await engine.createSession(channel, { idempotencyKey: world.key('s1') });
      assert.equal((await engine.createSession(channel, { idempotencyKey: world.key('s1') })).id, id);
      const first = await begun(world, 'hello', world.key('k1'), id);
      const call = await raw.next();
      const again = await begun(world, 'hello', world.key('k1'), id);
      assert.deepEqual(
        [again.status, again.runID, again.messageID],
        ['replayed', first.runID, first.messageID],
      );
      const other = await engine.prompt(id, textBody('me too'), { idempotencyKey: world.key('k2') });
      assert.ok(other.status === 'conflict');
      assert.equal(other.activeRun.runID, first.runID);
      assert.ok(other.activeRun.startedAtMs > 0);
      call.say('Yes.');
      call.finish();
      await engine.finished(first.runID);
      assert.equal((await begun(world, 'hello', world.key('k1'), id)).status, 'replayed');
      assert.equal((await world.kit.engine.messages(id)).length, 2, 'said once, answered once');
    },
  },
  {
    title: 'stopping ends the run of a session, or one run and no other, and says whether there was one',
    async run(world) {
      const { engine, raw } = world;
      const { sessionID, runID } = await begun(world, 'hello', world.key('k1'));
      (await raw.next()).say('Half');
      assert.equal(await engine.cancelRun('run_none'), false);
      assert.equal(await engine.cancel(sessionID), true);
      assert.equal((await engine.finished(runID)).status, 'cancelled');
      assert.equal(await engine.cancel(sessionID), false);
      const second = await begun(world, 'again', world.key('k2'), sessionID);
      await raw.next();
      assert.equal(await engine.cancelRun(runID), false, 'it has ended; the other continues');
      assert.equal(await engine.cancelRun(second.runID), true);
      assert.equal((await engine.finished(second.runID)).status, 'cancelled');
      assert.equal(await engine.cancel('ses_none'), false);
    },
  },
  {
    title: 'what a run asks is reported as an event, listed, and answered once',
    async run(world, t) {
      const { engine, raw } = world;
      const { id } = await engine.createSession(channel);
      const seen = watch(t, engine, { sessionID: id });
      const ask = { ...textBody('look', originOf()), canAsk: true };
      const outcome = await engine.prompt(id, ask, { idempotencyKey: world.key('k1') });
      assert.ok(outcome.status !== 'conflict');
      (await raw.next()).callTool('todo_read', {});
      await seen.until(({ type }) => type === 'permission.asked');
      const [asked] = await engine.permissions();
      assert.equal(asked?.tool, 'todo_read');
      const by = { person: 'per_1', name: 'guest' };
      const reply = { reply: 'allow', by } as const;
      assert.equal(
        (await engine.replyPermission({ requestID: asked?.requestID ?? '', ...reply })).reply,
        'once',
      );
      const again = await engine.replyPermission({ requestID: asked?.requestID ?? '', ...reply });
      assert.equal(again.reply, 'once', 'the same answer by the same person');
      for (const other of [
        { ...reply, reply: 'reject' },
        { ...reply, by: stranger },
        { reply: 'allow' },
      ] as const)
        await assert.rejects(
          engine.replyPermission({ requestID: asked?.requestID ?? '', ...other }),
          settled,
        );
      (await raw.next()).callTool('question', { questions: [{ question: 'Which one?' }] });
      await seen.until(({ type }) => type === 'question.asked');
      const [question] = await engine.questions();
      assert.equal(question?.questions[0]?.question, 'Which one?');
      const told = { answer: ['This one.'], by };
      await engine.replyQuestion({ requestID: question?.id ?? '', ...told });
      await engine.replyQuestion({ requestID: question?.id ?? '', ...told });
      await assert.rejects(engine.rejectQuestion({ requestID: question?.id ?? '', by }), settled);
      for (const other of [
        { ...told, answer: ['That one.'] },
        { ...told, by: stranger },
      ])
        await assert.rejects(engine.replyQuestion({ requestID: question?.id ?? '', ...other }), settled);
      const last = await raw.next();
      assert.match(JSON.stringify(last.body.messages), /This one\./);
      last.say('Good.');
      last.finish();
      assert.equal((await engine.finished(outcome.runID)).text, 'Good.');
      assert.deepEqual([await engine.permissions(), await engine.questions()], [[], []]);
    },
  },
  {
    title:
      'a delivered exchange is remembered once, however often and over however many connections it is reported',
    async run(world) {
      const { engine, raw, kit, cut } = world;
      const { runID } = await begun(world, 'My bicycle is green.', world.key('k1'));
      const delivery = { runID, deliveredAtMs: 1, nativeIDs: ['n1'] };
      const call = await raw.next();
      await assert.rejects(engine.delivered(delivery), (error) => codeOf(error) === 'run_not_ended');
      call.say('Green it is.');
      call.finish();
      await engine.finished(runID);
      await cut();
      await Promise.all([engine.delivered(delivery), engine.delivered(delivery)]);
      await engine.delivered(delivery);
      const { results } = await kit.engine.searchMemory({
        query: 'bicycle',
        audience: 'person:per_1',
        limit: 10,
      });
      assert.equal(results.length, 1);
      const unknown = engine.delivered({ ...delivery, runID: 'run_none' });
      await assert.rejects(unknown, (error) => codeOf(error) === 'run_not_found');
    },
  },
  {
    title: 'a file that came with a message reaches the model, and is stored once',
    async run(world) {
      const { engine, raw, uploads } = world;
      const incoming = { channel: 'discord', place: 'p1', at: 0, name: 'Bild 1.png', mime: 'image/png' };
      const stored = await uploads.save(
        new Blob([new Uint8Array(png())]).stream(),
        incoming,
        new AbortController().signal,
      );
      assert.equal(await engine.takesFile({ mime: 'image/png', bytes: stored.bytes }), true);
      assert.equal(await engine.takesFile({ mime: 'application/x-nothing', bytes: 1 }), false);
      const file = { path: stored.path, file: (await uploads.find(stored.path)) ?? '' };
      const url = await engine.keepUpload(file);
      assert.ok(url !== undefined);
      assert.equal(await engine.keepUpload(file), url);
      const { id } = await engine.createSession(channel);
      const parts = [
        ...textBody('look').parts,
        { type: 'file', mime: 'image/png', filename: stored.name, url } as const,
      ];
      const outcome = await engine.prompt(
        id,
        { parts, origin: originOf() },
        { idempotencyKey: world.key('k1') },
      );
      assert.ok(outcome.status !== 'conflict');
      const call = await raw.next();
      const data = Buffer.from(png()).toString('base64');
      assert.ok(JSON.stringify(call.body.messages).includes(data), 'the model is shown its bytes');
      call.say('A picture.');
      call.finish();
      await engine.finished(outcome.runID);
    },
  },
  {
    title: 'a file that a run wrote lies on this side, and is gone with the run that nobody knows',
    async run(world) {
      const { engine, raw, cut } = world;
      const { runID } = await begun(world, 'write it down', world.key('k1'));
      (await raw.next()).callTool('artifact', { name: 'list.txt', content: 'one\ntwo\n' });
      const call = await raw.next();
      call.say('Here.');
      call.finish();
      const run = await engine.finished(runID);
      const [artifact] = run.artifacts ?? [];
      assert.ok(artifact !== undefined);
      await cut();
      const path = await engine.artifactFile(artifact);
      assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
      assert.equal(await engine.artifactFile(artifact), path);
      await engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: ['n1', 'n2'] });
      const none = await engine.artifactFile({ ...artifact, id: 'art_none', path: 'artifacts/none' });
      assert.throws(() => readFileSync(none), /ENOENT/);
    },
  },
  {
    title: 'what is not there or not right is reported by the same codes',
    async run({ engine }) {
      assert.equal(await engine.hasSession('ses_none'), false);
      const isUnknown = (error: unknown): boolean => codeOf(error) === 'run_not_found';
      await assert.rejects(engine.getRun({ runID: 'run_none' }), isUnknown);
      await assert.rejects(engine.deleteAnswer({ runID: 'run_none' }), isUnknown);
      const edit = { runID: 'run_none', nativeID: 'n', was: 'a', now: 'b' };
      await assert.rejects(engine.amend(edit), isUnknown);
      await assert.rejects(engine.finished('run_none'), isUnknown);
      const missing = engine.prompt('ses_none', textBody('hello'));
      await assert.rejects(missing, (error) => codeOf(error) === 'session_not_found');
      const { id } = await engine.createSession(channel);
      assert.equal(await engine.hasSession(id), true);
      const foreign = engine.prompt(id, { ...textBody('hello'), agent: 'nobody' });
      await assert.rejects(foreign, (error) => codeOf(error) === 'unknown_agent');
      assert.equal((await engine.health()).ready, true);
    },
  },
];

const stranger = { person: 'per_2', name: 'guest' };
const settled = (error: unknown): boolean => codeOf(error) === 'request_settled';

for (const { name, open } of arrangements)
  test(`the engine ${name}`, async (t) => {
    const world = await open(t);
    for (const { title, only, run } of cases) {
      const key = (each: string): string => `${each}-${cases.findIndex((one) => one.title === title)}`;
      if (only?.includes(name) ?? true) await t.test(title, (each) => run({ ...world, key }, each));
    }
  });
