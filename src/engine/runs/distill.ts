// A conversation made into candidate facts and kept as governed records, each once and with its evidence. Not what is found in it.
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Secrets } from '#base/secrets.ts';
import {
  type Candidate,
  candidatesByRule,
  candidatesIn,
  distillPrompt,
  distillSystem,
  isShort,
  type Line,
} from '#engine/context/distillation.ts';
import { operator, placeOf } from '#engine/context/scope-of.ts';
import { wordsOfMessage } from '#engine/context/speech.ts';
import { type CallContext, callModel } from '#engine/providers/call-model.ts';
import { detailsOf } from '#engine/providers/failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { MemoryDistill, MemoryDistilled } from '#engine/wire/memory-context.ts';
import { withoutNotes } from '#engine/wire/notes.ts';
import { removeMemoryBlocks } from '#memory/terms/block.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { NoteResult } from '#memory/terms/note.ts';
import type { Scope } from '#memory/terms/scope.ts';
import type { RunTables } from './run-tables.ts';

export interface DistillOptions {
  tables: RunTables;
  sessions: Pick<Sessions, 'recent' | 'has'>;
  memory: Pick<Memory, 'put' | 'list' | 'records'>;
  providerOf(sessionID: string): Provider;
  calls: CallContext;
  secrets: Secrets;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** Messages of a session that are looked at: the newest. */
const mostMessages = 200;
const longestMs = 120_000;
/** Memories of a session among which evidence is looked for. */
const mostEvidence = 1_000;
/** Two facts with this share of their words in common say the same. */
const sameShare = 0.85;

/** `evidence`: `needed` keeps only facts that stand on something remembered, so that what was forgotten is not found again. */
export interface DistillHow {
  evidence: 'needed' | 'told';
}

export type Distill = (request: MemoryDistill, how?: DistillHow) => Promise<MemoryDistilled>;

/** Distils a conversation; one at a time, so that two at once store nothing twice. */
export function createDistill(options: DistillOptions): Distill {
  let before: Promise<unknown> = Promise.resolve();
  return (request, how = { evidence: 'told' }) => {
    const done = before.then(() => distill(options, request, how));
    before = done.catch(() => undefined);
    return done;
  };
}

async function distill(
  options: DistillOptions,
  request: MemoryDistill,
  how: DistillHow,
): Promise<MemoryDistilled> {
  const { tables, newId } = options;
  const { session_id: sessionID } = request;
  const origin = tables.runs.newest(sessionID)?.origin;
  const known = await options.sessions.has(sessionID);
  const place = placeOf(origin);
  const audience = known ? place.where.audience : (request.audience ?? operator);
  if (request.audience !== undefined && request.audience !== audience)
    throw new ParleyError('audience_mismatch', `What was said in ${sessionID} belongs to ${audience}.`, {
      cure: 'Leave the audience out, or name that one.',
    });
  const lines = await linesOf(options, request, known);
  const told = (status: MemoryDistilled['status'], more: Partial<MemoryDistilled> = {}): MemoryDistilled => ({
    ok: true,
    distillation_id: newId('dst'),
    session_id: sessionID,
    facts_extracted: 0,
    stored_count: 0,
    deduped_count: 0,
    memory_ids: [],
    candidate_ids: [],
    report: { by: 'rules', unimportant: 0, refused: 0, facts: [] },
    ...more,
    status,
  });
  if (isShort(lines)) return told('skipped_short_conversation');
  const { candidates, by } = await candidatesOf(options, sessionID, lines);
  const important = candidates.filter(({ importance }) => importance >= request.importance_threshold);
  const report = { by, unimportant: candidates.length - important.length, refused: 0, facts: [] };
  if (important.length === 0) return told('no_important_facts', { report });
  const where = known ? place.where : { audience, restricted: true };
  const scope: Scope = { audiences: [audience], spaces: [], everyone: false };
  const memories = await options.memory.list({ scope, session: sessionID, limit: mostEvidence });
  const kept: { candidate: Candidate; result: NoteResult | { status: 'duplicate'; id: string } }[] = [];
  for (const candidate of important) {
    const messages = new Set(candidate.lines.flatMap((index) => lines[index]?.messageID ?? []));
    const evidence = memories.filter(({ messageIDs }) => messageIDs.some((id) => messages.has(id)));
    if (how.evidence === 'needed' && evidence.length === 0) {
      kept.push({ candidate, result: { status: 'forgotten' } });
      continue;
    }
    const alike = await alikeIn(options, candidate, scope);
    const result =
      alike?.same === true
        ? ({ status: 'duplicate', id: alike.id } as const)
        : await options.memory.put({
            ...place,
            where,
            kind: candidate.category === 'task_outcome' ? 'solution_capsule' : 'fact',
            text: options.secrets.mask(candidate.text),
            at: options.clock.now(),
            speaker: { person: known ? place.person : 'operator', name: 'distillation' },
            sessionID,
            runID: request.run_id ?? '',
            projectID: request.project_id,
            messageIDs: [...messages],
            supersedes: alike?.id,
            confidence: candidate.importance,
            evidence: evidence.map(({ id }) => id),
            artifactRefs: request.artifact_refs,
            metadata: {
              category: candidate.category,
              ...(candidate.key === undefined ? {} : { key: candidate.key }),
            },
          });
    kept.push({ candidate, result });
  }
  const idsOf = (status: NoteResult['status']): string[] =>
    kept.flatMap(({ result }) => (result.status === status && 'id' in result ? [result.id] : []));
  const [stored, deduped] = [idsOf('stored'), idsOf('duplicate')];
  const facts = kept.map(({ candidate: { category, importance }, result }) => {
    const id = 'id' in result ? result.id : null;
    return { id, status: result.status, category, importance };
  });
  return told(stored.length > 0 ? 'stored' : 'nothing_new', {
    facts_extracted: important.length,
    stored_count: stored.length,
    deduped_count: deduped.length,
    memory_ids: stored,
    candidate_ids: deduped,
    report: { ...report, refused: kept.length - stored.length - deduped.length, facts },
  });
}

/** What was said, without what memory and the gateway put around it. */
async function linesOf(options: DistillOptions, request: MemoryDistill, known: boolean): Promise<Line[]> {
  const { session_id: sessionID, conversation, subject = 'operator' } = request;
  if (conversation.length > 0)
    return conversation.map(({ role, content, speaker = subject }) => ({
      role,
      speaker,
      text: removeMemoryBlocks(content).trim(),
    }));
  if (!known)
    throw new ParleyError('session_not_found', `There is no session ${JSON.stringify(sessionID)}.`, {
      cure: 'Send the conversation along.',
    });
  const { messages } = await options.sessions.recent(sessionID, { limit: mostMessages });
  return messages.map((message) => ({
    role: message.role,
    speaker: message.speaker?.name ?? subject,
    text: withoutNotes(removeMemoryBlocks(wordsOfMessage(message))),
    messageID: message.id,
  }));
}

/** By the model of the session; by rules where there is none, or where its answer is not what was asked for. */
async function candidatesOf(
  options: DistillOptions,
  sessionID: string,
  lines: readonly Line[],
): Promise<{ candidates: Candidate[]; by: 'model' | 'rules' }> {
  const provider = options.providerOf(sessionID);
  if (provider.providerID !== 'offline') {
    const answer = await written(options, provider, lines);
    const candidates = answer === undefined ? undefined : candidatesIn(answer, lines);
    if (candidates !== undefined) return { candidates, by: 'model' };
  }
  return { candidates: candidatesByRule(lines), by: 'rules' };
}

async function written(
  { calls, clock, log }: DistillOptions,
  provider: Provider,
  lines: readonly Line[],
): Promise<string | undefined> {
  const read = async (signal: AbortSignal): Promise<string> => {
    const call = {
      provider,
      system: distillSystem,
      messages: [{ role: 'user' as const, content: distillPrompt(lines) }],
      tools: [],
      toolChoice: 'none' as const,
      remembers: false,
      signal,
    };
    let text = '';
    for await (const piece of callModel(call, calls)) if (piece.type === 'text') text += piece.delta;
    return text;
  };
  const signal = new AbortController().signal;
  try {
    return await withTimeout({ clock, ms: longestMs, what: 'The distillation', signal }, read);
  } catch (cause) {
    log.warn({ error: detailsOf(cause) }, 'the model distilled nothing; rules did');
    return undefined;
  }
}

/** A fact that says the same, or the one about the same that this one takes the place of. */
async function alikeIn(
  { memory }: DistillOptions,
  { text, key }: Candidate,
  scope: Scope,
): Promise<{ id: string; same: boolean } | undefined> {
  const near = await memory.records({ text, scope, limit: 20 });
  const words = wordsOf(text);
  const same = near.find((record) => shared(words, wordsOf(record.text)) >= sameShare);
  if (same !== undefined) return { id: same.id, same: true };
  const about = key === undefined ? undefined : near.find(({ metadata }) => metadata.key === key);
  return about === undefined ? undefined : { id: about.id, same: false };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length;
  return both / Math.max(1, a.size + b.size - both);
}
