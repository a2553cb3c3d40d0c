// What a prompt may ask for on Tandem's wire, as the model is asked in the end: options, files of text, and what came before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as made from '../../support/documents.ts';
import type { RawCall } from '../support/raw-provider.ts';
import { openService, type Service } from './service-kit.ts';

type Parts = readonly Record<string, unknown>[];

const words = (text: string): Parts => [{ type: 'text', text }];

/** Prompts with these options and gives the provider's call. */
async function asked(service: Service, id: string, body: Record<string, unknown>) {
  const calling = service.raw.next();
  const started = await service.ask('POST', `/session/${id}/prompt_async?return=run`, body);
  assert.equal(started.status, 202, JSON.stringify(started.body));
  return { call: await calling, runID: started.body.runID as string };
}

/** Who said what in a call, without the system prompt. */
const said = ({ body }: RawCall): [string, unknown][] =>
  body.messages.slice(1).map(({ role, content }) => [role, content]);

test('tool_mode, context_mode, temperature, top_p and max_tokens reach the model', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  await service.exchange(id, 'The first of many words.', 'Noted.');
  for (let index = 0; index < 8; index += 1) await service.exchange(id, `More ${index}.`, 'Noted.');
  const options = { temperature: 0.2, top_p: 0.9, max_tokens: 300, context_mode: 'compact' };
  const { call, runID } = await asked(service, id, {
    parts: words('What is to do?'),
    tool_mode: 'required',
    ...options,
  });
  const { temperature, top_p, max_tokens, tool_choice } = call.body;
  assert.deepEqual([temperature, top_p, max_tokens, tool_choice], [0.2, 0.9, 300, 'required']);
  assert.equal(said(call).length, 13, 'twelve messages and the question');
  call.callTool('todo_read', {});
  const second = await service.raw.next();
  assert.equal(second.body.tool_choice, 'auto', 'one call is enough');
  second.say('Nothing.');
  second.finish();
  await service.kit.engine.finished(runID);
  const full = await asked(service, id, { parts: words('And now?'), context_mode: 'full' });
  assert.match(JSON.stringify(said(full.call)), /The first of many words/);
  full.call.finish();
});

test('a run that has to call a tool and has none fails with a message', async (t) => {
  const service = await openService(t, { agent: { name: 'a', systemPrompt: 'x', tools: [] } });
  const id = await service.session();
  const { body } = await service.ask('POST', `/session/${id}/prompt_async?return=run`, {
    parts: words('Hello'),
    tool_mode: 'required',
  });
  const run = await service.kit.engine.finished(body.runID);
  assert.equal(run.failure?.message, 'This answer was to use a tool, and none may be used here.');
});

test('a file of text in a prompt reaches the model as text, in every form of its URL, and cannot speak as the person', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
  const file = (filename: string, mime: string, url: string) => ({ type: 'file', filename, mime, url });
  const { call, runID } = await asked(service, id, {
    parts: [
      ...words('What is in these?'),
      file('plan.txt', 'text/plain', `data:text/plain;base64,${base64('The größte boat is blue.')}`),
      file('plan.md', 'text/markdown; charset=utf-8', 'data:text/markdown,The%20mast%20is%20red.'),
      file('plan.json', 'application/json', `data:application/json;base64,${base64('{"sail":"white"}')}`),
      file('noise.txt', 'text/plain', `data:text/plain;base64,${base64(new Uint8Array([0, 1, 2, 255]))}`),
    ],
  });
  const [[, content] = []] = said(call);
  const shown = JSON.stringify(content);
  for (const part of [
    'größte boat is blue',
    'mast is red',
    'sail',
    'plan.txt (text/plain)',
    'end of the file',
  ])
    assert.ok(shown.includes(part), part);
  assert.match(shown, /all up to the mark [0-9a-f]{16} is the file, not the person/);
  assert.match(shown, /a file that cannot be read here: noise\.txt/);
  call.say('A boat.');
  call.finish();
  await service.kit.engine.finished(runID);
  const later = await asked(service, id, { parts: words('Again?') });
  assert.match(JSON.stringify(said(later.call)), /größte boat is blue/, 'the next prompt shows it too');
});

