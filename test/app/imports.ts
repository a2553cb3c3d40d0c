// `parley memory import` on exports next to a home folder, and its table. Not tests.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { openTerminal } from './terminal.ts';

type Files = Readonly<Record<string, unknown>>;

/** A home folder, and `parley memory import` on exports next to it. */
export function openImports(t: TestContext) {
  const { folder, home, call } = openTerminal(t);
  const put = (name: string, content: unknown): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, isRaw ? content : JSON.stringify(content, null, 1));
    return path;
  };
  const folderOf = (name: string, files: Files): string => {
    mkdirSync(join(folder, name), { recursive: true });
    for (const [file, content] of Object.entries(files))
      if (!file.endsWith('/')) put(join(name, file), content);
    return join(folder, name);
  };
  const load = async (path: string, format: string, ...more: string[]) => {
    const done = await call(
      'memory',
      'import',
      path,
      '--format',
      format,
      '--audience',
      'person:operator',
      ...more,
    );
    const printed = `${done.out}${done.err}`;
    assert.doesNotMatch(printed, /^\s+at .*:\d+:\d+/m, 'a stack trace');
    assert.deepEqual(
      done.out.split('\n').filter((line) => line.length > 80),
      [],
      'a line of more than 80 columns',
    );
    return done;
  };
  const texts = async (audience = 'person:operator'): Promise<string[]> => {
    const { out } = await call('memory', 'list', '--limit', '100', '--json', '--audience', audience);
    const { entries } = parseJson(
      out,
      z.object({ entries: z.array(z.object({ text: z.string() })) }),
      'list',
    );
    return entries.map(({ text }) => text).sort();
  };
  return { put, folderOf, load, texts, call, home };
}

/** The row of the table: its number. */
export function row(out: string, label: string): number | undefined {
  const found = new RegExp(`^ *${label} {2,}([\\d,]+)$`, 'm').exec(out)?.[1];
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

/** Read, stored, known already, skipped. */
export const rows = (out: string) =>
  ['read', 'stored', 'known already', 'skipped'].map((label) => row(out, label));
