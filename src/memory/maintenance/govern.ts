// Records promoted, demoted and withdrawn, and the notes that become them: with every secret masked before anything is stored.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import type { Work } from '#base/sql/work.ts';
import type { CleanText } from '#memory/records/put-record.ts';
import { type StoredRecord, shownRecord } from '#memory/records/record-row.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { GovernedStore } from '#memory/store/governed-store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Note, NoteResult } from '#memory/types/note.ts';
import type {
  AuditEntry,
  AuditQuery,
  GovernedRecord,
  PinInput,
  PromoteRecordInput,
  Promotion,
  RecordChange,
  SignalInput,
  SignalSummary,
} from '#memory/types/record.ts';

/** The records of either engine, and where work on them runs. */
type Parts = GovernedStore;

const noteSchema = z
  .looseObject({
    tier: z.enum(['session', 'project', 'global']).default('global'),
    sessionID: z.string(),
    projectID: z.string().min(1).optional(),
    confidence: z.number().min(0).max(1).optional(),
    expiresAt: z.number().finite().optional(),
    metadata: z.json().optional(),
    key: z.string().trim().min(1).max(200).optional(),
    tags: z.array(z.string().trim().min(1).max(60)).max(20).optional(),
  })
  .refine((note) => note.tier !== 'session' || note.sessionID !== '', {
    path: ['tier'],
    message: 'a memory of a session needs the session',
  })
  .refine((note) => note.tier !== 'project' || note.projectID !== undefined, {
    path: ['tier'],
    message: 'a memory of a project needs the project',
  });

/** Stores a note; a ParleyError `invalid_note` for one that does not fit, `memory_not_found` for a version of nothing. */
export async function put({ governance, storage }: Parts, redact: Redact, note: Note): Promise<NoteResult> {
  const checked = noteSchema.safeParse(note);
  if (!checked.success)
    throw new ParleyError(
      'invalid_note',
      `The note does not fit: ${formatZodError(checked.error).join('; ')}.`,
      {
        hint: 'Name its session or project, or store it in the global tier.',
      },
    );
  const clean = await redact(note.text);
  const clear = (text: string | undefined) => masked(redact, text);
  const metadata = await redact(JSON.stringify(note.metadata ?? {}));
  const all = (texts: readonly string[] | undefined) =>
    texts && Promise.all(texts.map(async (text) => (await redact(text)).text));
  const safe = {
    ...note,
    channelTag: await clear(note.channelTag),
    hostTag: await clear(note.hostTag),
    key: await clear(note.key),
    tags: await all(note.tags),
    artifactRefs: await all(note.artifactRefs),
    metadata: metadata.kinds.length === 0 ? note.metadata : maskedIn(metadata.text),
  };
  return storage.write(() => governance.put(safe, clean));
}

/** The text without secrets; nothing of nothing. */
export async function masked(redact: Redact, text: string | undefined): Promise<string | undefined> {
  return text === undefined ? undefined : (await redact(text)).text;
}

/** A secret can only be masked inside of a string, so that what is left is still JSON, unless it is cut badly: then none of it is stored. */
function maskedIn(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return z.record(z.string(), z.unknown()).parse(value);
  } catch {
    return {};
  }
}

/** Whether no words are left of a text when its masked places are taken out. */
export function isNothingButSecrets(masked: string): boolean {
  return !/[\p{L}\p{N}]/u.test(masked.replace(/\[redacted:[^\]]*\]/g, ''));
}

/** Writes something with a record and its masked text in one transaction: with what is there by then, masked again where that changed. */
export async function writeMasked<T>(
  { governance, storage }: Pick<Parts, 'governance' | 'storage'>,
  { redact, of }: { redact: Redact; of: Pick<RecordChange, 'id' | 'scope'> },
  write: (record: StoredRecord, clean: CleanText) => Work<T>,
): Promise<T> {
  for (;;) {
    const { text } = await storage.read(() => governance.current(of));
    const clean = await redact(text);
    const written = await storage.write(function* () {
      const record = yield* governance.current(of);
      return record.text === text ? { result: yield* write(record, clean) } : undefined;
    });
    if (written !== undefined) return written.result;
  }
}

/**
 * Brings a record to a wider tier, or a demoted one back, its text looked through for secrets once more: what is found is masked in
 * the record itself, and a record of which nothing else is left is blocked. A ParleyError `not_active`, `not_promoted` or
 * `memory_not_found`.
 */
