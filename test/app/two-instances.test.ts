// Two instances with one home each, one PostgreSQL, and the same bots: one of them answers, whatever happens to the other.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { overview, type StatusReport } from '#engine/wire/operator/overview.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { type RawCall, startRaw } from '../engine/support/raw-provider.ts';
import { found, until } from '../support/found.ts';
import { noPostgres, postgresServer } from '../support/postgres.ts';
import { openTcpLink } from '../support/tcp-link.ts';
import type { Talk } from './house.ts';
import { openStage, type Program, type Stage } from './stage.ts';

const platforms: readonly SandboxPlatform[] = ['discord', 'telegram', 'slack'];
/** How long a takeover may take, in milliseconds. */
const takeoverMs = 15_000;

const fruitIn = ({ body }: RawCall): string | undefined =>
  /apple|banana|cherry/.exec(JSON.stringify(body.messages.at(-1)))?.[0];

const statusOf = (answer: unknown): StatusReport => overview.parse(answer);

const talkOf = (platform: SandboxPlatform): Talk => ({ platform, chat: 'dm', user: 'you' });

/** Three platforms that outlive the instances, which all have one database. */
async function openTwo(t: TestContext) {
  const held: RawCall[] = [];
  let holds = false;
  const model = await startRaw(t, (call) => {
    if (holds) held.push(call);
    else call.answer(`An answer to ${fruitIn(call)}.`);
  });
  const server = await postgresServer();
  const url = await server.database();
  const stage = await openStage(t, {
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({ ...config, model: { ...config.model, name: 'm' } }),
  });
  const start = (name: string, database = url): Program => {
    const home = join(stage.folder, name);
    mkdirSync(home, { recursive: true });
    return stage.start(['env', `PARLEY_HOME=${home}`, `DATABASE_URL=${database}`]);
  };
  return {
    stage,
    start,
    url,
    /** Lets questions wait from now on, or answers those that wait and all others. */
    hold(now: boolean) {
      holds = now;
      if (!now) for (const call of held.splice(0)) call.answer(`An answer to ${fruitIn(call)}.`);
    },
    held: () => held.length,
  };
}

const waits = (program: Program): Promise<void> =>
  until('it waits', () =>
    platforms.every((name) => new RegExp(`^ *${name} +waits:`, 'm').test(program.said())),
  );
/** Says this everywhere, and waits for the answers. */
const asked = async (stage: Stage, text: string): Promise<void> => {
  await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), text)));
  await answered(stage, text);
};
const answered = async (stage: Stage, text: string): Promise<void> => {
  for (const platform of platforms)
    await found(`an answer to "${text}" on ${platform}`, () =>
      stage.answers(talkOf(platform)).some((answer) => answer.includes(text)) ? true : undefined,
    );
};
/** How often each text was answered on each platform. */
const counts = (stage: Stage, texts: readonly string[]) =>
  platforms.map((platform) =>
    texts.map((text) => stage.answers(talkOf(platform)).filter((answer) => answer.includes(text)).length),
  );

/** Two instances, of which the first leads and is then stopped by this signal: the other has taken over in time, and has answered what was said meanwhile. */
async function takenOver(t: TestContext, stopped: 'SIGKILL' | 'SIGSTOP') {
  const { stage, start } = await openTwo(t);
  const first = start('one');
  await first.connected(...platforms);
  const second = start('two');
  await waits(second);
  await asked(stage, 'apple');
  const from = performance.now();
  first.signal(stopped);
  if (stopped === 'SIGKILL') await first.ended;
  await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), 'banana')));
  await second.connected(...platforms);
  const connectedMs = performance.now() - from;
  await answered(stage, 'banana');
  t.diagnostic(
    `connected after ${Math.round(connectedMs)} ms, answered after ${Math.round(performance.now() - from)} ms`,
  );
  assert.ok(connectedMs < takeoverMs, `${connectedMs} ms`);
  return { stage, start, first };
}

/** Asks once more; each of the three questions has one answer on each platform. */
async function eachHasOneAnswer(stage: Stage): Promise<void> {
  await asked(stage, 'cherry');
  assert.deepEqual(
    counts(stage, ['apple', 'banana', 'cherry']),
    platforms.map(() => [1, 1, 1]),
  );
}

