// What a chat reads of the tools of a run while they run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agent, eventOf, stage } from './watched-run.ts';

const called = (id: string, tool: string, state: string, args: object = {}, runID = 'run_1') =>
  eventOf('message.part.updated', { runID, part: { id, type: 'tool', tool, state, args } });

test('a tool that takes longer than a second is shown in words until it ends, a shorter one and one of another run never', async (t) => {
  const { watching, emit, shown, clock } = stage(t);
  watching.follow('run_1', 'started');
  await emit(called('c1', 'memory_search', 'pending'), called('c1', 'memory_search', 'running'));
  await clock.advance(900);
  await emit(called('c1', 'memory_search', 'completed'));
  await clock.advance(5_000);
  assert.deepEqual(shown, []);
  await emit(
    called('c2', 'web_fetch', 'running', { url: 'https://example.org/a/b?c=d' }),
    called('c3', 'docs_read', 'running', { path: '/home/ann/my_report.pdf' }),
    called('c4', 'question', 'running', { question: 'Which?' }),
    called('c9', 'memory_search', 'running', {}, 'run_9'),
  );
  await clock.advance(1_000);
  await emit(called('c2', 'web_fetch', 'failed'), called('c3', 'docs_read', 'completed'));
  const fetches = '⏳ Running `web_fetch` example.org …';
  const reads = '⏳ Running `docs_read` my\\_report.pdf …';
  assert.deepEqual(shown, [
    `agents: ${fetches}`,
    `agents: ${fetches}\n${reads}`,
    `agents: ${reads}`,
    'no agents',
  ]);
});

test('in full, words that are searched for and whole addresses are shown too; switched off, nothing is', async (t) => {
  const full = stage(t, undefined, 'full');
  full.watching.follow('run_1', 'started');
  await full.emit(
    called('c1', 'memory_search', 'running', { query: 'the boat' }),
    called('c2', 'web_fetch', 'running', { url: 'https://example.org/a' }),
  );
  await full.clock.advance(1_000);
  assert.equal(
    full.shown.at(-1),
    'agents: ⏳ Searching memory: the boat …\n⏳ Running `web_fetch` https://example.org/a …',
  );
  const off = stage(t, undefined, 'off');
  off.watching.follow('run_1', 'started');
  await off.emit(called('c1', 'memory_search', 'running'));
  await off.clock.advance(60_000);
  assert.deepEqual([off.shown, off.clock.sleeping()], [[], 0]);
});

test('many tools at a time are counted, and those that run beside agents are shown below them', async (t) => {
  const { watching, emit, shown, clock } = stage(t);
  watching.follow('run_1', 'started');
  await emit(agent('instance.started', 'a1'));
  await emit(...[1, 2, 3, 4, 5, 6].map((n) => called(`c${n}`, `tool_${n}`, 'running')));
  await clock.advance(1_000);
  const last = shown.at(-1) ?? '';
  assert.match(last, /agent works on this[\s\S]*Running `tool_1` …\n[\s\S]*`tool_4` …\n⏳ and 2 more …$/);
});
