// Two instances with one memory in PostgreSQL: what is said to one of them the other one knows, and what is taken back is gone for both.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { configSchema } from '#app/config/schema.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { until } from '../support/found.ts';
import { noPostgres, postgresServer } from '../support/postgres.ts';
import type { Talk } from './house.ts';
import { openStage, type Program } from './stage.ts';

/** Words that the model repeats where its prompt has them. */
const secret = /heliotrope|vermilion|quicksilver/;

/** Platforms that outlive the instances, which share a database and their memory in it. The model says which of the words its prompt has. */
async function openShared(t: TestContext, platforms: readonly SandboxPlatform[]) {
  const model = await startRaw(t, (call) => {
    const known = secret.exec(JSON.stringify(call.body.messages))?.[0];
    call.answer(known === undefined ? 'I know of nothing.' : `It is ${known}.`);
  });
  const server = await postgresServer();
  const url = await server.database();
  const stage = await openStage(t, {
    platforms,
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      storage: { ...config.storage, memory: 'shared' },
      memory: { ...config.memory, sharing: 'room' },
    }),
  });
  const said = new Map<string, number>();
  return {
    ...{ stage, server, url },
    start(name: string): Program {
      const home = join(stage.folder, name);
      mkdirSync(home, { recursive: true });
      return stage.start(['env', `PARLEY_HOME=${home}`, `DATABASE_URL=${url}`]);
    },
    /** Says it, and gives what is answered to it, and its id. */
    async ask(talk: Talk, text: string): Promise<{ answer: string; id: string }> {
      const key = JSON.stringify(talk);
      const before = Math.max(said.get(key) ?? 0, stage.answers(talk).length);
      const id = await stage.say(talk, text);
      await until(`an answer to "${text}"`, () => stage.answers(talk).length > before);
      said.set(key, before + 1);
      return { answer: stage.answers(talk).at(-1) ?? '', id };
    },
    /** Waits until memory has so many exchanges that can be read. */
    remembered: (count: number) =>
      until(`${count} exchanges`, async () => {
        const [row] = await server.run(
          'SELECT count(*)::integer AS count FROM global_memory_chunks WHERE expires_at_ms IS NULL',
          url,
        );
        return row?.count === count;
      }),
  };
}

const waits = (program: Program, platform: SandboxPlatform): Promise<void> =>
  until('it waits', () => new RegExp(`^ *${platform} +waits:`, 'm').test(program.said()));

test('what was said to one instance the other one remembers after it has taken over', {
  skip: noPostgres,
}, async (t) => {
  const { start, ask, remembered } = await openShared(t, ['telegram']);
  const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
  const first = start('one');
  await first.connected('telegram');
  const second = start('two');
  await waits(second, 'telegram');
  await ask(talk, 'The word for my locker is heliotrope.');
  await remembered(1);
  first.signal('SIGKILL');
  await first.ended;
  await second.connected('telegram');
  const { answer } = await ask(talk, 'Which word opens my locker?');
  assert.equal(answer, 'It is heliotrope.');
});

test('a message that one instance archived and that is deleted while the other one leads is shown to nobody any more', {
  skip: noPostgres,
}, async (t) => {
  const { start, ask, remembered, stage } = await openShared(t, ['discord']);
  const talk: Talk = { platform: 'discord', chat: 'dm', user: 'you' };
  const first = start('one');
  await first.connected('discord');
  const { id } = await ask(talk, 'The word for my locker is vermilion.');
  await remembered(1);
  first.signal('SIGKILL');
  await first.ended;
  const second = start('two');
  await second.connected('discord');
  await stage.sandbox.discord.deleteMessage(id);
  await remembered(0);
  const { answer } = await ask(talk, 'Which word opens my locker?');
  assert.equal(answer, 'I know of nothing.');
});

test('a shared memory is refused where words of a room would reach further than those who may read it', () => {
  const of = (sharing: string) =>
    configSchema.safeParse({
      storage: { url: 'postgres://db/parley', memory: 'shared' },
      memory: { sharing },
    });
  assert.equal(of('room').success, true);
  for (const sharing of ['space', 'everyone']) {
    const [issue] = of(sharing).error?.issues ?? [];
    assert.deepEqual(issue?.path, ['memory', 'sharing']);
    assert.match(
      issue?.message ?? '',
      /expected "room", which a shared memory \(storage\.memory\) needs, got/,
    );
  }
});
