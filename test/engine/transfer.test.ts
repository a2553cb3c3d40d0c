// All conversations leave as files and come back as they were.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createEngine } from '#engine/engine.ts';
import { exportAll, importAll } from '#engine/transfer.ts';
import { createMemory } from '#memory/memory.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ask, begin, converse, openKit, originOf, textBody, watch } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

const clock = systemClock;
const names = ['missions.json', 'questions.json', 'session_meta.json', 'sessions.json'];

/** A home with everything that a conversation can hold, closed, and its export. */
async function lived(t: TestContext) {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings, policy: { tools: { todo_read: 'deny' } } });
  const { engine } = kit;
  const say = async (text: string) => {
    const call = await raw.next();
    call.say(text);
    call.finish();
  };
  const chat = await engine.createSession({ sourceKind: 'channel', sourceMetadata: { chat: 'x' } });
  const spoken = converse(engine, chat.id, textBody('Żółw, 日本語 and "quotes"', originOf()));
  await say('I know.');
  await spoken;
  const busy = await engine.createSession({ title: 'Tools', projectID: 'p', directory: '/w' });
  const working = ask(engine, busy.id, 'work');
  (await raw.next()).callTool('todo_write', { todos: [{ id: 'a', content: 'tea', status: 'pending' }] });
  (await raw.next()).callTool('todo_read', {});
  (await raw.next()).callTool('artifact', { name: 'a.txt', content: 'hello' });
  await say('Done.');
  const done = await working;
  assert.equal(done.status, 'completed');
  const more = ask(engine, busy.id, 'more');
  await say('More.');
  await more;
  const second = (await engine.messages(busy.id))[2]?.info.id ?? '';
  await engine.revertSession({ sessionID: busy.id, messageID: second });
  await engine.updateSession({ sessionID: busy.id, archived: true, shared: true });
  await engine.forkSession({ sessionID: busy.id }, { idempotencyKey: 'fork' });
  await engine.attachSession({ sessionID: busy.id, target_workspace: '/boats', reason_tag: 'moved' });
  const empty = await engine.createSession({});
  await engine.attachSession({ sessionID: empty.id, target_workspace: '/boats' });
  await engine.appendMessage(
    { sessionID: empty.id, parts: [{ type: 'text', text: 'Petrel' }] },
    { idempotencyKey: 'said' },
  );
  const asking = await engine.createSession({ title: 'Asking' });
  const seen = watch(t, engine, { sessionID: asking.id });
  await begin(engine, asking.id, textBody('ask me'));
  (await raw.next()).callTool('question', { questions: [{ question: 'Tea?', options: ['yes', 'no'] }] });
  await seen.until(({ type }) => type === 'question.asked');
  await engine.close();
  const folder = join(kit.folder, 'out');
  const path = join(kit.folder, 'engine.sqlite');
  const report = await exportAll({ path, folder, clock });
  return { kit, folder, report, ids: { chat: chat.id, busy: busy.id, asking: asking.id } };
}

const filesIn = (folder: string) =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

test('an export imported into an empty home is exported again byte by byte, and a second import changes nothing', async (t) => {
  const { folder, report } = await lived(t);
  assert.deepEqual(report, { sessions: 5, questions: 1, missions: 0 });
  assert.deepEqual(readdirSync(folder).sort(), names);
  const home = tempFolder(t);
  const path = join(home, 'engine.sqlite');
  const progress: number[] = [];
  const imported = await importAll({ path, folder, clock, onSession: ({ done }) => progress.push(done) });
  assert.deepEqual(imported, {
    sessions: { stored: 5, present: 0 },
    questions: { stored: 1, present: 0 },
    missions: { stored: 0, present: 0 },
  });
  assert.deepEqual(progress, [1, 2, 3, 4, 5]);
  const again = join(home, 'again');
  await exportAll({ path, folder: again, clock });
  assert.deepEqual(filesIn(again), filesIn(folder));
  assert.deepEqual(await importAll({ path, folder, clock }), {
    sessions: { stored: 0, present: 5 },
    questions: { stored: 0, present: 1 },
    missions: { stored: 0, present: 0 },
  });
  await exportAll({ path, folder: again, clock });
  assert.deepEqual(filesIn(again), filesIn(folder));
});

