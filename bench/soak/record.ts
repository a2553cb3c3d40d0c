// The samples of a soak and their table, a row now and then. Judges nothing.
import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Sample } from './growth.ts';

/** What is measured, and how much of it may be gained in a run: what native code keeps for itself varies most. */
export const measures = [
  { name: 'rss', unit: 'MB', allowance: 24 },
  { name: 'heap', unit: 'MB', allowance: 6 },
  { name: 'external', unit: 'MB', allowance: 6 },
  { name: 'handles', unit: 'handles', allowance: 6 },
] as const;
export type Measure = (typeof measures)[number]['name'];

export interface SampleRecord {
  /** Takes a line of the probe and counts the handles of its process. */
  take(line: string, pid: number): void;
  /** Samples count from here on. */
  begin(): void;
  end(): void;
  samples(measure: Measure): Sample[];
}

/** What the probe says, in megabytes: only the main thread's heap; buffers and what native code holds for JavaScript objects. */
const memory = z.object({ rss: z.number(), heap: z.number(), external: z.number() });
/** A row of the table for so many samples. */
const samplesPerRow = 6;

/** An empty record that prints its table as it goes. */
export function createRecord(options: {
  sent: () => number;
  answered: () => number;
  print: (line: string) => void;
}): SampleRecord {
  const rows: ({ at: number } & { [name in Measure]: number })[] = [];
  let startedAt: number | undefined;
  const cells = (values: readonly (number | string)[]): string =>
    values.map((value) => String(value).padStart(10)).join('');

  return {
    begin() {
      startedAt = Date.now();
      options.print(cells(['minute', 'sent', 'answered', 'RSS MB', 'heap MB', 'ext. MB', 'handles']));
    },
    end() {
      startedAt = undefined;
    },
    take(line, pid) {
      const now = parseJson(line, memory, 'The line of the probe');
      if (startedAt === undefined) return;
      const at = (Date.now() - startedAt) / 1000;
      const handles = readdirSync(`/proc/${pid}/fd`).length;
      rows.push({ at, handles, ...now });
      if (rows.length % samplesPerRow !== 1) return;
      const sizes = [now.rss, now.heap, now.external].map((size) => size.toFixed(1));
      options.print(cells([(at / 60).toFixed(1), options.sent(), options.answered(), ...sizes, handles]));
    },
    samples: (measure) => rows.map((row) => ({ at: row.at, value: row[measure] })),
  };
}
