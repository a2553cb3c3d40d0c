// What a replay says of files that someone, or a crash, has damaged: drift, torn and lost lines.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import { openService, type Service } from './http/service-kit.ts';

/** A run that is over, with its files as a process leaves them that has ended. */
async function aRun(service: Service): Promise<string> {
  const runID = await service.exchange(await service.session(), 'Hello', 'Hi.');
  await service.restart();
  return runID;
}

const folderOf = (service: Service, runID: string): string => join(service.kit.folder, 'context_runs', runID);

test('a state that says something else than its events is seen as drift over HTTP, and stays as it is', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const path = join(folderOf(service, runID), 'run_state.json');
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, status: 'failed', steps: [] }));
  for (let look = 0; look < 2; look += 1) {
    const { drift, persisted } = (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
    assert.deepEqual([drift.mismatch, drift.status_mismatch, persisted.status], [true, true, 'failed']);
  }
});

test('a torn and a garbage line of a log are reported with their places, and a lost event is drift', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const path = join(folderOf(service, runID), 'events.jsonl');
  appendFileSync(path, '{"event_id":"evt_torn","seq":9');
  const replayed = async () => (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
  const torn = await replayed();
  const [{ file, text }] = torn.unreadable_lines;
  assert.deepEqual([file, text], ['events.jsonl', '{"event_id":"evt_torn","seq":9']);
  assert.deepEqual([torn.drift.mismatch, torn.missing_lines], [false, 0], 'it was never whole');
  const all = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [all[0], '%%% garbage', ...all.slice(2)].join('\n'));
  const lost = await replayed();
  assert.deepEqual(
    lost.unreadable_lines.map(({ line }: { line: number }) => line),
    [2, all.length - 1],
  );
  assert.deepEqual([lost.missing_lines, lost.drift.missing_lines_mismatch], [1, true]);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const variables = { PARLEY_HOME: service.kit.folder };
  assert.equal(await main(['runs', 'replay', runID], variables, { out: say, err: say }), 1);
  assert.match(said.join('\n'), /line 2 of events\.jsonl: %%% garbage/);
  assert.match(said.join('\n'), /missing +1 line of/);
});