test('the text of a document in a prompt reaches a model that takes no files, or the reason why there is none (R27, R28)', async (t) => {
  const service = await openService(t);
  const office = 'application/vnd.openxmlformats-officedocument';
  const file = (filename: string, mime: string, bytes: Uint8Array) => ({
    ...{ type: 'file', filename, mime },
    url: `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`,
  });
  const ask = async (parts: Parts): Promise<string> => {
    const { call, runID } = await asked(service, await service.session(), { parts });
    call.say('Seen.');
    call.finish();
    await service.kit.engine.finished(runID);
    return JSON.stringify(said(call));
  };
  const shown = await ask([
    ...words('What is in these?'),
    file('paper.pdf', 'application/pdf', made.pdfOf(['On page one', 'On page two'])),
    file('report.docx', `${office}.wordprocessingml.document`, made.report),
    file('prices.xlsx', 'application/octet-stream', made.workbook),
    file('cafe.rtf', 'text/rtf', made.rtf),
  ]);
  for (const text of [/\[page 2\]\\nOn page two/, /7 or 8/, /Milk \| 2024-01-01/, /Café – closed/])
    assert.match(shown, text);
  assert.match(
    shown,
    /paper\.pdf \(application\/pdf\), its text; all up to the mark [0-9a-f]{16} is the file/,
  );
  const unread = await ask([
    ...words('And these?'),
    file('secret.pdf', 'application/pdf', made.lockedPdf),
    file('torn.docx', `${office}.wordprocessingml.document`, made.report.subarray(0, 700)),
    file(
      'bomb.docx',
      `${office}.wordprocessingml.document`,
      made.docx(`<w:p>${' '.repeat(80 * 2 ** 20)}</w:p>`),
    ),
  ]);
  assert.match(unread, /because it is protected with a password: secret\.pdf/);
  assert.match(unread, /because it is damaged or not whole: torn\.docx/);
  assert.match(unread, /because it unpacks to far more than a document has: bomb\.docx/);
});

test('a long file of text is cut, and the model sees how much is missing', async (t) => {
  const service = await openService(t);
  const url = `data:text/plain;base64,${Buffer.from('x'.repeat(50_000)).toString('base64')}`;
  const { call } = await asked(service, await service.session(), {
    parts: [{ type: 'file', mime: 'text/plain', filename: 'long.txt', url }],
  });
  assert.match(JSON.stringify(said(call)), /the rest of the file, 10000 characters, was left out/);
});

test('after a failed run the next prompt says that there was no answer, so that no two messages of people follow each other', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { call, runID } = await service.prompt(id, 'What is the tide?');
  call.refuse(400, { error: { message: 'no' } });
  (await service.raw.next()).refuse(400, { error: { message: 'not without tools either' } });
  await service.kit.engine.finished(runID);
  const next = await service.prompt(id, 'And tomorrow?');
  assert.deepEqual(
    said(next.call).map(([role]) => role),
    ['user', 'assistant', 'user'],
  );
  assert.match(JSON.stringify(said(next.call)[1]), /No answer was given/);
});

test('what a cancelled answer had said is in the next prompt, with a note that it broke off', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { call } = await service.prompt(id, 'Tell me of the tide.');
  call.say('It turns at nine, and then ');
  const { events } = service.kit.engine;
  const stop = new AbortController();
  for await (const event of events({ sessionID: id, unfinished: true }, stop.signal)) {
    if (event.type === 'message.part.updated' && JSON.stringify(event).includes('turns at nine')) break;
  }
  await service.ask('POST', `/session/${id}/cancel`);
  const next = await service.prompt(id, 'Go on.');
  const [, [role, content] = []] = said(next.call);
  assert.equal(role, 'assistant');
  assert.match(JSON.stringify(content), /It turns at nine, and then .*This answer was cancelled here/);
  assert.equal(said(next.call).length, 3);
});
