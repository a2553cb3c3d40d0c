// A run that goes on after its process died: what its tools have done stays done, and what may have been done is asked.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PromptOutcome } from '#engine/wire/runs/prompt.ts';
import { until } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openService, type Service } from './http/service-kit.ts';
import { asKilled } from './support/as-killed.ts';
import { finish, requestOf } from './support/asking.ts';
import { only, textBody, watch } from './support/kit.ts';

const server = join(import.meta.dirname, 'support', 'paying-server.ts');

/** A service whose `bank` writes a line for each call; `kill` opens it again as the dead process left it. */
async function openBank(t: TestContext) {
  const ledger = join(tempFolder(t), 'ledger');
  writeFileSync(ledger, '');
  const bank = { command: process.execPath, args: [server], env: { LEDGER: ledger } };
  const policy = { tools: { 'mcp_bank_*': 'allow', mcp_bank_ship: 'ask' }, channels: {} } as const;
  const service = await openService(t, { mcp: { bank }, policy });
  await service.kit.engine.toolsReady();
  let path = join(service.kit.folder, 'engine.sqlite');
  return {
    ...service,
    get kit() {
      return service.kit;
    },
    lines: () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1),
    async kill(changes: Parameters<typeof service.restart>[0] = {}): Promise<void> {
      const image = join(tempFolder(t), 'engine.sqlite');
      asKilled(path, image);
      path = image;
      await service.restart({ ...changes, path });
    },
  };
}
type Bank = Awaited<ReturnType<typeof openBank>>;

/** A run that has paid and asks whether it may ship. */
async function paidAndAsks(bank: Bank, id: string) {
  const { runID, call } = await bank.prompt(id, 'pay 100 and ship the bike');
  call.callTool('mcp_bank_pay', { what: '100' });
  (await bank.raw.next()).callTool('mcp_bank_ship', { what: 'bike' });
  return { runID, request: await requestOf(bank as Service, runID) };
}

function runOf(outcome: PromptOutcome): string {
  assert.notEqual(outcome.status, 'conflict');
  return outcome.status === 'conflict' ? '' : outcome.runID;
}

/** A run whose call was begun and has no result when its process is killed, with a key that repeats its prompt or without one. */
async function inDoubt(
  bank: Bank,
  tool: 'wire' | 'set',
  how: { key?: string | undefined; canAsk?: boolean } = {},
) {
  const { key, canAsk = true } = how;
  const id = await bank.session();
  const body = { ...textBody(`${tool} 100`), canAsk };
  const begun = runOf(await bank.kit.engine.prompt(id, body, { idempotencyKey: key }));
  (await bank.raw.next()).callTool(`mcp_bank_${tool}`, { what: '100' });
  await until('the call to be carried out', () => bank.lines().length === 1);
  await bank.kill();
  if (key === undefined) return begun;
  const again = { idempotencyKey: key, retryInterrupted: true };
  return runOf(await bank.kit.engine.prompt(id, body, again));
}

async function questionOf(bank: Bank) {
  await until('the question', async () => (await bank.ask('GET', '/question')).body.length === 1);
  return (await bank.ask('GET', '/question')).body[0];
}

for (const [reply, shipped] of [
  ['once', 'shipped bike'],
  ['reject', 'did not allow'],
] as const)
  test(`"${reply}" after a kill goes on from the stored result: what was paid is not paid again`, async (t) => {
    const bank = await openBank(t);
    const id = await bank.session();
    const { runID, request } = await paidAndAsks(bank, id);
    await bank.kill();
    const replied = await bank.ask('POST', `/permission/${request.requestID}/reply`, { reply });
    assert.equal(replied.status, 200);
    assert.notEqual(replied.body.runID, runID);
    const { run, told } = await finish(bank as Service, replied.body.runID);
    assert.match(told, new RegExp(`paid 100.*${shipped}`, 's'));
    assert.equal(run.status, 'completed');
    assert.deepEqual(bank.lines(), reply === 'once' ? ['pay 100', 'ship bike'] : ['pay 100']);
    const answer = (await bank.kit.engine.messages(id)).at(-1);
    assert.deepEqual(
      answer?.parts.map((part) => [part.type, part.type === 'tool' ? part.tool : '']),
      [
        ['tool', 'mcp_bank_pay'],
        ['tool', 'mcp_bank_ship'],
        ['text', ''],
      ],
    );
  });

