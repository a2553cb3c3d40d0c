// What is done to governed records, each in one transaction over record, chunks and audit.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import type {
  AuditAction,
  AuditActor,
  AuditDetail,
  GovernedRecord,
  PinInput,
  PromoteRecordInput,
  RecordChange,
  SignalInput,
} from '#memory/types/record.ts';
import { noteHash } from '#memory/words/content-hash.ts';
import type { KnowledgeWork } from './knowledge.ts';
import { type CleanText, createPutRecord, type PutRecord } from './put-record.ts';
import { createRecordEdits, type RecordEdits, type RecordWriterDeps } from './record-edits.ts';
import { versionAfter } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';
import type { SignalWork } from './signals.ts';

/** Each answers once it is committed; SQLite's own error when another process has the file locked. */
/** A record, and the line of the audit of what was done to it. */
type Governed = Work<{ record: StoredRecord; auditID: string }>;

/** The record that holds, and those that hold no longer. */
type Chosen = Work<{ record: StoredRecord; superseded: StoredRecord[]; auditID: string }>;

/** What the audit says of a promotion that was blocked: where it was to go, and who had reviewed it. */
type BlockedPromotion = Partial<Pick<PromoteRecordInput, 'toTier' | 'review'>>;

/** Each but `current` is done in the caller's transaction. */
export interface GovernanceWork {
  put: PutRecord;
  /** Brings a record to a tier, demoted or not, with its text as it was cleaned for that. */
  promote(request: PromoteRecordInput, clean: CleanText): Governed;
  /** Takes a record out of what is found; it stays where its audience can look it up. With `toTier`: since its promotion there was blocked. */
  demote(request: RecordChange & BlockedPromotion): Governed;
  /** Withdraws a record: it is no longer true, stays as history, and is not stored again by itself. */
  retract(request: RecordChange): Governed;
  /** Stores how a procedure went. A ParleyError `not_a_procedure` for a record of another kind. */
  signal(request: SignalInput): Governed;
  /** Pins a record, or takes the pin away. */
  pin(request: PinInput): Governed;
  /**
   * A person says that a record holds: it is sure from then on, with its own date and source, and the others of its key, and those that it was
   * held `against`, are earlier versions of it. A ParleyError `not_active` or `memory_not_found`.
   */
  choose(request: RecordChange & { against: readonly string[] }): Chosen;
  current: RecordEdits['current'];
  /** Writes the record with this text in the place of its old one, as if it had been stored that way. */
  rewrite(record: StoredRecord, clean: CleanText): Work<void>;
  /** Makes a version that was superseded the active one again, inside of the caller's transaction. */
  restore(record: StoredRecord): Work<void>;
}

/** The same where nothing is waited for, each in a transaction of its own. */
export type Governance = Synchronous<GovernanceWork>;

const order = { session: 0, project: 1, global: 2 } as const;

type GovernanceDeps = RecordWriterDeps & { signals: SignalWork; knowledge: Pick<KnowledgeWork, 'move'> };

