// Memory files as clients have them: listed, read by lines, noted in, indexed. Shapes only.
import { z } from 'zod';
import { operation } from '#engine/operations/operation.ts';
import { memoryAudience, memoryCorpus, memoryOfAudience } from './memory.ts';

export const memoryFileList = z.object({
  files: z.array(
    z.object({
      /** Folder and name. */
      path: z.string(),
      audience: z.string(),
      bytes: z.number(),
      passages: z.number(),
      state: z.enum(['indexed', 'waiting', 'refused']),
      /** Why it is refused. */
      problem: z.string().optional(),
      read_only: z.boolean(),
    }),
  ),
});
export type MemoryFileList = z.infer<typeof memoryFileList>;

export const memoryArtifactList = z.object({
  artifacts: z.array(
    z.object({
      path: z.string().describe('Folder and name, below the folder of memory files'),
      audience: z.string(),
      kind: z.enum(['memory-root', 'daily-note', 'dream-report', 'event-log']),
      content_type: z.enum(['text/markdown', 'application/x-ndjson']),
      bytes: z.number(),
      changed_at: z.number().describe('In milliseconds since the epoch'),
    }),
  ),
});

export const memoryFileRead = z.object({
  audience: memoryAudience,
  path: z.string().min(1).max(500).describe('As it is listed, or `MEMORY.md`'),
  from: z.coerce.number().int().min(1).optional().describe('The first line, 1 when absent'),
  lines: z.coerce.number().int().min(1).max(500).optional().describe('How many lines, 100 when absent'),
  corpus: memoryCorpus,
});

export const memoryFileLines = z.object({
  path: z.string(),
  from: z.number(),
  until: z.number(),
  total: z.number(),
  text: z.string(),
  /** Where the next lines begin; absent at the end. */
  next: z.number().optional(),
  audience: z.string().optional().describe('Whose it is; absent for a page of a corpus'),
});

export const memoryFileWholeQuery = memoryFileRead.pick({ audience: true, path: true });

export const memoryFileWhole = z.object({
  path: z.string(),
  text: z.string().describe('Secrets are masked, and forgotten lines are empty'),
  tag: z.string().describe('Of the file as it is now; a replacement names it'),
  read_only: z.boolean(),
});
export type MemoryFileWhole = z.infer<typeof memoryFileWhole>;

export const memoryFileReplace = memoryFileWholeQuery.extend({
  text: z.string().max(1_000_000),
  tag: z
    .string()
    .min(1)
    .max(100)
    .describe('Of the file that the text was made from: one that was changed since is not replaced'),
});

export const memoryFileReplaced = z.object({
  path: z.string(),
  tag: z.string(),
  /** Kinds of secrets that were masked in it. */
  redacted: z.array(z.string()),
});
export type MemoryFileReplaced = z.infer<typeof memoryFileReplaced>;

export const memoryFileNote = z.strictObject({
  audience: memoryAudience,
  text: z.string().trim().min(1).max(8_000),
  person: z.string().min(1).max(200).optional().describe('Who wrote it'),
});

export const memoryFileNoted = z.object({
  status: z.enum(['written', 'duplicate']),
  path: z.string(),
  line: z.number(),
  /** Kinds of secrets that were masked in it. */
  redacted: z.array(z.string()),
});

export const memoryFilesStatus = z.object({
  files: z.number(),
  passages: z.number(),
  waiting: z.number().describe('Files that are not indexed as they are now'),
  leftBehind: z.number().describe('Indexed files that are unknown: what a rebuild left'),
  watcher: z.enum(['alive', 'lost', 'off']),
  watcherWords: z.string().optional().describe('Why the watcher was lost, or what it did not report'),
  refused: z
    .array(z.object({ path: z.string(), words: z.string() }))
    .describe('Files that cannot be read, and why'),
  overBudget: z
    .array(z.object({ path: z.string(), characters: z.number(), shown: z.number() }))
    .describe('Files of which a prompt is given only the beginning'),
  problems: z
    .array(z.object({ words: z.string(), hint: z.string() }))
    .describe('What the disk and the clock do to the files, and what to do about it'),
  corpora: z
    .array(z.object({ name: z.string(), audience: z.string(), pages: z.number(), passages: z.number() }))
    .describe('Pages that are searched next to memory, as a wiki'),
  backend: z
    .object({
      name: z.literal('qmd'),
      state: z.enum(['unknown', 'answers', 'failed']),
      words: z.string().optional(),
      unrecalled: z.string().optional().describe('Why the last prompt was recalled without it'),
    })
    .optional()
    .describe('What searches files next to the built-in index; where it failed, that one answers'),
});

