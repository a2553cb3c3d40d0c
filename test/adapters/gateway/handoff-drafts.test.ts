// Drafts of handoffs: one for each lane, found by their id, for a day, and not without end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHandoffs, type HandoffDraft } from '#adapters/gateway/requests/handoff-drafts.ts';

const dayMs = 24 * 60 * 60_000;

function stage() {
  let now = 1_000;
  const handoffs = createHandoffs({ now: () => now });
  const put = (id: string, lane: string): HandoffDraft => {
    const draft = { id, lane, person: 'per_1', elements: {} as HandoffDraft['elements'], inherited: [] };
    handoffs.put(draft);
    return draft;
  };
  return { handoffs, put, pass: (ms: number) => (now += ms) };
}

const idOf = (draft: HandoffDraft | undefined): string | undefined => draft?.id;

test('a draft is found by its id and by its lane until it is removed, and another lane has none of it', () => {
  const { handoffs, put } = stage();
  put('a', 'one');
  put('b', 'two');
  assert.deepEqual([idOf(handoffs.get('a')), idOf(handoffs.ofLane('one'))], ['a', 'a']);
  assert.equal(handoffs.get('c'), undefined);
  assert.equal(handoffs.ofLane('three'), undefined);
  handoffs.remove('c');
  handoffs.remove('a');
  assert.deepEqual([idOf(handoffs.get('a')), idOf(handoffs.ofLane('one'))], [undefined, undefined]);
  assert.equal(idOf(handoffs.get('b')), 'b');
});

test('a second draft of a lane takes the place of the first, whose buttons then find nothing', () => {
  const { handoffs, put } = stage();
  put('a', 'one');
  put('b', 'one');
  assert.equal(handoffs.get('a'), undefined);
  assert.equal(idOf(handoffs.ofLane('one')), 'b');
});

test('a draft is there until a day has passed since it was put', () => {
  const { handoffs, put, pass } = stage();
  put('a', 'one');
  pass(dayMs - 1);
  assert.equal(idOf(handoffs.get('a')), 'a');
  pass(1);
  assert.equal(handoffs.get('a'), undefined);
  put('b', 'one');
  assert.equal(idOf(handoffs.get('b')), 'b');
});

test('of more than a thousand drafts the one that was put first goes, and a lane that puts again is the newest', () => {
  const { handoffs, put } = stage();
  for (let n = 0; n < 1_000; n += 1) put(`d${n}`, `lane ${n}`);
  assert.equal(idOf(handoffs.get('d0')), 'd0');
  put('again', 'lane 0');
  put('one more', 'another lane');
  assert.equal(handoffs.get('d1'), undefined);
  assert.deepEqual([idOf(handoffs.get('again')), idOf(handoffs.get('d2'))], ['again', 'd2']);
});
