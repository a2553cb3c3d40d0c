// What clients do with memory files: inside the audience that they name, which is the operator's own where they name none.
import { ParleyError } from '#base/errors.ts';
import type { MemoryService } from '#engine/wire/memory-service.ts';
import type { FileCalls } from '#memory/types/files.ts';
import { singleAudienceScope } from './client-memory.ts';
import { operator } from './scope-of.ts';

export type ClientFiles = Pick<MemoryService, 'listMemoryFiles' | 'readMemoryFile' | 'noteMemoryFile'>;

/** Over the memory of the engine. */
export function createClientFiles({ memory }: { memory: FileCalls }): ClientFiles {
  return {
    async listMemoryFiles({ audience }) {
      const files = await memory.listFiles({ scope: singleAudienceScope(audience) });
      return { files: files.map(({ readOnly, ...file }) => ({ ...file, read_only: readOnly })) };
    },
    readMemoryFile: ({ audience, ...rest }) =>
      memory.readFile({ ...rest, scope: singleAudienceScope(audience) }),
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
