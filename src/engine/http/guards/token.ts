// The engine's token on disk: made at the first start, readable only by its owner.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';
import { isDiskFailure, storageHint } from '#base/files/disk-failures.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';

const tokenBytes = 32;
const shortest = 16;

/**
 * The token in the file, without surrounding white space; makes a random one of 32 bytes (base64url) when there is no
 * file. Closes the file to group and others when it was open to them. Throws a ParleyError `token_unusable` when the
 * file is empty, too short, not printable ASCII, or cannot be read or written: it is never replaced in silence, since
 * clients may hold the old one.
 */
export async function ensureToken(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text === undefined) return makeToken(path);
  const hint = 'Delete the file to have a new token made at the next start, or put the old one back.';
  const token = checkedToken(path, text, hint);
  await closeToOthers(path);
  return token;
}

/** The token in a file that must be there, checked as by `ensureToken`; nothing is made or changed. */
export async function readToken(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text !== undefined)
    return checkedToken(path, text, 'Put the token of the engine into it, exactly as it is there.');
  throw new ParleyError('token_missing', `There is no token for the engine: ${path} does not exist.`, {
    hint: 'Set PARLEY_TOKEN, or name a file with --token-file; that of the engine is "token" in its home folder.',
  });
}

function checkedToken(path: string, text: string, hint: string): string {
  const token = text.trim();
  if (token === '') throw new ParleyError('token_unusable', `The token file ${path} is empty.`, { hint });
  if (token.length >= shortest && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ParleyError(
    'token_unusable',
    `The token file ${path} must hold one line of at least ${shortest} printable ASCII characters without spaces.`,
    { hint },
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw unusable(`The token file ${path} cannot be read`, cause);
  }
}

async function makeToken(path: string): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  ensureFolder(dirname(path));
  try {
    await writeWhole(path, `${token}\n`);
  } catch (cause) {
    throw unusable(`The token file ${path} cannot be written`, cause);
  }
  return token;
}

/** Mode 0600 where modes exist; Windows protects files of the home folder by other means. */
async function closeToOthers(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, 0o600);
  } catch (cause) {
    throw unusable(`The token file ${path} cannot be closed to other users`, cause);
  }
}

function unusable(what: string, cause: unknown): ParleyError {
  return new ParleyError('token_unusable', `${what} (${codeOf(cause) ?? 'error'}).`, {
    hint: isDiskFailure(cause)
      ? storageHint(codeOf(cause))
      : 'Make it a plain file that this user owns and may read and write, or set PARLEY_TOKEN.',
    cause,
  });
}
