// Secrets in the ledger: the model sees them in their turn, and they are masked once the answer is in the chat. Edits, /retry and restarts continue with the masked text.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { createRedact } from '#memory/secrets/redact.ts';
import { type Harness, startHarness } from './harness.ts';
import { dm, message } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const redact = createRedact();
const mask = async (text: string): Promise<string> => (await redact(text)).text;
const said = 'My password is hunter2zebra.';

/** Whether the word is in a file of the ledger, read by another process. */
function exists({ path }: Harness): boolean {
  try {
    execFileSync('grep', ['-rqaF', 'hunter2zebra', dirname(path)]);
    return true;
  } catch {
    return false; // grep found none
  }
}

const masked = (h: Harness) => h.seen('a masked ledger', () => (exists(h) ? undefined : true));

test('a secret reaches the model in its turn and the chat in its answer, and is no longer in the ledger', async (t) => {
  const prompts: string[] = [];
  const engine = createScriptedEngine((texts) => {
    prompts.push(texts.join(' '));
    return `You said: ${texts.join(' ')}`;
  });
  const h = await startHarness(t, { engine, redact: mask });
  const quoted = { nativeID: 'q1', author: 'Ann', text: 'his password is hunter2zebra', fromBot: false };
  await h.channel.sink.accept(message('m1', said, { quoted }));
  assert.ok(exists(h));
  await h.seen('the answer', () => h.channel.messages.find(({ text }) => text.includes('hunter2zebra')));
  assert.match(prompts.join(), /hunter2zebra/);
  await masked(h);
  await h.channel.sink.accept({
    type: 'edit',
    address: dm,
    nativeID: 'm1',
    at: 2,
    actor: message('m1', '').actor,
    text: said,
  });
  assert.ok(!exists(h), 'the same words again are no change');
  await h.channel.sink.accept(message('m2', 'and now?'));
  await h.seen('the second answer', () => (prompts.length > 1 ? true : undefined));
  assert.doesNotMatch(prompts.slice(1).join(), /hunter2zebra/);
  assert.match(prompts[1] ?? '', /and now/);
  await h.channel.sink.accept(message('m3', 'one'));
  await h.seen('the third answer', () => (prompts.length > 2 ? true : undefined));
});

test('/retry answers the masked text once more, and a real edit is reported and masked after its turn', async (t) => {
  const prompts: string[] = [];
  const engine = createScriptedEngine((texts) => {
    prompts.push(texts.join(' '));
    return 'Yes.';
  });
  const h = await startHarness(t, { engine, redact: mask });
  await h.channel.sink.accept(message('m1', said));
  await h.seen('the answer', () => h.channel.messages[0]);
  await masked(h);
  await h.channel.sink.accept(message('m2', '/retry'));
  await h.seen('the second prompt', () => prompts[1]);
  assert.match(prompts[1] ?? '', /My password is \[redacted:password\]\./);
  const changed = 'My password is not hunter2zebra, my password is hunter2zebraB.';
  await h.channel.sink.accept({
    type: 'edit',
    address: dm,
    nativeID: 'm1',
    at: 2,
    actor: message('m1', '').actor,
    text: changed,
  });
  await h.channel.sink.accept(message('m3', 'well?'));
  await h.seen('the third prompt', () => prompts[2]);
  assert.match(prompts[2] ?? '', /changed an earlier message/);
  assert.doesNotMatch(prompts[2] ?? '', /hunter2zebra/);
});

test('what waits stays as it was written, and what could not be masked before a crash is masked at the next start', async (t) => {
  let isOut = true;
  const h = await startHarness(t, {
    engine: createScriptedEngine(() => 'Yes.'),
    redact: async (text) => {
      if (isOut) throw new Error('the masker is out');
      return mask(text);
    },
  });
  await h.channel.sink.accept(message('m1', said));
  await h.kill();
  assert.ok(exists(h));
  await h.seen('the answer', () => h.channel.messages.find(({ text }) => text === 'Yes.'));
  await h.seen('the failure in the log', () => h.lines.find((line) => line.includes('the masker is out')));
  assert.ok(exists(h));
  isOut = false;
  await h.kill();
  await masked(h);
});

test('what was answered a moment ago is masked when the program ends', async (t) => {
  const h = await startHarness(t, { engine: createScriptedEngine(() => 'Yes.'), redact: mask });
  await h.channel.sink.accept(message('m1', said));
  await h.seen('the answer', () => h.channel.messages.find(({ text }) => text === 'Yes.'));
  assert.ok(exists(h), 'until then it stands there as it was written');
  const closed = h.gateway.close(0);
  await h.clock.advance(1);
  await closed;
  h.gateway = { ...h.gateway, close: async () => {} }; // it is closed
  assert.ok(!exists(h));
});

test('a text that cannot be masked holds up no other, and is tried again with the next answer', async (t) => {
  let isBroken = true;
  const h = await startHarness(t, {
    engine: createScriptedEngine(() => 'Yes.'),
    redact: async (text) => {
      if (isBroken && text.includes('poison')) throw new Error('the masker cannot read this');
      return mask(text);
    },
  });
  await h.channel.sink.accept(message('m1', 'This is poison, and my code word is swordfish9.'));
  await h.seen('the answer', () => h.channel.messages[0]);
  await h.channel.sink.accept(message('m2', said));
  await h.seen('the second answer', () => h.channel.messages[1]);
  await masked(h);
  assert.ok(h.lines.some((line) => line.includes('could not be masked yet')));
  isBroken = false;
  await h.channel.sink.accept(message('m3', 'My password is hunter2zebra.'));
  await h.seen('the third answer', () => h.channel.messages[2]);
  await masked(h);
});
