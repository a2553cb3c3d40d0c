// A file as the model gets it, and what is needed to make one. Shapes only.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { UploadStore } from '#adapters/uploads/store.ts';
import type { Clock } from '#base/clock.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { PromptPart } from '#engine/wire/runs/prompt.ts';

/** A file as the model gets it. */
export interface AttachedFile {
  /** Words that stand with the person's own. */
  note: string;
  /** What a voice message says: the sender's own words. */
  spoken?: string | undefined;
  /** The file itself, where the model is shown it. */
  part?: Extract<PromptPart, { type: 'file' }> | undefined;
  /** What the person has to know of it, as a sentence; undefined when all of it reached the model. */
  problem?: string | undefined;
}

/** What of files still fits into a turn's prompt: one for all of a turn, filled in the order in which they are attached. */
export interface FileRoom {
  text: number;
  bytes: number;
  files: number;
}

export interface AttachDeps {
  engine: Pick<Engine, 'takesFile' | 'keepUpload' | 'transcribe'>;
  /** The assistant that answers, whose model is shown the files. */
  agent: string;
  uploads: UploadStore;
  phrases: Phrases;
  clock: Clock;
  signal: AbortSignal;
  /** Aborts when the person stops the answer: its files are not waited for. */
  stopped: AbortSignal;
}