export async function promote(parts: Parts, redact: Redact, request: PromoteRecordInput): Promise<Promotion> {
  const { governance } = parts;
  const safe = { ...request, reason: await masked(redact, request.reason) };
  return writeMasked(parts, { redact, of: request }, function* (_record, clean): Work<Promotion> {
    const redactions = clean.kinds.length;
    if (isNothingButSecrets(clean.text)) {
      const scrub = { status: 'blocked', redactions, blockReason: 'nothing but secrets is in it' } as const;
      const { record, auditID } = yield* governance.demote({ ...request, reason: scrub.blockReason });
      return { promoted: false, record: shownRecord(record), scrub, auditID };
    }
    const { record, auditID } = yield* governance.promote(safe, clean);
    const status = redactions > 0 ? 'redacted' : 'passed';
    const scrub = { status, redactions, blockReason: undefined } as const;
    return { promoted: true, record: shownRecord(record), scrub, auditID };
  });
}

/** Takes a record out of what is found (`demote`), or withdraws it as no longer true (`retract`). */
export async function withdraw(
  { governance, storage }: Parts,
  redact: Redact,
  { how, ...request }: RecordChange & { how: 'demote' | 'retract' },
): Promise<{ record: GovernedRecord; auditID: string }> {
  readableBy(request.scope);
  const safe = { ...request, reason: await masked(redact, request.reason) };
  const { record, auditID } = await storage.write(() => governance[how](safe));
  return { record: shownRecord(record), auditID };
}

const signalSchema = z.looseObject({
  outcome: z.enum(['success', 'failure']),
  note: z.string().trim().max(2_000).optional(),
});

/** Stores how a procedure went, without secrets. A ParleyError `invalid_signal`, `not_a_procedure` or `memory_not_found`. */
export async function signal(
  { governance, storage }: Parts,
  redact: Redact,
  request: SignalInput,
): Promise<{ record: GovernedRecord; auditID: string }> {
  const checked = signalSchema.safeParse(request);
  if (!checked.success)
    throw new ParleyError(
      'invalid_signal',
      `The report does not fit: ${formatZodError(checked.error).join('; ')}.`,
      { hint: 'Say whether it was a success or a failure. Nothing was written.' },
    );
  const note = await masked(redact, request.note);
  const { record, auditID } = await storage.write(() => governance.signal({ ...request, note }));
  return { record: shownRecord(record), auditID };
}

/** Pins a record, or takes the pin away. A ParleyError `not_active` or `memory_not_found`. */
export async function pin(
  { governance, storage }: Parts,
  request: PinInput,
): Promise<{ record: GovernedRecord; auditID: string }> {
  const { record, auditID } = await storage.write(() => governance.pin(request));
  return { record: shownRecord(record), auditID };
}

/** Reports that are shown of a procedure, the newest. */
const shownSignals = 20;

/** How the procedure of this id went, in the own audiences of the scope. A ParleyError `memory_not_found`. */
export function signalsOf(
  { governance, signals, storage }: Parts,
  of: Pick<RecordChange, 'id' | 'scope'>,
): Promise<SignalSummary> {
  return storage.read(function* () {
    const { lineageID } = yield* governance.current(of);
    const latest = yield* signals.of(lineageID, shownSignals);
    return { ...(yield* signals.counts(lineageID)), latest };
  });
}

/** See `Memory.noteRead`: one line for each audience that they belong to. */
export async function noteRead(
  { audit, storage }: Parts,
  read: Parameters<Memory['noteRead']>[0],
): Promise<string[]> {
  const { by, how, shown, action = 'read' } = read;
  const lines = [...Map.groupBy(shown, ({ audience }) => audience)];
  if (lines.length === 0) return [];
  return storage.write(function* () {
    const ids: string[] = [];
    for (const [audience, entries] of lines)
      ids.push(yield* audit.add({ action, by, audience, ids: entries.map(({ id }) => id), detail: { how } }));
    return ids;
  });
}

const auditSchema = z.object({
  of: z.union([z.literal('every audience'), z.string().regex(/^(person|room):[\s\S]+$/)]),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
});

/** The audit, newest first. A ParleyError `invalid_audit` when it is not said whose. */
export async function auditOf({ audit, storage }: Parts, query: AuditQuery): Promise<AuditEntry[]> {
  const checked = auditSchema.safeParse(query);
  if (checked.success) return storage.read(() => audit.list(query));
  throw new ParleyError(
    'invalid_audit',
    `Expected whose audit: ${formatZodError(checked.error).join('; ')}.`,
    {
      hint: 'Name an audience, or "every audience" for the owner of the file.',
    },
  );
}
