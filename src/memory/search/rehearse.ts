// Questions that nobody asked, put to a memory while nobody waits: what the first ones would load and compile is there when a person asks. Their answers go nowhere.
import { breathe } from '#base/breathe.ts';
import { readableBy } from '#memory/store/audience.ts';
import type { Store } from '#memory/store/store.ts';
import type { Scope } from '#memory/terms/scope.ts';
import type { Find } from './find.ts';
import { search } from './hits.ts';

/** After so many the engine has compiled, and made fast, what a search runs through: measured, see bench/memory/RESULTS.md. */
const mostQuestions = 500;
/** No further one begins after this time, in milliseconds: a question to a very large memory takes tens of them. */
const longestMs = 3_000;
const wordsOfQuestion = 10;
/** Common words whose rows are looked up then, most of what questions are made of; to find them takes long where there are more rows. */
const mostWords = 2_000;
const mostRowsForWords = 20_000;

/**
 * Asks what some chunks say, newer and older ones in turn, of their own room and of all, then looks up common words; other work of the
 * thread comes in between. `dimensions` are those of the model, without which only words are asked. Resolves with how many questions
 * were asked.
 */
export async function rehearse(
  parts: { find: Find; chunks: Store['chunks']; dimensions: number | undefined },
  mayGoOn: () => boolean,
): Promise<number> {
  const { find, chunks, dimensions } = parts;
  const newest = chunks.newest();
  const spread = Array.from({ length: mostQuestions }, (_, index) => {
    const back = index % 2 === 0 ? index : Math.floor((index * newest) / mostQuestions);
    return Math.max(1, newest - back);
  });
  // nobody is shown what is found: what is rehearsed with may be anyone's
  const everything: Scope = { audiences: chunks.recentAudiences(), spaces: [], everyone: true };
  const known = chunks.byRows([...new Set(spread)], readableBy(everything));
  const until = performance.now() + longestMs;
  const isOver = (): boolean => !mayGoOn() || performance.now() >= until;
  let asked = 0;
  for (const [index, { content, audience }] of known.entries()) {
    await breathe();
    if (isOver()) break;
    const text = content.split(/\s+/, wordsOfQuestion).join(' ');
    const room: Scope = { audiences: [audience], spaces: [], everyone: false };
    const vector = dimensions === undefined ? undefined : someDirection(dimensions, index);
    await search(find, { text, scope: index % 2 === 0 ? room : everything, vector });
    asked += 1;
  }
  if (newest > mostRowsForWords || isOver()) return asked;
  const { rowsOf } = chunks.postings(readableBy(everything));
  for (const word of chunks.commonWords(mostWords)) {
    await breathe();
    if (isOver()) break;
    rowsOf(word);
  }
  return asked;
}

/** A vector of length 1, another one each time. */
function someDirection(dimensions: number, index: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, at) => Math.sin((at + 1) * (index + 2)));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
