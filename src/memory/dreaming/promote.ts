// Deep promotion: whole statements written below a heading of the day at the end of `MEMORY.md`, within its budget, each once.
import { lastingFile } from '#memory/files/audience-folder.ts';
import { lineHash } from '#memory/files/lines.ts';
import type { RewriteFile } from '#memory/files/rewrite-file.ts';
import type { PromotionRow } from '#memory/recalls/promotion-rows.ts';
import type { Store } from '#memory/store/store.ts';
import type { DreamingSettings, PromotedLine } from '#memory/types/dreaming.ts';
import type { Audience } from '#memory/types/scope.ts';
import { conceptsOf, similarity, statementsOf } from '#memory/words/statements.ts';
import { type RankedCandidate, sameSimilarity } from './rank.ts';
import { addToSection, dropOldest, type SectionForm, withoutLinesOf } from './sections.ts';
import { claimed } from './short-term.ts';
import type { FoundStatement } from './sources.ts';

const promotedForm: SectionForm = {
  headingOf: (day) => `## Promoted From Short-Term Memory (${day})`,
  dayOf: (line) => /^## Promoted From Short-Term Memory \((\d{4}-\d{2}-\d{2})\)\s*$/.exec(line)?.[1],
};

export interface PromoteDeps {
  store: Store;
  settings: DreamingSettings;
  atOnce<T>(work: () => T): Promise<T>;
  rewrite: RewriteFile;
  newId: () => string;
  /** Rejects a text with a secret in it. */
  isClean(text: string): Promise<boolean>;
}

export interface Promoted {
  promoted: PromotedLine[];
  dropped: number;
  /** Why a candidate was not written, by its id. */
  refused: Map<string, string>;
}

/** The line of a statement: in a room it says whose words they are. */
export function promotedLine(
  audience: Audience,
  { text, speaker }: Pick<FoundStatement, 'text' | 'speaker'>,
): string {
  const name = speaker?.replace(/\s+/g, ' ').trim();
  return `- ${audience.startsWith('room:') && name !== undefined && name !== '' ? `${name}: ${text}` : text}`;
}

/**
 * Writes these candidates, which passed all gates, best first. What a person deleted since is noted, and is not written again. Throws a
 * ParleyError `file_refused` where `MEMORY.md` cannot be written; nothing is noted then.
 */
export async function promoteCandidates(
  { store, settings, atOnce, rewrite, newId, isClean }: PromoteDeps,
  {
    audience,
    winners,
    day,
    now,
  }: { audience: Audience; winners: readonly RankedCandidate[]; day: string; now: number },
): Promise<Promoted> {
  const refused = new Map<string, string>();
  const clean: { ranked: RankedCandidate; found: FoundStatement; line: string }[] = [];
  for (const ranked of winners) {
    const { found } = ranked;
    if (found === undefined) continue;
    const line = promotedLine(audience, found);
    if (await isClean(line)) clean.push({ ranked, found, line });
    else refused.set(ranked.id, 'it holds a secret');
  }
  let rows: PromotionRow[] = [];
  let away: PromotionRow[] = [];
  let note = (): void => {};
  let done: Promoted = { promoted: [], dropped: 0, refused };
  const wrote = await rewrite(audience, lastingFile, (before, folder) => {
    const known = store.promotions.ofAudience(audience);
    const states = settledStates(before, folder, known);
    const gone = new Set([...states.deleted, ...states.unwritten].map(({ id }) => id));
    const written = known.filter(
      ({ id, state }) => (state === 'written' || state === 'writing') && !gone.has(id),
    );
    const own = new Set(written.map((row) => row.lineHash));
    const isOwn = (line: string): boolean => own.has(lineHash(folder, line));
    const present = presentIn(before, audience);
    const blocked = new Set(
      known.filter(({ id }) => !states.unwritten.some((row) => row.id === id)).map(({ claim }) => claim),
    );
    let text = before;
    const dropped: string[] = [];
    const added: typeof clean = [];
    for (const each of clean) {
      const { ranked, line } = each;
      if (!store.recalls.has(audience, ranked.row.claim)) refused.set(ranked.id, 'it was forgotten');
      else if (blocked.has(ranked.row.claim)) refused.set(ranked.id, 'it was promoted before');
      else if (
        present.claims.has(ranked.row.claim) ||
        present.concepts.some((one) => similarity(one, ranked.concepts) >= sameSimilarity)
      )
        refused.set(ranked.id, 'MEMORY.md says it already');
      else {
        const longer = addToSection(text, { day, lines: [line], form: promotedForm }).text;
        const fits = dropOldest(longer, {
          most: settings.characters,
          form: promotedForm,
          isOwn,
          newest: day,
        });
        if (fits.text.length > settings.characters) refused.set(ranked.id, 'MEMORY.md has no room for it');
        else {
          text = fits.text;
          dropped.push(...fits.dropped);
          added.push(each);
        }
      }
    }
    const droppedHashes = new Set(dropped.map((line) => lineHash(folder, line)));
    away = written.filter((row) => droppedHashes.has(row.lineHash));
    rows = added.map(({ ranked, line }) => promotionOf(ranked, { id: newId(), folder, line, day, now }));
    note = (): void => {
      noteStates(store, states);
      store.promotions.add(rows);
      store.promotions.derive(rows.map((row) => ({ ...row, hash: row.lineHash, kind: 'promotion' })));
      store.fileRows.wrote(
        added.map(({ found: { person, sessionID, runID } }, at) => ({
          ...{ folder, hash: rows[at]?.lineHash ?? '', person, sessionID, runID },
        })),
      );
    };
    const lines = text.split('\n');
    done = {
      promoted: added.map(({ ranked, line, found }, at) => ({
        id: rows[at]?.id ?? '',
        candidate: ranked.id,
        text: found.text,
        path: `${folder}/${lastingFile}`,
        line: lines.indexOf(line) + 1,
      })),
      dropped: dropped.length,
      refused,
    };
    const from = Math.min(...added.map(({ found: { at } }) => at));
    return added.length > 0 ? { text, line: 1, note, from } : { known: 0 };
  });
  await atOnce(() => {
    if (wrote.status !== 'written') return note();
    store.promotions.setState(rows, 'written');
    store.promotions.setState(away, 'dropped');
  });
  // what was forgotten while it was written has no row any more
  const lost = new Set(
    rows.filter(({ id }) => store.promotions.get(id) === undefined).map((row) => row.lineHash),
  );
  if (lost.size === 0) return done;
  await rewrite(audience, lastingFile, (before, folder) => {
    const left = withoutLinesOf(before, promotedForm, (line) => lost.has(lineHash(folder, line)));
    return left.gone.length === 0 ? { known: 0 } : { text: left.text, line: 1 };
  });
  const gone = new Set(rows.filter((row) => lost.has(row.lineHash)).map(({ id }) => id));
  return { ...done, promoted: done.promoted.filter(({ id }) => !gone.has(id)) };
}

