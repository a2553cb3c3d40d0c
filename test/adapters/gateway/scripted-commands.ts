// What chat commands ask of a scripted engine: sessions with titles, a memory that is a list, and fixed answers for the rest.
import type { EngineCommands } from '#engine/wire/commands.ts';
import type { MemoryEntries, MemoryFindings } from '#engine/wire/memory/memory.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';

/** Of a memory what chat commands look at. */
type Entry = Pick<MemoryEntries['items'][number], 'id' | 'content' | 'created_at_ms' | 'audience'> & {
  private?: boolean | undefined;
};

export interface ScriptedCommands extends EngineCommands {
  /** What is remembered, newest last. */
  entries: Entry[];
  /** What `messages` gives, by session. */
  said: Map<string, WireSessionMessage[]>;
  /** Reverts that were asked for, `session message`. */
  reverts: string[];
}

export function createScriptedCommands(sessions: WireSession[]): ScriptedCommands {
  const entries: ScriptedCommands['entries'] = [];
  const said: ScriptedCommands['said'] = new Map();
  const reverts: string[] = [];
  const within = (audience: string | undefined) =>
    entries.filter((entry) => entry.audience === (audience ?? 'person:operator')).reverse();
  const existing = (id: string): WireSession => {
    const session = sessions.find((one) => one.id === id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  };
  return {
    entries,
    said,
    reverts,
    async findSessions({ ids }) {
      const found = sessions.filter(({ id }) => ids === undefined || ids.includes(id));
      return { sessions: found, total: found.length };
    },
    async updateSession({ sessionID, title }) {
      const session = existing(sessionID);
      if (title !== undefined) session.title = title;
      return session;
    },
    missions: async () => [],
    cancelMission: async ({ missionID }) => {
      throw new Error(`no mission ${missionID}`);
    },
    messages: async (id) => said.get(id) ?? [],
    async revertSession({ sessionID, messageID }) {
      reverts.push(`${sessionID} ${messageID}`);
      return existing(sessionID);
    },
    async summarizeSession({ sessionID, keep }) {
      const made = { sessionID, messages: 4, unseen: 0, lastMessageID: 'msg_4', createdAtMs: 1 };
      const model = { providerID: 'openai', modelID: 'gpt-big' };
      return { ...made, model, text: `Notes${keep === undefined ? '' : ` with ${keep}`}.` };
    },
    sessionContext: async () => ({
      ...{ runID: 'run_1', model: { providerID: 'openai', modelID: 'gpt-big' }, windowTokens: 8_000 },
      sections: [{ name: 'Instructions', characters: 400, tokens: 100 }],
      ...{ tokens: 100, counted: null, summary: null },
    }),
    forReader: async () => {
      throw new Error('this engine has no journal');
    },
    async searchMemory({ query, audience }) {
      const results = within(audience).filter(({ content }) => content.includes(query));
      const found = { results: results.map((entry) => ({ ...entry, score: 1 })), degraded: [] };
      return found as unknown as MemoryFindings; // commands look at no more
    },
    async putMemory({ content, audience = 'person:operator', private: isPrivate }) {
      const id = `mem_${String(entries.length + 1).padStart(6, '0')}`;
      entries.push({ id, created_at_ms: entries.length, content, audience, private: isPrivate });
      const none = { partition_key: '', redacted: [], audit_id: null };
      return { id, ids: [id], stored: true, status: 'stored', tier: 'global', audience, ...none };
    },
    async correctMemory({ id, content }) {
      const entry = entries.find((each) => each.id === id);
      if (entry !== undefined) entry.content = content;
      return { id, version: 2, status: 'stored' };
    },
    async memoryBudgets({ audience }) {
      const uses = [{ bound: 'characters', used: 120, limit: 100 }];
      const next = { step: 'evict' as const, bound: 'characters', memory_ids: ['mem_1'] };
      return { budgets: audience === undefined ? [] : [{ audience, agent: null, uses, next }] };
    },
    async signalMemory({ id }) {
      return { id, successes: 0, failures: 0, reports: [], audit_id: '' };
    },
    pinMemory: async ({ id, pinned }) => ({ id, pinned, audit_id: '' }),
    async listMemory({ audience, limit, offset }) {
      const items = within(audience).slice(offset, offset + limit);
      return { items, count: items.length, limit, offset, next: null } as unknown as MemoryEntries; // as above
    },
    listMemoryFiles: async () => ({ files: [] }),
    readMemoryFile: async ({ path, from = 1 }) => ({ path, from, until: 0, total: 0, text: '' }),
    noteMemoryFile: async () => ({ status: 'written', path: 'person/note.md', line: 1, redacted: [] }),
    async deleteMemory({ id }) {
      entries.splice(
        entries.findIndex((entry) => entry.id === id),
        1,
      );
      return { ok: true, id, traces: 0 };
    },
    forgetMemory: async ({ apply }) => ({ applied: apply, entries: 0, pinned: 0, samples: [], remains: [] }),
    async forgetContent({ of, apply }) {
      const isTheirs = ({ audience }: Entry) => (of.persons ?? []).includes(audience.replace('person:', ''));
      const theirs = entries.filter(isTheirs);
      if (apply) for (const entry of theirs) entries.splice(entries.indexOf(entry), 1);
      const counts = { memories: theirs.length, sessions: 0, messages: 0, runs: 0, schedules: 0 };
      return { applied: apply, ...counts, session_ids: [], remains: [] };
    },
    async exportContent({ persons }) {
      const theirs = entries.filter(({ audience }) => persons.includes(audience.replace('person:', '')));
      const memories = theirs.map(({ id, audience, content }) => ({
        ...{ id, audience, at_ms: 0, source: 'note', chat: '' },
        text: content,
      }));
      const none = {
        memory_files: [],
        schedules: [],
        spawn_approvals: [],
        feedback: [],
        times: { zone: null, quiet: null },
      };
      return { memories, ...none, messages: [] };
    },
    providers: async () => ({
      all: [{ id: 'openai', model: 'gpt-big', models: ['gpt-big', 'gpt-small'] }],
      default: { providerID: 'openai', modelID: 'gpt-big' },
      connected: ['openai'],
    }),
    usage: async ({ by }) => [
      {
        ...{
          runs: 2,
          calls: 2,
          inputTokens: 100,
          cachedInputTokens: 0,
          outputTokens: 50,
          reasoningTokens: 0,
        },
        ...{ unpricedRuns: 0, costUSD: 0.0123 },
        ended: { completed: 2, error: 0, timeout: 0, cancelled: 0, interrupted: 0 },
        ...(by === 'day' ? { day: '2026-01-02' } : by === 'agent' ? { of: 'Poet' } : { sessionID: 'ses_1' }),
      },
    ],
    activeMemory: async () => ({ counts: null, refusal: 'off', last: null }),
    abilities: async ({ agent = 'Parley' }) => ({
      agent,
      agents: [{ name: 'Parley' }, { name: 'Poet', model: 'gpt-small' }],
      tools: Array.from({ length: 12 }, (_, at) => ({
        name: `tool_${at}`,
        description: `Does the thing number ${at}. And more.`,
        verdict: at === 3 ? ('ask' as const) : ('allow' as const),
      })),
    }),
  };
}