test('what was imported is lived on in: messages, to-dos, reverts, usage, and the question that waits', async (t) => {
  const { folder, ids } = await lived(t);
  const home = tempFolder(t);
  const path = join(home, 'engine.sqlite');
  await importAll({ path, folder, clock });
  const newId = createIds(clock);
  const memory = createMemory({ path: join(home, 'memory.sqlite'), clock, newId });
  const engine = await createEngine({
    path,
    clock,
    newId,
    log: quietLog().log,
    memory,
    sharing: 'space',
    model: { provider: 'offline' },
    agent: { name: 'parley', systemPrompt: 'You are Parley.' },
  });
  t.after(async () => {
    await engine.close();
    await memory.close();
  });
  const [said, answer] = await engine.messages(ids.chat);
  assert.deepEqual(said?.parts, [{ type: 'text', text: 'Żółw, 日本語 and "quotes"' }]);
  assert.deepEqual(answer?.parts, [{ type: 'text', text: 'I know.' }]);
  const tools = (await engine.messages(ids.busy))[1]?.parts.filter(({ type }) => type === 'tool') ?? [];
  assert.equal(tools.length, 3);
  assert.ok(tools[1]?.type === 'tool' && tools[1].error !== undefined);
  assert.equal((await engine.unrevertSession({ sessionID: ids.busy })).archived, true);
  assert.equal((await engine.messages(ids.busy)).length, 4);
  assert.deepEqual(await engine.todos({ sessionID: ids.busy }), [
    { id: 'a', content: 'tea', status: 'pending' },
  ]);
  assert.ok((await engine.usage({ by: 'session', limit: 10 })).length >= 3);
  const [question] = await engine.questions();
  assert.equal(question?.questions[0]?.question, 'Tea?');
  await engine.replyQuestion({ requestID: question?.id ?? '', answer: ['yes'] });
  const [revived] = (await engine.listRuns({ sessionID: ids.asking, limit: 1, offset: 0 })).runs;
  assert.equal((await engine.finished(revived?.runID ?? '')).status, 'completed');
});

test('files of the bare shape, without what the wire leaves out, are imported too', async (t) => {
  const home = tempFolder(t);
  const session = {
    id: 'ses_old',
    title: 'Old',
    time: { created: 10, updated: 20 },
    messages: [
      {
        info: { id: 'msg_1', sessionID: 'ses_old', role: 'user', time: { created: 11, completed: 11 } },
        parts: [{ type: 'text', text: 'hello' }],
      },
      {
        info: { id: 'msg_2', sessionID: 'ses_old', role: 'assistant', time: { created: 12, completed: 13 } },
        parts: [
          { type: 'tool', tool: 'read', args: {}, result: 'x' },
          { type: 'tool', tool: 'read', args: {}, error: 'no' },
          { type: 'text', text: 'hi' },
        ],
      },
    ],
  };
  writeFileSync(join(home, 'sessions.json'), JSON.stringify([session]));
  const path = join(home, 'engine.sqlite');
  const { sessions } = await importAll({ path, folder: home, clock });
  assert.equal(sessions.stored, 1);
  const folder = join(home, 'out');
  await exportAll({ path, folder, clock });
  const [out] = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'));
  // how a call ended follows from its result or its error
  const [done, failed, text] = session.messages[1]?.parts ?? [];
  const told = [{ ...done, state: 'completed' }, { ...failed, state: 'failed' }, text];
  assert.deepEqual(out.messages[1].parts, told);
  assert.deepEqual(
    { ...out, messages: [out.messages[0], { ...out.messages[1], parts: session.messages[1]?.parts }] },
    session,
  );
});

