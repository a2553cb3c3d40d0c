// The doctor on the files: config, `.env`, the home folder, its disk, its databases. Reads only.
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { ledgers } from '#app/backup/manifest.ts';
import { wrongWith } from '#app/backup/snapshot.ts';
import { envFileOf, secretsOf } from '#app/config/environment.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { unfinishedRestore } from '#app/home/home-lock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { storageHint } from '#base/files/disk-failures.ts';
import { closeToOthers, isOpenToOthers } from '#base/files/files.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';
import { checkModes } from './modes.ts';

/** Below this a run, an upload or a checkpoint may not fit any more. */
const minBytes = 100 * 1024 * 1024;
const littleBytes = 1024 * 1024 * 1024;

/** Checks the files that hold secrets, and the folder of the databases. */
export async function checkHome(
  { home, environment }: LoadedConfig,
  files: { config: string; env: string; running: boolean },
): Promise<Diagnostic[]> {
  const secrets = secretsOf(environment);
  const remarks = [
    ...closedToOthers(files.env, 'The file .env with the tokens'),
    ...secretsIn(files.config, secrets),
  ];
  if (!existsSync(home)) {
    remarks.push(ok(`The home folder ${home} is made at the first start.`));
    return remarks;
  }
  remarks.push(...writable(home), ...closedToOthers(home, 'The home folder'), ...(await checkModes(home)));
  if (existsSync(join(home, unfinishedRestore)))
    remarks.push(
      errorFinding(
        `A restore into ${home} was cut off; nothing starts there.`,
        `Run "parley restore ${readFileSync(join(home, unfinishedRestore), 'utf8').trim()} --replace" again.`,
      ),
    );
  else remarks.push(...(await leftovers(home, files.running)));
  remarks.push(await space(home));
  return remarks;
}

/** Reads each database completely and checks it; takes about a second for a gigabyte. */
export function checkLedgers(home: string): Diagnostic[] {
  const there = ledgers.filter((name) => existsSync(join(home, name)));
  if (there.length === 0) return [ok('There is no database yet.')];
  return there.map((name) => {
    try {
      const words = wrongWith(join(home, name));
      // full text is made of the rows, and the look at the memory says what is wrong with it
      return words.every((each) => each.startsWith('fts5:'))
        ? ok(`${name} is whole (${formatBytes(statSync(join(home, name)).size)}).`)
        : errorFinding(`${name} is damaged: ${words.join('; ')}.`, storageHint('SQLITE_CORRUPT'));
    } catch (error) {
      const hint = hintOf(error);
      return errorFinding(errorMessage(error), hint ?? storageHint(codeOf(error)));
    }
  });
}

function writable(home: string): Diagnostic[] {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return [ok(`The home folder is ${home}.`)];
  } catch (error) {
    return [
      errorFinding(
        `The home folder ${home} cannot be written (${codeOf(error)}).`,
        storageHint(codeOf(error)),
      ),
    ];
  }
}

/** Whether only its owner may read it. */
function closedToOthers(path: string, what: string): Diagnostic[] {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined || !isOpenToOthers(about)) return [];
  const mode = about.isDirectory() ? '700' : '600';
  return [
    warning(
      `${what} can be read by other users of this machine (${path}).`,
      `chmod ${mode} ${path} (or --fix).`,
      () => closeToOthers(path),
    ),
  ];
}

function secretsIn(config: string, secrets: readonly string[]): Diagnostic[] {
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  if (!secrets.some((secret) => secret !== '' && text.includes(secret))) return [];
  return [
    warning(
      `A token or key is in ${config}.`,
      `Move it into ${envFileOf(config)}; where the config needs it, write its name there, as in $` +
        '{NAME}.',
    ),
  ];
}

/** What a killed process left: nothing needs it, and nothing looks for it again. */
async function leftovers(home: string, running: boolean): Promise<Diagnostic[]> {
  if (running) return [];
  const names = (await readdir(home)).filter((name) => /^\.restore-\d+$|^(engine|channels)\.url$/.test(name));
  if (names.length === 0) return [];
  return [
    warning(
      `A process that was killed left ${names.join(', ')} in the home folder.`,
      'They do no harm; the next start (or --fix) clears them.',
      () => {
        for (const name of names) rmSync(join(home, name), { recursive: true, force: true });
      },
    ),
  ];
}

async function space(home: string): Promise<Diagnostic> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const words = `${(free / 2 ** 30).toFixed(1)} GiB are free on the disk of the home folder.`;
  const hint = 'Free some space; "parley prune --dry-run" shows what is beyond its retention here.';
  if (free < minBytes) return errorFinding(`Only ${words}`, hint);
  return free < littleBytes ? warning(`Only ${words}`, hint) : ok(words);
}
