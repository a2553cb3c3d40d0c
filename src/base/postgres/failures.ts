// What PostgreSQL and the way to it refuse, in words with what to do, and which of it passes on its own.
import { codeOf, errorMessage, neverConnected, ParleyError } from '#base/errors.ts';

interface Failure {
  /** SQLSTATEs, Node's codes, or what the message says where there is no code. */
  codes: readonly string[] | RegExp;
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

const standby = {
  code: 'database_standby',
  words: (place: string) => `PostgreSQL is a standby, or read-only: ${place} takes no writes.`,
  hint: 'Let `storage.url` name the primary, or an address that follows it.',
};

const failures: readonly Failure[] = [
  {
    codes: ['28P01'],
    code: 'database_refused',
    words: (place) => `PostgreSQL refuses the password for ${place}.`,
    hint: 'Correct the password in the file of `storage.passwordFile`, in PGPASSWORD or in the URL.',
  },
  {
    codes: /password must be a (non-empty )?string/,
    code: 'database_refused',
    words: (place) => `PostgreSQL asks for a password for ${place}, and none is set.`,
    hint: 'Write it into a file and name that as `storage.passwordFile`, or set PGPASSWORD.',
  },
  {
    codes: ['28000'],
    code: 'database_refused',
    words: (place, said) => `PostgreSQL does not let Parley into ${place}: ${said}.`,
    hint: 'Make the user, and allow it in pg_hba.conf from this machine.',
  },
  {
    codes: ['3D000'],
    code: 'database_missing',
    words: (place) => `There is no such database: ${place}.`,
    hint: `Make it with "CREATE DATABASE NAME ENCODING 'UTF8'", or correct the name in \`storage.url\`.`,
  },
  {
    codes: ['42501'],
    code: 'database_rights',
    words: (place, said) => `The user may not make or use tables in ${place}: ${said}.`,
    hint: 'Run "GRANT CREATE, USAGE ON SCHEMA public TO USER" in that database, or make the user its owner.',
  },
  {
    codes: ['53100'],
    code: 'database_full',
    words: (place) => `The disk of PostgreSQL is full: ${place} takes nothing more.`,
    hint: 'Make room on the disk of the database; what waits is written then.',
  },
  {
    codes: ['25006'],
    ...standby,
  },
  {
    codes: /in a hot standby|recovery is in progress|during recovery/,
    ...standby,
  },
  {
    codes: ['53300', '55P03', '40001', '40P01'],
    code: 'database_busy',
    words: (place, said) => `PostgreSQL is busy: ${place} answers "${said}".`,
    hint: 'It is tried again. Raise `max_connections` of the server where it says that there are too many.',
  },
  {
    codes: ['57014'],
    code: 'database_slow',
    words: (place) => `PostgreSQL ended a statement that took too long in ${place}.`,
    hint: 'Look at what the server is busy with, or raise `storage.statementSeconds`.',
  },
  {
    codes: /server does not support SSL/,
    code: 'database_tls',
    words: (place) => `PostgreSQL offers no TLS for ${place}.`,
    hint: 'Switch it on in the server, or write sslmode=disable into the URL where the network between them is trusted.',
  },
  {
    codes: tlsCodes,
    code: 'database_tls',
    words: (place, said) => `The certificate of PostgreSQL cannot be trusted for ${place}: ${said}.`,
    hint: 'Name the file of the authority that signed it as `storage.caFile`, and use the name in the certificate as the host.',
  },
  {
    codes: [
      ...neverConnected,
      ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EACCES'],
      ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '57P05'],
    ],
    code: 'database_unreachable',
    words: (place, said) => `PostgreSQL cannot be reached: ${place}: ${said}.`,
    hint: 'Start the server, and check host and port of `storage.url` and the network; it is tried again.',
  },
  {
    codes: /Connection terminated|timeout expired|Client was closed|not queryable/i,
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
  const found = failures.find(({ codes }) =>
    codes instanceof RegExp ? codes.test(said) : codes.includes(code ?? ''),
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

/** Whether an explained failure may pass without anyone changing a setting. */
export function passes(error: unknown): boolean {
  return passing.includes(codeOf(error) ?? '');
}
