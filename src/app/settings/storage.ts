// The shared database, from the config, its files and the environment.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { passwordsIn } from '#app/config/environment.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { type PostgresSettings, postgresAddress } from '#base/postgres/address.ts';

type Loaded = Pick<LoadedConfig, 'config' | 'environment' | 'folder'>;

/** How the database is reached; undefined where none is set. Throws `config_invalid` for an address or a file that cannot be used. */
export function storageOf({
  config: { storage },
  environment,
  folder,
}: Loaded): PostgresSettings | undefined {
  const url = storage.url ?? environment.DATABASE_URL;
  if (url === undefined || url === false) {
    if (storage.memory === 'home') return undefined;
    throw new ParleyError('config_invalid', '`storage.memory` is shared, and no database is set.', {
      hint: 'Set `storage.url` or DATABASE_URL, or leave `storage.memory` out.',
    });
  }
  const given = (path: string | undefined): string | undefined => path && resolve(folder, path);
  const settings = { url, password: passwordIn(given(storage.passwordFile)), caFile: given(storage.caFile) };
  const password = postgresAddress(settings).password ?? environment.PGPASSWORD;
  const { poolSize, statementSeconds } = storage;
  return { ...settings, password, poolSize, statementTimeoutMs: statementSeconds * 1000 };
}

/** The passwords of the database, which are shown nowhere. */
export function storageSecrets(loaded: Loaded): string[] {
  const { config, environment, folder } = loaded;
  const { url, passwordFile } = config.storage;
  const inFile = passwordFile === undefined ? undefined : tryPassword(resolve(folder, passwordFile));
  return [
    ...passwordsIn([url || undefined, environment.DATABASE_URL]),
    ...(inFile === undefined ? [] : [inFile]),
  ];
}

function passwordIn(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/)[0];
  } catch (cause) {
    throw new ParleyError('config_invalid', `storage.passwordFile cannot be read: ${errorMessage(cause)}.`, {
      hint: 'Name a file that Parley may read, with the password in its first line.',
      cause,
    });
  }
}

/** What cannot be read is reported where it is used. */
function tryPassword(path: string): string | undefined {
  try {
    return passwordIn(path);
  } catch {
    return undefined;
  }
}
