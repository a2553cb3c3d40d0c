// Knowledge: governed records that were promoted for reuse, by what they cover, and the question before work whether there is any. Shapes only.
import type { AuditActor, GovernedRecord, RecordChange, ScrubReport } from './record.ts';
import type { Scope } from './scope.ts';

/** How far it may be relied on: it was promoted, or someone approved it as the answer to use. */
export const trustLevels = ['promoted', 'approved_default'] as const;
export type TrustLevel = (typeof trustLevels)[number];

/** What a piece of knowledge covers. Two that differ only in case, spaces and punctuation are equal. */
export interface Coverage {
  /** What it is about: `restart of the till`. */
  subject: string;
  /** The kind of work that it is of use for; `general` when absent. */
  taskFamily?: string | undefined;
  /** Sets apart what is called the same in two fields of one project. */
  namespace?: string | undefined;
  /** The project that it is for; every one when absent. */
  projectID?: string | undefined;
}

export interface KnowledgeItem {
  id: string;
  coverageKey: string;
  subject: string;
  taskFamily: string;
  namespace: string | undefined;
  projectID: string | undefined;
  trust: TrustLevel;
  promotedAt: number;
  promotedBy: string;
  /** From then on it has to be looked at again; never when absent. */
  freshUntil: number | undefined;
  /** Why it was promoted. */
  reason: string | undefined;
  /** The version that was promoted; `record` is the one that stands for it now. */
  promotedRecordID: string;
  record: GovernedRecord;
}

export interface PromotingKnowledge extends RecordChange, Coverage {
  trust?: TrustLevel | undefined;
  freshUntil?: number | undefined;
}

export interface KnowledgePromotion {
  item: KnowledgeItem;
  scrub: ScrubReport;
  auditID: string;
}

export interface KnowledgeQuery {
  scope: Scope;
  projectID?: string | undefined;
  /** 1 to 1000, 50 when absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface PreflightQuery extends Coverage {
  scope: Scope;
  /** Promoted longer ago than this many milliseconds, it counts as stale. */
  freshMs?: number | undefined;
  /** Less trusted knowledge is passed over. */
  trustFloor?: TrustLevel | undefined;
}

/** `reuse_...`: what is known can be used as it is. `refresh_required`: something is known, and has to be looked at again. */
const preflightDecisions = [
  'reuse_approved_default',
  'reuse_promoted',
  'refresh_required',
  'no_prior_knowledge',
] as const;
type PreflightDecision = (typeof preflightDecisions)[number];

export interface Preflight {
  coverageKey: string;
  decision: PreflightDecision;
  /** Why, as text. */
  reason: string;
  /** What covers just this, the most trusted first; at most three. */
  items: KnowledgeItem[];
  /** When nothing covers it: what is known of something that sounds like it, at most three. */
  related: KnowledgeItem[];
}

/** Takes a record's knowledge back: all of it, or of one item; the record itself stays. */
export interface WithdrawingKnowledge {
  /** Of the item, or of the record. */
  id: string;
  scope: Scope;
  by: AuditActor;
}