test('an answer to a question after a kill goes on from the stored result, also after a second kill', async (t) => {
  const bank = await openBank(t);
  const id = await bank.session();
  const how = { idempotencyKey: 'k1', retryInterrupted: true };
  const begin = async () => runOf(await bank.kit.engine.prompt(id, textBody('pay 100'), how));
  const runID = await begin();
  const first = await bank.raw.next();
  first.say('I pay first.');
  first.callTool('mcp_bank_pay', { what: '100' });
  const events = bank.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  (await bank.raw.next()).callTool('question', { questions: [{ question: 'Which day?' }] });
  for await (const event of events) if (event.type === 'question.asked') break;
  await bank.kill();
  const { id: asked } = await questionOf(bank);
  await bank.ask('POST', `/question/${asked}/reply`, { answer: 'Friday' });
  await bank.raw.next(); // the model is asked on, and the process dies again
  await bank.kill();
  const { run, told } = await finish(bank as Service, await begin());
  assert.match(told, /I pay first.*paid 100.*Which day.*Friday/s);
  assert.equal(run.text, 'I pay first.\n\nDone.');
  assert.deepEqual(bank.lines(), ['pay 100']);
});

test('whoever follows the run that died gets the run that goes on, to its end', async (t) => {
  const bank = await openBank(t);
  const id = await bank.session();
  const { runID, request } = await paidAndAsks(bank, id);
  await bank.kill();
  const response = await bank.send('GET', `/event?sessionID=${id}&runID=${runID}`);
  const replied = await bank.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'once' });
  const next = await bank.raw.next();
  next.say('All done.');
  next.finish();
  const said = await response.text();
  assert.match(said, new RegExp(`"session.run.started".*"resumes":"${runID}"`));
  assert.match(said, /All done\./);
  assert.match(said, new RegExp(`"session.run.finished"[^\\n]*${replied.body.runID}`));
});

test('whoever waits for the run that died gets the end of the run that goes on', async (t) => {
  const bank = await openBank(t);
  const { runID, request } = await paidAndAsks(bank, await bank.session());
  for (let kills = 0; kills < 2; kills += 1) await bank.kill();
  const dead = await bank.kit.engine.finished(runID);
  assert.deepEqual([dead.runID, dead.status, dead.resumedBy], [runID, 'interrupted', undefined]);
  const { body } = await bank.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'once' });
  await bank.raw.next(); // and it dies once more
  await bank.kill();
  const waited = bank.kit.engine.finished(runID);
  assert.equal((await bank.ask('GET', `/runs/${runID}`)).body.resumedBy, body.runID);
  const { status, resumedBy: last } = (await bank.ask('GET', `/runs/${body.runID}`)).body;
  assert.equal(status, 'interrupted');
  await finish(bank as Service, last);
  const end = await waited;
  assert.deepEqual([end.runID, end.status], [last, 'completed']);
});

