// One database of PostgreSQL: a pool whose transactions outlive a failover, and connections of one's own. The driver is loaded here.
import { readFileSync } from 'node:fs';
import PQueue from 'p-queue';
import type { Client, ClientConfig, CustomTypesConfig, QueryResultRow } from 'pg';
import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { waitAtMost } from '#base/waiting/async.ts';
import { retry } from '#base/waiting/retry.ts';
import { type PostgresAddress, type PostgresSettings, placeOf, postgresAddress } from './address.ts';
import { explainPostgres, passes } from './failures.ts';

/** What statements are run on. */
export interface Queryable {
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction that is under way. */
export interface PostgresTransaction extends Queryable {
  /**
   * Runs a statement that the server prepares once for each connection, by its name. Whole numbers of 64 bits and decimals come as numbers:
   * times in milliseconds, numbers of rows and counts all are exact in them.
   */
  ask(statement: {
    name: string;
    text: string;
    values: readonly unknown[];
  }): Promise<{ rows: Record<string, unknown>[]; changes: number }>;
}

/**
 * What a transaction sees of others that run at the same time. `as it comes`: what each has committed when a statement begins. `one state`: what
 * was committed when the first statement began; nothing may be written. `one after the other`: as if it ran alone, or else it is run again.
 */
export type Isolation = 'as it comes' | 'one state' | 'one after the other';

const begins: Readonly<Record<Isolation, string>> = {
  'as it comes': 'BEGIN',
  'one state': 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'one after the other': 'BEGIN ISOLATION LEVEL SERIALIZABLE',
};

export interface PostgresSession extends Queryable {
  /** The number of the server's process, as the server says it; a pooler that lends connections gives another one. */
  readonly announcedPid: number | undefined;
  /** Called once when the connection is lost or closed. */
  onEnd(listener: (error: unknown) => void): void;
  /** Closes it at once; a server that does not answer is not waited for. */
  end(): void;
}

export interface Postgres {
  /** Where it is, in words without a secret. */
  readonly place: string;
  /**
   * Runs `work` in one transaction and commits it. After a serialization failure, and while the server restarts or another one takes over, it
   * is run again for at most 10 s. A commit whose answer was lost is asked about where the isolation is `one after the other`, and what it
   * wrote is there once, unless another server took over in that moment; else it may run twice, and `work` has to allow for that. Rejects
   * with a ParleyError as `explainPostgres` makes it, and without another attempt once the signal aborts.
   */
  transaction<T>(
    work: (database: PostgresTransaction) => Promise<T>,
    signal?: AbortSignal,
    isolation?: Isolation,
  ): Promise<T>;
  /** A connection of its own, which nobody else gets, with TCP keepalive. Rejects as above, without another attempt. */
  session(): Promise<PostgresSession>;
  close(): Promise<void>;
}

/** Parley runs on what has `idle_session_timeout`, by which the server ends the session of a machine that hangs. */
const oldest = 14;
const pauses = { firstMs: 50, capMs: 1_000 };
/** A server that takes over is there within some seconds. */
const failoverMs = 10_000;
const keepAliveMs = 2_000;
/** A server that does not answer is waited for so long beyond its own time limit, in milliseconds. */
const graceMs = 2_000;

/** Loads the driver; nothing is connected before it is used. */
export async function openPostgres(
  settings: PostgresSettings,
  { clock }: { clock: Clock },
): Promise<Postgres> {
  const { Client: PgClient, Pool } = await import('pg');
  const address = postgresAddress(settings);
  const config = clientConfig(address);
  const place = placeOf(address);
  const pool = new Pool({
    ...config,
    max: settings.poolSize,
    allowExitOnIdle: true,
    query_timeout: settings.statementTimeoutMs + graceMs,
  });
  // one that is lost fails the statement that runs on it, or else the next one gets another
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));

  const attempt = async <T>(
    work: (database: PostgresTransaction) => Promise<T>,
    isolation: Isolation,
    commits: Commits<T>,
  ): Promise<T> => {
    const client = await pool.connect();
    const database = queryable(client);
    let failed: unknown;
    try {
      // one message: a pooler that lends connections for a transaction keeps both with it
      const limit = `SET LOCAL statement_timeout = ${settings.statementTimeoutMs}`;
      if (isolation !== 'one after the other') await client.query(`${begins[isolation]}; ${limit}`);
      else {
        const began = await client.query(`${begins[isolation]}; ${limit}; ${identity}`);
        const made = await commits.begun(database, transactionOf(began));
        if (made !== undefined) {
          await client.query('ROLLBACK'); // it wrote nothing
          return made.result;
        }
      }
      const result = await work(database);
      commits.asked(result);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      failed = error;
      await client.query('ROLLBACK').catch(() => undefined); // a lost connection has rolled it back
      throw error;
    } finally {
      // after a switch the same address may be another server: only a connection that is known to be good is used again
      client.release(failed !== undefined && passes(explainPostgres(failed, place)));
    }
  };

  return {
    place,
    transaction<T>(
      work: (database: PostgresTransaction) => Promise<T>,
      signal?: AbortSignal,
      isolation: Isolation = 'as it comes',
    ) {
      const until = momentIn(clock, failoverMs);
      const commits = createCommits<T>();
      return retry(
        { clock, pauses, signal },
        () => attempt(work, isolation, commits),
        (error) => {
          const explained = explainPostgres(error, place);
          const isOver =
            !passes(explained) || codeOf(explained) === 'database_full' || msUntil(clock, until) <= 0;
          if (isOver) throw explained;
          return undefined;
        },
      );
    },
    async session() {
      const client = new PgClient({ ...config, keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs });
      const opened = sessionOf(client);
      try {
        await client.connect();
        return opened;
      } catch (error) {
        opened.end();
        throw explainPostgres(error, place);
      }
    },
    close: () => waitAtMost(pool.end(), { clock, ms: graceMs }),
  };
}

