// The sign-ins of browsers in `console.sqlite`: hashes of secrets and of links, never what they were made from.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { firstTables, type Migration, openSqlite } from '#base/sqlite/sqlite.ts';
import type { SignIn, SignIns } from '#engine/wire/operator/sign-in.ts';

const linkMs = 5 * 60_000;
/** How long a sign-in lasts, used or not. */
const signInMs = 30 * 86_400_000;
/** The time of the last request is written no more often than this. */
const seenEveryMs = 60_000;

const migrations: readonly Migration[] = [
  firstTables(`
    CREATE TABLE links (
      hash TEXT PRIMARY KEY,
      role TEXT NOT NULL CHECK (role IN ('owner', 'viewer')),
      name TEXT NOT NULL,
      expires_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sign_ins (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      role TEXT NOT NULL CHECK (role IN ('owner', 'viewer')),
      name TEXT NOT NULL,
      agent TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL,
      last_seen_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `),
];

interface Row {
  id: string;
  hash: string;
  role: SignIn['role'];
  name: string;
  agent: string;
  created_at_ms: number;
  last_seen_at_ms: number;
  expires_at_ms: number;
}

type LinkRow = Pick<Row, 'hash' | 'role' | 'name' | 'expires_at_ms'>;

/** Opens the store; throws as `openSqlite` does. */
export function openSignIns(options: {
  path: string;
  clock: Clock;
  newId: NewId;
}): SignIns & { close(): void } {
  const { path, clock, newId } = options;
  const database = openSqlite({ path, migrations, clock });
  const addLink = database.prepare<LinkRow>(
    'INSERT INTO links (hash, role, name, expires_at_ms) VALUES (:hash, :role, :name, :expires_at_ms)',
  );
  const takeLink = database.prepare<[string], LinkRow>('DELETE FROM links WHERE hash = ? RETURNING *');
  const dropLinks = database.prepare<[number]>('DELETE FROM links WHERE expires_at_ms <= ?');
  const add = database.prepare<Row>(
    `INSERT INTO sign_ins (id, hash, role, name, agent, created_at_ms, last_seen_at_ms, expires_at_ms)
     VALUES (:id, :hash, :role, :name, :agent, :created_at_ms, :last_seen_at_ms, :expires_at_ms)`,
  );
  const byHash = database.prepare<[string], Row>('SELECT * FROM sign_ins WHERE hash = ?');
  const byID = database.prepare<[string], Row>('SELECT * FROM sign_ins WHERE id = ?');
  const seen = database.prepare<[number, string]>('UPDATE sign_ins SET last_seen_at_ms = ? WHERE id = ?');
  const drop = database.prepare<[number]>('DELETE FROM sign_ins WHERE expires_at_ms <= ?');
  const all = database.prepare<[], Row>('SELECT * FROM sign_ins ORDER BY id DESC');
  const end = database.prepare<[string]>('DELETE FROM sign_ins WHERE id = ?');
  return {
    makeLink({ role, name = 'console' }) {
      const now = clock.now();
      dropLinks.run(now);
      const key = randomBytes(32).toString('base64url');
      const expiresAtMs = now + linkMs;
      addLink.run({ hash: hashOf(key), role, name, expires_at_ms: expiresAtMs });
      return { key, path: `/console#key=${key}`, role, expiresAtMs };
    },
    exchange(key, { agent }) {
      const now = clock.now();
      const link = takeLink.get(hashOf(key));
      if (link === undefined || link.expires_at_ms <= now) return undefined;
      drop.run(now);
      const secret = randomBytes(32).toString('base64url');
      const row: Row = {
        id: newId('sgn'),
        hash: hashOf(secret),
        ...{ role: link.role, name: link.name, agent },
        ...{ created_at_ms: now, last_seen_at_ms: now, expires_at_ms: now + signInMs },
      };
      add.run(row);
      return { secret, signIn: fromRow(row) };
    },
    find(secret) {
      const now = clock.now();
      const row = byHash.get(hashOf(secret));
      if (row === undefined || row.expires_at_ms <= now) return undefined;
      if (now - row.last_seen_at_ms >= seenEveryMs) seen.run(now, row.id);
      return fromRow(row);
    },
    has: (id) => (byID.get(id)?.expires_at_ms ?? 0) > clock.now(),
    list() {
      drop.run(clock.now());
      return all.all().map(fromRow);
    },
    end: (id) => end.run(id).changes === 1,
    close() {
      database.close();
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

function fromRow(row: Row): SignIn {
  const { id, role, name, agent } = row;
  return {
    ...{ id, role, name, agent },
    createdAtMs: row.created_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    expiresAtMs: row.expires_at_ms,
  };
}
