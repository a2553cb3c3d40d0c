// A control request's JSON body: limited while it is read, then checked.
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';

const usualLimit = 256 * 1024;

/** The body as `schema` has it; throws `too_large` above 256 KiB or the limit that is given, `invalid_json` or `invalid_value` with a message. */
export async function readControlBody<T>(
  c: Context,
  schema: ZodType<T>,
  limitBytes = usualLimit,
): Promise<T> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length;
    if (size > limitBytes)
      throw new ParleyError('too_large', `A request may have ${limitBytes} bytes; this one has more.`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'), schema, 'The request body');
}
