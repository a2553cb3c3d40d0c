// One sweep over one audience: light, REM, deep, and the reports. Each step can be done again, so that a sweep that was killed is finished by another.
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type {
  AskDreamModel,
  DreamPhase,
  NoteMemoryEvent,
  PhaseReport,
  SweepReport,
} from '#memory/types/dreaming.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { Deep } from './deep.ts';
import { promotedLine } from './promote.ts';
import type { RankedCandidate } from './rank.ts';
import { type ModelBudget, type Reflection, reflect } from './rem.ts';
import type { DreamReports, ReportLine } from './reports.ts';

interface SweepDeps {
  deep: Deep;
  reports: DreamReports;
  redact: Redact;
  clock: Clock;
  noteEvent: NoteMemoryEvent;
  /** Notes that phases saw candidates at the time of this sweep, once. */
  seen(candidates: readonly RankedCandidate[], phase: 'light' | 'rem', slot: number): Promise<void>;
  /** Removes candidates that have no source. */
  drop(candidates: readonly string[]): Promise<void>;
}

interface SweepRequest {
  audience: Audience;
  slot: number;
  day: string;
  /** When the sweep before this one was due; undefined for the first. */
  before: number | undefined;
  model: AskDreamModel | undefined;
  budget: ModelBudget;
  /** Says that the sweep is still at work; throws when another process has it. */
  beat(): Promise<void>;
  signal: AbortSignal;
}

/** Does all phases; a phase that fails does not stop the next one. */
export async function sweepOnce(
  deps: SweepDeps,
  request: SweepRequest,
): Promise<Pick<SweepReport, 'phases' | 'promoted' | 'dropped'>> {
  const { deep, clock, noteEvent } = deps;
  const { audience, slot, beat, signal } = request;
  const phases: PhaseReport[] = [];
  const lines = new Map<DreamPhase, ReportLine[]>();
  const done = (report: PhaseReport, reported: ReportLine[]): void => {
    phases.push(report);
    lines.set(report.phase, reported);
    const { phase, status } = report;
    noteEvent({ type: 'memory.dream.completed', at: clock.now(), audience, phase, status });
  };

  await beat();
  const staged = await light(deps, request);
  done(
    {
      phase: 'light',
      status: 'done',
      words: `${counted(staged.length, 'statement')} came up`,
      candidates: staged.length,
    },
    staged.map((ranked) => statementLine(audience, ranked)),
  );

  signal.throwIfAborted();
  await beat();
  const reflection = await reflect(staged, request);
  await deps.seen(reflection.lasting, 'rem', slot);
  const { status, words } = reflection;
  done(
    { phase: 'rem', status, words, candidates: reflection.lasting.length },
    await remLines(deps, audience, reflection),
  );

  signal.throwIfAborted();
  await beat();
  const outcome = await deep.run(audience, 'apply');
  const { promoted, dropped, problem } = outcome;
  done(
    {
      phase: 'deep',
      status: problem === undefined ? 'done' : 'failed',
      words:
        problem ??
        `${promoted.length} of ${counted(outcome.ranked.length, 'statement')} promoted${dropped > 0 ? `, ${counted(dropped, 'older line')} dropped for the budget` : ''}`,
      candidates: outcome.ranked.length,
    },
    outcome.ranked.filter(({ found }) => found !== undefined).map((ranked) => verdictLine(audience, ranked)),
  );

  await beat();
  try {
    await write(deps, request, {
      phases,
      lines,
      promoted: outcome.ranked.filter(({ id }) => promoted.some((each) => each.candidate === id)),
    });
  } catch (error) {
    phases.push({
      phase: 'deep',
      status: 'failed',
      words: `the report was not written: ${errorMessage(error)}`,
      candidates: 0,
    });
  }
  return { phases, promoted, dropped };
}

/** Sorts what was recalled since the sweep before: what says the same is one, and what has no source any more goes. */
async function light(
  { deep, seen, drop }: SweepDeps,
  { audience, slot, before }: SweepRequest,
): Promise<RankedCandidate[]> {
  const ranked = await deep.ranked(audience);
  await drop(
    ranked
      .filter(({ verdict, found }) => found === undefined && verdict.status === 'refused')
      .map(({ id }) => id),
  );
  const staged = ranked.filter(
    ({ found, verdict, lastRecall }) =>
      found !== undefined &&
      verdict.status !== 'refused' &&
      verdict.status !== 'promoted' &&
      lastRecall > (before ?? 0),
  );
  await seen(staged, 'light', slot);
  return staged;
}

/** A statement as in `MEMORY.md`, so that both lines go together. */
function statementLine(audience: Audience, { found, row }: RankedCandidate): ReportLine {
  return { text: found === undefined ? '-' : promotedLine(audience, found), claims: [row.claim] };
}

function verdictLine(audience: Audience, ranked: RankedCandidate): ReportLine {
  const { verdict, recalls, queries, days, score, row } = ranked;
  const { text } = statementLine(audience, ranked);
  const why = verdict.status === 'promote' ? 'promoted' : verdict.words;
  const counts = `${counted(recalls, 'recall')} on ${counted(days.length, 'day')}, ${counted(queries, 'question')}, score ${score.toFixed(2)}`;
  return { text: `${text} (${counts}: ${why})`, claims: [row.claim] };
}

async function remLines(
  { redact }: SweepDeps,
  audience: Audience,
  { themes, lasting, words, status }: Reflection,
): Promise<ReportLine[]> {
  if (status !== 'done') return [{ text: `REM was ${words}.`, claims: [] }];
  const lines: ReportLine[] = [];
  for (const { title, of } of themes)
    lines.push({ text: `- Theme: ${(await redact(title)).text}`, claims: of.map(({ row }) => row.claim) });
  return [...lines, ...lasting.map((ranked) => statementLine(audience, ranked))];
}

async function write(
  { reports }: SweepDeps,
  { audience, day }: SweepRequest,
  {
    phases,
    lines,
    promoted,
  }: {
    phases: readonly PhaseReport[];
    lines: ReadonlyMap<DreamPhase, ReportLine[]>;
    promoted: readonly RankedCandidate[];
  },
): Promise<void> {
  for (const { phase } of phases) {
    const said = lines.get(phase) ?? [];
    await reports.phase(
      audience,
      { phase, day },
      said.length === 0 ? [{ text: 'Nothing.', claims: [] }] : said,
    );
  }
  const names = { light: 'Light', rem: 'REM', deep: 'Deep' };
  const summary = phases.map(
    ({ phase, words }): ReportLine => ({ text: `- ${names[phase]}: ${words}.`, claims: [] }),
  );
  const themes = (lines.get('rem') ?? []).filter(({ text }) => text.startsWith('- Theme: '));
  await reports.dream(audience, day, [
    ...summary,
    ...themes,
    ...promoted.map((ranked) => statementLine(audience, ranked)),
  ]);
}
