// The corpora next to memory: which there are, and searches and reads that go to one of them, or to all.

import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { inTurn } from '#base/waiting/in-turn.ts';
import { mayReadFolder } from '#memory/files/audience-folder.ts';
import type { ExtraFolder, FileCalls } from '#memory/types/files.ts';
import type { Corpus, SearchQuery, SearchResult } from '#memory/types/recall.ts';

interface Corpora {
  /** Asks the corpus that the query names, or with `main` all of memory and every corpus that is not in its index. */
  search(query: SearchQuery, main: () => Promise<SearchResult>): Promise<SearchResult>;
  /** The calls on files, with pages of corpora among what can be read, and corpora in what a prompt is given. */
  calls: Pick<FileCalls, 'readFile' | 'filePrompt'>;
}

/** A corpus that answers later is left out of a search, which says so, in milliseconds. */
const searchMs = 2_000;
const usualLimit = 8;
const form = /^[a-z][a-z0-9]{0,30}$/;
/** Names that mean something else where a corpus is named. */
const taken = new Set(['memory', 'sessions', 'all', 'everyone']);

/** Over what is added and the folders of pages. A ParleyError `invalid_corpus` for a name that is taken, or of another form. */
export function createCorpora(parts: {
  added: readonly Corpus[];
  folders: readonly ExtraFolder[];
  calls: Pick<FileCalls, 'readFile' | 'filePrompt'>;
  /** Searches the index of memory. */
  search: (query: SearchQuery) => Promise<SearchResult>;
  clock: Clock;
}): Corpora {
  const { added, folders, calls, search, clock } = parts;
  const corpora = new Map<string, Corpus>();
  for (const corpus of [
    ...folders.flatMap((folder) => corpusOfFolder(folder, { search, calls })),
    ...added,
  ]) {
    refuseName(corpus.name, corpora);
    corpora.set(corpus.name, corpus);
  }
  const others = [...corpora.values()].filter(({ isIndexed }) => isIndexed !== true);
  const known = (name: string): Corpus | undefined => {
    const corpus = corpora.get(name);
    if (corpus !== undefined || name === 'memory' || name === 'sessions' || name === 'all') return corpus;
    const names = ['memory', 'sessions', ...corpora.keys(), 'all'].join(', ');
    throw new ParleyError(
      'unknown_corpus',
      `No corpus is called ${JSON.stringify(name.slice(0, 60))}: expected one of ${names}.`,
    );
  };
  /** What the corpus finds in time; why not, as text. */
  const asked = async (corpus: Corpus, query: SearchQuery): Promise<SearchResult> => {
    try {
      return await withTimeout({ clock, ms: searchMs, what: `Searching ${corpus.name}` }, () =>
        corpus.search({ ...query, corpus: corpus.name }),
      );
    } catch (error) {
      return { hits: [], degraded: [`the corpus ${corpus.name} was not searched (${errorMessage(error)})`] };
    }
  };
  return {
    async search(query, main) {
      const corpus = known(query.corpus ?? 'all');
      if (corpus !== undefined) return corpus.isIndexed === true ? main() : asked(corpus, query);
      if (others.length === 0 || (query.corpus ?? 'all') !== 'all') return main();
      const found = await Promise.all([main(), ...others.map((each) => asked(each, query))]);
      // scores of different searches do not compare
      const hits = inTurn(
        found.map((each) => each.hits),
        query.limit ?? usualLimit,
      );
      return { hits, degraded: found.flatMap((each) => each.degraded) };
    },
    calls: {
      async readFile(request) {
        const { path, corpus = 'all' } = request;
        const named = known(corpus) ?? corpora.get(path.slice(0, Math.max(0, path.indexOf('/'))));
        return named === undefined || corpus === 'memory' ? calls.readFile(request) : named.read(request);
      },
      async filePrompt(request) {
        const prompt = await calls.filePrompt(request);
        const about = [...corpora.values()].map((corpus) => corpus.about(request.scope));
        return { ...prompt, corpora: about.filter((sentence) => sentence !== undefined) };
      },
    },
  };
}

/** The pages of a folder, which are in the index of memory. */
function corpusOfFolder(
  { corpus: name, audience }: ExtraFolder,
  {
    search,
    calls,
  }: { search: (query: SearchQuery) => Promise<SearchResult>; calls: Pick<FileCalls, 'readFile'> },
): Corpus[] {
  if (name === undefined) return [];
  const sentence = `This chat may read pages of the ${name}: memory_search finds them with corpus "${name}", and memory_get reads one.`;
  return [
    {
      name,
      isIndexed: true,
      search,
      read: (request) => calls.readFile({ ...request, corpus: name }),
      about: (scope) => (mayReadFolder(scope, audience, Number.POSITIVE_INFINITY) ? sentence : undefined),
    },
  ];
}

function refuseName(name: string, corpora: ReadonlyMap<string, Corpus>): void {
  const why = corpora.has(name)
    ? 'another corpus has this name'
    : taken.has(name)
      ? 'it has another meaning where a corpus is named'
      : form.test(name)
        ? undefined
        : 'expected a small letter, then at most 30 small letters and digits';
  if (why !== undefined)
    throw new ParleyError(
      'invalid_corpus',
      `The corpus name ${JSON.stringify(name)} cannot be used: ${why}.`,
    );
}
