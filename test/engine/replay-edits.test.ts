// Each edit of a file of a run, or of the database, is seen by its replay over HTTP and on the command line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { main } from '#app/main.ts';
import { openService } from './http/service-kit.ts';
import { frame, type RawCall } from './support/raw-provider.ts';
import { aRunWithCalls, checkpointOf, edit, folderOf, replayed } from './support/replayed.ts';

const edits: readonly (readonly [what: string, flag: string, (folder: string) => void])[] = [
  [
    'the name of a tool in an event',
    'events_mismatch',
    edit('events.jsonl', '"tool":"todo_write"', '"tool":"rm"'),
  ],
  ['the arguments of a call', 'events_mismatch', edit('events.jsonl', 'water the plants', 'burn the plants')],
  ['the result of a call', 'events_mismatch', edit('events.jsonl', /"result":/, '"result_was":')],
  ['the words of the answer', 'events_mismatch', edit('events.jsonl', 'All planned.', 'Nothing planned.')],
  ['the time of an event', 'events_mismatch', edit('events.jsonl', /"ts_ms":\d+/, '"ts_ms":1')],
  [
    'the session of the events',
    'events_mismatch',
    edit('events.jsonl', /"sessionID":"\w+"/, '"sessionID":"ses_x"'),
  ],
  ['a field that is new', 'events_mismatch', edit('events.jsonl', '{"event_id"', '{"by":"me","event_id"')],
  [
    'the status in the last event',
    'events_mismatch',
    edit('events.jsonl', /"status":"completed"(?!.*"status":"completed","rev)/s, '"status":"failed"'),
  ],
  [
    'an answer to a question',
    'events_mismatch',
    edit('events.jsonl', '"answer":["all"]', '"answer":["none"]'),
  ],
  [
    'what a patch says',
    'patches_mismatch',
    edit('blackboard_patches.jsonl', '"tool":"todo_write"', '"tool":"rm"'),
  ],
  ['what a patch does', 'patches_mismatch', edit('blackboard_patches.jsonl', 'add_decision', 'add_fact')],
  ['a patch that is gone', 'patches_mismatch', edit('blackboard_patches.jsonl', /.*\n$/, '')],
  ['the name of a step', 'state_mismatch', edit('run_state.json', '"tool": "todo_write"', '"tool": "rm"')],
  [
    'when the run began',
    'state_mismatch',
    edit('run_state.json', /"started_at_ms": \d+/, '"started_at_ms": 1'),
  ],
  [
    'a fact of the board',
    'blackboard_mismatch',
    edit('blackboard.json', '"tool": "todo_write"', '"tool": "rm"'),
  ],
  ['the summary of the board', 'blackboard_mismatch', edit('blackboard.json', 'All planned.', 'Nothing.')],
  [
    'a step in a checkpoint',
    'checkpoints_mismatch',
    (folder) => edit(checkpointOf(folder), '"tool":"todo_write"', '"tool":"rm"')(folder),
  ],
  ...['checkpoint_id', 'reason'].map(
    (name) =>
      [
        `the ${name} of a checkpoint`,
        'checkpoints_mismatch',
        (folder: string) =>
          edit(checkpointOf(folder), new RegExp(`"${name}":"[^"]*"`), `"${name}":"x"`)(folder),
      ] as const,
  ),
  [
    'a field of a checkpoint that is new',
    'checkpoints_mismatch',
    (folder) => edit(checkpointOf(folder), '{', '{"by":"me",')(folder),
  ],
  [
    'the time of a checkpoint',
    'checkpoints_mismatch',
    (folder) => edit(checkpointOf(folder), /"ts_ms":\d+,"reason"/, '"ts_ms":1,"reason"')(folder),
  ],
  ...['"format": 1,', '"format": 99,', '"format": "2",', ''].map(
    (format) =>
      [
        `the format ${format || 'removed'}`,
        'state_mismatch',
        edit('run_state.json', '"format": 2,', format),
      ] as const,
  ),
  [
    'a line that is none',
    'unreadable_lines_mismatch',
    (folder) => appendFileSync(join(folder, 'events.jsonl'), 'hello\n'),
  ],
  [
    'a patch that is none',
    'unreadable_lines_mismatch',
    (folder) => appendFileSync(join(folder, 'blackboard_patches.jsonl'), '{"patch_id":"x"}\n'),
  ],
  ['an event that is there twice', 'events_mismatch', edit('events.jsonl', /^.*\n/, '$&$&')],
  ['two events in the wrong order', 'events_mismatch', edit('events.jsonl', /^(.*\n)(.*\n)/, '$2$1')],
  ['a patch that is there twice', 'patches_mismatch', edit('blackboard_patches.jsonl', /^.*\n/, '$&$&')],
  [
    'two patches in the wrong order',
    'patches_mismatch',
    edit('blackboard_patches.jsonl', /^(.*\n)(.*\n)/, '$2$1'),
  ],
  [
    'an event before the first one',
    'unreadable_lines_mismatch',
    edit('events.jsonl', /^(.*)"seq":1,(.*\n)/, '$1"seq":0,$2$&'),
  ],
  ['the last event', 'last_event_mismatch', edit('events.jsonl', /[^\n]*\n$/, '')],
  ['no state', 'missing_files_mismatch', (folder) => unlinkSync(join(folder, 'run_state.json'))],
  ['no board', 'missing_files_mismatch', (folder) => unlinkSync(join(folder, 'blackboard.json'))],
  [
    'an older state in place of the last one',
    'last_event_mismatch',
    edit('run_state.json', /"last_event_seq": \d+/, '"last_event_seq": 1'),
  ],
  ['no events', 'missing_files_mismatch', (folder) => rmSync(join(folder, 'events.jsonl'))],
  ['no patches', 'missing_files_mismatch', (folder) => rmSync(join(folder, 'blackboard_patches.jsonl'))],
  ['no checkpoint', 'missing_files_mismatch', (folder) => unlinkSync(join(folder, checkpointOf(folder)))],
];

const linesOf = (folder: string): string[] =>
  readFileSync(join(folder, 'events.jsonl'), 'utf8').split('\n').slice(0, -1);

test('each edit of a file of a run is drift over HTTP and on the command line, and named where it is', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const folder = folderOf(service, runID);
  const whole = await replayed(service, runID);
  assert.deepEqual(whole.body.differences, []);
  assert.deepEqual([whole.body.drift.mismatch, whole.body.from_checkpoint, whole.code], [false, false, 0]);
  assert.deepEqual(whole.body.not_looked_at, []);
  for (const [what, flag, change] of edits) {
    change(folder);
    const { body, code, said } = await replayed(service, runID);
    assert.deepEqual([body.drift.mismatch, body.drift[flag], code], [true, true, 1], what);
    assert.deepEqual(said, body, what);
    rmSync(folder, { recursive: true });
    assert.equal((await replayed(service, runID)).body.drift.mismatch, false, `${what} is mended`);
  }
});

for (const source of [0, 1, 9_999_999])
  test(`a line that someone added to a finished run (source_seq ${source}) is drift, and who looks changes nothing of the run`, async (t) => {
    const service = await openService(t);
    const runID = await aRunWithCalls(service);
    const folder = folderOf(service, runID);
    const last = JSON.parse(linesOf(folder).at(-1) ?? '');
    const added = {
      ...last,
      seq: last.seq + 1,
      source_seq: source,
      type: 'question.replied',
      status: 'running',
    };
    appendFileSync(join(folder, 'events.jsonl'), `${JSON.stringify(added)}\n`);
    const files = (): string[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
        .sort();
    const before = files();
    for (let looks = 0; looks < 2; looks += 1) {
      const { body, said } = await replayed(service, runID);
      assert.deepEqual([body.drift.mismatch, body.drift.events_mismatch], [true, true]);
      assert.deepEqual([body.replay.status, body.persisted.status], ['completed', 'completed']);
      assert.deepEqual(said, body);
    }
    assert.deepEqual(files(), before);
    assert.equal((await service.ask('GET', `/runs/${runID}`)).body.status, 'completed');
  });

test('in a state of another format each field is compared all the same', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const folder = folderOf(service, runID);
  edit('run_state.json', '"format": 2,', '"format": 1,')(folder);
  edit('run_state.json', '"tool": "todo_write"', '"tool": "rm"')(folder);
  edit('events.jsonl', 'water the plants', 'burn the plants')(folder);
  const { body } = await replayed(service, runID);
  const named = body.differences.map(({ field }: { field: string }) => field);
  for (const field of ['format', 'steps.0.tool', 'payload.part.args.todos.0.content'])
    assert.ok(named.includes(field), `${field} in ${named}`);
  assert.deepEqual(body.not_looked_at, []);
});

const inPlace: readonly (readonly [what: string, (path: string) => void])[] = [
  ['a folder', mkdirSync],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ...(process.getuid?.() === 0
    ? []
    : ([['a file that nobody may read', (path: string) => writeFileSync(path, '{}', { mode: 0 })]] as const)),
];

test('what stands in the place of a file of a run is named as a missing file is, over HTTP and on the command line', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const folder = folderOf(service, runID);
  const names = ['events.jsonl', 'blackboard_patches.jsonl', 'run_state.json', 'blackboard.json'];
  for (const [what, put] of inPlace)
    for (const name of [...names, checkpointOf(folder)]) {
      rmSync(join(folder, name));
      put(join(folder, name));
      const { status, body, said, code } = await replayed(service, runID);
      assert.equal(status, 200, `${what} for ${name}: ${JSON.stringify(body)}`);
      assert.ok(body.missing_files.includes(name), `${what} for ${name}`);
      assert.deepEqual([body.drift.mismatch, code], [true, 1], `${what} for ${name}`);
      assert.deepEqual(said, body);
      rmSync(folder, { recursive: true });
      assert.equal((await replayed(service, runID)).body.drift.mismatch, false);
    }
  rmSync(join(folder, 'checkpoints'), { recursive: true });
  writeFileSync(join(folder, 'checkpoints'), '');
  const { status, body } = await replayed(service, runID);
  assert.deepEqual([status, body.drift.missing_files_mismatch], [200, true]);
});

