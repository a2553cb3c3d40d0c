// Every tool of MCP, with tokens of random owners over random entries: nothing of an owner in what another one gets, results, counts and errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { createMcpServer } from '#adapters/mcp/server.ts';
import { mcpTools } from '#adapters/mcp/tool.ts';
import { createSecrets } from '#base/secrets.ts';
import { createAgents } from '#engine/context/agents.ts';
import { createReaderCalls } from '#engine/memory-api/reader-calls.ts';
import type { Reader } from '#engine/wire/memory/reader.ts';
import { openJournal } from '../memory/journal/journal-kit.ts';
import { clockOf } from '../support/clock-of.ts';
import { ranStatements } from '../support/plans.ts';
import { quietLog } from '../support/quiet-log.ts';
import { type Answer, session } from './mcp-kit.ts';

const names = ['anna', 'bela', 'cleo'] as const;
type Name = (typeof names)[number];
const rooms = ['room:open', 'room:closed'] as const;
/** What an agent with its own memory noted for each person: no token of a person reads it. */
const owns = names.map((name) => `own:${name}`);
/** A word that is in nothing but what this owner wrote. */
const wordOf = (of: string): string => `word${of.replace(/[^a-z]/g, '')}marker`;
const agent = { agent_id: 'coder' };

interface Held {
  agent: string | undefined;
  reader: Reader;
}

function readerOf(name: Name, may: readonly (typeof rooms)[number][]): Held {
  const audience = `person:${name}`;
  return {
    agent: undefined,
    reader: {
      ...{ platform: 'mcp', chat: 'mcp', kind: 'dm', audience, restricted: true },
      ...{ speaker: { person: name, name }, outsiders: true },
      reach: { audiences: [audience, ...may], spaces: [] },
    },
  };
}

/** Arguments for every tool: words of every owner, and ids of everything that was written. */
function argumentsFor(tool: string, { id, word }: { id: string; word: string }): Answer {
  const item = { title: 'T', body: 'b' };
  const known: Record<string, Answer> = {
    get_memory_bundle: { ...agent, intent: word },
    close_session: { ...agent, ...session(`k${id}`), inherited: [{ id, action: 'resolved' }] },
    add_session_element: { ...agent, kind: 'thread', title: 'T' },
    update_session_element: { ...agent, element_id: id, action: 'resolved' },
    list_session_elements: { ...agent, kind: 'thread' },
    list_sessions: { ...agent },
    list_projects: {},
    list_agents: {},
    search_sessions: { query: word },
    get_session: { lineage_id: id },
    record_lesson: { ...agent, task_type: 't', lesson_kind: 'pattern', lesson: 'A lesson.' },
    deprecate_lesson: { ...agent, lesson_id: id },
    get_lessons: agent,
    record_touchstone: { ...agent, type: 't', title: 't', felt_weight: 1, fact: 'A fact.' },
    link_touchstone: { ...agent, touchstone_id: id, session_lineage: id },
    get_touchstones: agent,
    create_conversation: { ...agent, ...item },
    add_conversation_entry: { ...agent, conversation_id: id, entry_type: 't', author: 'a', body: 'b' },
    get_conversation: { conversation_id: id },
    search_conversations: { query: word, mode: 'forms' },
    put_build: { ...agent, key: 'k', title: 't', status: 'active' },
    get_build: { build_id: id },
    search_t4: { query: word },
    get_t4_entry: { project_slug: 'p', entry_type: 't', entry_id: 'shared' },
    put_t4_entry: { ...agent, project_slug: 'p', entry_type: 't', entry_id: 'other', title: 't', body: 'b' },
    forget_journal_entries: { ids: [id] },
    memory_search: { query: word },
    memory_get: { path: 'MEMORY.md' },
    memory_create: { content: 'Something new.' },
    memory_read: { id },
    memory_update: { id, content: 'It is changed.' },
    memory_lookup: { tag: word },
    memory_report: { id, outcome: 'failure', note: 'It broke.' },
    memory_delete: { id },
    memory_forget: { words: word, mode: 'forget' },
    memory_verify: { ids: [id] },
    memory_feedback: {},
  };
  const args = known[tool];
  assert.ok(args, `no arguments for ${tool}`);
  return args;
}

