// Pieces and records taken away for a budget, with what is left to know of them.
import type { EpisodeSource } from '#memory/records/episodes.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { Store } from '#memory/store/store.ts';
import { budgetActor } from '#memory/tables/forgotten.ts';
import { parsePassage } from '#memory/types/block.ts';
import type { MarkedKind } from '#memory/types/record.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { claimOf, statementsOf } from '#memory/words/statements.ts';
import { createJoinEntries, entriesOf } from './entries.ts';
import type { Victim } from './utility.ts';

interface Piece extends Omit<EpisodeSource, 'claims'> {
  row: number;
  content: string;
}

/** Each in the caller's transaction; `reason` is why the ids are not found any more. */
interface TakeAway {
  /** The pieces of an exchange. */
  piecesOf(sourceKey: string): Piece[];
  piece(chunkID: string): Piece | undefined;
  /** Takes an exchange away; the summary `into`, if there is one, stands in its place. */
  exchange(gone: readonly Piece[], reason: string, into?: string): void;
  /** The same, or the lesson or decision of this id; none where it is gone. */
  storedOf(kind: 'exchange' | MarkedKind, key: string): Piece[];
  /** Takes a lesson or a decision away that another one says too, which has its tags, its pin and its place then; the one that went. */
  merged(kind: MarkedKind, pair: { goes: string; stays: string }, reason: string): Piece | undefined;
  /** Takes lessons or decisions away; the summary `into`, if there is one, stands in their place. */
  entries(gone: readonly Piece[], reason: string, into?: string): void;
  /** Takes versions of records away. */
  records(versions: readonly StoredRecord[], reason: string): void;
  /** Evicts whatever this is; the ids that went. */
  victim(victim: Victim, reason: string): string[];
}

/** Over one open store. */
export function createTakeAway(
  store: Pick<
    Store,
    | 'database'
    | 'chunks'
    | 'records'
    | 'episodes'
    | 'forgotten'
    | 'promotions'
    | 'journal'
    | 'journalPassages'
  >,
  now: () => number,
): TakeAway {
  const { database, chunks, records, episodes, forgotten, promotions, journal } = store;
  const [ofSource, ofID] = ['source_key', 'id'].map((column) =>
    database.prepare<[string], Piece>(
      `SELECT row, id AS chunkID, source_key AS sourceKey, content_hash AS contentHash, audience, partition, person, chat,
         session_id AS sessionID, run_id AS runID, project_id AS projectID, at_ms AS at, content
       FROM global_memory_chunks WHERE ${column} = ?`,
    ),
  );
  const join = createJoinEntries(store);
  const entryOf = (kind: MarkedKind) => {
    const { table, text } = entriesOf[kind];
    return database.prepare<[string], Omit<Piece, 'contentHash'>>(
      `SELECT row, id AS chunkID, id AS sourceKey, audience, partition, agent_id AS person, coalesce(chat, platform) AS chat,
         coalesce(session_id, '') AS sessionID, coalesce(run_id, '') AS runID, project_id AS projectID, created_at_ms AS at,
         ${text} AS content
       FROM ${table} WHERE id = ?`,
    );
  };
  const entry = { lesson: entryOf('lesson'), decision: entryOf('decision') };
  const claimsOf = ({ audience, content }: Piece): string[] =>
    promotions.usedOf(
      statementsOf(parsePassage(content).userText).map(({ text }) => claimOf(audience, text)),
    );
  const note = (id: string, { audience }: Pick<Piece, 'audience'>, reason: string): void =>
    void forgotten.note({ id, audience, at: now(), by: budgetActor, reason });
  const pieces = (gone: readonly Piece[], reason: string): string[] =>
    gone.map((piece) => {
      chunks.forget(piece.row);
      note(piece.chunkID, piece, reason);
      return piece.chunkID;
    });
  const take: TakeAway = {
    piecesOf: (sourceKey) => ofSource?.all(sourceKey) ?? [],
    piece: (chunkID) => ofID?.get(chunkID),
    exchange(gone, reason, into) {
      episodes.add(
        gone.map((piece) => ({ ...piece, claims: claimsOf(piece) })),
        into,
      );
      pieces(gone, reason);
    },
    storedOf: (kind, key) =>
      kind === 'exchange'
        ? take.piecesOf(key)
        : entry[kind].all(key).map((row) => ({ ...row, contentHash: digestOf(row.chunkID, row.content) })),
    merged(kind, { goes, stays }, reason) {
      const [gone] = take.storedOf(kind, goes);
      if (gone === undefined || take.storedOf(kind, stays).length === 0) return undefined;
      join(kind, goes, stays);
      take.entries([gone], reason);
      return gone;
    },
    entries(gone, reason, into) {
      if (into !== undefined)
        episodes.add(
          gone.map((each) => ({ ...each, claims: [] })),
          into,
        );
      for (const each of gone) note(each.chunkID, each, reason);
      journal.remove(gone.map(({ chunkID }) => chunkID));
    },
    records(versions, reason) {
      for (const version of versions) {
        pieces(take.piecesOf(version.id), reason);
        note(version.id, version, reason);
      }
      records.remove(versions.map(({ id }) => id));
    },
    victim(victim, reason) {
      switch (victim.type) {
        case 'exchange': {
          const gone = take.piecesOf(victim.key);
          take.exchange(gone, reason);
          return gone.map(({ chunkID }) => chunkID);
        }
        case 'piece': {
          const gone = take.piece(victim.id);
          return gone === undefined ? [] : pieces([gone], reason);
        }
        case 'version': {
          const version = records.get(victim.id);
          if (version === undefined || version.state === 'active') return [];
          take.records([version], reason);
          return [version.id];
        }
        case 'record': {
          const versions = records.lineages([victim.id]);
          episodes.orphan(versions.map(({ id }) => id));
          take.records(versions, reason);
          return versions.map(({ id }) => id);
        }
      }
    },
  };
  return take;
}
