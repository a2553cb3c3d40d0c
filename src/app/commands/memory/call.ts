// What every action of `parley memory` is given, and what they share: whose memory, operands, lines of 80 columns.

import { join } from 'node:path';
import { memoryFilesFolder } from '#app/home/folders.ts';
import { plain } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { truncateColumns } from '#base/text.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import type { MemoryValues } from './memory-options.ts';

export interface ActionContext {
  memory: Memory & MemoryMaintenance;
  /** The home folder, absolute. */
  home: string;
  /** What follows the action: a path, a text, an id. */
  operand: string | undefined;
  values: MemoryValues;
  /** The agent whose own memory `--agent` means; undefined for what agents share. */
  partition?: string | undefined;
  print: (line: string) => void;
}

/** Resolves with the exit code. */
export type MemoryAction = (call: ActionContext) => Promise<number>;

/** Whose are what is put here without another word: of the runs that nobody started from a chat. */
const operator: Audience = 'person:operator';
const columns = 80;

/** A scope over everything in the file, or over the named audience. */
export async function namedScope({ memory, values }: ActionContext): Promise<Scope> {
  if (values.audience !== undefined)
    return { audiences: [values.audience], spaces: [], everyone: false, everyPartition: true };
  const places = await memory.places();
  return {
    audiences: places.map(({ audience }) => audience),
    spaces: [],
    everyone: true,
    everyPartition: true,
  };
}

/** The audience that was named, or the operator's own. */
export function namedAudience({ values }: ActionContext): Audience {
  return values.audience ?? operator;
}

/** The value; throws a ParleyError `invalid_usage` naming `what` when it is undefined. */
export function required<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new ParleyError('invalid_usage', `Expected ${what}.`);
}

/** Where a memory file is on the disk, by its path as it is listed. */
export const fileAt = (home: string, path: string): string =>
  join(home, memoryFilesFolder, ...path.split('/'));

/** An entry in two lines: where it is from, and how it begins. */
export function entryLines(
  entry: Pick<Entry, 'id' | 'at' | 'speaker' | 'platform' | 'text'>,
  before = '',
): string[] {
  const { id, at, speaker, platform, text } = entry;
  const head = `${before}${id}  ${formatMinute(at)}  ${platform}  ${speaker.replace(/\s+/g, ' ')}`;
  const indent = ' '.repeat(Math.max(2, before.length));
  const line = text.replace(/\s+/g, ' ').trim();
  const begins = truncateColumns(plain(line), columns - indent.length);
  return [truncateColumns(plain(head), columns), `${indent}${begins}`];
}

/** `2026-11-21 09:30`, in UTC. */
export function formatMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
