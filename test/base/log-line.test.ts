// The log as it is read on a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log/log.ts';

const linesOf = (form: 'JSON' | 'words'): { lines: string[]; log: ReturnType<typeof createLog> } => {
  const lines: string[] = [];
  const mask = (line: string): string => line.replaceAll('sk-secret', '[redacted]');
  return { lines, log: createLog({ level: 'info', mask, form, write: (line) => void lines.push(line) }) };
};

test('on a terminal a line of the log is read: time, severity, words, and what belongs to them', () => {
  const { lines, log } = linesOf('words');
  log.warn({ runs: 1, key: 'sk-secret' }, 'runs of an earlier process were interrupted');
  log.error({ words: 'no\nsuch\u001b[31m thing', ids: ['a', 'b'] }, 'command failed');
  log.info('alone');
  assert.match(
    lines[0] ?? '',
    /^\d\d:\d\d:\d\d warning: runs of an earlier process were interrupted \(runs: 1, key: \[redacted\]\)\n$/,
  );
  assert.match(
    lines[1] ?? '',
    /^\S+ error: command failed \(words: no such \[31m thing, ids: \["a","b"\]\)\n$/,
  );
  assert.match(lines[2] ?? '', /^\S+ info: alone\n$/);
});

test('elsewhere it is JSON, a line each', () => {
  const { lines, log } = linesOf('JSON');
  log.warn({ runs: 1 }, 'interrupted');
  const { msg, runs } = JSON.parse(lines[0] ?? '') as { msg: string; runs: number };
  assert.deepEqual([msg, runs], ['interrupted', 1]);
});
