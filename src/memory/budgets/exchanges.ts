// Exchanges that one summary may take the place of: of one audience, agent, chat and project, those said longest ago first.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type ChunkRow, messageIDsOf } from '#memory/chunks/chunk-row.ts';
import { sameProject } from '#memory/tables/audience.ts';
import type { BudgetOwner } from '#memory/types/budget.ts';
import type { Provenance } from '#memory/types/scope.ts';
import { countedSql, ofOwners, ownerParameters } from './usage.ts';

/** One exchange with the pieces that it is stored in. */
export interface StoredExchange {
  sourceKey: string;
  rows: readonly number[];
  ids: readonly string[];
  text: string;
  at: number;
  speaker: string;
  person: string;
  platform: string;
  chat: string;
  sessionID: string;
  projectID: string | undefined;
  runID: string;
  messageIDs: readonly string[];
  where: Provenance;
}

type Row = ChunkRow & { row: number };

/** Exchanges that share everything a summary of them may be read by, at most `limit`; of at least so many characters each. */
type NextExchanges = (owner: BudgetOwner, of: { limit: number; minCharacters: number }) => StoredExchange[];

/** Over one open database. What a sweep may still promote comes last: it reads the whole text again. */
export function createNextExchanges(database: Sqlite): NextExchanges {
  const meant = (
    ofOwner: string,
  ) => `${ofOwner} AND source = 'exchange' AND ${countedSql} AND tier = 'global' AND expires_at_ms IS NULL
    AND ordinal = 0 AND length(content) >= @min`;
  const isUsed = `(source_key IN (SELECT source_key FROM memory_candidates AS used WHERE NOT EXISTS (SELECT 1 FROM memory_promotions AS made
      WHERE made.audience = used.audience AND made.claim = used.claim AND made.state <> 'writing')))`;
  const oldest = ofOwners((ofOwner) =>
    database.prepare<[object], Row & { used: 0 | 1 }>(
      `SELECT *, ${isUsed} AS used FROM global_memory_chunks WHERE ${meant(ofOwner)} ORDER BY used, last_said_at_ms, row LIMIT 1`,
    ),
  );
  const alike = ofOwners((ofOwner) =>
    database
      .prepare<[object], string>(
        `SELECT source_key FROM global_memory_chunks WHERE ${meant(ofOwner)} AND ${isUsed} = @used
         AND audience = @of AND partition IS @partition AND space IS @space AND restricted = @restricted
         AND ${sameProject('@project')} AND chat = @chat
       ORDER BY last_said_at_ms, row LIMIT @limit`,
      )
      .pluck(),
  );
  const pieces = database.prepare<[string], Row>(
    `SELECT * FROM global_memory_chunks WHERE source_key IN (SELECT value FROM json_each(?)) AND source = 'exchange'
     ORDER BY last_said_at_ms, source_key, ordinal`,
  );
  return (owner, { limit, minCharacters: min }) => {
    const parameters = { ...ownerParameters(owner), min };
    const first = oldest(owner).get(parameters);
    if (first === undefined) return [];
    const { audience, partition, space, restricted, project_id: project, chat, used } = first;
    const keys = alike(owner).all({
      ...parameters,
      ...{ of: audience, partition, space, restricted, project, chat, used, limit },
    });
    const byKey = Map.groupBy(pieces.all(JSON.stringify(keys)), ({ source_key }) => source_key);
    return [...byKey.values()].flatMap(exchangeOf);
  };
}

function exchangeOf(rows: readonly Row[]): StoredExchange[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      sourceKey: first.source_key,
      rows: rows.map(({ row }) => row),
      ids: rows.map(({ id }) => id),
      text: rows.map(({ content }) => content).join('\n'),
      at: first.at_ms,
      speaker: first.speaker,
      person: first.person,
      platform: first.platform,
      chat: first.chat,
      sessionID: first.session_id,
      projectID: first.project_id ?? undefined,
      runID: first.run_id,
      messageIDs: messageIDsOf({ messageIDList: first.message_ids }),
      where: {
        audience: first.audience as Provenance['audience'], // as above
        space: first.space ?? undefined,
        restricted: first.restricted === 1,
        partition: first.partition ?? undefined,
      },
    },
  ];
}
