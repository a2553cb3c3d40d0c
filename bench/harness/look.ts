// A look into the program's databases from outside, read-only, also right after it was killed. It changes nothing in them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { maxAttempts } from '#adapters/gateway/turns/turn.ts';

export interface Sight {
  /** Messages that were accepted and that no turn has taken. */
  waiting: number;
  /** Messages whose answer is in the outbox or out of it. */
  answered: number;
  /** Turns whose answer is not in the outbox. */
  turns: number;
  /** Native ids of messages whose acceptance is committed, by `platform id`. */
  accepted: ReadonlySet<string>;
  /** Ids of the bot's messages for which a receipt is committed. */
  receipts: ReadonlySet<string>;
  /** Parts whose sending began and whose receipt is not there. */
  sending: number;
  /** Previews of unknown outcome. */
  previews: number;
  /** Answers that are delivered and of which the engine, or memory, has not been told. */
  toArchive: number;
  /** Outbox rows with something to do. */
  outbox: number;
  /** Runs in progress by their key. */
  running: readonly string[];
  /** Turns in their last attempt: after it, the person is told of a death. */
  lastAttempts: number;
  /** Runs that ended and whose exchange memory has. */
  archived: number;
}

/** What the databases under `home` say now; undefined while they are not there yet. */
export function lookAt(home: string): Sight | undefined {
  if (!existsSync(join(home, 'engine.sqlite')) || !existsSync(join(home, 'gateway.sqlite'))) return undefined;
  const gateway = open(home, 'gateway.sqlite');
  const engine = open(home, 'engine.sqlite');
  try {
    const count = (database: Database.Database, sql: string): number =>
      database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${sql}`).get()?.n ?? 0;
    const words = (database: Database.Database, sql: string): string[] =>
      database
        .prepare<[], { v: string }>(`SELECT ${sql}`)
        .all()
        .map(({ v }) => v);
    return {
      waiting: count(gateway, "inbox WHERE state = 'waiting'"),
      answered: count(gateway, "inbox WHERE state = 'answered'"),
      turns: count(gateway, "turns WHERE state = 'running'"),
      accepted: new Set(words(gateway, "platform || ' ' || native_id AS v FROM inbox")),
      receipts: new Set([
        ...words(gateway, 'native_id AS v FROM outbox_parts WHERE native_id IS NOT NULL'),
        ...words(gateway, 'native_id AS v FROM previews WHERE native_id IS NOT NULL'),
      ]),
      sending: count(gateway, "outbox_parts WHERE state = 'sending'"),
      previews: count(
        gateway,
        "previews p JOIN turns t ON t.id = p.turn_id WHERE t.state = 'running' AND p.native_id IS NULL",
      ),
      toArchive:
        count(gateway, "outbox WHERE state = 'handing over'") +
        count(engine, 'runs WHERE delivered_at_ms IS NOT NULL AND archived IS NULL'),
      outbox: count(gateway, "outbox WHERE state IN ('open', 'handing over')"),
      running: words(
        engine,
        "idempotency_key AS v FROM runs WHERE status = 'running' AND idempotency_key IS NOT NULL",
      ),
      lastAttempts: count(gateway, `turns WHERE state = 'running' AND attempts >= ${maxAttempts}`),
      archived: count(engine, 'runs WHERE archived IS NOT NULL'),
    };
  } catch (error) {
    // the program is making or migrating them at this moment
    if (error instanceof Database.SqliteError) return undefined;
    throw error;
  } finally {
    gateway.close();
    engine.close();
  }
}

/** The same of several instances together; undefined while none of them has any. */
export function lookAtAll(homes: readonly string[]): Sight | undefined {
  const [first, ...others] = homes.flatMap((home) => lookAt(home) ?? []);
  return others.reduce<Sight | undefined>((all, one) => all && both(all, one), first);
}

function both(one: Sight, other: Sight): Sight {
  return {
    waiting: one.waiting + other.waiting,
    answered: one.answered + other.answered,
    turns: one.turns + other.turns,
    accepted: new Set([...one.accepted, ...other.accepted]),
    receipts: new Set([...one.receipts, ...other.receipts]),
    sending: one.sending + other.sending,
    previews: one.previews + other.previews,
    toArchive: one.toArchive + other.toArchive,
    outbox: one.outbox + other.outbox,
    running: [...one.running, ...other.running],
    lastAttempts: one.lastAttempts + other.lastAttempts,
    archived: one.archived + other.archived,
  };
}

/** What people said in each archived exchange. */
export function archivesIn(home: string): string[] {
  // that of an instance may be in the shared database
  if (!existsSync(join(home, 'memory.sqlite'))) return [];
  const memory = open(home, 'memory.sqlite');
  try {
    return memory
      .prepare<[], { said: string }>(
        "SELECT group_concat(user_text, ' ') AS said FROM global_memory_chunks GROUP BY source_key",
      )
      .all()
      .map(({ said }) => said);
  } finally {
    memory.close();
  }
}

/** The texts of the entries of memory that hold `part`, each entry once however many pieces it has. */
export function entriesWith(home: string, part: string): string[] {
  const memory = open(home, 'memory.sqlite');
  try {
    return memory
      .prepare<[string], { text: string }>(
        "SELECT group_concat(content, ' ') AS text FROM global_memory_chunks WHERE content LIKE '%' || ? || '%' GROUP BY source_key",
      )
      .all(part)
      .map(({ text }) => text);
  } finally {
    memory.close();
  }
}

function open(home: string, file: string): Database.Database {
  return new Database(join(home, file), { readonly: true, fileMustExist: true, timeout: 1000 });
}
