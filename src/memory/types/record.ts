// Governed records: notes, facts and solution capsules with their versions, reach and provenance. Shapes only.
import type { NoteKind } from './note.ts';
import type { Audience, Scope, Sensitivity, Tier } from './scope.ts';

/** `superseded`: a later version took its place. `retracted`: it was withdrawn, and remains only as history. */
type RecordState = 'active' | 'superseded' | 'retracted';

/** One version of a record. */
export interface GovernedRecord {
  id: string;
  /** The id of its first version, and its number among them from 1. */
  lineageID: string;
  version: number;
  state: RecordState;
  kind: NoteKind;
  text: string;
  /** In the form in which keys are compared; as tags. */
  key: string | undefined;
  tags: readonly string[];
  pinned: boolean;
  tier: Tier;
  audience: Audience;
  /** The only agent under which it is found; all agents share it when absent. */
  partition?: string | undefined;
  space: string | undefined;
  /** `private`: it never leaves its audience. */
  visibility: 'private' | 'shared';
  /** For whom it is stored, by which agent (or `operator`). */
  userID: string;
  agent: string;
  platform: string;
  chat: string;
  sessionID: string;
  runID: string;
  projectID: string | undefined;
  channelTag: string | undefined;
  hostTag: string | undefined;
  sensitivity: Sensitivity;
  /** 0 to 1. */
  confidence: number;
  at: number;
  updatedAt: number;
  expiresAt: number | undefined;
  /** Why it is no longer found, when it was demoted or retracted. */
  demoted: boolean;
  reason: string | undefined;
  /** How many secrets were masked in it. */
  redactions: number;
  messageIDs: readonly string[];
  /** Ids of the memories that it was made of. */
  evidence: readonly string[];
  artifactRefs: readonly string[];
  metadata: Record<string, unknown>;
}

/** Entries of the journal that are found by kind, key, tag and pin, as records are. */
export const markedKinds = ['lesson', 'decision'] as const;
export type MarkedKind = (typeof markedKinds)[number];

export function isMarkedKind(kind: string | undefined): kind is MarkedKind {
  return markedKinds.some((each) => each === kind);
}

/** A record, or a lesson or a decision of the journal as one: of these there is one version, and `agent` is who wrote it. */
export interface MarkedEntry extends Omit<GovernedRecord, 'kind'> {
  kind: NoteKind | MarkedKind;
  /** As of a FoundRecord; 0 of what the journal has. */
  score: number;
}

/** A text orders the records by their words; of the journal it means what holds all of them. */
export interface MarkedQuery extends Omit<RecordQuery, 'kind' | 'ids'> {
  kind?: MarkedEntry['kind'] | undefined;
}

export interface RecordQuery {
  scope: Scope;
  /** The words to look for; without them the newest come first. */
  text?: string | undefined;
  /** Only those that hold all of these words. */
  words?: string | undefined;
  /** Only what belongs to this project; with `besideProject` also what is for every project, as in a `SearchQuery`. */
  projectID?: string | undefined;
  besideProject?: boolean | undefined;
  channelTag?: string | undefined;
  hostTag?: string | undefined;
  userID?: string | undefined;
  kind?: NoteKind | undefined;
  /** Only those of exactly this key, with this tag, or that are pinned. */
  key?: string | undefined;
  tag?: string | undefined;
  pinned?: boolean | undefined;
  /** Only these, whatever their state: their audience must be the scope's own. */
  ids?: readonly string[] | undefined;
  /** 1 to 100, 8 when absent. */
  limit?: number | undefined;
}

export interface FoundRecord extends GovernedRecord {
  /** 0 to 1: the share of the question's words that the best record holds, times this one's score relative to the best; 0 without words. */
  score: number;
}

/** Who does something to a record, and why. */
export interface RecordChange {
  id: string;
  scope: Scope;
  by: AuditActor;
  reason?: string | undefined;
}

/** How a procedure went, as a run or a person reports it. */
export interface RecordSignal {
  outcome: 'success' | 'failure';
  by: string;
  runID?: string | undefined;
  /** What happened, without secrets. */
  note?: string | undefined;
  at: number;
}

/** A report on a procedure or a solution: of one run the last one counts. */
export interface SignalInput extends Omit<RecordChange, 'reason'> {
  outcome: RecordSignal['outcome'];
  note?: string | undefined;
}

/** The reports on a procedure: how many there are of each, and the newest of them. */
export interface SignalSummary {
  successes: number;
  failures: number;
  latest: RecordSignal[];
}

export interface PinInput extends Omit<RecordChange, 'reason'> {
  pinned: boolean;
}

export interface PromoteRecordInput extends RecordChange {
  toTier: Tier;
  /** The project that it is for, when it has none of its own. */
  projectID?: string | undefined;
  /** Who has reviewed it, and under which approval, as the audit keeps it. */
  review?: { reviewer_id?: string | undefined; approval_id?: string | undefined } | undefined;
}

export interface ScrubReport {
  status: 'passed' | 'redacted' | 'blocked';
  redactions: number;
  blockReason: string | undefined;
}

export interface Promotion {
  promoted: boolean;
  record: GovernedRecord;
  scrub: ScrubReport;
  auditID: string;
}

/** Who did it: `operator`, `gateway`, or an agent in a run. */
export interface AuditActor {
  name: string;
  runID?: string | undefined;
  sessionID?: string | undefined;
}

const auditActions = [
  'archive',
  'put',
  'import',
  'read',
  'promote',
  'demote',
  'retract',
  'forget',
  'redact',
  'signal',
  'pin',
  'merge',
  'summarize',
  'drop_vectors',
  'evict',
  'configure',
] as const;
export type AuditAction = (typeof auditActions)[number];

export type AuditDetail = Record<string, string | number | boolean>;

/** One line of the audit: who did what to which memories, without their words. */
export interface AuditEntry {
  id: string;
  at: number;
  action: AuditAction;
  actor: string;
  runID: string | undefined;
  sessionID: string | undefined;
  audience: Audience;
  /** Ids of the memories, the first of them when there are many. */
  ids: readonly string[];
  detail: AuditDetail;
}

export interface AuditQuery {
  of: Audience | 'every audience';
  runID?: string | undefined;
  action?: AuditAction | undefined;
  /** 1 to 1000, 100 when absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

/** When a record ended that is shown no longer, in milliseconds since the epoch; undefined for one that holds. */
export function endOf({ expiresAt }: Pick<GovernedRecord, 'expiresAt'>, now: number): number | undefined {
  return expiresAt === undefined || expiresAt > now ? undefined : expiresAt;
}

/** Where what a record says comes from: what its writer named as its source, else the one who stored it. */
export function sourceOf({ metadata, agent }: Pick<GovernedRecord, 'metadata' | 'agent'>): string {
  return typeof metadata.source === 'string' ? metadata.source : agent;
}
