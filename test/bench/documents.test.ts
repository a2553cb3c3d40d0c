// The ranking over documents, compared with plain full text: what helps conversations must not cost documents.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { onDocuments } from '../../bench/retrieval/on-documents.ts';
import { openMemory } from '../memory/open-memory.ts';

test('passages of documents are found first more often than by plain full text, and all that it finds among ten', async (t) => {
  const memory = openMemory(t);
  const lines: string[] = [];
  const { r5, r10, mrr } = (await onDocuments(
    memory,
    dirname(memory.path),
    (line) => void lines.push(line),
  )) as {
    r5: number;
    r10: number;
    mrr: number;
  };
  assert.ok(r5 >= 0.94 && r10 >= 0.998 && mrr >= 0.93, lines.join('\n'));
});
