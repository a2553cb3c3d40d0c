// What PostgreSQL and the way to it refuse, in words with what to do, and which of it passes on its own.
import { codeOf, errorMessage, neverConnected, ParleyError } from '#base/errors.ts';

interface Failure {
  /** SQLSTATEs and Node's codes, and what the message says where there is none, or one that says nothing. */
  when: readonly (string | RegExp)[];
  code: string;
  /** `place` as `placeOf` writes it. */
  words: (place: string, said: string) => string;
  hint: string;
}

/** What another attempt, or another machine that takes over, can mend. Anything else stays until someone changes it. */
const passing = ['database_unreachable', 'database_standby', 'database_full', 'database_busy'];

const tlsCodes = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
];

const pooler = {
  words: (place: string) =>
    `A pooler lends connections for single transactions in front of ${place}: locks and prepared statements would not stay.`,
  hint: 'Let `storage.url` name PostgreSQL itself, or a pool of PgBouncer with "pool_mode = session".',
};

const failures: readonly Failure[] = [
  {
    when: ['28P01', /^password authentication failed$/],
    code: 'database_refused',
    words: (place) => `PostgreSQL refuses the password for ${place}.`,
    hint: 'Correct the password in the file of `storage.passwordFile`, in PGPASSWORD or in the URL.',
  },
  {
    when: [/password must be a (non-empty )?string/],
    code: 'database_refused',
    words: (place) => `PostgreSQL asks for a password for ${place}, and none is set.`,
    hint: 'Write it into a file and name that as `storage.passwordFile`, or set PGPASSWORD.',
  },
  {
    when: ['28000'],
    code: 'database_refused',
    words: (place, said) => `PostgreSQL does not let Parley into ${place}: ${said}.`,
    hint: 'Make the user, and allow it in pg_hba.conf from this machine. Where TLS is demanded, write sslmode=verify-full into the URL.',
  },
  {
    when: ['3D000', /^no such database: /, /^database ".*" does not exist$/],
    code: 'database_missing',
    words: (place) => `There is no such database: ${place}.`,
    hint: `Make it with "CREATE DATABASE NAME ENCODING 'UTF8'", or correct the name in \`storage.url\`.`,
  },
  {
    when: ['42501'],
    code: 'database_rights',
    words: (place, said) => `The user may not make or use tables in ${place}: ${said}.`,
    hint: 'Make the user the owner of the database and its tables, or run there "GRANT CONNECT ON DATABASE NAME TO USER", "GRANT CREATE, USAGE ON SCHEMA public TO USER" and "GRANT ALL ON ALL TABLES IN SCHEMA public TO USER".',
  },
  {
    when: ['53100'],
    code: 'database_full',
    words: (place) => `The disk of PostgreSQL is full: ${place} takes nothing more.`,
    hint: 'Make room on the disk of the database; what waits is written then.',
  },
  {
    when: ['25006', /in a hot standby|recovery is in progress|during recovery/],
    code: 'database_standby',
    words: (place) => `PostgreSQL is a standby, or read-only: ${place} takes no writes.`,
    hint: 'Let `storage.url` name the primary, or an address that follows it.',
  },
  {
    when: ['53300', '55P03', '40001', '40P01', /^no more connections allowed/],
    code: 'database_busy',
    words: (place, said) => `PostgreSQL is busy: ${place} answers "${said}".`,
    hint: 'It is tried again. Raise `max_connections` of the server where it says that there are too many.',
  },
  {
    when: [/^timeout exceeded when trying to connect$/],
    code: 'database_busy',
    words: (place) => `All connections to ${place} are in use.`,
    hint: 'It is tried again. Raise `storage.poolSize` where this happens often, or look at what the server is busy with.',
  },
  {
    // another's statement, or none of its own, on the connection that a pooler lent
    when: ['26000', '42P05'],
    code: 'database_pooler',
    ...pooler,
  },
  {
    when: ['57014'],
    code: 'database_slow',
    words: (place) => `PostgreSQL ended a statement that took too long in ${place}.`,
    hint: 'Look at what the server is busy with, or raise `storage.statementSeconds`.',
  },
  {
    when: [/server does not support SSL/],
    code: 'database_tls',
    words: (place) => `PostgreSQL offers no TLS for ${place}.`,
    hint: 'Switch it on in the server, or write sslmode=disable into the URL where the network between them is trusted.',
  },
  {
    when: tlsCodes,
    code: 'database_tls',
    words: (place, said) => `The certificate of PostgreSQL cannot be trusted for ${place}: ${said}.`,
    hint: 'Name the file of the authority that signed it as `storage.caFile`, and use the name in the certificate as the host.',
  },
  {
    when: [
      ...neverConnected,
      ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EACCES'],
      ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '57P05'],
    ],
    code: 'database_unreachable',
    words: (place, said) => `PostgreSQL cannot be reached: ${place}: ${said}.`,
    hint: 'Start the server, and check host and port of `storage.url` and the network; it is tried again.',
  },
  {
    when: [
      /Connection terminated|timeout expired|Client was closed|not queryable|^Query read timeout$/i,
      // PgBouncer, behind which there is no server
      /^query_wait_timeout$|^server conn crashed|server_login_retry|^server login failed/,
    ],
    code: 'database_unreachable',
    words: (place, said) => `The connection to PostgreSQL was lost: ${place}: ${said}.`,
    hint: 'Check the server and the network; it is tried again.',
  },
];

/** The failure as a ParleyError with a hint; one that is none of PostgreSQL's unchanged. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (error instanceof ParleyError) return error;
  const said = errorMessage(error).replace(/\.$/, '');
  const code = codeOf(error);
  const found = failures.find(({ when }) =>
    when.some((each) => (each instanceof RegExp ? each.test(said) : each === code)),
  );
  if (found !== undefined)
    return new ParleyError(found.code, found.words(place, said), { hint: found.hint, cause: error });
  if (!/^[0-9A-Z]{5}$/.test(code ?? '')) return error;
  return new ParleyError(
    'database_failed',
    `PostgreSQL refuses a statement in ${place}: ${said} (${code}).`,
    {
      hint: 'The log of the server says more.',
      cause: error,
    },
  );
}

/** The refusal of a pooler that lends connections for single transactions. */
export function refusedPooler(place: string): ParleyError {
  return new ParleyError('database_pooler', pooler.words(place), { hint: pooler.hint });
}

/** Whether the connection on which an explained failure came is lost, or leads to a server that is no longer the one to use. */
export function endsConnection(error: unknown): boolean {
  return ['database_unreachable', 'database_standby'].includes(codeOf(error) ?? '');
}

/** Whether an explained failure may pass without anyone changing a setting. */
export function passes(error: unknown): boolean {
  return passing.includes(codeOf(error) ?? '');
}
