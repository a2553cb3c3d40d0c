// gateway.sqlite as a whole: its stores and the one way to change several of them at once.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { openSqlite } from '#base/sqlite.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { type Cursors, createCursors } from './cursors.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createMoves, type Moves } from './moves.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createPeople, type People } from './people.ts';
import { gatewayMigrations } from './schema.ts';
import { createTurns, type Turns } from './turns.ts';

export interface Ledger {
  inbox: Inbox;
  turns: Turns;
  outbox: Outbox;
  bindings: Bindings;
  cursors: Cursors;
  people: People;
  moves: Moves;
  /** Runs `work` (synchronous) in one immediate transaction: all of it is committed, or none. */
  transact<T>(work: () => T): T;
  close(): void;
}

/** Opens gateway.sqlite. The inbox is the promise to answer, so its commits survive a power cut (`synchronous = FULL`). */
export function openLedger(options: { path: string; clock: Clock; newId: NewId }): Ledger {
  const database = openSqlite({
    path: options.path,
    clock: options.clock,
    migrations: gatewayMigrations,
    synchronous: 'FULL',
  });
  return {
    inbox: createInbox(database),
    turns: createTurns(database),
    outbox: createOutbox(database),
    bindings: createBindings(database),
    cursors: createCursors(database),
    people: createPeople(database, options.newId),
    moves: createMoves(database, options.clock),
    transact: (work) => database.transaction(work).immediate(),
    close() {
      database.pragma('optimize');
      database.close();
    },
  };
}
