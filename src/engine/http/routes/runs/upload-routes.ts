// `/upload/{channel}/{place}/{name}`: files of channels that run in another process, so that prompts can name them.
import { z } from 'zod';
import { codeOf, errorMessage } from '#base/errors.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import type { UploadStorage } from '#engine/wire/channels/upload-storage.ts';
import { uploadPath, uploadUrl } from '#engine/wire/runs/upload-url.ts';

const query = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits')
    .describe('Of the whole file'),
});
const answers = {
  200: {
    about: 'What prompts call it',
    schema: z.object({ url: z.string().describe('For the `url` of a file part') }),
  },
};
const refusals: Readonly<Record<string, { status: 400 | 409 | 413; code: string }>> = {
  file_too_large: { status: 413, code: 'UPLOAD_TOO_LARGE' },
  file_empty: { status: 400, code: 'UPLOAD_REFUSED' },
  file_damaged: { status: 400, code: 'UPLOAD_REFUSED' },
  file_range: { status: 409, code: 'UPLOAD_RANGE' },
};

/** `GET` finds a file that is here already, `PUT` stores one; the same file twice is one file. */
export function uploadRoutes(shelf: UploadStorage | undefined): Route[] {
  const path = '/upload/:channel/:place/:name';
  return [
    defineRoute({
      method: 'GET',
      path,
      tag: 'service',
      summary: 'Whether a file that came with a message is here, with this content',
      query,
      answers,
      async handle(c, { query: { sha256 } }) {
        const at = pathOf(c.req.param());
        if (shelf !== undefined && (await shelf.holds(at, sha256))) return c.json({ url: uploadUrl(at) });
        throw new ApiError({
          status: 404,
          code: 'UPLOAD_NOT_FOUND',
          message: 'There is no such file with this content. PUT it here, or what is missing of it.',
          details: { received: (await shelf?.begun(sha256)) ?? 0 },
        });
      },
    }),
    defineRoute({
      method: 'PUT',
      path,
      tag: 'service',
      summary:
        'Stores a file that came with a message: its bytes are the body, or its rest with `content-range: bytes FROM-LAST/SIZE`',
      query,
      bodyType: 'application/octet-stream',
      answers,
      async handle(c, { query: { sha256 } }) {
        const at = pathOf(c.req.param());
        const from = firstByte(c.req.header('content-range'));
        const stream = c.req.raw.body ?? new Blob([]).stream();
        if (shelf === undefined)
          throw new ApiError({ status: 409, code: 'UPLOADS_OFF', message: 'This engine stores no files.' });
        try {
          return c.json({ url: uploadUrl(await shelf.take(at, { stream, sha256, from }, c.req.raw.signal)) });
        } catch (error) {
          const refusal = refusals[codeOf(error) ?? ''];
          if (refusal === undefined) throw error;
          throw new ApiError({ ...refusal, message: `The file was not stored: ${errorMessage(error)}.` });
        }
      },
    }),
  ];
}

/** Where the body begins in the file. */
function firstByte(range: string | undefined): number {
  const first = range === undefined ? '0' : /^bytes (\d{1,15})-\d{1,15}\/\d{1,15}$/.exec(range)?.[1];
  if (first !== undefined) return Number(first);
  throw new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Expected a content-range like "bytes 100-199/200", or none.',
  });
}

/** The path inside the folder; refused when it would leave it, has a slash in one of its names, or names what begins with a dot. */
function pathOf({ channel = '', place = '', name = '' }: Readonly<Record<string, string>>): string {
  const path = [channel, place, name].join('/');
  if (path.split('/').length === 3 && uploadPath(uploadUrl(path)) === path) return path;
  throw new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    message:
      'Expected a channel, a place and a file name: without slashes, control characters or a dot at the start, of at most 240 bytes each.',
  });
}
