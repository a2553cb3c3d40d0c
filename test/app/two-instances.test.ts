// Two instances with one home each, one PostgreSQL, and the same bots: one of them answers, whatever happens to the other.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { found, until } from '../support/found.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Talk } from './house.ts';
import { openStage, type Program, type Stage } from './stage.ts';

const platforms: readonly SandboxPlatform[] = ['discord', 'telegram', 'slack'];
/** What the issue of a takeover is measured by, in milliseconds. */
const takeoverMs = 15_000;

const talkOf = (platform: SandboxPlatform): Talk => ({ platform, chat: 'dm', user: 'you' });

describe('two instances', { skip: noPostgres }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  const openTwo = async (t: Parameters<typeof openStage>[0]) => {
    const stage = await openStage(t, {
      variables: { DATABASE_URL: await server.database() },
      configure: (config) => ({ ...config, log: { level: 'info' } }),
    });
    const start = (name: string): Program => {
      const home = join(stage.folder, name);
      mkdirSync(home, { recursive: true });
      return stage.start(['env', `PARLEY_HOME=${home}`]);
    };
    return { stage, start };
  };
  const waits = (program: Program): Promise<void> =>
    until('it waits', () => platforms.every((name) => new RegExp(`^ *${name} +waits:`, 'm').test(program.said())));
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

  test('the leader is killed: the other takes over within 15 s, and each message has one answer', async (t) => {
    const { stage, start } = await openTwo(t);
    const first = start('one');
    await first.connected(...platforms);
    const second = start('two');
    await waits(second);
    await asked(stage, 'apple');
    const from = performance.now();
    first.signal('SIGKILL');
    await first.ended;
    await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), 'banana')));
    await second.connected(...platforms);
    const connectedMs = performance.now() - from;
    await answered(stage, 'banana');
    t.diagnostic(`connected after ${Math.round(connectedMs)} ms, answered after ${Math.round(performance.now() - from)} ms`);
    assert.ok(connectedMs < takeoverMs, `${connectedMs} ms`);
    const third = start('one');
    await waits(third);
    await asked(stage, 'cherry');
    assert.deepEqual(counts(stage, ['apple', 'banana', 'cherry']), platforms.map(() => [1, 1, 1]));
  });

  test('the leader stands still and wakes up after another one has taken over: it sends nothing, and each message has one answer', async (t) => {
    const { stage, start } = await openTwo(t);
    const first = start('one');
    await first.connected(...platforms);
    const second = start('two');
    await waits(second);
    await asked(stage, 'apple');
    const from = performance.now();
    first.signal('SIGSTOP');
    await Promise.all(platforms.map((platform) => stage.say(talkOf(platform), 'banana')));
    await second.connected(...platforms);
    const connectedMs = performance.now() - from;
    await answered(stage, 'banana');
    t.diagnostic(`connected after ${Math.round(connectedMs)} ms, answered after ${Math.round(performance.now() - from)} ms`);
    assert.ok(connectedMs < takeoverMs, `${connectedMs} ms`);
    first.signal('SIGCONT');
    await waits(first);
    await asked(stage, 'cherry');
    assert.match(first.said(), /does not lead any more/);
    assert.deepEqual(counts(stage, ['apple', 'banana', 'cherry']), platforms.map(() => [1, 1, 1]));
  });
});
