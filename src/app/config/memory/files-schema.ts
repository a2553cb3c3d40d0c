// The keys of memory as files.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isTimeZone } from '#base/time-zone.ts';

const usual = { file: 10_000, total: 16_000 };

/** A folder that is read and never written, and who may read it. */
const folder = z.strictObject({
  path: z.string().min(1).refine(isAbsolute, 'expected an absolute path'),
  audience: z
    .string()
    .regex(/^(?:(?:person|room|space):.+|everyone)$/, 'expected person:ID, room:KEY, space:KEY or everyone'),
});

export const wiki = z
  .strictObject({
    path: folder.shape.path.describe(
      'An absolute path of a folder of Markdown pages. They are searched, recalled and read next to memory, as the corpus `wiki`, and never written.',
    ),
    audience: folder.shape.audience.describe(
      'Who may read the wiki: `person:ID`, `room:KEY`, `space:KEY`, or `everyone`, which needs `memory.sharing: "everyone"`.',
    ),
  })
  .optional();

export const backend = z
  .enum(['builtin', 'qmd'])
  .default('builtin')
  .describe(
    'What searches memory files and pages: the built-in index, or `qmd`, a program that you install. Where qmd fails, the built-in index answers.',
  );

export const qmd = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .default('qmd')
      .describe('The program: a name in the PATH, or an absolute path.'),
    mode: z
      .enum(['search', 'vsearch', 'query'])
      .default('search')
      .describe(
        '`search`: by words, without a model. `vsearch`: by meaning; qmd downloads about 300 MB at its first use. `query`: with an expanded question and reranking; about 2 GB, and seconds for each search.',
      ),
    timeoutSeconds: z
      .number()
      .min(0.1)
      .max(120)
      .default(4)
      .describe('After that the built-in index answers; a prompt waits 4 seconds at most.'),
    updateMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(5)
      .describe('So often qmd indexes what changed; a search does it before.'),
  })
  .prefault({});

export const filesSchema = z
  .strictObject({
    characters: z
      .strictObject({
        file: z.int().min(0).max(200_000).default(usual.file).describe('Of one file.'),
        total: z.int().min(0).max(400_000).default(usual.total).describe('Of all files of a chat.'),
      })
      .default(usual)
      .describe(
        'Characters of memory files that a prompt is given at most. What is cut is marked in the prompt.',
      ),
    extra: z
      .array(folder)
      .max(100)
      .default([])
      .describe(
        'Folders of Markdown files that are searched and never written, each with the audience that may read it.',
      ),
    timeZone: z
      .string()
      .refine(isTimeZone, 'expected a time zone such as Europe/Berlin')
      .default('UTC')
      .describe('Time zone that decides which day a note is of, for example `Europe/Berlin`.'),
    maxBytes: z
      .int()
      .min(1_024)
      .max(64 * 1024 * 1024)
      .default(4 * 1024 * 1024)
      .describe('A larger memory file is not read; `status` and `doctor` name it.'),
  })
  .prefault({});
