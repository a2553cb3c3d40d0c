// Leaks are told from noise, over made-up samples of ten minutes, one each five seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../bench/harness/random.ts';
import { growthOf, type Sample } from '../../bench/soak/growth.ts';

const row = (valueAt: (seconds: number, noise: number) => number): Sample[] => {
  const random = createRandom(7);
  return Array.from({ length: 120 }, (_, index) => {
    const at = index * 5;
    return { at, value: valueAt(at, random.int(-100, 100) / 100) };
  });
};
const verdict = (samples: Sample[]): string => growthOf(samples, 5).verdict;

test('a slow leak in loud noise grows, and the slope is its own', () => {
  const leak = growthOf(
    row((at, noise) => 100 + at / 36 + 4 * noise),
    5,
  );
  assert.equal(leak.verdict, 'grows');
  assert.ok(leak.perHour > 75 && leak.perHour < 125, `${leak.perHour} an hour, made with 100`);
});

test('noise, a saw, a spike and a warm-up are flat', () => {
  assert.equal(verdict(row((_, noise) => 100 + 20 * noise)), 'flat');
  assert.equal(verdict(row((at) => 100 + (at % 100) / 2)), 'flat');
  assert.equal(verdict(row((at) => (at === 500 ? 400 : 100))), 'flat');
  assert.equal(verdict(row((at, noise) => 100 + Math.min(at, 150) + noise)), 'flat');
});

test('less than the allowance is flat, and so is too little to say', () => {
  assert.equal(verdict(row((at) => 100 + at / 150)), 'flat');
  assert.equal(verdict([]), 'flat');
  assert.equal(verdict([{ at: 0, value: 1 }]), 'flat');
});

test('file handles that are never given back grow', () => {
  assert.equal(verdict(row((at, noise) => Math.round(40 + at / 30 + 2 * noise))), 'grows');
});
