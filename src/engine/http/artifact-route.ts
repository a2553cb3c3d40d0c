// `GET /artifact/{id}`: a file that a run wrote, to be saved and never run. Not how chats get it.
import type { EngineService } from '#engine/wire/service.ts';
import { Refusal } from './refusal.ts';
import { defineRoute, type Route } from './route.ts';

/** The route, behind the token like the others. */
export function artifactRoute(engine: EngineService): Route {
  return defineRoute({
    method: 'GET',
    path: '/artifact/:artifact',
    tag: 'artifacts',
    summary: 'The bytes of a file that a run wrote',
    answers: { 200: { about: 'The file, as an attachment', type: 'application/octet-stream' } },
    async handle(c) {
      const found = await engine.openArtifact(c.req.param('artifact') ?? '');
      if (found === undefined) {
        throw new Refusal({ status: 404, code: 'ARTIFACT_NOT_FOUND', message: 'There is no such file.' });
      }
      const { artifact, bytes } = found;
      c.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(artifact.name)}`);
      // Never as what it says it is: a page of ours must not be made of what a model wrote.
      c.header('content-type', 'application/octet-stream');
      c.header('x-parley-media-type', artifact.mediaType);
      return c.body(new Uint8Array(bytes));
    },
  });
}
