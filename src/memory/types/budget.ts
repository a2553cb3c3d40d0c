// How much may be remembered, what is done when it is more, and what people see of it. Shapes only.
import type { AskDreamModel } from './dreaming.ts';
import type { NoteKind } from './note.ts';
import type { MarkedKind } from './record.ts';
import type { Audience } from './scope.ts';

/** The kinds of what is counted one by one, next to exchanges. */
export type BudgetKind = NoteKind | MarkedKind | 'turn' | 'document';

/** Bounds of one audience, or of one agent; what is absent has none. */
export interface BudgetLimits {
  /** Of texts: exchanges, imports and records with all their versions; not of files and of the journal, whose lessons and decisions are counted one by one. */
  characters?: number | undefined;
  /** Exchanges that are stored whole: of more, summaries take their place. */
  exchanges?: number | undefined;
  vectors?: number | undefined;
  /** Links by key or tag that one step of association follows from one memory. They are computed: nothing is stored or taken away. */
  edges?: number | undefined;
  /** Of each kind: records that hold now, imported pieces, and lessons and decisions of the journal. */
  items?: { [Kind in BudgetKind]?: number | undefined } | undefined;
}

export interface BudgetSettings {
  /** Of each audience. */
  audience?: BudgetLimits | undefined;
  /** Of each agent with its own memory, and of what the others share. */
  agent?: BudgetLimits | undefined;
  /** Of single agents with their own memory: each bound in the place of the same one of `agent`. */
  agents?: Readonly<Record<string, BudgetLimits | undefined>> | undefined;
}

/** Whose budget it is; an agent without a name means what agents share. */
export type BudgetOwner =
  | { type: 'audience'; audience: Audience }
  | { type: 'agent'; agent: string | undefined };

/** What is counted: a bound of `BudgetLimits`, `items.KIND` for one of its kinds. */
export type BudgetBound = 'characters' | 'exchanges' | 'vectors' | `items.${BudgetKind}`;

export interface BudgetUse {
  bound: BudgetBound;
  used: number;
  limit: number;
}

/** The least destructive comes first. */
const budgetSteps = ['merge', 'summarize', 'drop_vectors', 'evict'] as const;
export type BudgetStepName = (typeof budgetSteps)[number];

/** One thing that was done, or would be done next, for a budget that is exceeded. */
export interface BudgetStep {
  step: BudgetStepName;
  owner: BudgetOwner;
  /** Which bound was exceeded, by how much. */
  over: BudgetUse;
  /** The memories that it takes away or changes. */
  ids: readonly string[];
  /** What is in their place, of a merge and a summary. */
  into?: string | undefined;
}

export interface BudgetReport {
  owner: BudgetOwner;
  uses: BudgetUse[];
  /** What would be done next; absent within the budget, and where nothing can be done. */
  next?: BudgetStep | undefined;
}

export interface BudgetCalls {
  /** The use of each budget, or of those of one audience. Never writes. */
  budgets(query?: { audience?: Audience | undefined }): Promise<BudgetReport[]>;
  /**
   * Brings what is over its budget back: merges duplicates, summarizes exchanges, lessons and decisions, drops vectors, evicts what is of least use, in this order
   * and no more than needed. Each step is one transaction with a line in the audit, so that a kill leaves every memory in its old or its new
   * form. Calls at the same time wait for each other. Resolves with the steps.
   */
  consolidate(request?: {
    model?: AskDreamModel | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<BudgetStep[]>;
}
