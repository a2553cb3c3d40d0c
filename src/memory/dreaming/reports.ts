// What a sweep did, for people: `DREAMS.md` and `memory/dreaming/PHASE/DATE.md`. Never indexed, never a source of a promotion.
import { join } from 'node:path';
import { notesFolder } from '#memory/files/audience-folder.ts';
import { lineHash, withoutLines } from '#memory/files/lines.ts';
import { dreamsFile, reportsFolder } from '#memory/files/report-files.ts';
import type { RewriteFile } from '#memory/files/rewrite-file.ts';
import type { DerivedLine } from '#memory/recalls/promotion-rows.ts';
import type { Store } from '#memory/store/store.ts';
import type { DreamPhase } from '#memory/types/dreaming.ts';
import type { Audience } from '#memory/types/scope.ts';
import { addToSection, dropOldest, linesOfDay, type SectionForm, withoutLinesOf } from './sections.ts';

/** A line with the claims that it was made of; none for one that has no words of a memory. */
export interface ReportLine {
  text: string;
  claims: readonly string[];
}

/** Characters of `DREAMS.md`: some months of nights. */
const maxDreams = 40_000;

const dreamsForm: SectionForm = {
  headingOf: (day) => `## ${day}`,
  dayOf: (line) => /^## (\d{4}-\d{2}-\d{2})\s*$/.exec(line)?.[1],
};
const backfilledForm: SectionForm = {
  headingOf: (day) => `## ${day} (backfilled)`,
  dayOf: (line) => /^## (\d{4}-\d{2}-\d{2}) \(backfilled\)\s*$/.exec(line)?.[1],
};

const opening = `# Dreams

What Parley found while it looked back over this chat. Nothing here is searched or given to the assistant: lasting facts are in MEMORY.md.
`;

export interface DreamReports {
  /** Adds lines to the day of `DREAMS.md`, without those that it has. */
  dream(audience: Audience, day: string, lines: readonly ReportLine[]): Promise<void>;
  /** Writes the report of a phase and day again. */
  phase(
    audience: Audience,
    at: { phase: DreamPhase; day: string },
    lines: readonly ReportLine[],
  ): Promise<void>;
  /** Adds a backfilled day; false where `DREAMS.md` has the day already. */
  backfill(audience: Audience, day: string, lines: readonly ReportLine[]): Promise<boolean>;
  /** Takes every backfilled line back; how many went. */
  revertBackfills(audience: Audience): Promise<number>;
}

/** Over one open store. */
export function createDreamReports({ store, rewrite }: { store: Store; rewrite: RewriteFile }): DreamReports {
  const { promotions, recalls } = store;
  const isKnown =
    (audience: Audience) =>
    ({ claims }: ReportLine): boolean =>
      claims.every((claim) => recalls.has(audience, claim));
  /** Takes out again what was forgotten while it was written. */
  const settled = async (audience: Audience, name: string, lines: readonly ReportLine[]): Promise<void> => {
    const gone = new Set(lines.filter((line) => !isKnown(audience)(line)).map(({ text }) => text));
    if (gone.size === 0) return;
    await rewrite(audience, name, (before) => {
      const left = withoutLines(before, (line) => gone.has(line));
      return left.gone === 0 ? { known: 0 } : { text: left.text, line: 1 };
    });
  };
  const noted =
    (audience: Audience, kind: DerivedLine['kind'], lines: readonly ReportLine[]) =>
    (folder: string): void =>
      promotions.derive(
        lines.flatMap(({ text, claims }) =>
          (claims.length === 0 ? [''] : claims).map((claim) => ({
            ...{ folder, hash: lineHash(folder, text), audience, claim, kind },
          })),
        ),
      );
  const add = async (
    audience: Audience,
    {
      day,
      lines,
      form,
      kind,
    }: { day: string; lines: readonly ReportLine[]; form: SectionForm; kind: DerivedLine['kind'] },
  ): Promise<boolean> => {
    const done = await rewrite(audience, dreamsFile, (before, folder) => {
      const start = before.trim() === '' ? opening : before;
      const all = start.split('\n');
      if (
        kind === 'backfill' &&
        all.some((line) => dreamsForm.dayOf(line) === day || backfilledForm.dayOf(line) === day)
      )
        return { known: 0 };
      const known = new Set(linesOfDay(start, day, form));
      const fresh = lines.filter((line) => !known.has(line.text) && isKnown(audience)(line));
      if (fresh.length === 0) return { known: 0 };
      const own = new Set([...promotions.derived(folder, ['report', 'backfill'])]);
      const isOwn = (line: string): boolean => own.has(lineHash(folder, line));
      const made = addToSection(start, { day, lines: fresh.map(({ text }) => text), form });
      const { text } = dropOldest(made.text, { most: maxDreams, form, isOwn, newest: day });
      return { text, line: made.line, note: noted(audience, kind, fresh) };
    });
    await settled(audience, dreamsFile, lines);
    return done.status === 'written';
  };
  return {
    dream: async (audience, day, lines) =>
      void (await add(audience, { day, lines, form: dreamsForm, kind: 'report' })),
    backfill: (audience, day, lines) => add(audience, { day, lines, form: backfilledForm, kind: 'backfill' }),
    async phase(audience, { phase, day }, lines) {
      const name = join(notesFolder, reportsFolder, phase, `${day}.md`);
      await rewrite(audience, name, (before) => {
        const left = lines.filter(isKnown(audience));
        const text = `# ${titles[phase]}, ${day}\n\n${left.map((line) => line.text).join('\n')}\n`;
        if (before === text) return { known: 0 };
        return { text, line: 1, note: noted(audience, 'report', left) };
      });
      await settled(audience, name, lines);
    },
    async revertBackfills(audience) {
      let gone = 0;
      await rewrite(audience, dreamsFile, (before, folder) => {
        const own = new Set(promotions.derived(folder, ['backfill']));
        const left = withoutLinesOf(before, backfilledForm, (line) => own.has(lineHash(folder, line)));
        gone = left.gone.length;
        if (gone === 0) return { known: 0 };
        return { text: left.text, line: 1, note: () => promotions.underive(folder, [...own]) };
      });
      return gone;
    },
  };
}

const titles: Readonly<Record<DreamPhase, string>> = {
  light: 'Light sleep',
  rem: 'REM sleep',
  deep: 'Deep sleep',
};
