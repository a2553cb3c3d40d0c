// Words looked for in the bytes of files, by a child process.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

interface Trace {
  word: string;
  file: string;
}

export interface TraceSearch {
  traces: Trace[];
  /** Files that were not read to their end, each with the reason as the end of a sentence: what they hold is not known. */
  unread: { file: string; why: string }[];
}

const answerSchema = z.object({
  traces: z.array(z.object({ word: z.string(), file: z.string() })),
  unread: z.array(z.object({ file: z.string(), why: z.string() })),
});

/** How long one search may take, in milliseconds. 5 GB take about 15 s from a warm cache; a chat waits for the answer. */
const usualLimitMs = 30_000;
/** Heap of the child, in MiB: it reads pieces of 1 MiB. */
const heapMiB = 64;
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Resolves with the words whose UTF-8 bytes, in any case, are in a file. A file that does not exist holds none. Never rejects: what was
 * not read in `limitMs` (30 s when absent), or before the signal aborted, is in `unread`.
 *
 * Another process reads the files, since they may be databases that this process has open in SQLite. The system drops every lock that a
 * process holds on a file as soon as the process closes any descriptor of that file (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function tracesOf(
  words: readonly string[],
  files: readonly string[],
  { limitMs = usualLimitMs, signal }: { limitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<TraceSearch> {
  if (words.length === 0 || files.length === 0) return Promise.resolve({ traces: [], unread: [] });
  const failed = (why: string): TraceSearch => ({ traces: [], unread: files.map((file) => ({ file, why })) });
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`--max-old-space-size=${heapMiB}`, fileURLToPath(new URL('./file-traces-child.ts', import.meta.url))],
      { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: maxAnswerBytes, signal, env: {} },
      (error, stdout) => {
        const answer = error === null ? answerSchema.safeParse(parsed(stdout)) : undefined;
        if (answer?.success === true) resolve(answer.data);
        else if (signal?.aborted === true) resolve(failed('the search was stopped'));
        else if (error?.killed === true) resolve(failed(`the search took longer than ${limitMs / 1000} s`));
        else resolve(failed(`the search failed (${error?.code ?? error?.signal ?? 'no answer'})`));
      },
    );
    // A child that ended early says why by its exit code.
    child.stdin?.on('error', () => {});
    // By stdin: other users of the machine can read the arguments of a process.
    child.stdin?.end(JSON.stringify({ words, files }));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
