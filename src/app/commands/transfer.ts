// `parley export DIR` and `parley import DIR`: all conversations as files, and back. Memory has its own commands.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '#app/config/load.ts';
import { lockHomeWhenFree } from '#app/home/home-wait.ts';
import { showProgress } from '#app/screen/progress.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import { exportAll, importAll } from '#engine/transfer.ts';
import type { CommandInput } from './parts/input.ts';

const databaseName = 'engine.sqlite';

/** Writes the files; may be called while Parley runs. */
export async function exportFolder(input: CommandInput): Promise<number> {
  const { home } = loadConfig(input);
  const folder = folderOf(input, 'export');
  const path = join(home, databaseName);
  if (!existsSync(path))
    throw new ParleyError(
      'nothing_to_export',
      `There is no ${databaseName} in ${home}: nothing was written yet.`,
      {
        hint: 'Name the home folder with PARLEY_HOME or `home` in the config.',
      },
    );
  const report = await withProgress(input, (onSession) =>
    exportAll({ path, folder, clock: systemClock, onSession }),
  );
  input.print(
    input.json ? JSON.stringify({ folder, ...report }) : `${held(report)} were written to ${folder}.`,
  );
  return 0;
}

/** Reads the files into the home folder, in which no Parley may run. */
export async function importFolder(input: CommandInput): Promise<number> {
  const { home } = loadConfig(input);
  const folder = folderOf(input, 'import');
  const lock = await lockHomeWhenFree(home, 'engine');
  try {
    const path = join(home, databaseName);
    const { sessions, questions, missions } = await withProgress(input, (onSession) =>
      importAll({ path, folder, clock: systemClock, onSession }),
    );
    input.print(
      input.json
        ? JSON.stringify({ folder, sessions, questions, missions })
        : `${held({ sessions: sessions.stored, questions: questions.stored, missions: missions.stored })} were imported; ${counted(sessions.present, 'session')} ${sessions.present === 1 ? 'was' : 'were'} there already.`,
    );
  } finally {
    lock.release();
  }
  return 0;
}

function held({
  sessions,
  questions,
  missions,
}: Record<'sessions' | 'questions' | 'missions', number>): string {
  return `${counted(sessions, 'session')}, ${counted(questions, 'question')} and ${counted(missions, 'mission')}`;
}

function folderOf({ rest, folder }: CommandInput, command: string): string {
  const [path, ...more] = rest;
  if (path !== undefined && path !== '' && more.length === 0) return resolve(folder, path);
  throw new ParleyError('invalid_usage', `Expected "parley ${command} DIR" with one folder.`, {
    hint: 'The folder holds sessions.json, session_meta.json, questions.json and missions.json.',
  });
}

async function withProgress<T>(
  { json }: CommandInput,
  work: (onSession: (at: { done: number; total: number }) => void) => Promise<T>,
): Promise<T> {
  const progress = showProgress('sessions', json ? 'silent' : 'shown');
  try {
    return await work(progress.update);
  } finally {
    progress.end();
  }
}
