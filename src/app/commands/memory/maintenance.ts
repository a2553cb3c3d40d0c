// The actions of `parley memory` that look after the file: verify, reindex, scan, drop-caches.

import { fileInHome, homeTraces } from '#app/backup/home-traces.ts';
import { showProgress } from '#app/screen/progress.ts';
import { wrapped } from '#app/screen/screen.ts';
import { counted } from '#base/text.ts';
import type { MemoryAction } from './call.ts';

/** Whether memory fits together, and whether a word stands anywhere in the home folder: which file, and what it is. */
export const verifyAction: MemoryAction = async ({ memory, home, operand, values, print }) => {
  const words = operand?.split(/\s+/).filter((word) => word !== '') ?? [];
  const { problems } = await memory.verify();
  const { traces, unread } = await homeTraces(home, words);
  const found = {
    problems: [
      ...problems,
      ...unread.map(({ file, why }) => `What is in ${fileInHome(home, file)} is not known: ${why}`),
    ],
    traces,
  };
  if (values.json) print(JSON.stringify(found));
  else {
    for (const problem of found.problems) print(wrapped(problem).join('\n'));
    for (const { word, file } of traces)
      print(wrapped(`"${word}" is in ${fileInHome(home, file)}`).join('\n'));
    if (found.problems.length + traces.length === 0) print('All fits together, and no trace was found.');
  }
  return found.problems.length + traces.length === 0 ? 0 : 1;
};

/** Makes words, full text and vectors again. */
export const reindexAction: MemoryAction = async ({ memory, values, print }) => {
  const progress = showProgress('entries', values.json ? 'silent' : 'shown');
  const entries = await memory.reindex(progress.update);
  progress.end();
  print(
    values.json
      ? JSON.stringify({ entries })
      : `${counted(entries, 'entry')} ${entries === 1 ? 'is' : 'are'} indexed again.`,
  );
  return 0;
};

/** Throws away what is derived and made again when it is needed. */
export const dropCachesAction: MemoryAction = async ({ memory, values, print }) => {
  const dropped = await memory.dropCaches();
  const { responses, embeddings } = dropped;
  print(
    values.json
      ? JSON.stringify(dropped)
      : `${counted(responses, 'cached answer')} and ${counted(embeddings, 'vector')} were deleted.`,
  );
  return 0;
};

/** Looks for secrets in what was stored; with `--fix` masks them, and overwrites what they were. */
export const scanAction: MemoryAction = async ({ memory, values, print }) => {
  const progress = showProgress('entries', values.json ? 'silent' : 'shown');
  const mode = values.fix ? 'fix' : 'look';
  const result = await memory.scan({ mode, onProgress: progress.update });
  progress.end();
  const { looked, found, fixed } = result;
  if (values.json) print(JSON.stringify(result));
  else {
    for (const { id, audience, kinds } of found)
      print(wrapped(`${id}  ${kinds.join(', ')}  ${audience}`).join('\n'));
    const words = found.length === 0 ? 'no secrets' : `secrets in ${found.length}`;
    print(
      `${counted(looked, 'entry')} ${looked === 1 ? 'was' : 'were'} looked through: ${words}${found.length > 0 && fixed ? ', masked now' : ''}.`,
    );
    if (found.length > 0 && !fixed) print('Add --fix to mask them permanently.');
  }
  return found.length === 0 || fixed ? 0 : 1;
};
