// Use over time, in buckets: read from the runs and what they used, whenever it is asked.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { UsageBucket } from '#engine/wire/runs/usage.ts';
import { waitedSql } from './run-list.ts';

interface Row {
  bucket: number;
  messages: number;
  runs: number;
  errors: number;
  input_tokens: number;
  output_tokens: number;
  cost_micro_usd: number | null;
  durations: string;
}

/** The buckets of a range; those without runs are there as well. */
export function createUsageSeries(
  database: Sqlite,
): (query: { from_ms: number; until_ms: number; step_ms: number }) => UsageBucket[] {
  const rows = database.prepare<{ from: number; until: number; step: number }, Row>(
    `SELECT CAST((started_at_ms - :from) / :step AS INTEGER) AS bucket, count(*) AS runs,
       sum(coalesce(json_array_length(origin, '$.nativeIDs'), 1)) AS messages,
       sum(status IN ('error', 'timeout')) AS errors,
       sum(coalesce(u.input_tokens, 0)) AS input_tokens, sum(coalesce(u.output_tokens, 0)) AS output_tokens,
       sum(u.cost_micro_usd) AS cost_micro_usd,
       json_group_array(finished_at_ms - started_at_ms - ${waitedSql}) FILTER (WHERE status = 'completed') AS durations
     FROM runs LEFT JOIN run_usage u ON u.run_id = runs.id
     WHERE started_at_ms >= :from AND started_at_ms < :until GROUP BY bucket`,
  );
  return ({ from_ms: fromMs, until_ms: untilMs, step_ms: stepMs }) => {
    const found = new Map(
      rows.all({ from: fromMs, until: untilMs, step: stepMs }).map((row) => [row.bucket, row]),
    );
    return Array.from({ length: Math.ceil((untilMs - fromMs) / stepMs) }, (_, index) => {
      const row = found.get(index);
      return {
        atMs: fromMs + index * stepMs,
        messages: row?.messages ?? 0,
        runs: row?.runs ?? 0,
        errors: row?.errors ?? 0,
        inputTokens: row?.input_tokens ?? 0,
        outputTokens: row?.output_tokens ?? 0,
        costUSD: typeof row?.cost_micro_usd === 'number' ? row.cost_micro_usd / 1e6 : null,
        latencyMs: latencyOf(JSON.parse(row?.durations ?? '[]')),
      };
    });
  };
}

function latencyOf(durations: number[]): UsageBucket['latencyMs'] {
  if (durations.length === 0) return null;
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
