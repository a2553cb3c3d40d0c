// What chat commands ask of the engine is answered alike in this process and over HTTP, also where the first answer to every request is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { memoryPut } from '#engine/wire/memory/memory-govern.ts';
import { arrangements } from './engines.ts';

const channel = { sourceKind: 'channel' } as const;

for (const { name, open } of arrangements)
  test(`sessions by id, titles, memory, who answers with which tools, sums: ${name}`, async (t) => {
    const { engine } = await open(t);
    const key = (what: string): string => `${what} of this test`;

    const { id } = await engine.createSession({ ...channel, title: key('first') });
    const other = await engine.createSession({ ...channel, title: key('other') });
    await engine.updateSession({ sessionID: id, title: key('renamed') });
    const page = { limit: 10, offset: 0 };
    const found = await engine.findSessions({ ids: [id, 'ses_none'], ...page });
    assert.deepEqual(
      found.sessions.map((session) => [session.id, session.title]),
      [[id, key('renamed')]],
    );
    assert.deepEqual((await engine.findSessions({ ids: [], ...page })).sessions, []);
    assert.deepEqual(await engine.messages(other.id), []);
    const audience = `person:${key('p')}` as const;
    const text = `the gate code of ${key('x')} is 4711`;
    const saved = await engine.putMemory(
      memoryPut.parse({ content: text, kind: 'note', audience, private: true }),
    );
    assert.equal(saved.id !== null, true);
    assert.deepEqual(
      (await engine.listMemory({ audience, limit: 5, offset: 0 })).items.map(({ content }) => content),
      [text],
    );
    assert.equal((await engine.searchMemory({ query: 'gate code', audience, limit: 5 })).results.length, 1);
    await engine.deleteMemory({ id: saved.id ?? '', audience }).catch((error: unknown) => {
      assert.equal(codeOf(error), 'memory_not_found', 'where the answer was lost, it is gone already');
    });
    assert.deepEqual((await engine.listMemory({ audience, limit: 5, offset: 0 })).items, []);
    await engine.putMemory(memoryPut.parse({ content: `tagged ${text}`, audience, tags: ['gates'] }));
    const tagged = { audience, tag: 'gates', reason: 'asked' };
    const shown = await engine.forgetMemory({ ...tagged, apply: false });
    assert.deepEqual(
      [shown.applied, shown.entries, shown.samples.map(({ content }) => content)],
      [false, 1, [`tagged ${text}`]],
    );
    await engine.forgetMemory({ ...tagged, apply: true });
    assert.equal((await engine.forgetMemory({ ...tagged, apply: false })).entries, 0);
    const of = { persons: [key('q')] };
    const said = { person: key('q'), platform: 'discord', chat: 'discord:dm:1:-:2:-', message_ids: ['m1'] };
    await engine.putMemory(memoryPut.parse({ content: `of ${text}`, audience, said }));
    const texts = async () => (await engine.exportContent(of)).memories.map((memory) => memory.text);
    assert.deepEqual(await texts(), [`of ${text}`]);
    assert.equal((await engine.forgetContent({ of, apply: false })).memories, 1);
    await engine.forgetContent({ of, apply: true, reason: 'asked' });
    assert.deepEqual(await texts(), []);
    const { agent, agents, tools } = await engine.abilities({ platform: 'discord' });
    assert.ok(agents.some(({ name }) => name === agent));
    assert.equal(tools.find(({ name }) => name === 'todo_read')?.verdict, 'ask');
    assert.equal(tools.find(({ name }) => name === 'memory_search')?.verdict, 'allow');
    await assert.rejects(engine.abilities({ agent: 'nobody' }), (error) => codeOf(error) === 'unknown_agent');
    const looks = { counts: null, refusal: 'off' as const, last: null };
    assert.deepEqual(await engine.activeMemory({ chat: said.chat }), looks);
    assert.deepEqual(await engine.activeMemory({}), { ...looks, refusal: null });
    assert.deepEqual(await engine.usage({ by: 'session', sessionID: other.id, limit: 1 }), []);
  });

for (const { name, open } of arrangements)
  test(`a conversation is summarized with what is to be kept, and its prompt has sizes: ${name}`, async (t) => {
    const { engine, raw } = await open(t);
    const { id } = await engine.createSession({ ...channel, title: 'sizes' });
    await assert.rejects(
      engine.sessionContext({ sessionID: id }),
      (error) => codeOf(error) === 'prompt_not_found',
    );
    await assert.rejects(
      engine.summarizeSession({ sessionID: id }),
      (error) => codeOf(error) === 'nothing_to_summarize',
    );
    const answered = async (words: string) => (await raw.next()).answer(words);
    for (const text of ['The lamp is green.', 'The shed is red.']) {
      const idempotencyKey = text.replaceAll(' ', '-');
      const outcome = await engine.prompt(id, { parts: [{ type: 'text', text }] }, { idempotencyKey });
      assert.ok('runID' in outcome);
      await Promise.all([answered('Noted.'), engine.finished(outcome.runID)]);
    }
    const summarize = () =>
      engine.summarizeSession({ sessionID: id, keep: 'colours' }, { idempotencyKey: 'once' });
    const [made] = await Promise.all([summarize(), answered('The lamp is green.')]);
    assert.equal(made.text, 'The lamp is green.');
    assert.equal(made.messages, 2);
    assert.deepEqual(await summarize(), made, 'once, however often it is asked');
    const { sections, tokens, summary } = await engine.sessionContext({ sessionID: id });
    assert.equal(sections[0]?.name, 'Instructions');
    assert.equal(sections[1]?.name, 'Tools');
    assert.equal(
      tokens,
      sections.reduce((sum, section) => sum + section.tokens, 0),
    );
    const failing = engine.summarizeSession({ sessionID: id, keep: 'sizes' });
    (await raw.next()).refuse(400, { error: { message: 'no' } });
    await assert.rejects(failing, (error) => codeOf(error) === 'summary_failed');
    assert.deepEqual(summary, { messages: 2, createdAtMs: made.createdAtMs });
  });
