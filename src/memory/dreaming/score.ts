// How much speaks for a candidate: six weighted components, and what the phases add. Pure.
import type { RecallRow } from '#memory/recalls/recall-rows.ts';
import type { DreamingSettings, ScoreParts } from '#memory/types/dreaming.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** So many recalls, contexts, days in a row, days from the first to the last, and concepts count in full. */
const full = { recalls: 5, contexts: 4, days: 4, span: 5, concepts: 4, hits: 3 };

interface RecallEvidence {
  recalls: readonly RecallRow[];
  concepts: number;
  light: { hits: number; at: number | null };
  rem: { hits: number; at: number | null };
}

export interface Score {
  score: number;
  parts: ScoreParts;
  boost: number;
}

/** Each component and the score are from 0 to 1. */
export function scoreOf(evidence: RecallEvidence, settings: DreamingSettings, now: number): Score {
  const { recalls, concepts } = evidence;
  const { weights, boosts, halfLifeDays } = settings;
  const days = daysOf(recalls);
  const queries = new Set(recalls.map(({ queryHash }) => queryHash)).size;
  const fresh = (at: number): number => 0.5 ** (Math.max(0, now - at) / dayMs / halfLifeDays);
  const parts: ScoreParts = {
    frequency: logShare(recalls.length, full.recalls),
    // a passage that was used had the answer, whatever the search thought of it
    relevance: mean(recalls.map(({ score, used }) => Math.max(score, used))),
    diversity: share(Math.max(queries, days.length), full.contexts),
    recency: recalls.length === 0 ? 0 : fresh(Math.max(...recalls.map(({ at }) => at))),
    consolidation: consolidationOf(days),
    richness: share(concepts, full.concepts),
  };
  const names = Object.keys(parts) as (keyof ScoreParts)[];
  const base = names.reduce((sum, name) => sum + weights[name] * parts[name], 0);
  const boostOf = (phase: RecallEvidence['light'], most: number): number =>
    phase.at === null ? 0 : most * logShare(phase.hits, full.hits) * fresh(phase.at);
  const boost = boostOf(evidence.light, boosts.light) + boostOf(evidence.rem, boosts.rem);
  return { score: Math.min(1, base + boost), parts, boost };
}

/** The days of the recalls, each once, in order. */
export function daysOf(recalls: readonly RecallRow[]): string[] {
  return [...new Set(recalls.map(({ day }) => day))].sort();
}

/** What came back on several days is consolidated, more so when they are apart. */
function consolidationOf(days: readonly string[]): number {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (days.length === 1) return 0.2;
  const span = (Date.parse(last) - Date.parse(first)) / dayMs;
  return 0.55 * logShare(days.length - 1, full.days - 1) + 0.45 * share(span, full.span);
}

function share(count: number, most: number): number {
  return Math.min(1, count / most);
}

/** The first ones count most. */
function logShare(count: number, most: number): number {
  return Math.min(1, Math.log1p(count) / Math.log1p(most));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
