// A request's JSON body: limited while it is read, then checked. Not for uploads.
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseBody } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { ApiError } from './refusal.ts';

/** The largest body that is read where a route does not say otherwise, in bytes. */
const usualLimitBytes = 1024 * 1024;

const wordsLimit = 1000;

/** A body that was read, with the names that its fields came under. */
export interface Body<T> {
  value: T;
  names(): string[];
}

/**
 * The body as `schema` has it; an absent one counts as `{}`. Refuses: over the limit 413 (nothing beyond it is kept), another type than JSON in UTF-8 415, anything that is not JSON or does not fit 400, in words.
 */
export async function readBody<T>(
  c: Context,
  schema: ZodType<T>,
  limitBytes: number = usualLimitBytes,
): Promise<Body<T>> {
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const bytes = await readBytes(c.req.raw.body, limitBytes);
  if (bytes.length === 0) return parsed('{}', schema);
  if (!isJson(c.req.header('content-type')) || !isPlain(c.req.header('content-encoding')))
    throw new ApiError({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message:
        'Expected a body with the header "content-type: application/json", in UTF-8 and not compressed.',
    });
  return parsed(decoded(bytes), schema);
}

/** The body as text in UTF-8. Refuses one over the limit with 413, before it is read where its length is announced. */
export async function readBodyText(c: Context, limitBytes: number): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  return decoded(await readBytes(c.req.raw.body, limitBytes));
}

async function readBytes(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new ApiError({
        status: 400,
        code: 'BODY_INCOMPLETE',
        message: `The connection ended before the whole body came (${cause instanceof Error ? cause.name : 'error'}).`,
      });
    });
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > limitBytes) {
      await reader.cancel();
      throw tooLarge(limitBytes);
    }
    chunks.push(value);
  }
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError({
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: `The body is larger than ${limitBytes} bytes. Send less, or split it.`,
  });
}

function isJson(contentType: string | undefined): boolean {
  const [media, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return media?.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity';
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError({ status: 400, code: 'INVALID_JSON', message: 'The body is not valid UTF-8.' });
  }
}

function parsed<T>(text: string, schema: ZodType<T>): Body<T> {
  try {
    const value = parseBody(text, schema);
    return { value, names: () => Object.keys(JSON.parse(text) ?? {}) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    throw new ApiError({
      status: 400,
      code: error.code === 'invalid_json' ? 'INVALID_JSON' : 'INVALID_REQUEST',
      message: truncate(error.message, wordsLimit),
    });
  }
}
