// What turns used of models, by person, room and assistant, so that limits can be kept where people talk. The engine has the whole account.
import { assistantEnd, assistantSql } from '#adapters/gateway/ledger/lane-name.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface Spending {
  tokens: number;
  costUSD: number;
}

export interface TurnUsageStore {
  /** Once for each turn. */
  note(turn: Spending & { turnID: string; person: string; room: string; at: number }): void;
  /** Of all these accounts together, since then. */
  byPersons(persons: readonly string[], since: number): Spending;
  inRoom(room: string, since: number): Spending;
  /** Of everyone together; undefined means the usual assistant. */
  ofAssistant(assistant: string | undefined, since: number): Spending;
}

/** So long it is of use: limits look back a day. What is older is removed once an hour. */
const retentionMs = 7 * 86_400_000;
const sweepMs = 3_600_000;

/** The table `turn_usage`. */
export function createTurnUsageStore(database: Sqlite): TurnUsageStore {
  const insert = database.prepare(
    'INSERT INTO turn_usage (turn_id, person, room, tokens, cost_usd, at_ms) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const forget = database.prepare('DELETE FROM turn_usage WHERE at_ms < ?');
  const sums =
    'SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost_usd), 0) AS costUSD FROM turn_usage';
  const persons = database.prepare<[string, number], Spending>(
    `${sums} WHERE person IN (SELECT value FROM json_each(?)) AND at_ms > ?`,
  );
  const room = database.prepare<[string, number], Spending>(`${sums} WHERE room = ? AND at_ms > ?`);
  const assistant = database.prepare<[number, string], Spending>(
    `${sums} JOIN turns ON turns.id = turn_id WHERE at_ms > ? AND ${assistantSql('turns.lane')} = ?`,
  );
  let sweptAt = Number.NEGATIVE_INFINITY;
  const none: Spending = { tokens: 0, costUSD: 0 };
  return {
    note({ turnID, person, room: where, tokens, costUSD, at }) {
      if (Math.abs(at - sweptAt) >= sweepMs) {
        forget.run(at - retentionMs);
        sweptAt = at;
      }
      insert.run(turnID, person, where, tokens, costUSD, at);
    },
    byPersons: (ids, since) => persons.get(JSON.stringify(ids), since) ?? none,
    inRoom: (where, since) => room.get(where, since) ?? none,
    ofAssistant: (name, since) => assistant.get(since, assistantEnd(name)) ?? none,
  };
}
