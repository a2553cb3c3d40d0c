// What runs used of models and how they ended, counted also after their session no longer exists. Called inside transactions.
import { memoize } from '#base/caches/memoize.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { platformTitle } from '#engine/wire/channels/place-title.ts';
import type { UsageFilter } from '#engine/wire/runs/provider-operations.ts';
import { endedStatuses, type FinalStatus, type TokenUsage, type UsageSum } from '#engine/wire/runs/usage.ts';

interface Row {
  calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost_micro_usd: number | null;
}

interface SumRow extends Row, Record<FinalStatus, number> {
  /** Null for runs that were deleted with their conversations, empty for what no chat asked. */
  key: string | null;
  /** Of a person or a direct message: as the platform shows them. */
  name: string | null;
  platform: string | null;
  runs: number;
  unpriced: number;
}

interface SumParameters {
  session: string | null;
  from: string | null;
  until: string | null;
  limit: number;
}

export interface UsageRows {
  /** A run that has used nothing yet. */
  begin(run: { runID: string; sessionID: string; startedAtMs: number }): void;
  /** How the run ended; its row must be there. */
  end(runID: string, ended: FinalStatus): void;
  /** One more call of a model. */
  add(runID: string, usage: Omit<TokenUsage, 'calls'>): void;
  /** What a run used somewhere else, as it was counted there; its row must be there. */
  restore(runID: string, usage: TokenUsage): void;
  /** Undefined when there was no such run, ever. */
  get(runID: string): TokenUsage | undefined;
  sums(filter: UsageFilter): UsageSum[];
}

const totals = `sum(calls) AS calls, sum(input_tokens) AS input_tokens, sum(cached_input_tokens) AS cached_input_tokens,
  sum(output_tokens) AS output_tokens, sum(reasoning_tokens) AS reasoning_tokens, sum(cost_micro_usd) AS cost_micro_usd,
  count(*) AS runs, sum(calls > 0 AND cost_micro_usd IS NULL) AS unpriced,
  ${endedStatuses.map((status) => `coalesce(sum(ended = '${status}'), 0) AS ${status}`).join(', ')}`;
const range = `(:session IS NULL OR u.session_id = :session) AND (:from IS NULL OR day >= :from)
  AND (:until IS NULL OR day <= :until)`;

/** SQL for what runs are summed by; a room means its threads too. */
const ofRun = (sql: string): string => `CASE WHEN r.id IS NOT NULL THEN coalesce(${sql}, '') END`;
const chat = "json_extract(r.origin, '$.chat')";
const keys: Readonly<Record<UsageFilter['by'], string>> = {
  day: 'day',
  session: 'u.session_id',
  person: ofRun("json_extract(r.origin, '$.speaker.person')"),
  // all that is behind the last colon is the thread
  room: ofRun(`rtrim(${chat}, replace(${chat}, ':', '')) || '-'`),
  agent: ofRun('r.agent'),
  model: ofRun('r.model_id'),
};

/** Statements over the engine's open database. */
export function createUsageRows(database: Sqlite): UsageRows {
  const begin = database.prepare<[string, string, string]>(
    'INSERT INTO run_usage (run_id, session_id, day) VALUES (?, ?, ?)',
  );
  const end = database.prepare<[FinalStatus, string]>('UPDATE run_usage SET ended = ? WHERE run_id = ?');
  const add = database.prepare<Omit<Row, 'calls'> & { run: string }>(
    `UPDATE run_usage SET calls = calls + 1, input_tokens = input_tokens + :input_tokens,
       cached_input_tokens = cached_input_tokens + :cached_input_tokens,
       output_tokens = output_tokens + :output_tokens, reasoning_tokens = reasoning_tokens + :reasoning_tokens,
       cost_micro_usd = CASE WHEN :cost_micro_usd IS NULL THEN cost_micro_usd
         ELSE coalesce(cost_micro_usd, 0) + :cost_micro_usd END
     WHERE run_id = :run`,
  );
  const restore = database.prepare<Row & { run: string }>(
    `UPDATE run_usage SET calls = :calls, input_tokens = :input_tokens, cached_input_tokens = :cached_input_tokens,
       output_tokens = :output_tokens, reasoning_tokens = :reasoning_tokens, cost_micro_usd = :cost_micro_usd
     WHERE run_id = :run`,
  );
  const get = database.prepare<[string], Row>('SELECT * FROM run_usage WHERE run_id = ?');
  const sums = memoize(Object.keys(keys).length, (by: UsageFilter['by']) => {
    const isNewestFirst = by === 'day' || by === 'session';
    const newest = (path: string): string =>
      isNewestFirst ? 'NULL' : `max(json_extract(r.origin, '${path}'))`;
    const runs = isNewestFirst ? '' : 'LEFT JOIN runs r ON r.id = u.run_id';
    return database.prepare<SumParameters, SumRow>(
      `SELECT ${keys[by]} AS key, ${newest('$.speaker.name')} AS name, ${newest('$.platform')} AS platform, ${totals}
       FROM run_usage u ${runs} WHERE ${range} GROUP BY key
       ORDER BY ${isNewestFirst ? 'key DESC' : 'cost_micro_usd DESC, input_tokens + output_tokens DESC, key'} LIMIT :limit`,
    );
  });
  return {
    begin({ runID, sessionID, startedAtMs }) {
      begin.run(runID, sessionID, new Date(startedAtMs).toISOString().slice(0, 10));
    },
    end(runID, ended) {
      end.run(ended, runID);
    },
    add(runID, usage) {
      add.run({ run: runID, ...countsOf(usage) });
    },
    restore(runID, usage) {
      restore.run({ run: runID, calls: usage.calls, ...countsOf(usage) });
    },
    get(runID) {
      const row = get.get(runID);
      return row && fromRow(row);
    },
    sums({ by, sessionID, from, until, limit }) {
      const found = sums(by).all({
        session: sessionID ?? null,
        from: from ?? null,
        until: until ?? null,
        limit,
      });
      return found.map((row) => ({
        ...fromRow(row),
        runs: row.runs,
        unpricedRuns: row.unpriced,
        ended: endedOf(row),
        ...nameOf(by, row),
      }));
    },
  };
}

/** What the sum is of: a day and a session have fields of their own. */
function nameOf(by: UsageFilter['by'], { key, name, platform }: SumRow): Partial<UsageSum> {
  if (key === null) return {};
  if (by === 'day') return { day: key };
  if (by === 'session') return { sessionID: key };
  if (by === 'person' && platform !== null)
    return { of: key, title: `${name || 'someone'} on ${platformTitle(platform)}` };
  return { of: key, title: (by === 'room' ? name : null) ?? key };
}

/** How many of the runs ended each way. */
function endedOf(row: Record<FinalStatus, number>): Record<FinalStatus, number> {
  const { completed, error, timeout, cancelled, interrupted } = row;
  return { completed, error, timeout, cancelled, interrupted };
}

function countsOf(usage: Omit<TokenUsage, 'calls'>): Omit<Row, 'calls'> {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_micro_usd: usage.costUSD === undefined ? null : Math.round(usage.costUSD * 1e6),
  };
}

function fromRow(row: Row): TokenUsage {
  return {
    calls: row.calls,
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
    ...(row.cost_micro_usd === null ? {} : { costUSD: row.cost_micro_usd / 1e6 }),
  };
}
