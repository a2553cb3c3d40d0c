// A corpus: pages that can be searched next to memory and are none of it. Any part may add one. Shapes only.
import type { FileLines, ReadFileRequest } from './files.ts';
import type { SearchQuery, SearchResult } from './recall.ts';
import type { Scope } from './scope.ts';

export interface Corpus {
  /** As tools, commands and paths name it: a small letter, then small letters and digits. */
  name: string;
  /** True when its passages are in the index of memory: a search of everything ranks them with the rest, and prompts recall them. */
  isIndexed?: boolean | undefined;
  /** What of it answers the text, inside the scope, best first. Called for this corpus only, with a time limit. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Lines of a page; the path begins with the name of the corpus. A ParleyError `file_not_found` for one that the scope may not read. */
  read(request: ReadFileRequest): Promise<FileLines>;
  /** A sentence for the prompt that says what it holds; undefined for a scope that may read nothing of it. */
  about(scope: Scope): string | undefined;
}