/** The state of promotions by the file as it is now. */
function settledStates(text: string, folder: string, known: readonly PromotionRow[]) {
  const hashes = new Set(text.split('\n').map((line) => lineHash(folder, line)));
  const isThere = ({ lineHash: hash }: PromotionRow): boolean => hashes.has(hash);
  return {
    deleted: known.filter((row) => row.state === 'written' && !isThere(row)),
    written: known.filter((row) => row.state === 'writing' && isThere(row)),
    // the process ended before it wrote them
    unwritten: known.filter((row) => row.state === 'writing' && !isThere(row)),
  };
}

function noteStates({ promotions }: Store, states: ReturnType<typeof settledStates>): void {
  promotions.setState(states.deleted, 'deleted');
  promotions.setState(states.written, 'written');
  promotions.remove(states.unwritten);
}

function presentIn(
  text: string,
  audience: Audience,
): { claims: ReadonlySet<string>; concepts: Set<string>[] } {
  const statements = claimed(audience, statementsOf(text));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return {
    claims: new Set(statements.map(({ claim }) => claim)),
    concepts: [...statements.map((each) => conceptsOf(each.text)), ...lines.map((line) => conceptsOf(line))],
  };
}

function promotionOf(
  ranked: RankedCandidate,
  { id, folder, line, day, now }: { id: string; folder: string; line: string; day: string; now: number },
): PromotionRow {
  const { score, parts, boost, recalls, queries, days } = ranked;
  return {
    id,
    candidate: ranked.id,
    audience: ranked.audience,
    claim: ranked.row.claim,
    folder,
    lineHash: lineHash(folder, line),
    section: day,
    state: 'writing',
    evidence: JSON.stringify({ score, parts, boost, recalls, queries, days }),
    at: Math.round(now),
  };
}

/** Settles what was promoted in an audience with its file: lines that a person deleted, and promotions that a kill left half done. */
export async function settlePromotions(
  { store, rewrite, atOnce }: Pick<PromoteDeps, 'store' | 'rewrite' | 'atOnce'>,
  audience: Audience,
): Promise<{ deleted: number; repaired: number }> {
  const known = store.promotions.ofAudience(audience);
  if (!known.some(({ state }) => state === 'written' || state === 'writing'))
    return { deleted: 0, repaired: 0 };
  let states: ReturnType<typeof settledStates> | undefined;
  await rewrite(audience, lastingFile, (text, folder) => {
    states = settledStates(text, folder, known);
    return { known: 0 };
  });
  if (states === undefined) return { deleted: 0, repaired: 0 };
  const { deleted, written, unwritten } = states;
  await atOnce(() => noteStates(store, { deleted, written, unwritten }));
  return { deleted: deleted.length, repaired: written.length + unwritten.length };
}

/** Takes one promotion back: its line goes, and it is not promoted again. How many lines went. */
export async function revertPromotion(
  { store, rewrite, atOnce }: Pick<PromoteDeps, 'store' | 'rewrite' | 'atOnce'>,
  row: PromotionRow,
): Promise<number> {
  let gone = 0;
  const note = (): void => store.promotions.setState([row], 'reverted');
  await rewrite(row.audience, lastingFile, (before, folder) => {
    const left = withoutLinesOf(before, promotedForm, (line) => lineHash(folder, line) === row.lineHash);
    gone = left.gone.length;
    return gone > 0 ? { text: left.text, line: 1, note } : { known: 0 };
  });
  if (gone === 0) await atOnce(note);
  return gone;
}
