// Over random histories in random chats no file of an audience holds what another one said, noted or asked.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { openDreams, room, scopeOf, threeDays } from './kit.ts';

const audiences = [
  'person:per_1',
  'person:per_2',
  'room:slack:T1:C1',
  'room:discord:1:2',
] as const satisfies readonly Audience[];

const step = fc.record({
  audience: fc.constantFrom(...audiences),
  how: fc.constantFrom('say', 'say', 'note', 'ask', 'ask', 'ask', 'night', 'forget', 'promote', 'backfill'),
  of: fc.nat({ max: 6 }),
  question: fc.constantFrom('Where is it?', 'Who has it?', 'What about it?'),
});

test('over random messages, recalls and promotions no file ever holds text that its audience could not read (N25)', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (history) => {
      // the easiest gates, so that much is promoted
      const house = openDreams(t, { settings: { gates: { score: 0, recalls: 1, queries: 1 } } });
      const owners = new Map<string, Audience>();
      const ids: string[] = [];
      let hour = 9;
      for (const { audience, how, of, question } of history) {
        hour += 5;
        house.goTo(1 + Math.floor(hour / 24), hour % 24);
        const mark = `mark${owners.size}x`;
        if (how === 'say') {
          owners.set(mark, audience);
          ids.push(...(await house.say(`The lantern ${mark} hangs in the harbour office.`, { audience })));
        } else if (how === 'note') {
          owners.set(mark, audience);
          const by = { person: 'per_1', sessionID: 's', runID: 'r' };
          await house.memory.noteFile({ audience, text: `The anchor ${mark} lies below the pier.`, by });
          await house.memory.indexFiles();
          const scope = { audiences: [audience], spaces: [], everyone: false };
          const { hits } = await house.memory.search({ text: mark, scope, corpus: 'memory' });
          ids.push(...hits.map(({ id }) => id));
        } else if (how === 'ask') {
          // a run can be given anything: what it may not read is none of its recalls
          const answer = [...owners.keys()].map(
            (each) => `The lantern ${each} hangs in the harbour office, anchor ${each} lies below the pier.`,
          );
          await house.ask({ question, answer: answer.join(' '), ids, audience });
        } else if (how === 'night') await house.night();
        else if (how === 'backfill') await house.memory.remBackfill({ days: 5 });
        else if (how === 'promote') await house.memory.promoteRecalled({ mode: 'apply' });
        else if (ids[of] !== undefined)
          await house.memory.forget({
            ...{
              scope: { audiences: [audience], spaces: [], everyone: false },
              mode: 'forget',
              proof: 'none',
            },
            selection: { ids: [ids[of]] },
          });
      }
      await house.memory.promoteRecalled({ mode: 'apply' });
      for (const name of existsSync(house.root) ? readdirSync(house.root) : [])
        for (const file of readdirSync(join(house.root, name), { recursive: true, encoding: 'utf8' })) {
          if (!file.endsWith('.md')) continue;
          const text = readFileSync(join(house.root, name, file), 'utf8');
          for (const [mark, audience] of owners)
            if (text.includes(mark))
              assert.equal(name, folderNameOf(audience), `${mark} is in ${name}/${file}`);
          const lines = text.split('\n').filter((line) => /^- (?:\w+: )?The lantern/.test(line));
          if (file === 'MEMORY.md')
            assert.equal(new Set(lines).size, lines.length, 'nothing is promoted twice');
        }
      await house.memory.close();
    }),
    { numRuns: 12 },
  );
});

test('who came into a room later is not shown what was promoted there of an earlier time', async (t) => {
  const house = openDreams(t);
  const boat = 'The boat Nelly is laid up in Harlingen until June.';
  const ids = await house.say(boat, { audience: room });
  const since = { [room]: house.now() + 3_600_000 };
  const questions = ['What is new?', 'What should I know?'] as const;
  await threeDays(house, { ids, answer: boat, questions, audience: room });
  assert.match(house.read('MEMORY.md', room), /Harlingen/);
  const shownTo = async (scope: Scope): Promise<unknown[]> => {
    const { hits } = await house.memory.search({ text: 'Nelly Harlingen', scope });
    const read = await house.memory.readFile({ scope, path: 'MEMORY.md' }).catch(() => ({ text: '' }));
    return [hits.length, /Harlingen/.test(read.text)];
  };
  const written = house.now() / 1_000;
  utimesSync(house.path('MEMORY.md', room), written, written);
  house.goTo(8);
  await house.memory.indexFiles();
  assert.deepEqual(await shownTo({ ...scopeOf(room), since }), [0, false]);
  assert.deepEqual(await shownTo(scopeOf(room)), [2, true]);
});
