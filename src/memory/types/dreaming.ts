// Short-term memory that becomes long-term memory: what counts as a recall, how candidates are scored, what a sweep did. Shapes only.
import type { Audience } from './scope.ts';

/** Passages that a run was given, with its question and its answer. */
export interface PassageUse {
  runID: string;
  sessionID: string;
  /** Who asked. */
  person: string;
  /** The audience of the chat: only passages of this one count. */
  audience: Audience;
  /** When the question was asked, in milliseconds since the epoch. */
  at: number;
  question: string;
  answer: string;
  /** What was found for the run, with the score of the search. */
  passages: readonly GivenPassage[];
  /** Texts that are in every prompt of the chat: memory files. They are no evidence. */
  injected: readonly string[];
  /** Runs whose exchanges were in the prompt as conversation. */
  inView: readonly string[];
}

export interface GivenPassage {
  id: string;
  /** 0 to 1. */
  score: number;
}

/** The six components of a score, each from 0 to 1. */
export interface ScoreParts {
  frequency: number;
  relevance: number;
  diversity: number;
  recency: number;
  consolidation: number;
  richness: number;
}

export interface DreamingSettings {
  /** When a sweep is due, as a cron pattern. */
  schedule: string;
  /** What a candidate needs to be promoted. */
  gates: { score: number; recalls: number; queries: number };
  weights: ScoreParts;
  /** What the phases add to a score at most. */
  boosts: { light: number; rem: number };
  /** After so many days a recall, or a signal of a phase, counts half. */
  halfLifeDays: number;
  /** Statements that one sweep promotes at most. */
  maxPromotions: number;
  /** Characters that `MEMORY.md` has at most after a promotion, as far as promoted sections can be dropped. */
  characters: number;
  /** What one sweep may ask of the model. */
  budget: { calls: number; tokens: number };
}

/** How a memory dreams. */
export interface DreamingOptions {
  /** False: nothing is counted, and no sweep is due. */
  isOn: boolean;
  settings?: DreamingSettings | undefined;
  /** Takes each event that is written to the journal. */
  noteEvent?: NoteMemoryEvent | undefined;
}

/** One call of a model for a dream; resolves with its text and the tokens that it used. */
export type AskDreamModel = (request: {
  system: string;
  prompt: string;
  /** Of the answer, at most. */
  maxTokens: number;
  signal: AbortSignal;
}) => Promise<{ text: string; tokens: number }>;

/** What the journal of memory events holds (`events.jsonl`). No event has words of a memory. */
export type MemoryEvent = { at: number; audience: Audience } & (
  | { type: 'memory.recall.recorded'; runID: string; candidates: string[] }
  | { type: 'memory.promotion.applied'; promotions: string[]; dropped: number }
  | { type: 'memory.dream.completed'; phase: DreamPhase; status: PhaseReport['status'] }
);

/** Takes events one by one; must not throw. */
export type NoteMemoryEvent = (event: MemoryEvent) => void;

const dreamPhases = ['light', 'rem', 'deep'] as const;
export type DreamPhase = (typeof dreamPhases)[number];

/** A statement that was recalled, with what speaks for it. */
export interface Candidate {
  id: string;
  audience: Audience;
  /** As its source has it now; absent when it is no longer found. */
  text?: string | undefined;
  /** Where it is, for people; absent when it is no longer found. */
  source?: string | undefined;
  score: number;
  parts: ScoreParts;
  /** What the phases added. */
  boost: number;
  recalls: number;
  queries: number;
  days: string[];
  verdict: PromotionVerdict;
}

/** What is done with a candidate, and why. */
export type PromotionVerdict =
  | { status: 'promote' }
  /** It may be promoted later. */
  | { status: 'waits'; words: string }
  /** It is not promoted as it is now. */
  | { status: 'refused'; words: string }
  | { status: 'promoted'; words: string };

export interface PhaseReport {
  phase: DreamPhase;
  status: 'done' | 'skipped' | 'failed';
  /** What it did, or why not. */
  words: string;
  candidates: number;
}

export interface PromotedLine {
  id: string;
  candidate: string;
  text: string;
  /** Of the file, below the folder of the memory files. */
  path: string;
  line: number;
}

/** What a sweep did in one audience. */
export interface SweepReport {
  audience: Audience;
  /** The time of the schedule that it belongs to, in milliseconds since the epoch. */
  slot: number;
  status: 'done' | 'taken';
  phases: PhaseReport[];
  promoted: PromotedLine[];
  /** Lines of older promotions that were dropped for the budget. */
  dropped: number;
  calls: number;
  tokens: number;
}

export interface PromotionReport {
  audience: Audience;
  /** Best first. */
  candidates: Candidate[];
  promoted: PromotedLine[];
  dropped: number;
  /** Why nothing could be written, as text. */
  problem?: string | undefined;
}

/** One day that a backfill wrote about. */
export interface BackfilledDay {
  audience: Audience;
  day: string;
  statements: string[];
  /** False where the day had a report already. */
  written: boolean;
}

export interface DreamingStatus {
  candidates: number;
  recalls: number;
  promoted: number;
  sweeps: number;
  /** Of the last sweep that was finished, in milliseconds since the epoch. */
  lastSweep?: number | undefined;
  /** The next time of the schedule; absent where dreaming is off. */
  next?: number | undefined;
  /** What is wrong, as text: sweeps that were begun and not finished, a schedule that never fired. */
  problems: string[];
}

/** What is done with short-term memory. */
export interface DreamingCalls {
  /** Counts the passages that an answer used; how many statements were counted. Nothing where dreaming is off. */
  recordUse(use: PassageUse): Promise<number>;
  /** Which sweeps are due, the earliest first, and when the next one is. */
  dueSweeps(): Promise<{ due: { audience: Audience; slot: number }[]; next: number | undefined }>;
  /** Runs the sweep of this audience and time, unless it was run or another process runs it. */
  sweep(request: {
    audience: Audience;
    slot: number;
    model?: AskDreamModel | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<SweepReport>;
  /** Ranks the candidates of each audience, and promotes those that pass unless it is a dry run. */
  promoteRecalled(request: {
    audience?: Audience | undefined;
    mode: 'dry run' | 'apply';
  }): Promise<PromotionReport[]>;
  /** One candidate or promotion by its id. */
  explainCandidate(id: string): Promise<Candidate | undefined>;
  /** What REM and deep would do now, without writing. */
  remHarness(request: { audience?: Audience | undefined }): Promise<PromotionReport[]>;
  /** Writes REM summaries of days that have none into `DREAMS.md`. */
  remBackfill(request: { days: number; audience?: Audience | undefined }): Promise<BackfilledDay[]>;
  /** Takes back what backfills wrote, or one promotion; how many lines went. */
  revertDreams(request: { promotion?: string | undefined; audience?: Audience | undefined }): Promise<number>;
  /** Finishes what was begun and left: promotions that were being written, sweeps of processes that died. What was repaired, as text. */
  repairDreams(): Promise<string[]>;
  dreamingStatus(): Promise<DreamingStatus>;
}
