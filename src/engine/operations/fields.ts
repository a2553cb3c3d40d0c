// Schemas that several routes share: lines of text, pages, flags in a query.
import { z } from 'zod';

/** Text of one line: control characters would break lists and logs. */
export const line = (limit: number) =>
  z
    .string()
    .min(1)
    .max(limit)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

const digits = z.string().regex(/^\d{1,15}$/, 'expected a whole number');

/** A whole number in a query, within bounds. */
export const integerParam = (min: number, max: number) =>
  digits.transform(Number).pipe(z.number().min(min).max(max));

/** `page` (from 1) and `page_size` (20 unless set otherwise, at most 100). */
export const pageFields = {
  page_size: integerParam(1, 100).default(20),
  page: integerParam(1, 999_999).default(1),
};

/** `limit` (100 unless set otherwise, at most 1,000) and `offset`, as memory's lists have them. */
export const rangeFields = {
  limit: integerParam(1, 1_000).default(100),
  offset: integerParam(0, 999_999_999).default(0),
};

/** The page as the engine takes it. */
export function pageOf({ page, page_size: limit }: { page: number; page_size: number }) {
  return { limit, offset: (page - 1) * limit };
}

/** An id that may be left out; an empty one is refused, since it would read as "no filter". */
export const optionalID = z.string().min(1).max(100).optional();

/** Several ids in a query, with commas between them. */
export const idList = z
  .string()
  .min(1)
  .max(5_000)
  .transform((text) => text.split(','))
  .optional()
  .describe('Only these, with commas between them');

/** A part of a text in a query. */
export const partParam = (limit = 200) => z.string().min(1).max(limit).optional();

/** A switch in a query, off where it is absent. */
export const switchParam = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

/** `{ok: true}`. */
export const okAnswer = z.object({ ok: z.literal(true) });

/** Nothing to say but that it was done: `{ok: true}` on the wire. */
export const nothing = z.void();

/** A body that says nothing. */
export const noFields = z.object({});
