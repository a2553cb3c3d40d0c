// What platforms refused of answers: parts that are tried again, those that were given up, and what the status lists of it.
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** What is refused is not given up before so many refusals, however long they took: an outage is no refusal. */
const leastRefusals = 6;
/** Chats of each bot that are listed. */
const mostListed = 10;

/** Whether something is refused often and for as long as it is tried, `giveUpMs` in milliseconds; the time counts from the first refusal. */
export function isRefusedForLong(
  refused: { times: number; since: number },
  { now, giveUpMs }: { now: number; giveUpMs: number },
): boolean {
  return refused.times >= leastRefusals && now - refused.since >= giveUpMs;
}

/** Statements over the tables `outbox` and `outbox_parts`; see `Outbox`. */
export function createRefusedRows(database: Sqlite) {
  const note = database.prepare(
    `UPDATE outbox_parts SET refusals = refusals + 1, refused_since_ms = coalesce(refused_since_ms, @at), refused_words = @words
     WHERE outbox_id = @id AND ordinal = @ordinal`,
  );
  const gaveUp = database.prepare(
    'UPDATE outbox_parts SET given_up_at_ms = @at, refused_words = @words WHERE outbox_id = @id AND ordinal = @ordinal',
  );
  const list = database.prepare<
    [{ platform: string; since: number }],
    { address: string; words: string; at: number }
  >(
    `SELECT address, words, max(at) AS at FROM (
       SELECT address, error AS words, created_at_ms AS at FROM outbox
       WHERE state = 'failed' AND error IS NOT NULL AND address NOT LIKE '%:dm:%' AND created_at_ms > @since
       UNION ALL
       SELECT address, refused_words, given_up_at_ms FROM outbox_parts JOIN outbox ON outbox.id = outbox_id
       WHERE given_up_at_ms > @since)
     WHERE address LIKE @platform || ':%' GROUP BY address ORDER BY at DESC`,
  );
  return {
    note: (id: string, ordinal: number, failure: { words: string; at: number }): void =>
      void note.run({ id, ordinal, ...failure }),
    gaveUp: (id: string, given: { ordinal: number; words: string; at: number }): void =>
      void gaveUp.run({ id, ...given }),
    list(platform: string, since: number): { account: string; words: string; at: number }[] {
      const counts = new Map<string, number>();
      return list.all({ platform, since }).flatMap(({ address, words, at }) => {
        const { account } = parseAddress(address);
        const count = (counts.get(account) ?? 0) + 1;
        counts.set(account, count);
        return count > mostListed ? [] : [{ account, words, at }];
      });
    },
  };
}
