// The options of a command checked by a schema, with a message that names each that does not fit, what was expected and what came.
import { type ZodType, z } from 'zod';
import { expectedBy, received } from '#base/check-input.ts';
import { ParleyError } from '#base/errors.ts';

/** A whole number as it is typed. */
export function wholeNumber({
  from,
  to = Number.MAX_SAFE_INTEGER,
  of,
}: {
  from: number;
  to?: number;
  /** What is counted. */
  of?: 'days';
}) {
  const range = to === Number.MAX_SAFE_INTEGER ? `${from} on` : `${from} to ${to}`;
  return z
    .string()
    .refine(
      (text) => /^\d{1,16}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `expected a whole number ${of === undefined ? '' : `of ${of} `}from ${range}`,
    )
    .transform(Number);
}

/** A number from 0 to 1 as it is typed. */
export const share = z
  .string()
  .refine((text) => /^\d*\.?\d+$/.test(text) && Number(text) <= 1, 'expected a number from 0 to 1')
  .transform(Number);

/**
 * The options as the schema makes them; throws a ParleyError `invalid_usage` that names what does not fit. `names` has the fields of the schema
 * that are typed under another name.
 */
export function checkedOptions<T>(
  schema: ZodType<T>,
  values: unknown,
  names: Readonly<Record<string, string>> = {},
): T {
  const checked = schema.safeParse(values, { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => {
    const field = String(issue.path[0]);
    return `--${names[field] ?? field}: ${expectedBy(issue)}, got ${received(issue.input)}`;
  });
  throw new ParleyError('invalid_usage', `The options do not fit: ${issues.join('; ')}.`);
}
