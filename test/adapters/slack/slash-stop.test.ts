// `/parley stop` in a channel, where the conversation that the person sees is a thread: the real gateway and client library against the sandbox.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGateway } from '#adapters/gateway/gateway.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createScriptedEngine } from '../gateway/scripted-engine.ts';
import { quiet } from './harness.ts';

const room = { chat: 'room', user: 'you' } as const;

/** A gateway whose runs continue until they are stopped. */
async function channelSet(t: TestContext) {
  const sandbox = await createSlackSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const engine = createScriptedEngine();
  const channel = createSlackChannel({
    botToken: sandbox.tokens.bot,
    appToken: sandbox.tokens.app,
    apiUrl: sandbox.url,
    clock: systemClock,
    log: quiet,
  });
  const gateway = createGateway({
    path: join(tempFolder(t), 'gateway.sqlite'),
    engine,
    channels: [{ channel, talk: () => ({ sessions: 'room', access: openAccess('guest') }) }],
    people: {},
    settings: () => ({ agent: 'Parley', debounceMs: 0 }),
    clock: systemClock,
    newId: createIds(systemClock),
    log: quiet,
  });
  gateway.start();
  t.after(() => gateway.close(0));
  await until('the gateway is ready', () => gateway.status()[0]?.state === 'ready');
  const begin = async (text: string): Promise<void> => {
    const runs = engine.runs.length;
    await sandbox.say({ ...room, text, mention: true });
    await until(`the run of ${text}`, () => engine.runs[runs]?.run.status === 'running');
  };
  /** What the bot says at the top of the channel; what only the person sees is in brackets. */
  const texts = () =>
    sandbox
      .shown('room', 'you')
      .filter(({ author, thread }) => author === 'bot' && thread === undefined)
      .map(({ text, onlyYou }) => (onlyYou === true ? `(${text})` : text));
  return { sandbox, engine, begin, texts };
}

test('the thread that is being answered is stopped from the channel, which a slash command cannot leave', async (t) => {
  const { sandbox, engine, begin, texts } = await channelSet(t);
  await begin('a long question');
  sandbox.slash({ ...room, command: '/parley', text: 'stop' });
  await until('it is stopped', () => engine.runs[0]?.run.status === 'cancelled');
  await until('it is said', () => texts().includes('Stopped, in the thread.'));
});

test('with several threads, only the person sees the question which one, and names it', async (t) => {
  const { sandbox, engine, begin, texts } = await channelSet(t);
  await begin('a long question');
  await begin('another one');
  sandbox.slash({ ...room, command: '/parley', text: 'stop' });
  await until('it is asked', () => texts().some((text) => /^\(I am answering you in 2 threads/.test(text)));
  assert.match(texts()[0] ?? '', /Write !stop ID/);
  const { sessionID } = engine.runs[1]?.run ?? {};
  sandbox.slash({ ...room, command: '/parley', text: `stop ${sessionID?.slice(-6)}` });
  await until('the other is stopped', () => engine.runs[1]?.run.status === 'cancelled');
  assert.equal(engine.runs[0]?.run.status, 'running');
});
