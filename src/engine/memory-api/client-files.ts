// What clients do with memory files: inside the audience that they name, which is the operator's own where they name none.
import { ParleyError } from '#base/errors.ts';
import { operator } from '#engine/context/scope-of.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { FileCalls } from '#memory/types/files.ts';
import { singleAudienceScope } from './single-audience.ts';

type ClientFiles = Pick<
  MemoryService,
  | 'listMemoryArtifacts'
  | 'listMemoryFiles'
  | 'readMemoryFile'
  | 'readWholeMemoryFile'
  | 'replaceMemoryFile'
  | 'noteMemoryFile'
>;

/** Over the memory of the engine. */
export function createClientFiles({ memory }: { memory: FileCalls }): ClientFiles {
  return {
    async listMemoryFiles({ audience }) {
      const files = await memory.listFiles({ scope: singleAudienceScope(audience) });
      return { files: files.map(({ absolute: _, readOnly, ...file }) => ({ ...file, read_only: readOnly })) };
    },
    async listMemoryArtifacts({ audience }) {
      const found = await memory.listArtifacts({ scope: singleAudienceScope(audience) });
      return {
        artifacts: found.map(({ contentType, changedAt, ...artifact }) => ({
          ...artifact,
          content_type: contentType,
          changed_at: changedAt,
        })),
      };
    },
    readMemoryFile: ({ audience, ...rest }) =>
      memory.readFile({ ...rest, scope: singleAudienceScope(audience), reports: 'too' }),
    async readWholeMemoryFile({ audience, path }) {
      const file = await memory.readWholeFile({ path, scope: singleAudienceScope(audience) });
      return { path: file.path, text: file.text, tag: file.tag, read_only: file.readOnly };
    },
    async replaceMemoryFile({ audience = operator, ...rest }) {
      const by = { person: 'operator', sessionID: '', runID: '' };
      const scope = singleAudienceScope(audience);
      const { path, tag, redacted } = await memory.replaceFile({ ...rest, audience, scope, by });
      return { path, tag, redacted: [...redacted] };
    },
    async noteMemoryFile({ audience = operator, text, person = 'operator' }) {
      if (text.trim() === '') throw new ParleyError('invalid_note', 'Expected a text to note, got none.');
      const noted = await memory.noteFile({
        audience,
        text,
        by: { person, sessionID: '', runID: '' },
      });
      return { ...noted, redacted: [...noted.redacted] };
    },
  };
}
