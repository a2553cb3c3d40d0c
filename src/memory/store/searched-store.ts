// What a question reads, on either engine.
import type { Work, Working } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import type { RecordWork } from '#memory/records/records.ts';
import type { SignalWork } from '#memory/records/signals.ts';
import type { NearestVectors } from '#memory/vectors/nearest-vectors.ts';

export interface SearchedStore {
  chunks: Pick<ChunkWork, 'byRows' | 'around' | 'total' | 'languages' | 'holding' | 'wordsWith' | 'speakers'>;
  /** The vectors of the configured model; undefined when there is none. */
  nearest: SearchedVectors | undefined;
  records: Pick<RecordWork, 'keyed' | 'linked' | 'sensitive' | 'pinned'>;
  signals: Pick<SignalWork, 'countsOf'>;
}

export interface SearchedVectors extends Working<NearestVectors> {
  /** What cannot be done, as text. */
  degraded(): Work<string[]>;
}
