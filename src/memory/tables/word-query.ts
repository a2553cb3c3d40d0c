// What is looked for in the words of chunks, as a value: rendered as an FTS5 expression, or evaluated over sets of rows.

/**
 * A condition on the words of a row. `text` are the words of what was said and answered and of what it is about, `about` the latter alone,
 * `scope` the words that say who may read the row.
 */
export type WordQuery =
  | { type: 'word'; in: Columns; word: string }
  /** A word of the text that begins with these letters. */
  | { type: 'opening'; letters: string }
  | { type: 'any'; of: readonly WordQuery[] }
  | { type: 'all'; of: readonly WordQuery[] }
  | { type: 'not'; is: WordQuery; but: WordQuery };

export type Columns = 'text' | 'about' | 'scope';

const columnsOf: Readonly<Record<Columns, string>> = {
  text: '{said_terms answered_terms about_terms}',
  about: '{about_terms}',
  scope: '{scope_terms}',
};

/** A word of the scope's column. */
export const scopeWord = (word: string): WordQuery => ({ type: 'word', in: 'scope', word });

/** Any of these; one alone stands for itself. */
export function anyOf(of: readonly WordQuery[]): WordQuery {
  const [only] = of;
  return only !== undefined && of.length === 1 ? only : { type: 'any', of };
}

/** All of these; one alone stands for itself. */
export function allOf(of: readonly WordQuery[]): WordQuery {
  const [only] = of;
  return only !== undefined && of.length === 1 ? only : { type: 'all', of };
}

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}

/** The same as an FTS5 expression over `global_memory_fts`; an empty `any` or `all` finds nothing. */
export function matchOf(query: WordQuery): string {
  switch (query.type) {
    case 'word':
      return `${columnsOf[query.in]} : ${quoted(query.word)}`;
    case 'opening':
      return `${columnsOf.text} : ${quoted(query.letters)} *`;
    case 'any':
      return joined(query.of, ' OR ');
    case 'all':
      return joined(query.of, ' AND ');
    case 'not':
      return `(${matchOf(query.is)} NOT ${matchOf(query.but)})`;
  }
}

function joined(of: readonly WordQuery[], operator: string): string {
  return of.length === 0 ? '""' : `(${of.map(matchOf).join(operator)})`;
}
