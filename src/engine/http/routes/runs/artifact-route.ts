// `GET /artifact/{id}`: a file that a run wrote, whole or from a byte on, to be saved and never run.
import { createHash } from 'node:crypto';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** The route, behind the token like the others. */
export function artifactRoute(engine: EngineService): Route {
  return defineRoute({
    method: 'GET',
    path: '/artifact/:artifact',
    tag: 'artifacts',
    summary: 'The bytes of a file that a run wrote',
    answers: {
      200: { about: 'The file, as an attachment', type: 'application/octet-stream' },
      206: {
        about: 'What `range: bytes=FROM-` asks for; with `if-range`, as long as the `etag` is that',
        type: 'application/octet-stream',
      },
    },
    async handle(c) {
      const found = await engine.openArtifact(c.req.param('artifact') ?? '');
      if (found === undefined) {
        throw new ApiError({ status: 404, code: 'ARTIFACT_NOT_FOUND', message: 'There is no such file.' });
      }
      const { artifact, bytes } = found;
      c.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(artifact.name)}`);
      // Never as what it says it is: a page of Parley must not be made of what a model wrote.
      c.header('content-type', 'application/octet-stream');
      c.header('x-parley-media-type', artifact.mediaType);
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      c.header('etag', etag);
      c.header('accept-ranges', 'bytes');
      const { from, until } = rangeOf(c.req.header(), { etag, size: bytes.length });
      const isPart = until - from < bytes.length;
      if (isPart) c.header('content-range', `bytes ${from}-${until - 1}/${bytes.length}`);
      c.header('content-length', String(until - from));
      return c.body(new Uint8Array(bytes.subarray(from, until)), isPart ? 206 : 200);
    },
  });
}

/** One range of bytes (RFC 9110, 14.2): the whole file for none, for several, and for one of a file that has changed. */
function rangeOf(
  headers: Readonly<Record<string, string>>,
  { etag, size }: { etag: string; size: number },
): { from: number; until: number } {
  const whole = { from: 0, until: size };
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return whole;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const until = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (from < until) return { from, until };
  throw new ApiError({
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: `The file has ${size} bytes; ask for a range of them.`,
    headers: { 'content-range': `bytes */${size}` },
  });
}