interface Transaction {
  /** Its number, and the history of the server that gave it: another server that takes over begins a history of its own. */
  id: string;
  timeline: string;
}

/** Gives the transaction a number. */
const identity =
  'SELECT pg_current_xact_id()::text AS id, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline';

/** From the answers to several statements in one message: the last row of the last. */
function transactionOf(answers: unknown): Transaction {
  const { rows } = (answers as { rows: Transaction[] }[]).at(-1) ?? { rows: [] }; // as `identity` has it
  const [transaction] = rows;
  if (transaction === undefined) throw new Error('Expected the number of a transaction.');
  return transaction;
}

/** The attempts at one piece of work: a commit that was asked for is made or not, whether or not its answer came. */
interface Commits<T> {
  /** A transaction has begun; gives the result of the attempt before it, where that was committed. */
  begun(database: Queryable, transaction: Transaction): Promise<{ result: T } | undefined>;
  /** The commit of the last one is asked for. */
  asked(result: T): void;
}

function createCommits<T>(): Commits<T> {
  let last: Transaction | undefined;
  let doubtful: { of: Transaction; result: T } | undefined;
  return {
    async begun(database, transaction) {
      last = transaction;
      if (doubtful?.of.timeline !== transaction.timeline) return undefined;
      const [row] = await database.query<{ status: string | null }>(
        'SELECT pg_xact_status($1::xid8) AS status',
        [doubtful.of.id],
      );
      if (row?.status === 'committed') return doubtful;
      if (row?.status === 'in progress')
        throw Object.assign(new Error('the attempt before has not ended'), { code: '40001' });
      doubtful = undefined;
      return undefined;
    },
    asked(result) {
      doubtful = last && { of: last, result };
    },
  };
}

/** The numbers of `int8` and `numeric` among PostgreSQL's types: the driver gives their values as text. */
const wideNumbers: readonly number[] = [20, 1700];

/** Statements one after the other: the driver wants the next one only when the last has ended. */
function queryable(client: Pick<Client, 'query' | 'getTypeParser'>): PostgresTransaction {
  const statements = new PQueue({ concurrency: 1 });
  return {
    async ask({ name, text, values }) {
      const parser: CustomTypesConfig['getTypeParser'] = (type, format) =>
        wideNumbers.includes(type) ? Number : client.getTypeParser(type, format);
      const asked = { name, text, values: [...values], types: { getTypeParser: parser } };
      const { rows, rowCount } = await statements.add(() => client.query<Record<string, unknown>>(asked));
      return { rows, changes: rowCount ?? 0 };
    },
    async query<Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) {
      const { rows } = await statements.add(() => client.query<Row>(sql, [...values]));
      return rows;
    },
  };
}

function sessionOf(client: Client): PostgresSession {
  const listeners: ((error: unknown) => void)[] = [];
  let isOver = false;
  const over = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    for (const listener of listeners) listener(error);
  };
  client.on('error', over);
  client.on('end', () => over(new Error('Connection terminated')));
  return {
    ...queryable(client),
    get announcedPid() {
      const { processID } = client as Client & { processID?: number | null }; // its types leave it out
      return processID ?? undefined;
    },
    onEnd: (listener) => void listeners.push(listener),
    end() {
      over(new Error('Connection terminated'));
      client.end().catch(() => undefined); // what is lost cannot say good-bye
      setTimeout(() => client.connection.stream.destroy(), partingMs).unref();
    },
  };
}

/** A server that answers takes the end of a session within this time, in milliseconds. */
const partingMs = 250;

function clientConfig(address: PostgresAddress): ClientConfig {
  const { host, port, database, user, password, tls, caFile, connectTimeoutMs } = address;
  const ca = caFile === undefined ? {} : { ca: certificates(caFile) };
  const ssl = {
    disable: false,
    require: { rejectUnauthorized: false },
    'verify-ca': { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined },
    'verify-full': { ...ca, rejectUnauthorized: true },
  }[tls];
  return {
    ...{ host, port, database, user, password, ssl },
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'parley',
  };
}

function certificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ParleyError(
      'config_invalid',
      `The certificates in ${path} cannot be read: ${errorMessage(cause)}.`,
      {
        hint: 'Name a PEM file that Parley may read as `storage.caFile`, or as "sslrootcert" in the URL.',
        cause,
      },
    );
  }
}

/** Rejects with a ParleyError where the server is too old, stores something else than Unicode, or takes no writes. */
export async function refuseUnfitServer(session: Queryable, place: string): Promise<void> {
  const [server] = await session.query<{ version: number; encoding: string; isReadOnly: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
            pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "isReadOnly"`,
  );
  const { version = 0, encoding = '', isReadOnly = false } = server ?? {};
  const major = Math.floor(version / 10_000);
  if (major < oldest)
    throw new ParleyError(
      'database_old',
      `PostgreSQL ${oldest} or newer is needed; ${place} runs on ${major}.`,
      {
        hint: 'Upgrade the server with pg_upgrade, or name another one in `storage.url`.',
      },
    );
  if (encoding !== 'UTF8')
    throw new ParleyError('database_encoding', `The encoding UTF8 is needed; ${place} has ${encoding}.`, {
      hint: `Make a database with "CREATE DATABASE NAME ENCODING 'UTF8' TEMPLATE template0", and name it in \`storage.url\`.`,
    });
  if (isReadOnly) throw explainPostgres(Object.assign(new Error('read-only'), { code: '25006' }), place);
}
