// The values of the options of `parley memory`, checked.
import { z } from 'zod';
import { checkedOptions, share, wholeNumber } from '#app/commands/parts/checked-options.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { importFormats } from '#memory/types/import.ts';
import { noteKinds } from '#memory/types/note.ts';
import { markedKinds } from '#memory/types/record.ts';
import { tiers } from '#memory/types/scope.ts';

const time = z
  .string()
  .refine((text) => Number.isFinite(Date.parse(text)), 'expected a date such as 2026-11-21')
  .transform((text) => Date.parse(text))
  .optional();
const text = z.string().min(1).optional();
const flag = z.boolean().default(false);

const valuesSchema = z.object({
  format: z.enum(importFormats).optional(),
  audience: z
    .templateLiteral(
      [z.enum(['person', 'room']), ':', z.string().min(1)],
      'expected person:ID or room:ADDRESS as "parley memory status" shows them',
    )
    .optional(),
  space: text,
  public: flag,
  project: text,
  limit: wholeNumber({ from: 1, to: 1000 }).optional(),
  explain: flag,
  json: flag,
  id: z.array(z.string().min(1)).optional(),
  person: text,
  chat: text,
  session: text,
  run: text,
  path: text,
  source: text,
  from: time,
  until: time,
  contains: text,
  apply: flag,
  everywhere: flag,
  deep: flag,
  records: flag,
  channel: text,
  host: text,
  kind: z.enum([...noteKinds, ...markedKinds]).optional(),
  agent: text,
  key: z.string().trim().min(1).max(200).optional(),
  tag: z.array(z.string().trim().min(1).max(60)).max(20).optional(),
  pinned: flag,
  sensitive: flag,
  unpin: flag,
  failed: flag,
  tier: z.enum(tiers).optional(),
  to: z.enum([...tiers, 'knowledge']).optional(),
  reason: text,
  subject: text,
  family: text,
  namespace: text,
  approved: flag,
  supersedes: text,
  expires: z
    .string()
    .refine((text) => Date.parse(text) > systemClock.now(), 'expected a date in the future, as YYYY-MM-DD')
    .transform((text) => Date.parse(text))
    .optional(),
  account: text,
  'sync-deletes': flag,
  'allow-empty': flag,
  importance: share.optional(),
  fix: flag,
  force: flag,
  revert: flag,
  index: flag,
  days: wholeNumber({ from: 1, to: 3_650, of: 'days' }).optional(),
  corpus: text,
  line: wholeNumber({ from: 1 }).optional(),
  lines: wholeNumber({ from: 1, to: 500 }).optional(),
});

export interface MemoryValues extends z.infer<typeof valuesSchema> {
  /** By the name that an option has here, the one under which it was typed. */
  typed: Readonly<Record<keyof typeof otherNames, string>>;
}

/** Options that Tandem calls otherwise, by the name that they have here. */
const otherNames = { project: 'project-id', session: 'session-id' } as const;

/**
 * The checked options, under the names that they have here. Throws a ParleyError `invalid_usage` that names what does not fit as it was
 * typed, and for an option that is given under both of its names.
 */
export function memoryValues(given: Readonly<Record<string, unknown>>): MemoryValues {
  const typed: Record<keyof typeof otherNames, string> = { project: 'project', session: 'session' };
  const own = { ...given };
  for (const name of ['project', 'session'] as const) {
    const other = otherNames[name];
    if (own[other] === undefined) continue;
    if (own[name] !== undefined)
      throw new ParleyError(
        'invalid_usage',
        `--${name} and --${other} are the same option; name one of them.`,
      );
    typed[name] = other;
    own[name] = own[other];
    delete own[other];
  }
  const checked = checkedOptions(valuesSchema, own, {
    ...typed,
    days: 'from', // of rem-backfill
  });
  return { ...checked, typed };
}

/** What is stored in a tier of one project or session names it: a ParleyError `invalid_usage` otherwise. */
export function requireOwner({ tier, project, session }: MemoryValues): void {
  const missing = { project: project === undefined, session: session === undefined, global: false };
  if (tier !== undefined && missing[tier])
    throw new ParleyError('invalid_usage', `Expected --${tier} ID with --tier ${tier}.`, {
      hint: `Name the ${tier}, or store it in the global tier.`,
    });
}

/** The one tag by which memories are chosen; throws a ParleyError `invalid_usage` for several, of which each would mean something else. */
export function chosenTag({ tag: tags = [] }: Pick<MemoryValues, 'tag'>): string | undefined {
  if (tags.length <= 1) return tags[0];
  throw new ParleyError('invalid_usage', `Expected one --tag, got ${tags.length}.`, {
    hint: 'Memories are chosen by one tag; only "parley memory put" takes several.',
  });
}