test('what stands in the place of a file of a run that goes on is named too', async (t) => {
  const service = await openService(t);
  const { runID, call } = await service.prompt(await service.session(), 'plan');
  const look = async () => (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
  assert.equal((await look()).drift.mismatch, false);
  const path = join(folderOf(service, runID), 'run_state.json');
  rmSync(path);
  mkdirSync(path);
  const { drift, missing_files: missing } = await look();
  assert.deepEqual([drift.missing_files_mismatch, missing], [true, ['run_state.json']]);
  call.say('Hi.');
  call.finish();
  await service.kit.engine.finished(runID);
});

test('a difference says which field of which event it is in, what is expected and what was found', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  edit('events.jsonl', 'water the plants', 'burn the plants')(folderOf(service, runID));
  const { body } = await replayed(service, runID);
  const { file, field, expected, found } = body.differences[0];
  assert.deepEqual(
    [file, field, expected, found],
    ['events.jsonl', 'payload.part.args.todos.0.content', 'water the plants', 'burn the plants'],
  );
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await main(['runs', 'replay', runID], { PARLEY_HOME: service.kit.folder }, { out: say, err: say });
  assert.match(said.join('\n'), /differs +events\.jsonl \d+ payload\.part\.args/);
  assert.match(said.join('\n'), /"burn the plants" where "water the plants"/);
});

