// A second process on the home folder of a program that forgets: what the program writes afterwards survives its death.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Talk } from './house.ts';
import { openStage, type Program, type Stage } from './stage.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const stored = z.object({ id: z.string(), status: z.literal('stored') });
const found = z.object({ items: z.array(z.object({ content: z.string() })) });

async function put(program: Program, content: string): Promise<string> {
  const response = await program.send('POST', '/memory/put', { content });
  assert.equal(response.status, 200);
  return stored.parse(await response.json()).id;
}

/** Resolves when the command ended; its exit code was 0. */
async function command(channelSet: Stage, ...words: string[]): Promise<void> {
  const run = channelSet.run(...words);
  assert.equal(await run.ended, 0, run.said());
}

interface Way {
  by: string;
  forget(channelSet: Stage, program: Program): Promise<void>;
  second: string[];
  /** Words that are in no file of the home folder afterwards. */
  gone: string[];
}

const ways: Way[] = [
  {
    by: 'DELETE /memory/ID, then "parley memory status"',
    async forget(_street, program) {
      const id = await put(program, 'The xylophonist lives in Zanzibar.');
      const deleted = await program.send('DELETE', `/memory/${id}`);
      assert.deepEqual([deleted.status, await deleted.json()], [200, { ok: true, id, traces: 0 }]);
    },
    second: ['memory', 'status'],
    gone: ['xylophonist'],
  },
  {
    by: '`/memory forget` in the chat of a guest, then "parley doctor"',
    async forget(channelSet) {
      await channelSet.say(dm, '/memory save The xylophonist lives in Zanzibar.');
      await channelSet.answered(dm, /^I will remember that \(\w+\)/);
      const id = /\((\w+)\)/.exec(channelSet.answers(dm).at(-1) ?? '')?.[1];
      await channelSet.say(dm, `/memory forget ${id}`);
      await channelSet.answered(dm, /^Permanently deleted/);
    },
    second: ['doctor'],
    gone: [], // what was written in the chat stays in the inbox, which "verify" names
  },
];

for (const { by, forget, second, gone } of ways)
  test(`what is put after ${by} in a second process survives a killed program`, async (t) => {
    const channelSet = await openStage(t, { platforms: ['telegram'] });
    const program = channelSet.start();
    await program.connected('telegram');
    await put(program, 'The first note stays.');
    await forget(channelSet, program);
    await command(channelSet, ...second);
    const notes = ['one', 'two', 'three'].map((word) => `After that came note ${word}.`);
    for (const note of notes) await put(program, note);
    program.signal('SIGKILL');
    assert.equal(await program.ended, 'SIGKILL');
    const again = channelSet.start();
    await again.connected('telegram');
    const { items } = found.parse(await again.get('/memory'));
    assert.deepEqual(items.map(({ content }) => content).sort(), [...notes, 'The first note stays.'].sort());
    again.signal('SIGTERM');
    assert.equal(await again.ended, 0, again.said());
    await command(channelSet, 'memory', 'verify', ...gone);
  });
