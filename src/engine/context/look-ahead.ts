// What a prompt asks of the look into memory before an answer. Shapes only; who looks is in a layer above.
import type { RecallRequest, RecallResult } from '#memory/types/recall.ts';

export interface EarlierMessage {
  role: 'user' | 'assistant';
  speaker: string | undefined;
  text: string;
}

export interface LookRequest extends Pick<RecallRequest, 'text' | 'scope' | 'currentSession' | 'inPrompt'> {
  except: NonNullable<RecallRequest['except']>;
  /** Who wrote it; absent where that is not known. */
  speaker: string | undefined;
  /** What was written before in the conversation, oldest first. */
  earlier: readonly EarlierMessage[];
}

/** What is volunteered; an empty block when nothing is. */
export type Looked = Pick<RecallResult, 'block' | 'hits'>;

/** One look, within its time limit. Rejects only where the run has ended. */
export type LookAhead = (request: LookRequest) => Promise<Looked>;