test('a run that the database has otherwise is drift, and a pruned event is said not to be looked at', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const path = join(service.kit.folder, 'engine.sqlite');
  const change = (sql: string): void => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };
  change("UPDATE runs SET status = 'error'");
  const failed = (await replayed(service, runID)).body;
  assert.deepEqual([failed.drift.mismatch, failed.drift.run_mismatch], [true, true]);
  change("UPDATE runs SET status = 'completed'; DELETE FROM events WHERE type = 'session.run.started'");
  const pruned = (await replayed(service, runID)).body;
  assert.deepEqual([pruned.drift.mismatch, pruned.not_looked_at.length], [false, 1]);
  assert.match(pruned.not_looked_at[0], /that the database no longer has/);
});

/** So many calls in one turn that their events go over the next checkpoint. */
function callMany(call: RawCall, turn: number): void {
  const calls = Array.from({ length: 15 }, (_, index) => {
    const todos = [{ id: '1', content: `plant ${turn}.${index}`, status: 'pending' }];
    return {
      ...{ index, id: `t_${turn}_${index}`, type: 'function' },
      function: { name: 'todo_write', arguments: JSON.stringify({ todos }) },
    };
  });
  call.write(`${frame({ tool_calls: calls })}${frame({}, 'tool_calls')}data: [DONE]\n\n`);
  call.end();
}