export const dreamingStatus = z
  .object({
    candidates: z.number().describe('Statements that were recalled'),
    recalls: z.number(),
    promoted: z.number().describe('Lines that are in MEMORY.md by a sweep'),
    sweeps: z.number(),
    lastSweep: z.number().optional().describe('When the last one was finished'),
    next: z.number().optional().describe('When the next one is due; absent while dreaming is off'),
    problems: z.array(z.string()).describe('Sweeps that were not run or not finished'),
  })
  .describe('Short-term memory');

const share = z.number().min(0).max(1);
export const memoryDreams = z.object({
  status: dreamingStatus,
  candidates: z
    .array(
      z.object({
        id: z.string(),
        text: z.string().nullable().describe('Null where its source no longer has it'),
        source: z.string().nullable(),
        score: z.number(),
        parts: z.object({
          frequency: share,
          relevance: share,
          diversity: share,
          recency: share,
          consolidation: share,
          richness: share,
        }),
        boost: z.number().describe('What the phases of sweeps added to the score'),
        recalls: z.number(),
        queries: z.number().describe('Different questions'),
        verdict: z.enum(['promote', 'waits', 'refused', 'promoted']),
        reason: z.string().nullable().describe('Why the next sweep does not promote it; null when it does'),
      }),
    )
    .describe('The best first, at most 200'),
  problem: z.string().nullable().describe('Why nothing could be read or written'),
});
export type MemoryDreams = z.infer<typeof memoryDreams>;

/** The memory files of one audience. */
export const fileOperations = {
  listMemoryFiles: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/files',
    summary: 'The memory files of one audience',
    about: 'The files',
    input: memoryOfAudience,
    output: memoryFileList,
    call: 'files',
    unaudited: 'shows no words',
  }),
  listMemoryArtifacts: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/artifacts',
    summary:
      'What other programs may follow of the memory files of one audience: `MEMORY.md`, notes, reports of dreams, the journal of events',
    about: 'The files',
    input: memoryOfAudience,
    output: memoryArtifactList,
    call: 'artifacts',
    unaudited: 'shows no words',
  }),
  /** A ParleyError `file_not_found` or `file_refused`. */
  readMemoryFile: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/files/lines',
    summary: 'Lines of one memory file, as it is now',
    about: 'The lines',
    input: memoryFileRead,
    output: memoryFileLines,
    call: 'fileLines',
  }),
  /** A ParleyError `file_not_found` or `file_refused`. */
  readWholeMemoryFile: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/files/whole',
    summary: 'One memory file whole, with a tag of what it holds now',
    about: 'The file',
    input: memoryFileWholeQuery,
    output: memoryFileWhole,
    call: 'wholeFile',
    first: 'path',
  }),
  /** A ParleyError `file_changed` for another tag than the file has, `file_refused` for one that may not be written. */
  replaceMemoryFile: operation({
    effect: 'change',
    method: 'PUT',
    path: '/memory/files/whole',
    summary: 'Replaces a memory file that still has the tag; 409 for one that was changed since',
    about: 'It is replaced, with secrets masked',
    input: memoryFileReplace,
    output: memoryFileReplaced,
    call: 'replaceFile',
    bodyLimitBytes: 4 * 1024 * 1024,
  }),
  /** Unless the note has the text already. */
  noteMemoryFile: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/files/note',
    summary: "Appends a line to the audience's note of today; secrets in it are masked",
    about: 'File and line of the note',
    input: memoryFileNote,
    output: memoryFileNoted,
    call: 'noteFile',
    first: 'text',
  }),
};
