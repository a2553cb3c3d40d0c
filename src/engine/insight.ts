// What a person who looks after the program asks of the engine: use over time, prompts, runs told again, and who opened what.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Audience } from '#memory/types/scope.ts';
import { operator } from './context/scope-of.ts';
import type { SectionsOfRun } from './conversations/session-context.ts';
import { singleAudienceScope } from './memory-api/single-audience.ts';
import { replayRun } from './run-files/replay.ts';
import type { RunFiles } from './run-files/run-files.ts';
import { existingRun, type StoredRun } from './runs/tables/run-row.ts';
import type { RunTables } from './runs/tables/run-tables.ts';
import { createUsageSeries } from './runs/tables/usage-series.ts';
import type { PlaceNameTable } from './sessions/place-names.ts';
import { placeTitle } from './wire/channels/place-title.ts';
import type { EngineEvent } from './wire/events/event.ts';
import type { RunService } from './wire/run-operations.ts';
import type { RunPrompt } from './wire/runs/run-prompt.ts';
import type { EngineService } from './wire/service.ts';
import type { WireSession } from './wire/sessions/message.ts';

/** Forks of forks that are followed to where they came from. */
const deepestFork = 100;

/** Events of a run that are read at once. */
const page = 500;

/** The calls; see the engine's contract. */
export function createInsight({
  database,
  home,
  tables,
  memory,
  runFiles,
  sectionsOfRun,
  placeNames,
}: {
  database: Sqlite;
  home: string;
  tables: RunTables;
  memory: Pick<Memory, 'noteRead' | 'show'>;
  runFiles: Pick<RunFiles, 'look'>;
  sectionsOfRun: SectionsOfRun;
  placeNames: Pick<PlaceNameTable, 'of'>;
}): Pick<
  EngineService,
  'usage' | 'usageSeries' | 'fileSessions' | 'noteOpened' | 'noteRead' | 'noteSetting'
> &
  Pick<RunService, 'runEvents' | 'runPrompt' | 'replayRun'> {
  const series = createUsageSeries(database);
  /** Where what is in the session was written: of a fork, where its first parent was. */
  const placeOf = (sessionID: string, depth = 0): WireSession['place'] => {
    const session = tables.conversation.sessions.withPlace(sessionID);
    if (session?.place !== undefined || session?.parentID === undefined || depth > deepestFork)
      return session?.place;
    return placeOf(session.parentID, depth + 1);
  };
  const existing = (runID: string): StoredRun => existingRun(tables.runs, runID);
  const eventsOf = (runID: string): EngineEvent[] => {
    const all: EngineEvent[] = [];
    for (let last = 0; ; last = all.at(-1)?.envelope.seq ?? 0) {
      const next = tables.events.page({ runID }, { afterSeq: last, limit: page });
      all.push(...next);
      if (next.length < page) return all;
    }
  };
  return {
    async usage(filter) {
      const sums = tables.usage.sums(filter);
      if (filter.by !== 'room') return sums;
      return sums.map((sum) =>
        sum.of
          ? { ...sum, title: placeTitle({ chat: sum.of, names: placeNames.of(sum.of), person: sum.title }) }
          : sum,
      );
    },
    usageSeries: async (query) => series(query),
    async runEvents({ runID, after_seq: afterSeq, limit }) {
      existing(runID);
      return tables.events.page({ runID }, { afterSeq, limit });
    },
    async runPrompt({ runID }) {
      const run = existing(runID);
      const stored = tables.prompts.get(runID);
      if (stored === undefined)
        throw new ParleyError(
          'prompt_not_found',
          'What the prompt of this run was made of is not known: it has not ended, or ended before this was stored.',
        );
      const passages = stored.passages.map(async (passage) => {
        const scope = singleAudienceScope(audienceOf(passage.audience));
        const entry = await memory.show({ id: passage.id, scope });
        return { ...passage, text: entry?.text ?? null };
      });
      const sections = await sectionsOfRun(run, stored.sections);
      const inputTokens = stored.calls?.[0]?.inputTokens ?? null;
      return {
        sections: inTokens(sections, inputTokens),
        inputTokens,
        ...defined({ builtMs: stored.builtMs, calls: stored.calls }),
        passages: await Promise.all(passages),
      };
    },
    async replayRun({ runID, upto_seq: uptoSeq, from_checkpoint }) {
      const run = existing(runID);
      const how = { uptoSeq, from: from_checkpoint ? 'checkpoint' : 'start' } as const;
      return runFiles.look(runID, () => {
        const { sessionID, status } = tables.runs.get(runID) ?? run;
        return replayRun(home, runID, { ...how, stored: { sessionID, status, events: eventsOf(runID) } });
      });
    },
    fileSessions: async (url) => tables.conversation.parts.sessionsOf(url),
    async noteOpened(sessionID, by) {
      const place = placeOf(sessionID);
      if (place?.private !== true) return;
      const shown = [{ id: sessionID, audience: audienceOf(place.audience) }];
      await memory.noteRead({ by: { name: by, sessionID }, how: 'opened the conversation', shown });
    },
    async noteSetting({ by, how }) {
      const shown = [{ id: 'settings', audience: audienceOf(operator) }];
      await memory.noteRead({ by: { name: by }, how, shown, action: 'configure' });
    },
    async noteRead(audience, { by, how }) {
      if (audience === operator) return;
      await memory.noteRead({
        by: { name: by },
        how,
        shown: [{ id: audience, audience: audienceOf(audience) }],
      });
    },
  };
}

/** Shares the tokens that the provider counted out by characters; what is rounded off goes to the largest section. */
function inTokens(
  sections: readonly Pick<RunPrompt['sections'][number], 'name' | 'characters'>[],
  inputTokens: number | null,
): RunPrompt['sections'] {
  const all = sections.reduce((sum, { characters }) => sum + characters, 0);
  if (inputTokens === null || all === 0) return sections.map((section) => ({ ...section, tokens: null }));
  const shared = sections.map((section) => ({
    ...section,
    tokens: Math.floor((inputTokens * section.characters) / all),
  }));
  const [largest] = shared.toSorted((a, b) => b.tokens - a.tokens);
  const rest = inputTokens - shared.reduce((sum, { tokens }) => sum + tokens, 0);
  return shared.map((section) =>
    section === largest ? { ...section, tokens: section.tokens + rest } : section,
  );
}

/** An audience in the form of text in which it was stored. */
function audienceOf(text: string): Audience {
  const [kind = '', key = ''] = text.split(/:(.*)/s);
  return `${kind === 'person' ? 'person' : 'room'}:${key}`;
}
