// Tokens by which programs read for a person or an agent. Of a token only its hash is stored.
import { openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';

/** A token without its secret. */
export interface AccessToken {
  id: string;
  /** Of exactly one: a person by name or key, or an agent. */
  person?: string | undefined;
  agent?: string | undefined;
  readOnly: boolean;
  createdAtMs: number;
  /** Undefined for one that does not expire. */
  expiresAtMs?: number | undefined;
  revokedAtMs?: number | undefined;
  /** The last use that was noted: within the minute. */
  usedAtMs?: number | undefined;
  /** The person was removed, or left the config: it is refused until one of their accounts is somebody's again. */
  left?: true | undefined;
}

export interface AccessTokens {
  insert(token: AccessToken & { hash: string }): void;
  byHash(hash: string): AccessToken | undefined;
  get(id: string): AccessToken | undefined;
  /** Oldest first. */
  list(): AccessToken[];
  revoke(id: string, at: number): void;
  used(id: string, at: number): void;
}

interface Row {
  id: string;
  person: string | null;
  agent: string | null;
  read_only: number;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  used_at_ms: number | null;
  left_accounts: string | null;
}

/** The tokens of a ledger that others may have open; throws SQLite's own error. */
export function readAccessTokens(path: string): AccessToken[] {
  const database = openSqliteReader({ path });
  try {
    return createAccessTokens(database).list();
  } finally {
    database.close();
  }
}

/** The table `access_tokens`. */
export function createAccessTokens(database: Sqlite): AccessTokens {
  const insert = database.prepare(
    `INSERT INTO access_tokens (id, hash, person, agent, read_only, created_at_ms, expires_at_ms)
     VALUES (@id, @hash, @person, @agent, @readOnly, @createdAtMs, @expiresAtMs)`,
  );
  const columns =
    'id, person, agent, read_only, created_at_ms, expires_at_ms, revoked_at_ms, used_at_ms, left_accounts';
  const byHash = database.prepare<[string], Row>(`SELECT ${columns} FROM access_tokens WHERE hash = ?`);
  const one = database.prepare<[string], Row>(`SELECT ${columns} FROM access_tokens WHERE id = ?`);
  const all = database.prepare<[], Row>(`SELECT ${columns} FROM access_tokens ORDER BY id`);
  const revoke = database.prepare<[number, string]>(
    'UPDATE access_tokens SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL',
  );
  const used = database.prepare<[number, string]>('UPDATE access_tokens SET used_at_ms = ? WHERE id = ?');
  return {
    insert: ({ person = null, agent = null, readOnly, expiresAtMs = null, ...token }) =>
      void insert.run({ ...token, person, agent, expiresAtMs, readOnly: readOnly ? 1 : 0 }),
    byHash: (hash) => tokenOf(byHash.get(hash)),
    get: (id) => tokenOf(one.get(id)),
    list: () => all.all().flatMap((row) => tokenOf(row) ?? []),
    revoke: (id, at) => void revoke.run(at, id),
    used: (id, at) => void used.run(at, id),
  };
}

function tokenOf(row: Row | undefined): AccessToken | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    person: row.person ?? undefined,
    agent: row.agent ?? undefined,
    readOnly: row.read_only === 1,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms ?? undefined,
    revokedAtMs: row.revoked_at_ms ?? undefined,
    usedAtMs: row.used_at_ms ?? undefined,
    ...(row.left_accounts !== null && { left: true }),
  };
}