/** What a client gets of a call, errors included, as JSON. */
async function answerOf(client: Client, tool: string, args: Answer): Promise<string> {
  const result = await client.callTool({ name: tool, arguments: args });
  return JSON.stringify(result);
}

test('no tool of MCP shows, counts or changes what its token may not read, whatever it is called with (P14)', async (t) => {
  const { memory, journal, path } = openJournal(t);
  const options = {
    memory,
    sharing: () => 'space' as const,
    agents: createAgents([{ name: 'Parley', systemPrompt: '' }]),
    policy: { tools: {}, channels: {} },
    secrets: createSecrets([]),
    clock: clockOf(() => 1_000),
    feedback: () => [],
    propose: () => Promise.reject(new Error('no tool proposes')),
  };
  const engine = createReaderCalls(options);
  const connect = async ({ agent: own, reader }: Held): Promise<Client> => {
    const server = createMcpServer(
      { agent: own, reader, readOnly: false },
      { engine, version: '1', newId: (prefix) => `${prefix}_1`, log: quietLog().log },
    );
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await server.connect(theirs);
    await client.connect(ours);
    t.after(() => client.close());
    return client;
  };
  /** Everything of one owner, with the owner's word in it; the ids of it. */
  const fill = async (of: string, client: Client): Promise<string[]> => {
    const word = wordOf(of);
    const item = [{ title: word, body: word }];
    const all = [
      [
        'close_session',
        {
          ...agent,
          ...session('one', {
            title: word,
            summary: word,
            decisions: item,
            threads: item,
            steps: item,
            context: item,
          }),
        },
      ],
      ['record_lesson', { ...agent, task_type: word, lesson_kind: 'gotcha', lesson: word }],
      ['record_touchstone', { ...agent, type: 't', title: word, felt_weight: 9, fact: word }],
      ['create_conversation', { ...agent, title: word, topic: word }],
      ['put_build', { ...agent, key: 'own', title: word, status: 'active' }],
      [
        'put_t4_entry',
        { ...agent, project_slug: 'p', entry_type: 't', entry_id: 'shared', title: word, body: word },
      ],
      ['memory_create', { content: `The secret of it is ${word}.` }],
      ...(['fact', 'preference', 'procedure'] as const).map(
        (kind) =>
          [
            'memory_create',
            { content: `The ${kind} of it is ${word}.`, kind, key: `${word} ${kind}`, tags: [word] },
          ] as const,
      ),
    ] as const;
    const ids: string[] = [];
    for (const [tool, args] of all)
      ids.push(...((await answerOf(client, tool, args)).match(/(?:jnl|mem)_\w{20,}/g) ?? []));
    ids.push(...((await answerOf(client, 'get_memory_bundle', agent)).match(/(?:jnl|mem)_\w{20,}/g) ?? []));
    return [...new Set(ids)];
  };
  const ids = new Map<string, string[]>();
  for (const name of names) {
    const client = await connect(readerOf(name, []));
    ids.set(name, await fill(name, client));
    assert.ok((ids.get(name)?.length ?? 0) >= 10);
  }
  for (const room of rooms) {
    const caller = {
      scope: { audiences: [room], spaces: [], everyone: false },
      where: { audience: room, restricted: true },
      ...{ platform: 'discord', by: { name: 'gateway' } },
    };
    const word = wordOf(room);
    const { id } = await journal.recordLesson(caller, {
      agentID: 'coder',
      taskType: word,
      lessonKind: 'gotcha',
      lesson: word,
    });
    ids.set(room, [id]);
  }
  for (const [at, name] of names.entries()) {
    const place = { audience: `person:${name}` as const, restricted: true, partition: 'counsel' };
    const of = owns[at] ?? '';
    const saved = await memory.put({
      ...{ kind: 'fact', text: `The secret of it is ${wordOf(of)}.`, at: 1_000, where: place, pinned: true },
      ...{
        key: wordOf(of),
        tags: [wordOf(of)],
        speaker: { person: name, name },
        platform: 'mcp',
        chat: 'mcp',
      },
      ...{ sessionID: 's', runID: 'r', messageIDs: [] },
    });
    assert.ok('id' in saved);
    ids.set(of, [saved.id]);
  }
  const tools = mcpTools.map(({ name }) => name);
  /** The log is emptied as often as something elsewhere is in the way, which no id decides. */
  const emptied = 'PRAGMA wal_checkpoint(TRUNCATE)';
  /** What is asked of the database: as much for an id that exists and may not be read as for one that does not exist, else its time would tell. */
  const ran = ranStatements(t);
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  const before = countsOf(file);
  assert.ok(Object.values(before).every((count) => count > 0));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.subarray([...rooms]),
      fc.constantFrom(...names, ...rooms, ...owns),
      fc.nat(),
      async (who, may, of, at) => {
        fc.pre(who !== of && !may.some((room) => room === of));
        const client = await connect(readerOf(who, may));
        const others = ids.get(of) ?? [];
        const id = others[at % others.length] ?? '';
        const noID = `${id.slice(0, -1)}!`;
        const word = wordOf(of);
        for (const tool of tools) {
          const given = argumentsFor(tool, { id, word });
          const counted = async (args: Answer): Promise<[answer: string, statements: string[]]> => {
            // what was written since is read into the index by the first who searches
            await answerOf(client, 'memory_search', { query: 'anything' });
            ran.length = 0;
            const told = await answerOf(client, tool, args);
            return [told, ran.filter((each, index) => each !== emptied || ran[index - 1] !== emptied)];
          };
          const [answer, asked] = await counted(given);
          const [none, askedOfNone] = await counted(argumentsFor(tool, { id: noID, word }));
          assert.ok(!answer.includes(word), `${who} ${tool}: ${answer}`);
          // an id that exists, and one that does not, are answered alike
          if (!JSON.stringify(given).includes(id)) continue;
          assert.deepEqual(askedOfNone, asked, `${who} ${tool}`);
          if (tool !== 'close_session') assert.equal(none.replaceAll(noID, id), answer, `${who} ${tool}`);
        }
        await client.close();
      },
    ),
    { numRuns: 15 },
  );
  assert.deepEqual(countsOf(file), before);
});

/** How many entries have each owner's word and are as they were written. */
function countsOf(file: Database.Database): Record<string, number> {
  const count = file.prepare<{ word: string }, number>(
    `SELECT (SELECT count(*) FROM lessons WHERE lesson = @word AND status = 'active')
       + (SELECT count(*) FROM session_headers WHERE title = @word)
       + (SELECT count(*) FROM session_decisions WHERE title = @word)
       + (SELECT count(*) FROM open_threads WHERE title = @word AND status = 'open' AND carried = 0)
       + (SELECT count(*) FROM next_steps WHERE title = @word AND status = 'pending' AND carried = 0)
       + (SELECT count(*) FROM touchstones WHERE title = @word AND lineage_id IS NULL)
       + (SELECT count(*) FROM conversations WHERE title = @word)
       + (SELECT count(*) FROM build_records WHERE title = @word)
       + (SELECT count(*) FROM t4_entries WHERE title = @word)
       + (SELECT count(*) FROM memory_records WHERE content LIKE '%' || @word || '%' AND state = 'active')`,
  );
  return Object.fromEntries(
    [...names, ...rooms, ...owns].map((of) => [of, count.pluck().get({ word: wordOf(of) }) ?? 0]),
  );
}
