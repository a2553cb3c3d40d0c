// The command line of qmd (github.com/tobi/qmd, 2.8): one call as a process with its own index, with a time limit. Knows nothing of memory.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { QmdOptions } from '#memory/types/files.ts';

/** Of its index, next to each other; the last two while it is open. */
export const indexFiles = ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm'] as const;
/** Where it reads which folders it indexes. */
export const collectionsFile = 'parley.yml';
/** A named index: without a name, one that it finds in a folder above would be used. */
const named = ['--index', 'parley'];
/** Of one answer, in bytes. */
const maxOutput = 4 * 1024 * 1024;

const scores = z.array(z.number()).catch([]);
const answerSchema = z.array(
  z.object({
    file: z.string(),
    line: z.number().optional(),
    score: z.number().catch(0),
    explain: z
      .object({ vectorScores: scores, rerankScore: z.number().catch(0) })
      .optional()
      .catch(undefined),
  }),
);
export type QmdResult = z.infer<typeof answerSchema>[number];

export interface QmdCall {
  options: QmdOptions;
  ms: number;
  signal?: AbortSignal | undefined;
}

export interface QmdQuery {
  /** In qmd's own form. */
  document: string;
  collections: readonly string[];
  limit: number;
  /** Whether each result comes with what its scores were made of: `score` itself says only in which place it is. */
  explain?: boolean | undefined;
}

/** Asks for documents in the collections, best first; rejects with a ParleyError `qmd_failed`. */
export async function queryQmd(
  call: QmdCall,
  { document, collections, limit, explain }: QmdQuery,
): Promise<QmdResult[]> {
  const rerank = call.options.mode === 'query' ? [] : ['--no-rerank'];
  const among = collections.flatMap((name) => ['-c', name]);
  const out = await runQmd(call, [
    ...['query', document, '--format', 'json', '--full-path', '-n', String(limit)],
    ...[...(explain === true ? ['--explain'] : []), ...rerank, ...among],
  ]);
  try {
    return parseJson(out, answerSchema, 'the answer of qmd');
  } catch (cause) {
    // the message quotes what qmd printed, which are words of files
    if (codeOf(cause) === 'invalid_json')
      throw failed('gave an answer that is not the JSON that was expected');
    throw failed(`gave an answer that cannot be read (${errorMessage(cause)})`, cause);
  }
}

/** Runs the command to its end and resolves with what it printed; past the limit, it and what it started are killed. */
export function runQmd({ options, ms, signal }: QmdCall, args: readonly string[]): Promise<string> {
  const { command, folder, environment } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (signal?.aborted === true) return Promise.reject(failed('was stopped'));
  const child = spawn(command, [...named, ...args], {
    cwd: folder,
    // no token of Parley is in it
    env: {
      ...environment,
      PWD: folder,
      NO_COLOR: '1',
      INDEX_PATH: join(folder, 'index.sqlite'),
      QMD_CONFIG_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // its launcher starts another process: they are killed together
    detached: true,
    windowsHide: true,
  });
  let why: string | undefined;
  const kill = (words: string): void => {
    why ??= words;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // the group has ended, or there are no groups here
    }
  };
  const stop = (): void => kill('was stopped');
  const timer = setTimeout(() => kill(`took longer than ${ms} ms`), ms);
  signal?.addEventListener('abort', stop, { once: true });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  let size = 0;
  const taken = (into: Buffer[]) => (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutput) kill(`printed more than ${maxOutput} bytes`);
    else into.push(chunk);
  };
  child.stdout.on('data', taken(out));
  child.stderr.on('data', taken(err));
  const ended = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  };
  child.on('error', (error) => {
    ended();
    reject(failed(codeOf(error) === 'ENOENT' ? `was not found: ${command}` : errorMessage(error), error));
  });
  child.on('close', (code) => {
    ended();
    if (why !== undefined) reject(failed(why));
    else if (code === 0) resolve(Buffer.concat(out).toString('utf8'));
    else reject(failed(`ended with ${code ?? 'a signal'}${lastLine(Buffer.concat(err).toString('utf8'))}`));
  });
  return promise;
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : ` (${truncate(line.replace(/[\p{C}\s]+/gu, ' ').trim(), 200)})`;
}

function failed(words: string, cause?: unknown): ParleyError {
  return new ParleyError('qmd_failed', `qmd ${words}`, { cause });
}
