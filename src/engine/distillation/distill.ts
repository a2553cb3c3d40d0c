// A conversation made into candidate facts and stored as governed records, each once and with its evidence.

import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Agents } from '#engine/context/agents.ts';
import {
  candidatesByRule,
  candidatesIn,
  distillPrompt,
  distillSystem,
  type FactCandidate,
  isShort,
} from '#engine/context/distillation.ts';
import { askForText, type CallContext } from '#engine/providers/call-model.ts';
import { detailsOf } from '#engine/providers/calls/failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import type { MemoryDistill, MemoryDistilled } from '#engine/wire/memory/memory-context.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { NoteResult } from '#memory/types/note.ts';
import type { Scope } from '#memory/types/scope.ts';
import { areUnchanged, type Group, groupsOf, type SpokenLine } from './distill-groups.ts';
import { sourcesOf } from './flush.ts';

interface DistillOptions {
  tables: RunTables;
  sessions: Pick<Sessions, 'recent' | 'has'>;
  memory: Pick<Memory, 'put' | 'list' | 'records'>;
  agents: Pick<Agents, 'named'>;
  providerOf(sessionID: string): Provider;
  calls: CallContext;
  secrets: Secrets;
  clock: Clock;
  newId: NewId;
  log: Log;
}

const longestMs = 120_000;
/** Memories of a session among which evidence is looked for. */
const maxEvidence = 1_000;
/** Two facts with this share of their words in common say the same. */
const sameShare = 0.85;

/** `evidence`: `needed` stores only facts that rest on something remembered, so that what was forgotten is not found again. */
interface DistillHow {
  evidence: 'needed' | 'told';
}

type Distill = (request: MemoryDistill, how?: DistillHow) => Promise<MemoryDistilled>;

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
  const { session_id: sessionID } = request;
  const answer = (
    status: MemoryDistilled['status'],
    more: Partial<MemoryDistilled> = {},
  ): MemoryDistilled => ({
    ok: true,
    distillation_id: options.newId('dst'),
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
  const groups = (await groupsOf(options, request)).filter(({ lines }) => !isShort(lines));
  if (groups.length === 0) return answer('skipped_short_conversation');
  const saved: Saved[] = [];
  const ways = new Set<Found['by']>();
  let unimportant = 0;
  for (const group of groups) {
    const { candidates, by } = await candidatesOf(options, sessionID, group.lines);
    const important = candidates.filter(({ importance }) => importance >= request.importance_threshold);
    unimportant += candidates.length - important.length;
    ways.add(by);
    saved.push(...(await save(options, important, { group, request, how })));
  }
  const by = ways.has('rules') ? 'rules' : 'model';
  const report = { by, unimportant, refused: 0, facts: [] } as const;
  if (saved.length === 0) return answer('no_important_facts', { report: { ...report, facts: [] } });
  const idsOf = (status: NoteResult['status']): string[] =>
    saved.flatMap(({ result }) => (result.status === status && 'id' in result ? [result.id] : []));
  const [stored, deduped] = [idsOf('stored'), idsOf('duplicate')];
  const facts = saved.map(({ candidate: { category, importance }, result }) => {
    const id = 'id' in result ? result.id : null;
    return { id, status: result.status, category, importance };
  });
  return answer(stored.length > 0 ? 'stored' : 'nothing_new', {
    facts_extracted: saved.length,
    stored_count: stored.length,
    deduped_count: deduped.length,
    memory_ids: stored,
    candidate_ids: deduped,
    report: { ...report, refused: saved.length - stored.length - deduped.length, facts },
  });
}

interface Saved {
  candidate: FactCandidate;
  result: NoteResult | { status: 'duplicate'; id: string };
}

/** Stores what was found in one group, in the audience of that group. */
async function save(
  options: DistillOptions,
  candidates: readonly FactCandidate[],
  { group, request, how }: { group: Group; request: MemoryDistill; how: DistillHow },
): Promise<Saved[]> {
  const { place, lines } = group;
  const { session_id: sessionID } = request;
  const { audience, partition } = place.where;
  const scope: Scope = { audiences: [audience], spaces: [], everyone: false, partition };
  const memories = await options.memory.list({ scope, session: sessionID, limit: maxEvidence });
  const saved: Saved[] = [];
  for (const candidate of candidates) {
    const cited = candidate.lines.flatMap((index) => lines[index] ?? []);
    const messages = new Set(cited.flatMap(({ messageID }) => messageID ?? []));
    const evidence = memories.filter(({ messageIDs }) => messageIDs.some((id) => messages.has(id)));
    if (how.evidence === 'needed' && evidence.length === 0) {
      saved.push({ candidate, result: { status: 'forgotten' } });
      continue;
    }
    const alike = await alikeIn(options, candidate, scope);
    const result = !(await areUnchanged(options, sessionID, cited))
      ? ({ status: 'forgotten' } as const)
      : alike?.same === true
        ? ({ status: 'duplicate', id: alike.id } as const)
        : await options.memory.put({
            ...place,
            kind: candidate.category === 'task_outcome' ? 'solution_capsule' : 'fact',
            text: options.secrets.mask(candidate.text),
            // anyone who may not read what was written then may not read what was made of it either
            at: Math.min(options.clock.now(), ...cited.flatMap(({ at }) => at ?? [])),
            speaker: {
              person: cited.find(({ person }) => person !== undefined)?.person ?? place.person,
              name: 'distillation',
            },
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
              ...defined({ key: candidate.key, workflow_id: request.workflow_id }),
            },
          });
    saved.push({ candidate, result });
  }
  return saved;
}

interface Found {
  candidates: FactCandidate[];
  by: 'model' | 'rules';
}

/** By the model of the session; by rules where there is none, or where its answer is not what was asked for. */
async function candidatesOf(
  options: DistillOptions,
  sessionID: string,
  lines: readonly SpokenLine[],
): Promise<Found> {
  const provider = options.providerOf(sessionID);
  if (provider.providerID !== 'offline') {
    const answer = await written(options, provider, lines);
    const found = answer === undefined ? undefined : candidatesIn(answer, lines);
    const candidates = found?.map((candidate) => {
      const sources = sourcesOf(candidate.text, { lines, cited: candidate.lines });
      return { ...candidate, lines: sources.map((line) => lines.indexOf(line)) };
    });
    if (candidates !== undefined) return { candidates, by: 'model' };
  }
  return { candidates: candidatesByRule(lines), by: 'rules' };
}

async function written(
  { calls, clock, log }: DistillOptions,
  provider: Provider,
  lines: readonly SpokenLine[],
): Promise<string | undefined> {
  const question = { provider, system: distillSystem, prompt: distillPrompt(lines) };
  try {
    const { text } = await withTimeout({ clock, ms: longestMs, what: 'The distillation' }, (signal) =>
      askForText({ ...question, signal }, calls),
    );
    return text;
  } catch (cause) {
    log.warn({ error: detailsOf(cause) }, 'the model distilled nothing; rules did');
    return undefined;
  }
}

/** A fact that says the same, or the one about the same that this one takes the place of. */
async function alikeIn(
  { memory }: DistillOptions,
  { text, key }: FactCandidate,
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
