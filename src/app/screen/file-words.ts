// How memory files stand, in lines for a terminal.
import { asCalled } from '#base/called-as.ts';
import { counted } from '#base/text.ts';
import type { MemoryFilesStatus } from '#memory/types/files.ts';
import { entry } from './screen.ts';

/** A name and a text for each line. */
function fileFacts(files: MemoryFilesStatus): [name: string, words: string][] {
  const { watcher, watcherWords } = files;
  const watched = watcher === 'off' ? '' : `, watcher ${watcher}`;
  const waiting = files.waiting === 0 ? '' : `, ${files.waiting} not indexed as they are now`;
  return [
    ['files', `${files.files} with ${counted(files.passages, 'passage')}${waiting}${watched}`],
    ...files.corpora.flatMap(({ name, audience, pages, passages }): [string, string][] => [
      [name, `${counted(pages, 'page')} with ${counted(passages, 'passage')}`],
      ['', `for ${audience}`],
    ]),
    ...backendFacts(files.backend),
    ...(watcherWords === undefined ? [] : [['', watcherWords] as [string, string]]),
    ...(files.leftBehind === 0
      ? []
      : [
          ['', `a rebuild left ${counted(files.leftBehind, 'file')} in the index: "parley memory index"`] as [
            string,
            string,
          ],
        ]),
    ...files.refused.map(({ path, words }): [string, string] => ['', `${path} ${words}`]),
    ...files.problems.map(({ words }): [string, string] => ['', words]),
    ...files.overBudget.map(({ path, characters, shown }): [string, string] => [
      '',
      `${path} has ${characters} characters, and a prompt is given ${shown}: shorten it`,
    ]),
  ];
}

function backendFacts(backend: MemoryFilesStatus['backend']): [string, string][] {
  if (backend === undefined) return [];
  const { name, state, words = '', unrecalled } = backend;
  if (state === 'failed')
    return [
      [name, 'failed; the built-in index answers'],
      ['', words],
    ];
  return [
    [name, state === 'answers' ? 'answers searches in files' : 'was not asked yet'],
    ...(unrecalled === undefined
      ? []
      : ([
          ['', 'the last prompt was recalled by the built-in index:'],
          ['', unrecalled],
        ] as [string, string][])),
  ];
}

/** Columns of the names in a status. */
const nameColumns = 11;

/** Memory files as lines of `parley status` and `parley memory status`, each word within 80 columns. */
export function fileLines(files: MemoryFilesStatus): string[] {
  return fileFacts(files).flatMap(([name, words]) => entry(name, asCalled(words), nameColumns));
}
