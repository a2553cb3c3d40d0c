// Budgets of single agents with their own memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { note } from './facts.ts';
import { freshPath, openMemory } from './open-memory.ts';

test('an agent that is named has its own bounds, and those of all agents where it has none', async (t) => {
  const agents = { clerk: { items: { fact: 1 } } };
  const memory = openMemory(t, { budgets: { agent: { items: { fact: 3, note: 1 } }, agents } });
  const put = (text: string, of: Parameters<typeof note>[1]) => memory.put(note(text, of));
  const where = (partition?: string) => ({
    where: { audience: 'person:per_1' as const, restricted: true, partition },
  });
  for (const partition of [undefined, 'clerk', 'counsel'])
    for (const text of ['The gate is green', 'The shed is red'])
      await put(`${text} for ${partition}`, where(partition));
  for (const text of ['first', 'second']) await put(text, { ...where('clerk'), kind: 'note' });
  const bounds = (await memory.budgets()).map(({ owner, uses }) => [
    owner.type === 'agent' ? owner.agent : '',
    uses
      .map(({ bound, limit }) => `${bound} ${limit}`)
      .sort()
      .join(),
  ]);
  assert.deepEqual(bounds, [
    [undefined, 'items.fact 3,items.note 1'],
    ['clerk', 'items.fact 1,items.note 1'],
    ['counsel', 'items.fact 3,items.note 1'],
  ]);
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps
      .map(({ owner, over, ids }) => [owner.type === 'agent' && owner.agent, over.bound, ids.length])
      .sort(),
    [
      ['clerk', 'items.fact', 1],
      ['clerk', 'items.note', 1],
    ],
  );
  const single = openMemory(t, { budgets: { agents }, path: freshPath(t) });
  await single.put(note('The gate is green', where('clerk')));
  await single.put(note('The gate is green', where('counsel')));
  assert.equal((await single.budgets()).length, 1, 'only the named one has a budget');
});