/** Governing in one open database. */
export function createGovernance(parts: GovernanceDeps): GovernanceWork {
  const { chunks, clock, records, signals, audit } = parts;
  const edits = createRecordEdits(parts);
  const { current, changed, withItsKey, index, questions } = edits;
  const note = (
    action: AuditAction,
    record: GovernedRecord,
    by: AuditActor,
    detail: AuditDetail,
  ): Work<string> => audit.add({ action, by, audience: record.audience, ids: [record.id], detail });

  const after = createAfter(parts, edits);
  function* promote(request: PromoteRecordInput, { text, kinds }: CleanText): Governed {
    const record = yield* current(request);
    const { toTier, projectID = record.projectID } = request;
    active(record, '; only an active one can be promoted', 'Store what holds now as a new version of it.');
    if (order[toTier] < order[record.tier] || (toTier === record.tier && !record.demoted))
      throw new ParleyError(
        'not_promoted',
        `The record ${record.id} is in the ${record.tier} tier already.`,
        {
          hint: 'Name a wider tier: session, project, global.',
        },
      );
    if (toTier === 'project' && projectID === undefined)
      throw new ParleyError('not_promoted', `The record ${record.id} belongs to no project.`, {
        hint: 'Name the project that it is for.',
      });
    const wider = {
      ...record,
      ...{ tier: toTier, projectID, demoted: false, reason: request.reason, text },
      redactions: record.redactions + kinds.length,
      contentHash: noteHash(text, record),
    };
    // a surer one stays beside it
    const others = (yield* withItsKey(wider)).filter(({ confidence }) => confidence <= wider.confidence);
    const there = yield* after(wider, others);
    const promoted = yield* changed(there, {});
    yield* index(promoted);
    const review = defined(request.review ?? {});
    const detail = { from: record.tier, to: toTier, redactions: kinds.length, ...review };
    return { record: promoted, auditID: yield* note('promote', promoted, request.by, detail) };
  }

  const withdraw = (action: 'demote' | 'retract', change: Partial<StoredRecord>) =>
    function* (request: RecordChange & BlockedPromotion): Governed {
      const record = yield* current(request);
      active(record, ' already', 'See its versions with "parley memory show".');
      const withdrawn = yield* changed(record, { ...change, reason: request.reason });
      yield* chunks.forgetSource(record.id);
      const { by, toTier, review = {} } = request;
      const blocked = toTier === undefined ? {} : { blocked: toTier, ...defined(review) };
      return {
        record: withdrawn,
        auditID: yield* note(action, withdrawn, by, { tier: record.tier, ...blocked }),
      };
    };
  function* signal(request: SignalInput): Governed {
    const record = yield* current(request);
    if (record.kind !== 'procedure' && record.kind !== 'solution_capsule')
      throw new ParleyError(
        'not_a_procedure',
        `id: expected the id of a procedure or a solution, received ${record.id}, which is of the kind ${record.kind}.`,
        { hint: 'Store how something is done with the kind "procedure", then report how it went.' },
      );
    const { outcome, by } = request;
    yield* signals.add({
      lineageID: record.lineageID,
      outcome,
      by: by.name,
      runID: by.runID,
      note: request.note,
      at: clock.now(),
    });
    return { record, auditID: yield* note('signal', record, by, { outcome }) };
  }
  function* pin({ pinned, by, ...of }: PinInput): Governed {
    const record = yield* current(of);
    active(record, '', 'Pin what holds now.');
    return {
      record: yield* changed(record, { pinned }),
      auditID: yield* note('pin', record, by, { pinned }),
    };
  }
  const demote = withdraw('demote', { demoted: true });
  const retract = withdraw('retract', { state: 'retracted' });

  return {
    put: createPutRecord(parts, edits),
    ...{ promote, demote, retract, signal, pin, current },
    choose: createChoose(parts, edits, after),
    *restore(record) {
      const restored = yield* changed(record, { state: 'active' });
      if (!restored.demoted) yield* index(restored);
    },
    *rewrite(record, { text, kinds }) {
      const contentHash = noteHash(text, record);
      const cleaned = { ...record, text, contentHash, redactions: record.redactions + kinds.length };
      yield* records.update(cleaned);
      yield* questions.end(record.id, clock.now());
      if ((yield* chunks.rowsOf(record.id)).length > 0) yield* index(cleaned);
    },
  };
}

function active(record: StoredRecord, what: string, hint: string): void {
  if (record.state !== 'active')
    throw new ParleyError('not_active', `The record ${record.id} is ${record.state}${what}.`, { hint });
}

/** See `GovernanceWork.choose`. */
function createChoose(
  { audit }: GovernanceDeps,
  { current, changed, withItsKey, index }: RecordEdits,
  after: After,
): GovernanceWork['choose'] {
  return function* ({ against, ...request }) {
    const record = yield* current(request);
    active(record, '', 'Correct what holds now.');
    const beside = new Map<string, StoredRecord>();
    for (const other of yield* withItsKey(record)) beside.set(other.lineageID, other);
    for (const id of against) {
      const other = yield* current({ ...request, id });
      if (other.state === 'active') beside.set(other.lineageID, other);
    }
    beside.delete(record.lineageID);
    const superseded = [...beside.values()];
    const chosen = yield* changed(yield* after({ ...record, confidence: 1 }, superseded), {});
    if (!chosen.demoted) yield* index(chosen);
    const { audience, id, tier, kind } = chosen;
    const detail = { tier, kind, chosen: true, settled: superseded.map((other) => other.id).join(', ') };
    const auditID = yield* audit.add({ action: 'put', by: request.by, audience, ids: [id], detail });
    return { record: chosen, superseded, auditID };
  };
}

type After = (record: StoredRecord, others: readonly StoredRecord[]) => Work<StoredRecord>;

/** The record as the next version of each of the others, as if it had been put in their place; its earlier versions come with it. */
function createAfter(
  { chunks, records, signals, knowledge }: GovernanceDeps,
  { changed }: Pick<RecordEdits, 'changed'>,
): After {
  return function* (record, others) {
    let now = record;
    for (const other of others) {
      if (other.lineageID === record.lineageID) continue;
      yield* chunks.forgetSource(other.id);
      yield* changed(other, { state: 'superseded' });
      const moved = ({ version }: StoredRecord) => ({
        lineageID: other.lineageID,
        version: other.version + version,
      });
      for (const version of yield* records.lineages([now.id]))
        yield* records.update({ ...version, ...moved(version) });
      yield* signals.move(now.lineageID, other.lineageID);
      yield* knowledge.move(now.lineageID, other.lineageID);
      const tags = now.tags.length > 0 ? now.tags : undefined;
      const own = { key: now.key, tags, pinned: now.pinned || other.pinned };
      now = { ...versionAfter(other, now, own), ...moved(now) };
    }
    return now;
  };
}
