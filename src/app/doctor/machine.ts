// The doctor on this machine: Node, the native modules, the clock.
import Database from 'better-sqlite3';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

/** The oldest Node that runs the program as it is written. */
const minNode = 24;
/** Half a minute is more than any clock drifts that is kept right. */
const maxSkewMs = 30_000;
const timeoutMs = 10_000;
const reinstall = 'Run "npm ci" in the folder of Parley, under the Node that will run it.';

/** Checks Node's version and the native modules. */
export function checkProgram(): Diagnostic[] {
  const { node } = process.versions;
  const old = Number.parseInt(node, 10) < minNode;
  const hint = 'Install Node 24 or newer from nodejs.org; in a clone, "npm start" brings its own.';
  return [
    old ? errorFinding(`Parley needs Node ${minNode} or newer, this is ${node}.`, hint) : ok(`Node ${node}`),
    nativeModule('better-sqlite3', (database) => {
      database.exec('CREATE VIRTUAL TABLE words USING fts5(text)');
      return database.prepare<[], { v: string }>('SELECT sqlite_version() AS v').get()?.v;
    }),
  ];
}

function nativeModule(name: string, probe: (database: Database.Database) => string | undefined): Diagnostic {
  let database: Database.Database | undefined;
  try {
    database = new Database(':memory:');
    return ok(`${name} works (${probe(database) ?? 'no version'}).`);
  } catch (error) {
    return errorFinding(`The native module ${name} does not work: ${errorMessage(error)}.`, reinstall);
  } finally {
    database?.close();
  }
}

/** Milliseconds by which this machine's clock is ahead of a server's, by its Date header; undefined when it does not answer. */
export async function clockSkewMs(url: string, clock: Clock): Promise<number | undefined> {
  try {
    const asked = clock.now();
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const answered = clock.now();
    await response.body?.cancel();
    const theirs = Date.parse(response.headers.get('date') ?? '');
    // the header has whole seconds, cut off: on average half a second is missing
    return Number.isNaN(theirs) ? undefined : (asked + answered) / 2 - (theirs + 500);
  } catch {
    return undefined; // that it is out of reach is reported where it matters
  }
}

/** Findings on the measured clock differences; none when no server answered. */
export function checkClock(skews: readonly { who: string; ms: number }[]): Diagnostic[] {
  const [least] = [...skews].sort((a, b) => Math.abs(a.ms) - Math.abs(b.ms));
  if (least === undefined) return [];
  const seconds = Math.round(Math.abs(least.ms) / 1000);
  // one server may be wrong; when even the nearest is far, it is this machine
  if (Math.abs(least.ms) <= maxSkewMs) return [ok(`The clock agrees with ${least.who}'s.`)];
  const way = least.ms > 0 ? 'ahead of' : 'behind';
  return [
    warning(
      `The clock of this machine is ${seconds} s ${way} ${least.who}'s: times in history, expiry and limits are wrong.`,
      'Set the clock, best automatically: "timedatectl set-ntp true" on Linux.',
    ),
  ];
}