test('a broken file is reported by its name and the path of the fault, and nothing is written', async (t) => {
  const { folder, ids } = await lived(t);
  const whole = filesIn(folder);
  const sessions = JSON.parse(whole['sessions.json'] ?? '');
  const meta = JSON.parse(whole['session_meta.json'] ?? '');
  const questions = JSON.parse(whole['questions.json'] ?? '');
  const change = <T>(value: T, work: (copy: T) => void): T => {
    const copy = structuredClone(value);
    work(copy);
    return copy;
  };
  const bad: [name: string, content: unknown, words: RegExp][] = [
    ['sessions.json', (whole['sessions.json'] ?? '').slice(0, -20), /^sessions\.json is not valid JSON/],
    ['sessions.json', change(sessions, (all) => delete all[1].title), /^sessions\.json: 1\.title: /],
    [
      'sessions.json',
      change(sessions, (all) => {
        all[1].messages[0].info.role = 'king';
      }),
      /^sessions\.json: 1\.messages\.0\.info\.role: /,
    ],
    ['sessions.json', change(sessions, (all) => all.push(all[0])), /^sessions\.json: 5\.id: .*stands twice/],
    [
      'session_meta.json',
      change(meta, (all) => {
        all.ses_x = {};
      }),
      /^session_meta\.json: ses_x: there is no such session/,
    ],
    [
      'session_meta.json',
      change(meta, (all) => {
        all[ids.busy].snapshots[0].messageIDs[0] = 'msg_x';
      }),
      /^session_meta\.json: ses_\w+\.snapshots\.0\.messageIDs: the session has no message "msg_x"/,
    ],
    [
      'session_meta.json',
      change(meta, (all) => {
        all[ids.busy].runs[0].artifacts[0].path = 'artifacts/run/..';
      }),
      /^session_meta\.json: ses_\w+\.runs\.0\.artifacts\.0\.path: /,
    ],
    [
      'questions.json',
      change(questions, (all) => {
        all[0].state = 'odd';
      }),
      /^questions\.json: 0\.state: /,
    ],
    [
      'questions.json',
      change(questions, (all) => {
        all[0].sessionID = 'ses_x';
      }),
      /^questions\.json: 0\.sessionID: /,
    ],
  ];
  for (const [name, content, words] of bad) {
    const place = tempFolder(t);
    mkdirSync(join(place, 'in'));
    for (const each of names) writeFileSync(join(place, 'in', each), whole[each] ?? '');
    writeFileSync(join(place, 'in', name), typeof content === 'string' ? content : JSON.stringify(content));
    const path = join(place, 'engine.sqlite');
    await assert.rejects(importAll({ path, folder: join(place, 'in'), clock }), (error: Error) => {
      assert.match(error.message, words);
      assert.match(error.message, /Nothing was imported\.$/);
      return true;
    });
    const out = join(place, 'out');
    assert.deepEqual(await exportAll({ path, folder: out, clock }), {
      sessions: 0,
      questions: 0,
      missions: 0,
    });
  }
  const empty = tempFolder(t);
  await assert.rejects(importAll({ path: join(empty, 'engine.sqlite'), folder: empty, clock }), {
    code: 'broken_import',
  });
});

test('what does not fit what is here already leaves all of it as it was', async (t) => {
  const { folder } = await lived(t);
  const home = tempFolder(t);
  const path = join(home, 'engine.sqlite');
  const sessions = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'));
  const single = join(home, 'alone');
  mkdirSync(single);
  // Another session has one of the messages.
  const other = structuredClone(sessions[0]);
  other.id = 'ses_other';
  for (const { info } of other.messages) info.sessionID = 'ses_other';
  writeFileSync(join(single, 'sessions.json'), JSON.stringify([other]));
  await importAll({ path, folder: single, clock });
  await assert.rejects(importAll({ path, folder, clock }), { code: 'broken_import' });
  assert.deepEqual(await exportAll({ path, folder: join(home, 'out'), clock }), {
    sessions: 1,
    questions: 0,
    missions: 0,
  });
});
