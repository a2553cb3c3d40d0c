// The actions of `parley memory` on memory files: files, get, note, index.
import { isAbsolute } from 'node:path';
import { basename } from 'node:path/posix';
import { showProgress } from '#app/screen/progress.ts';
import { paragraph, plain, wrapped } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { FileAudience, FileIndexReport } from '#memory/types/files.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { existingAudience, titledAudiences } from './audience.ts';
import { type ActionContext, fileAt, type MemoryAction, required } from './call.ts';

/** The audience that was named, or all that own a file. */
async function fileScope({ values, memory }: ActionContext): Promise<Scope> {
  if (values.audience !== undefined) return { audiences: [values.audience], spaces: [], everyone: false };
  const found = await memory.listFiles({ scope: 'every audience' });
  const isOwn = (audience: FileAudience): audience is Audience => /^(?:person|room):/.test(audience);
  const audiences = [...new Set(found.map(({ audience }) => audience).filter(isOwn))];
  return { audiences, spaces: [], everyone: true };
}

/** The files, with whose they are and how they are indexed; with `--fix` those in another encoding are UTF-8 first. */
export const filesAction: MemoryAction = async (call) => {
  const { memory, values, print } = call;
  const scope = values.audience === undefined ? 'every audience' : await fileScope(call);
  const converted = values.fix ? await memory.convertFiles({ scope }) : [];
  await indexed(memory, values.json ? 'silent' : 'shown');
  const found = await memory.listFiles({ scope: await fileScope(call) });
  if (values.json) print(JSON.stringify({ files: found, ...(values.fix && { converted }) }));
  else if (found.length === 0) print('There are no memory files yet.');
  else {
    const shown = new Set<FileAudience>();
    const titles = titledAudiences(call.home, new Set(found.map(({ audience }) => audience)));
    for (const { absolute, audience, bytes, passages, state, problem, readOnly } of found) {
      if (!shown.has(audience)) {
        const title = titles.get(audience);
        for (const line of title === undefined ? [] : wrapped(title)) print(line);
        for (const line of wrapped(audience)) print(line);
      }
      shown.add(audience);
      print(`  ${plain(absolute)}`); // whole, so that it can be copied
      const about = problem ?? `${bytes} bytes, ${counted(passages, 'passage')}`;
      for (const line of wrapped(`${state}: ${about}${readOnly ? ', never written' : ''}`, 4))
        print(`    ${line}`);
    }
  }
  if (!values.json)
    for (const file of converted) {
      const about =
        file.status === 'left'
          ? file.words
          : `was ${file.encoding} and is UTF-8 now; what it was is kept beside it as ${basename(file.copy)}, which nothing reads: delete it once you have looked`;
      for (const line of paragraph(`${file.path} ${about}.`)) print(line);
    }
  return found.some(({ state }) => state === 'refused') ? 1 : 0;
};

/** Lines of one file. */
export const getAction: MemoryAction = async (call) => {
  const { memory, values, operand, print } = call;
  const named = required(operand, 'the path of a file, as "parley memory files" lists it');
  await memory.indexFiles();
  const scope = await fileScope(call);
  const listed = isAbsolute(named) ? await memory.listFiles({ scope }) : [];
  const path = listed.find(({ absolute }) => absolute === named)?.path ?? named;
  const lines = { from: values.line, lines: values.lines };
  const read = await memory.readFile({ scope, path, ...lines, reports: 'too' });
  if (read.from > Math.max(1, read.total))
    throw new ParleyError(
      'invalid_usage',
      `--line: expected a line of ${read.path}, which has ${counted(read.total, 'line')}, got ${read.from}.`,
      { hint: 'Leave --line out to read from its first line on.' },
    );
  if (values.json) print(JSON.stringify(read));
  else {
    print(plain(read.text));
    if (read.next !== undefined)
      print(`[lines ${read.from} to ${read.until} of ${read.total}; --line ${read.next} continues]`);
  }
  return 0;
};

/** Appends a line to today's note of the audience that was named, or of the operator's own. */
export const noteAction: MemoryAction = async (call) => {
  const { memory, values, operand, print, home } = call;
  const done = await memory.noteFile({
    audience: await existingAudience(call),
    text: required(operand, 'a line to note'),
    by: { person: 'operator', sessionID: '', runID: '' },
  });
  const { status, path, line } = done;
  if (values.json) print(JSON.stringify(done));
  else
    print(
      `${status === 'written' ? 'Noted' : 'It was noted before'}: line ${line} of\n${fileAt(home, path)}`,
    );
  return 0;
};

/** Indexes what changed, or all with `force`, with a bar on a terminal. */
export async function indexed(
  memory: ActionContext['memory'],
  show: 'shown' | 'silent',
  force = false,
): Promise<FileIndexReport> {
  const progress = showProgress('files', show);
  try {
    return await memory.indexFiles({ force, onProgress: progress.update });
  } finally {
    progress.end();
  }
}

/** Indexes what changed. */
export const indexAction: MemoryAction = async ({ memory, values, print }) => {
  const report = await indexed(memory, values.json ? 'silent' : 'shown', values.force);
  if (values.json) print(JSON.stringify(report));
  else {
    const { seen, indexed, unchanged, waiting, failed, removed, passages } = report;
    print(`${counted(seen, 'file')}: ${indexed} indexed, ${unchanged} unchanged, ${waiting} still changing,`);
    print(`${failed} refused; ${removed} no longer ${removed === 1 ? 'exists' : 'exist'}.`);
    print(
      `passages: ${passages.stored} stored, ${passages.unchanged} unchanged, ${passages.removed} removed`,
    );
    for (const { path, words } of report.failures) print(paragraph(`${path} ${words}`).join('\n'));
  }
  return report.failed === 0 ? 0 : 1;
};