for (const [how, key] of [
  ['', undefined],
  [', and a repeat of its key finds it', 'k1'],
] as const)
  test(`a run over HTTP that a kill ends after a call goes on at the start from the stored result${how}`, async (t) => {
    const bank = await openBank(t);
    const id = await bank.session();
    const prompt = async () =>
      runOf(await bank.kit.engine.prompt(id, textBody('pay 100'), { idempotencyKey: key }));
    const runID = await prompt();
    (await bank.raw.next()).callTool('mcp_bank_pay', { what: '100' });
    (await bank.raw.next()).say('It is');
    await bank.kill();
    const goingOn = await bank.raw.next();
    assert.match(JSON.stringify(goingOn.body.messages), /paid 100/);
    const { resumedBy } = (await bank.ask('GET', `/runs/${runID}`)).body;
    if (key !== undefined) assert.equal(await prompt(), resumedBy);
    goingOn.answer('It is paid.');
    const end = await bank.kit.engine.finished(runID);
    assert.deepEqual([end.runID, end.status, end.text], [resumedBy, 'completed', 'It is paid.']);
    assert.deepEqual(bank.lines(), ['pay 100']);
    const shown = await bank.kit.engine.messages(id);
    assert.deepEqual(shown.at(-1)?.parts.at(-1), { type: 'text', text: 'It is paid.' });
  });

test('a request for approval of a run over HTTP waits after a kill too, and where nobody allows it in time the run ends with that', async (t) => {
  const bank = await openBank(t);
  const { runID } = await paidAndAsks(bank, await bank.session());
  await bank.kill();
  assert.equal((await bank.ask('GET', '/permission')).body[0].runID, runID);
  await bank.clock.advance(15 * 60_000);
  const next = await bank.raw.next();
  assert.match(JSON.stringify(next.body.messages), /paid 100.*Nobody allowed the tool mcp_bank_ship/s);
  next.answer('It is not shipped.');
  assert.equal((await bank.kit.engine.finished(runID)).status, 'completed');
  assert.deepEqual(bank.lines(), ['pay 100']);
});

test('an engine that no model answers resumes nothing, and what is answered there waits for the next one', async (t) => {
  const bank = await openBank(t);
  const { runID, request } = await paidAndAsks(bank, await bank.session());
  await bank.kill({ resumes: false });
  const { body } = await bank.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'once' });
  assert.deepEqual([body.runID, await bank.kit.engine.activeRuns()], [runID, []]);
  await bank.kill();
  (await bank.raw.next()).answer('Shipped.');
  assert.equal((await bank.kit.engine.finished(runID)).text, 'Shipped.');
  assert.deepEqual(bank.lines(), ['pay 100', 'ship bike']);
});

test('a run that ends the process each time is begun six times, and a run that had only said something stays as it ended', async (t) => {
  const bank = await openBank(t);
  const id = await bank.session();
  const { runID, call } = await bank.prompt(id, 'pay 100');
  call.callTool('mcp_bank_pay', { what: '100' });
  const words = await bank.prompt(await bank.session(), 'hello');
  words.call.say('Good');
  await bank.raw.next();
  for (let lives = 2; lives <= 6; lives += 1) {
    await bank.kill();
    await bank.raw.next();
  }
  await bank.kill();
  assert.deepEqual(await bank.kit.engine.activeRuns(), []);
  assert.equal((await bank.kit.engine.listRuns({ sessionID: id, limit: 9, offset: 0 })).total, 6);
  assert.equal((await bank.kit.engine.finished(runID)).status, 'interrupted');
  assert.deepEqual(
    [(await bank.kit.engine.finished(words.runID)).runID, bank.lines()],
    [words.runID, ['pay 100']],
  );
});

for (const [how, key] of [
  ['', 'k1'],
  [', of a run that nobody asks for again too', undefined],
] as const)
  test(`a call that was begun and has no result is not made again unless the person says so${how}`, async (t) => {
    for (const [answer, lines, told] of [
      ['Try again', 2, /transferred 100/],
      ['Skip it', 1, /not known whether/],
    ] as const) {
      const bank = await openBank(t);
      const runID = await inDoubt(bank, 'wire', { key });
      const asked = await questionOf(bank);
      assert.match(asked.questions[0].question, /mcp_bank_wire.*100.*may have run/s);
      assert.deepEqual(asked.questions[0].options, ['Try again', 'Skip it', 'Stop']);
      assert.equal(bank.lines().length, 1, 'nothing is repeated before the answer');
      await bank.ask('POST', `/question/${asked.id}/reply`, { answer });
      const end = await finish(bank as Service, runID);
      assert.deepEqual([end.run.status, bank.lines().length], ['completed', lines]);
      assert.match(end.told, told);
    }
  });

