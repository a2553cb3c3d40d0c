// The address of a PostgreSQL database, as libpq's URLs write it. Connects to nothing, and loads no driver.
import { userInfo } from 'node:os';
import { ParleyError } from '#base/errors.ts';
import { decodedPart } from '#base/text.ts';

/** What a program needs to reach its database. */
export interface PostgresSettings {
  /** `postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE`. */
  url: string;
  /** Goes before the URL's. */
  password?: string | undefined;
  /** Absolute path of the certificates that count, as PEM; goes before the URL's `sslrootcert`. */
  caFile?: string | undefined;
  /** Connections for statements; those that hold locks are not counted. */
  poolSize: number;
  /** After so long the server ends a statement, in milliseconds. */
  statementTimeoutMs: number;
}

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type TlsMode = (typeof tlsModes)[number];

export interface PostgresAddress {
  /** A name, an IP address, or the folder of a socket. */
  host: string;
  port: number;
  database: string;
  user: string;
  password: string | undefined;
  tls: TlsMode;
  /** Path of the certificates that count, or undefined for those of the system. */
  caFile: string | undefined;
  /** In milliseconds. */
  connectTimeoutMs: number;
}

const known = ['host', 'user', 'sslmode', 'sslrootcert', 'connect_timeout', 'application_name'];
const usualPort = 5432;
/** What libpq waits for by default is no end; a server that runs answers far sooner. */
const usualConnectMs = 5_000;

/**
 * Reads the address. Without `sslmode` a server on this machine is reached without TLS, and any other only with it. Throws a ParleyError
 * `config_invalid` that names what is wrong and never repeats the address, which may hold a password.
 */
export function postgresAddress({
  url,
  password,
  caFile,
}: Pick<PostgresSettings, 'url' | 'password' | 'caFile'>): PostgresAddress {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw wrong('The address of the database is none that begins with postgres:// or postgresql://.');
  const parsed = new URL(url);
  const query = parsed.searchParams;
  const unknown = [...query.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw wrong(`The address of the database has "${unknown}", which is not known: ${known.join(', ')} are.`);
  const user = decoded(parsed.username) || query.get('user') || userInfo().username;
  const host = query.get('host') || decoded(parsed.hostname).replace(/^\[|\]$/g, '') || '127.0.0.1';
  const rootCert = caFile ?? query.get('sslrootcert') ?? undefined;
  const seconds = Number(query.get('connect_timeout') ?? usualConnectMs / 1000);
  if (!(seconds > 0)) throw wrong('"connect_timeout" expects a number of seconds.');
  return {
    host,
    port: parsed.port === '' ? usualPort : Number(parsed.port),
    database: decoded(parsed.pathname.slice(1)) || user,
    user,
    password: password ?? (decoded(parsed.password) || undefined),
    tls: tlsMode(query.get('sslmode'), { host, rootCert }),
    caFile: rootCert === 'system' ? undefined : rootCert,
    connectTimeoutMs: seconds * 1000,
  };
}

/** Where the database is, in words: nothing of it is secret. */
export function placeOf({ host, port, database, user }: PostgresAddress): string {
  const at = host.startsWith('/') ? `${host} (port ${port})` : `${host}:${port}`;
  return `the database "${database}" at ${at} as the user "${user}"`;
}

/** As libpq: certificates that are named are checked also where the mode only asks for TLS. */
function tlsMode(
  given: string | null,
  { host, rootCert }: { host: string; rootCert: string | undefined },
): TlsMode {
  if (given === null) {
    if (rootCert !== undefined) return 'verify-full';
    return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? 'disable' : 'require';
  }
  const mode = tlsModes.find((each) => each === given);
  if (mode === undefined)
    throw wrong(
      `"sslmode" expects one of ${tlsModes.join(', ')}. "prefer" and "allow" are not taken: they go without TLS where someone in between wants it.`,
    );
  return mode === 'require' && rootCert !== undefined ? 'verify-ca' : mode;
}

/** A part of the address, in which `%40` stands for `@`. */
function decoded(part: string): string {
  const said = decodedPart(part);
  if (said !== undefined) return said;
  throw wrong(
    'The address of the database has a "%" without two hexadecimal digits of UTF-8 after it; a "%" that is meant as it is, as in a password, is written "%25".',
  );
}

function wrong(words: string): ParleyError {
  return new ParleyError('config_invalid', words, {
    hint: 'Write it as postgres://USER@HOST:5432/DATABASE in `storage.url` or DATABASE_URL, and the password into the file of `storage.passwordFile` or into PGPASSWORD.',
  });
}