test('the leader is killed: the other takes over within 15 s, and each message has one answer', {
  skip: noPostgres,
}, async (t) => {
  const { stage, start } = await takenOver(t, 'SIGKILL');
  await waits(start('one'));
  await eachHasOneAnswer(stage);
});

test('a person who wrote with the leader in a thread of Slack goes on there without naming the bot, and the next leader answers', {
  skip: noPostgres,
}, async (t) => {
  const { stage, start } = await openTwo(t);
  const first = start('one');
  await first.connected(...platforms);
  const second = start('two');
  await waits(second);
  const said = (text: string, thread?: string) =>
    stage.sandbox.slack.say({
      ...{ chat: 'room', user: 'you', text, mention: thread === undefined },
      ...(thread === undefined ? {} : { thread }),
    });
  const inRoom: Talk = { platform: 'slack', chat: 'room', user: 'you' };
  const { id } = await said('apple');
  await stage.answered(inRoom, /apple/);
  first.signal('SIGKILL');
  await first.ended;
  await second.connected('slack');
  await said('banana', id);
  // the model hears what was said in the thread before, so it may name the fruit of either
  await until(
    'a second answer',
    () => stage.answers(inRoom).filter((text) => /answer to/.test(text)).length === 2,
  );
});

test('the leader stands still and wakes up after another one has taken over: it sends nothing, and each message has one answer', {
  skip: noPostgres,
}, async (t) => {
  const { stage, first } = await takenOver(t, 'SIGSTOP');
  first.signal('SIGCONT');
  await waits(first);
  await eachHasOneAnswer(stage);
  assert.match(first.said(), /does not lead any more/);
});

test('the way of the leader to its database carries nothing any more, and people write at once: each message has one answer', {
  skip: noPostgres,
}, async (t) => {
  const { stage, start, url } = await openTwo(t);
  const server = await postgresServer();
  const link = await openTcpLink(t, server.port);
  const first = start('one', url.replace(`:${server.port}`, `:${link.port}`));
  await first.connected(...platforms);
  const second = start('two');
  await waits(second);
  await asked(stage, 'apple');
  link.stall();
  await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), 'banana')));
  await second.connected(...platforms);
  await answered(stage, 'banana');
  await asked(stage, 'cherry');
  link.resume();
  second.signal('SIGTERM');
  assert.equal(await second.ended, 0, second.said());
  const status = (): Promise<StatusReport> => first.get('/status').then(statusOf);
  await until('it leads again, and has nothing to do', async () => {
    const { ready, channels } = await status();
    return (
      ready &&
      Object.values(channels).every(
        ({ state, inboxBacklog, outboxBacklog }) => state === 'ready' && inboxBacklog + outboxBacklog === 0,
      )
    );
  });
  assert.deepEqual(
    counts(stage, ['apple', 'banana', 'cherry']),
    platforms.map(() => [1, 1, 1]),
  );
});

test('an answer that a former leader has when it wakes up without its database waits until it leads again, and is sent once', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const { stage, start, url, hold, held } = await openTwo(t);
  const link = await openTcpLink(t, server.port);
  const first = start('one', url.replace(`:${server.port}`, `:${link.port}`));
  await first.connected(...platforms);
  const second = start('two');
  await waits(second);
  hold(true);
  await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), 'banana')));
  await until('the model is asked', () => held() === platforms.length);
  // nothing tells it that its session is over: only the time that has passed does
  first.signal('SIGSTOP');
  link.stall();
  hold(false);
  await second.connected(...platforms);
  first.signal('SIGCONT');
  await waits(first);
  await until('the answers wait', async () => {
    const { channels } = statusOf(await first.get('/status'));
    return platforms.every((name) => channels[name]?.outboxBacklog === 1);
  });
  await asked(stage, 'cherry');
  assert.deepEqual(
    counts(stage, ['banana', 'cherry']),
    platforms.map(() => [0, 1]),
  );
  link.resume();
  second.signal('SIGTERM');
  assert.equal(await second.ended, 0, second.said());
  await answered(stage, 'banana');
  assert.deepEqual(
    counts(stage, ['banana', 'cherry']),
    platforms.map(() => [1, 1]),
  );
});