test('an answer about a call that is none of the choices is refused with the choices, by either route, and nothing is decided', async (t) => {
  const bank = await openBank(t);
  const runID = await inDoubt(bank, 'wire');
  const { id, sessionID } = await questionOf(bank);
  for (const path of [`/question/${id}/reply`, `/sessions/${sessionID}/questions/${id}/answer`])
    for (const answer of ['banana', ['yes'], '', '1']) {
      const { status, body } = await bank.ask('POST', path, { answer });
      assert.deepEqual([status, body.code], [400, 'INVALID_ANSWER'], JSON.stringify(body));
      assert.match(body.error, /one of "Try again", "Skip it", "Stop", got "/);
    }
  assert.equal((await bank.ask('GET', '/question')).body[0].id, id, 'it still waits');
  const answered = await bank.ask('POST', `/question/${id}/reply`, { answer: ' try again ' });
  assert.equal(answered.status, 200, JSON.stringify(answered.body));
  await finish(bank as Service, runID);
  assert.equal(bank.lines().length, 2);
});

test('"Stop" ends the run, and the model is not asked again', async (t) => {
  const bank = await openBank(t);
  const runID = await inDoubt(bank, 'wire');
  const asked = await questionOf(bank);
  await bank.ask('POST', `/question/${asked.id}/reply`, { answer: 'Stop' });
  const run = await bank.kit.engine.finished(runID);
  assert.equal(run.status, 'cancelled');
  assert.equal(bank.lines().length, 1);
});

test('a call of a tool that says that it is idempotent is made again, and nobody is asked', async (t) => {
  const bank = await openBank(t);
  const end = await finish(bank as Service, await inDoubt(bank, 'set'));
  assert.match(end.told, /set 100/);
  assert.equal(bank.lines().length, 2);
});

test('where nobody can be asked the model learns that the call may have run', async (t) => {
  const bank = await openBank(t);
  const end = await finish(bank as Service, await inDoubt(bank, 'wire', { canAsk: false }));
  assert.match(end.told, /not known whether/);
  assert.equal(bank.lines().length, 1);
});

test('a run that is closed in the middle of a call is one whose call may have run', async (t) => {
  const bank = await openBank(t);
  const id = await bank.session();
  const seen = watch(t, bank.kit.engine, { sessionID: id });
  await bank.kit.engine.prompt(id, textBody('wire 100'));
  (await bank.raw.next()).callTool('mcp_bank_wire', { what: '100' });
  await until('the call to be carried out', () => bank.lines().length === 1);
  await bank.restart();
  assert.equal(only(seen.seen, 'session.run.finished').length, 1);
  await questionOf(bank);
  assert.equal(bank.lines().length, 1);
});

test('the next prompt of a conversation shows what an answer had done that was broken off after a kill', async (t) => {
  const bank = await openBank(t);
  const id = await bank.session();
  const { runID, call } = await bank.prompt(id, 'pay 100');
  call.callTool('mcp_bank_pay', { what: '100' });
  const writing = await bank.raw.next();
  writing.say('It is');
  await bank.kill();
  (await bank.raw.next()).refuse(401, { error: { message: 'no' } });
  assert.equal((await bank.kit.engine.finished(runID)).status, 'error');
  const { call: next } = await bank.prompt(id, 'go on please');
  const shown = JSON.stringify(next.body.messages);
  assert.match(shown, /mcp_bank_pay.*tool_call_id.*broken off/s);
  assert.doesNotMatch(shown, /No answer was given/);
  next.say('It is paid.');
  next.finish();
  assert.equal(bank.lines().length, 1);
});
