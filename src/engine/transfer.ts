// All conversations out of the engine's database into a folder, and from such a folder in again. Not memory, and not the files next to the database.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { parseJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { openEngineDatabase } from './database.ts';
import { checkTransfer, invalidImport, type Transfer } from './transfer/check.ts';
import { metaOut, missionsOut, requestsOut, sessionOut } from './transfer/read-out.ts';
import {
  type ExportedMission,
  fileNames,
  metaFile,
  missionsFile,
  questionsFile,
  sessionsFile,
} from './transfer/shapes.ts';
import { type TransferTables, transferTables } from './transfer/tables.ts';
import { missionInto, requestInto, sessionInto } from './transfer/write-in.ts';

interface TransferOptions {
  /** `engine.sqlite`. */
  path: string;
  /** The folder with the four files. */
  folder: string;
  clock: Clock;
  /** Receives every session that is done. */
  onSession?: ((progress: { done: number; total: number }) => void) | undefined;
}

interface ExportReport {
  sessions: number;
  questions: number;
  missions: number;
}

interface TransferReport {
  sessions: { stored: number; present: number };
  questions: { stored: number; present: number };
  missions: { stored: number; present: number };
}

/**
 * Writes the four files as the database is at one moment, also while an engine has it open; older ones are replaced once
 * all four are whole.
 */
export async function exportAll({ path, folder, clock, onSession }: TransferOptions): Promise<ExportReport> {
  ensureFolder(folder);
  const database = openEngineDatabase(path, clock);
  const names = Object.values(fileNames);
  const unfinished = (name: string): string => join(folder, `.${name}.new`);
  try {
    // One read transaction: the four files show the same moment.
    database.exec('BEGIN');
    const tables = transferTables(database);
    const ids = tables.sessions.ids();
    const requests = requestsOut(tables);
    const missions = missionsOut(tables);
    await writeWhole(unfinished(fileNames.questions), lines(['[', ']'], requests.map(jsonOf)));
    await writeWhole(unfinished(fileNames.missions), lines(['[', ']'], missions.map(jsonOf)));
    await writeWhole(unfinished(fileNames.meta), lines(['{', '}'], metaLines(tables, ids)));
    await writeWhole(unfinished(fileNames.sessions), lines(['[', ']'], sessionLines(tables, ids, onSession)));
    for (const name of names) await rename(unfinished(name), join(folder, name));
    return { sessions: ids.length, questions: requests.length, missions: missions.length };
  } finally {
    for (const name of names) await rm(unfinished(name), { force: true });
    database.close();
  }
}

const jsonOf = (value: unknown): string => JSON.stringify(value);

function* metaLines(tables: TransferTables, ids: readonly string[]): Generator<string> {
  for (const id of ids) yield `${jsonOf(id)}: ${jsonOf(metaOut(tables, id))}`;
}

function* sessionLines(
  tables: TransferTables,
  ids: readonly string[],
  onSession: TransferOptions['onSession'],
): Generator<string> {
  for (const [index, id] of ids.entries()) {
    yield jsonOf(sessionOut(tables, id));
    onSession?.({ done: index + 1, total: ids.length });
  }
}

/** One entry a line, so that a large file is never in memory as a whole and two exports can be compared by line. */
async function* lines([open, close]: [string, string], entries: Iterable<string>): AsyncGenerator<string> {
  let between = '\n';
  yield open;
  for (const entry of entries) {
    yield between + entry;
    between = ',\n';
  }
  yield `\n${close}\n`;
}

/**
 * Reads the files, of which only the sessions must be there, checks them whole, and writes what is not there yet in one
 * transaction; a session that is there stays unchanged, and gets no missions. No engine may have the database open. A
 * ParleyError `broken_import` names the file and where in it.
 */
export async function importAll({
  path,
  folder,
  clock,
  onSession,
}: TransferOptions): Promise<TransferReport> {
  const transfer: Transfer = {
    sessions: await read(folder, { name: fileNames.sessions, schema: sessionsFile }),
    meta: await read(folder, { name: fileNames.meta, schema: metaFile, otherwise: {} }),
    requests: await read(folder, { name: fileNames.questions, schema: questionsFile, otherwise: [] }),
    missions: await read(folder, { name: fileNames.missions, schema: missionsFile, otherwise: [] }),
  };
  checkTransfer(transfer);
  const database = openEngineDatabase(path, clock);
  try {
    return database
      .transaction(() => write(transferTables(database), transfer, { clock, onSession }))
      .immediate();
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_CONSTRAINT') !== true) throw error;
    throw invalidImport(
      folder,
      'as a whole',
      `it does not fit what is here already (${errorMessage(error)})`,
      error,
    );
  } finally {
    database.close();
  }
}

function write(
  tables: TransferTables,
  { sessions, meta, requests, missions }: Transfer,
  { clock, onSession }: Pick<TransferOptions, 'clock' | 'onSession'>,
): TransferReport {
  const report: TransferReport = {
    sessions: { stored: 0, present: 0 },
    questions: { stored: 0, present: 0 },
    missions: { stored: 0, present: 0 },
  };
  const stored = new Set<string>();
  for (const [index, session] of sessions.entries()) {
    if (tables.sessions.get(session.id) === undefined) {
      sessionInto(tables, session, meta[session.id]);
      stored.add(session.id);
    }
    onSession?.({ done: index + 1, total: sessions.length });
  }
  report.sessions = { stored: stored.size, present: sessions.length - stored.size };
  for (const request of requests) {
    // Of a session that was here before nothing is changed.
    const written = stored.has(request.sessionID) && requestInto(tables, request);
    report.questions[written ? 'stored' : 'present'] += 1;
  }
  const now = clock.now();
  for (const mission of missions) {
    const isNew = belongsTo(stored, tables, mission);
    if (isNew) missionInto(tables, mission, now);
    report.missions[isNew ? 'stored' : 'present'] += 1;
  }
  return report;
}

/** Whether a mission comes with the sessions that were stored now: with the one that began it, else with those of its agents. */
function belongsTo(
  stored: ReadonlySet<string>,
  { sessions, teams }: TransferTables,
  { sessionID, instances }: ExportedMission,
): boolean {
  if (sessionID !== undefined) return stored.has(sessionID);
  // A session that is neither in the export nor here was deleted before the export.
  const isHere = (each: { id: string; sessionID: string }): boolean =>
    teams.instances.get(each.id) !== undefined ||
    (!stored.has(each.sessionID) && sessions.get(each.sessionID) !== undefined);
  return !instances.some(isHere);
}

async function read<T>(
  folder: string,
  { name, schema, otherwise }: { name: string; schema: ZodType<T>; otherwise?: T },
): Promise<T> {
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' && otherwise !== undefined) return otherwise;
    throw invalidImport(
      join(folder, name),
      'as a whole',
      `it cannot be read (${codeOf(cause) ?? 'error'})`,
      cause,
    );
  }
  try {
    return parseJson(text, schema, name);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    throw new ParleyError('broken_import', `${truncate(error.message, 600)}. Nothing was imported.`, {
      hint: 'Fix the file, or export it again from where it came.',
      cause: error,
    });
  }
}