test('a checkpoint that is gone is named by the one after it, and one of no event of the run is drift and read by nobody', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'plan');
  const look = async (query = '') =>
    (await service.ask('GET', `/context/runs/${runID}/replay${query}`)).body as {
      drift: Record<string, boolean>;
      differences: { file: string; field: string; seq: number }[];
      missing_files: string[];
      checkpoint_seq: number | null;
    };
  let asking = call;
  for (let turn = 1; turn <= 3; turn += 1) {
    callMany(asking, turn);
    asking = await service.raw.next();
    // what has happened is written
    await look();
  }
  asking.answer('All planned.');
  await service.kit.engine.finished(runID);
  assert.equal((await look()).drift.mismatch, false);
  const folder = join(folderOf(service, runID), 'checkpoints');
  const names = readdirSync(folder).sort();
  assert.ok(names.length >= 3, names.join(' '));
  for (const name of names.slice(0, -1)) {
    const words = readFileSync(join(folder, name), 'utf8');
    rmSync(join(folder, name));
    const { drift, missing_files } = await look();
    assert.deepEqual(
      [drift.mismatch, drift.missing_files_mismatch, missing_files],
      [true, true, [join('checkpoints', name)]],
    );
    writeFileSync(join(folder, name), words);
  }
  const last = names.at(-1) ?? '';
  const file = (name: string): string => join('checkpoints', name);
  edit(
    file(last),
    /"previous_seq":\d+/,
    `"previous_seq":${Number.parseInt(names[0] ?? '', 10)}`,
  )(join(folder, '..'));
  const named = await look();
  assert.deepEqual(
    named.differences.map((each) => [each.file, each.field]),
    [[file(last), 'previous_seq']],
  );
  rmSync(join(folder, '..'), { recursive: true });
  assert.equal((await look()).drift.mismatch, false);

  // further than the run ever came, and from nobody
  const beyond = `${'999'.padStart(20, '0')}.json`;
  for (const words of [readFileSync(join(folder, readdirSync(folder).sort().at(-1) ?? ''), 'utf8'), '{}']) {
    writeFileSync(join(folder, beyond), words.replace(/"last_event_seq":\d+/g, '"last_event_seq":999'));
    const { drift, differences } = await look();
    assert.deepEqual([drift.mismatch, drift.checkpoints_mismatch], [true, true]);
    assert.ok(differences.every((each) => each.file === file(beyond)));
    const short = await look('?from_checkpoint=true');
    assert.equal(short.drift.checkpoints_mismatch, true);
    assert.ok(Number(short.checkpoint_seq) < 999);
  }
  await service.restart();
  assert.equal((await look()).drift.checkpoints_mismatch, true);
});

test('a replay from a checkpoint says what it did not look at', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  edit('events.jsonl', 'water the plants', 'burn the plants')(folderOf(service, runID));
  const { body } = await service.ask('GET', `/context/runs/${runID}/replay?from_checkpoint=true`);
  assert.deepEqual([body.from_checkpoint, body.drift.mismatch], [true, false]);
  assert.match(body.not_looked_at.join(' '), /Events 1 to \d+, their patches and checkpoints/);
  const until = (await service.ask('GET', `/context/runs/${runID}/replay?upto_seq=2`)).body;
  assert.match(until.not_looked_at.join(' '), /What came after event 2/);
});
