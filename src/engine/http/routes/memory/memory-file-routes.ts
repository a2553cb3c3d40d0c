// Memory files over HTTP: those of one audience, listed, read by lines and noted in.

import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import {
  memoryArtifactList,
  memoryFileLines,
  memoryFileList,
  memoryFileNote,
  memoryFileNoted,
  memoryFileRead,
  memoryFileReplace,
  memoryFileReplaced,
  memoryFilesQuery,
  memoryFileWhole,
  memoryFileWholeQuery,
} from '#engine/wire/memory/memory-files.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** `/memory/files`: of one audience, like every route of memory. */
export function memoryFileRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/memory/files',
      tag: 'memory',
      summary: 'The memory files of one audience',
      query: memoryFilesQuery,
      answers: { 200: { about: 'The files', schema: memoryFileList } },
      handle: async (c, { query }) => c.json(await engine.listMemoryFiles(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/artifacts',
      tag: 'memory',
      summary:
        'What other programs may follow of the memory files of one audience: `MEMORY.md`, notes, reports of dreams, the journal of events',
      query: memoryFilesQuery,
      answers: { 200: { about: 'The files', schema: memoryArtifactList } },
      handle: async (c, { query }) => c.json(await engine.listMemoryArtifacts(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/files/lines',
      tag: 'memory',
      summary: 'Lines of one memory file, as it is now',
      query: memoryFileRead,
      answers: { 200: { about: 'The lines', schema: memoryFileLines } },
      handle: async (c, { query }) => c.json(await engine.readMemoryFile(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/files/whole',
      tag: 'memory',
      summary: 'One memory file whole, with a tag of what it holds now',
      query: memoryFileWholeQuery,
      answers: { 200: { about: 'The file', schema: memoryFileWhole } },
      handle: async (c, { query }) => c.json(await engine.readWholeMemoryFile(query)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/memory/files/whole',
      tag: 'memory',
      summary: 'Replaces a memory file that still has the tag; 409 for one that was changed since',
      body: memoryFileReplace,
      bodyLimitBytes: 4 * 1024 * 1024,
      answers: { 200: { about: 'It is replaced, with secrets masked', schema: memoryFileReplaced } },
      handle: async (c, { body }) => c.json(await engine.replaceMemoryFile(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/files/note',
      tag: 'memory',
      summary: "Appends a line to the audience's note of today; secrets in it are masked",
      body: memoryFileNote,
      answers: { 200: { about: 'File and line of the note', schema: memoryFileNoted } },
      handle: async (c, { body }) => c.json(await engine.noteMemoryFile(body)),
    }),
  ];
}
