// On a request to stop, running work is finished or put off within the deadline, and the process ends, whatever hangs.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import { openStage, type Stage } from './stage.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const telegram = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
const discord = { ...telegram, platform: 'discord' } as const;

/** A server that takes every connection and never says a word. */
async function tarpit(t: TestContext): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has one
}

function rowsOf({ home }: Stage, from: string): unknown[] {
  const file = new Database(join(home, 'gateway.sqlite'), { readonly: true });
  try {
    return file.prepare(`SELECT state, attempts FROM ${from}`).all();
  } finally {
    file.close();
  }
}

test('SIGTERM lets the answer that is being written come to its end, takes nothing in, and exits with 0', async (t) => {
  const model = await startRaw(t);
  const channelSet = await openStage(t, {
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      gateway: { ...config.gateway, shutdownSeconds: 20 },
    }),
  });
  const program = channelSet.start();
  await program.connected(...all);
  await channelSet.say(telegram, 'a question');
  const call = await model.next();
  call.open();
  call.say('The first half,');
  program.signal('SIGTERM');
  await program.stopping();
  await channelSet.say(telegram, 'too late for this process');
  call.say(' and the second.');
  call.finish();
  assert.equal(await program.ended, 0, program.said());
  assert.deepEqual(channelSet.answers(telegram), ['The first half, and the second.']);
  assert.deepEqual(rowsOf(channelSet, 'turns ORDER BY id'), [{ state: 'answered', attempts: 1 }]);
  const next = channelSet.start();
  const late = await model.next();
  assert.match(JSON.stringify(late.body.messages.at(-1)), /too late for this process/);
  late.open();
  late.say('Now.');
  late.finish();
  await channelSet.answered(telegram, /^Now\.$/);
  next.signal('SIGTERM');
  assert.equal(await next.ended, 0);
});

test('SIGTERM with a run that never ends: it is put off, begun again at the next start, and the exit code is 0', async (t) => {
  const model = await startRaw(t);
  const channelSet = await openStage(t, {
    platforms: ['telegram'],
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({ ...config, model: { ...config.model, name: 'm' } }),
  });
  const program = channelSet.start();
  await program.connected('telegram');
  await channelSet.say(telegram, 'a question');
  (await model.next()).open();
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0, program.said());
  assert.deepEqual(rowsOf(channelSet, 'turns ORDER BY id'), [{ state: 'running', attempts: 0 }]);
  const next = channelSet.start();
  const call = await model.next();
  call.open();
  call.say('Here it is.');
  call.finish();
  await channelSet.answered(telegram, /^Here it is\.$/);
  assert.deepEqual(channelSet.answers(telegram), ['Here it is.']);
  next.signal('SIGTERM');
  assert.equal(await next.ended, 0);
});

test('SIGTERM with platforms that never answer ends the process, with 0', async (t) => {
  const nowhere = await tarpit(t);
  const channelSet = await openStage(t, {
    configure: (config) => ({
      ...config,
      channels: {
        discord: { ...config.channels.discord, apiUrl: `${nowhere}/api` },
        telegram: config.channels.telegram,
        slack: { ...config.channels.slack, apiUrl: `${nowhere}/api/` },
      },
    }),
  });
  const program = channelSet.start();
  await program.connected('telegram');
  // the post hangs: the platform has it and does not answer
  channelSet.sandbox.telegram.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 600_000 });
  await channelSet.say(telegram, 'My bicycle is green.');
  await found('the post', () => rowsOf(channelSet, "outbox_parts WHERE state = 'sending'")[0]);
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0, program.said());
});

test('a second signal ends the process at once', async (t) => {
  const model = await startRaw(t);
  const channelSet = await openStage(t, {
    platforms: ['discord'],
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      gateway: { ...config.gateway, shutdownSeconds: 300 },
    }),
  });
  const program = channelSet.start();
  await program.connected('discord');
  await channelSet.say(discord, 'a question');
  (await model.next()).open();
  program.signal('SIGTERM');
  await program.stopping();
  program.signal('SIGTERM');
  assert.equal(await program.ended, 'SIGTERM');
});

test('killed in the middle of a run and after an answer, each message has one answer (A1)', async (t) => {
  const model = await startRaw(t);
  const channelSet = await openStage(t, {
    platforms: ['telegram'],
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({ ...config, model: { ...config.model, name: 'm' } }),
  });
  const answerNext = async (text: string): Promise<void> => {
    const call = await model.next();
    call.open();
    call.say(text);
    call.finish();
    await channelSet.answered(telegram, new RegExp(`^${text}$`));
    // a kill before the receipt is on disk would make the outcome unknown, and the repeat right
    await found('the receipt', () =>
      rowsOf(channelSet, "outbox_parts WHERE state <> 'sent'")[0] ? undefined : true,
    );
  };
  const first = channelSet.start();
  await first.connected('telegram');
  await channelSet.say(telegram, 'one');
  await answerNext('to one');
  await channelSet.say(telegram, 'two');
  const dying = await model.next();
  dying.open();
  dying.say('half of an answ');
  first.signal('SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  const second = channelSet.start();
  await answerNext('to two');
  second.signal('SIGKILL');
  await second.ended;
  const third = channelSet.start();
  await third.connected('telegram');
  await channelSet.say(telegram, 'three');
  await answerNext('to three');
  assert.deepEqual(channelSet.answers(telegram), ['to one', 'to two', 'to three']);
  third.signal('SIGTERM');
  assert.equal(await third.ended, 0);
});
