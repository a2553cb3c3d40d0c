// What ranking looks at, kept as bytes beside the texts that it was read from.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { packedPassage, unpackedPassage } from '#memory/store/packed-passage.ts';
import { passageWordsOf } from '#memory/store/passage.ts';
import { indexText } from '#memory/store/tokens.ts';
import { freshPath, mine, openMemory } from '../open-memory.ts';

const read = (said: string, answered: string) =>
  passageWordsOf({
    content: `${said}\n${answered}`,
    said_terms: indexText(said),
    answered_terms: indexText(answered),
    about_terms: indexText('Ann\nMonday'),
  });

test('a passage comes out of its bytes as it went in, wherever these lie in memory', () => {
  const word = fc.constantFrom(
    'boat',
    'Yesterday',
    'three',
    'because',
    'happy',
    '"so"',
    'Ben?',
    'and.',
    '\n[a picture]',
    '海',
  );
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, fc.nat(3), (said, answered, offset) => {
      const passage = read(said, answered);
      const packed = packedPassage(passage);
      const room = Buffer.alloc(packed.length + offset);
      packed.copy(room, offset);
      assert.deepEqual(unpackedPassage(room.subarray(offset)), passage);
    }),
    { numRuns: 100 },
  );
});

test('bytes that are absent, cut short or of another version are no passage', () => {
  const packed = packedPassage(read('My boat is green. Is it?', 'Yes.'));
  const other = Buffer.from(packed);
  other.writeInt32LE(packed.readInt32LE() + 64);
  for (const bytes of [null, Buffer.alloc(0), packed.subarray(0, -4), other])
    assert.equal(unpackedPassage(bytes), undefined);
});

test('turns are ranked alike with the passages of their rows, without them, and after their texts were changed', async (t) => {
  const path = freshPath(t);
  const turns = [
    'Where did you put the boat?',
    'The green boat lies in the harbour.',
    'Good. It rains again.',
    'A boat needs paint.',
  ];
  const lines = turns.map((text, id) =>
    JSON.stringify({ id: String(id), session: 1, at: id, speaker: ['Ann', 'Ben'][id % 2], text }),
  );
  const talk = join(dirname(path), 'talk.jsonl');
  writeFileSync(talk, lines.join('\n'));
  const memory = openMemory(t, { path });
  const where = { audience: 'person:per_1', restricted: true } as const;
  await memory.importPath({ path: talk, format: 'transcript', where });
  const file = new Database(path);
  t.after(() => file.close());
  file.function('now_ms', () => 0);
  const count = file
    .prepare<[], number>('SELECT count(*) FROM global_memory_chunks WHERE passage IS NOT NULL')
    .pluck();
  const ranked = async () =>
    (await memory.search({ text: 'Where is the boat?', scope: mine })).hits.map((hit) => [
      hit.text,
      hit.score,
      hit.scoreParts,
    ]);
  assert.equal(count.get(), turns.length);
  const before = await ranked();
  assert.match(String(before[0]?.[0]), /harbour/);
  file.exec(
    'UPDATE global_memory_chunks SET passage = NULL; UPDATE memory_changes SET removals = removals + 1',
  );
  assert.deepEqual(await ranked(), before);
  await memory.reindex();
  assert.equal(count.get(), turns.length);
  assert.deepEqual(await ranked(), before);
  // by whomever: what no longer fits its texts is not looked at
  file.exec("UPDATE global_memory_chunks SET said_terms = 'paint' WHERE content LIKE '%harbour%'");
  assert.equal(count.get(), turns.length - 1);
  assert.notDeepEqual(await ranked(), before);
});
