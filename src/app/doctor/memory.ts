// The doctor on the memory: its indices, and whether vectors can be searched. Opens the file as any command does, and changes nothing in it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#app/config/schema.ts';
import { refusalHint, refusalLines } from '#app/screen/vector-words.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { BudgetReport } from '#memory/types/budget.ts';
import type { DreamingStatus } from '#memory/types/dreaming.ts';
import type { MemoryFilesStatus } from '#memory/types/files.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

/** Checks every index of the memory; with `quick` only what its status says. For a home folder without a memory: whether it would have vectors. */
export async function checkMemory(
  home: string,
  {
    clock,
    quick = false,
    ...how
  }: { clock: Clock; quick?: boolean | undefined } & Pick<
    MemoryOptions,
    'embedder' | 'embedderMissing' | 'files' | 'dreaming' | 'budgets'
  >,
): Promise<Diagnostic[]> {
  const file = join(home, 'memory.sqlite');
  const path = existsSync(file) ? file : ':memory:';
  try {
    const memory = createMemory({ path, clock, newId: createIds(clock), embed: 'questions only', ...how });
    try {
      const state = await memory.status();
      const { chunks, embedding } = state;
      const { problems } = quick ? { problems: [] } : await memory.verify();
      const budgets = await memory.budgets();
      // the look at the embedding model says so itself
      const degraded = state.degraded.filter((words) => !words.startsWith('no embeddings'));
      const isBehind = (words: string): boolean => words.startsWith('index behind');
      const vectors = embedding.startsWith('none')
        ? 'found by their words: there is no embedding model'
        : `${state.vectors} of them with a vector`;
      const index = `${chunks} passages are remembered, ${vectors}.`;
      return [
        ...fileFindings(state.files),
        ...dreamFindings(state.dreaming),
        ...budgets.flatMap(budgetFindings),
        ...degraded.map((words) =>
          isBehind(words)
            ? warning(`Texts wait for their vector: ${words}.`, waitingHint)
            : warning(`Memory finds the same, but slower: ${words}.`, extensionHint),
        ),
        ...refusalLines(state).map((words) => warning(words, refusalHint)),
        ...problems.map((words) =>
          errorFinding(
            `The memory does not fit together: ${words}`,
            /full text|"parley memory reindex"/.test(words)
              ? 'Run "parley memory reindex": nothing but an index is made again.'
              : 'Restore a backup ("parley restore"), and say what happened in an issue.',
          ),
        ),
        ...(problems.length === 0 ? [ok(index)] : []),
      ];
    } finally {
      await memory.close();
    }
  } catch (error) {
    const hint = hintOf(error);
    return [errorFinding(errorMessage(error), hint ?? 'Run it again with `log.level` debug in the config.')];
  }
}

/** Warns of memory folders whose audience no chat reads with this `memory.sharing`. */
export function checkAudiences({ memory }: Config): Diagnostic[] {
  const folders = [
    ...memory.files.extra.map((each) => ({ ...each, key: 'memory.files.extra' })),
    ...(memory.wiki === undefined ? [] : [{ ...memory.wiki, key: 'memory.wiki' }]),
  ];
  const isUnread = (audience: string): boolean =>
    audience === 'everyone'
      ? memory.sharing !== 'everyone'
      : audience.startsWith('space:') && memory.sharing === 'room';
  return folders
    .filter(({ audience }) => isUnread(audience))
    .map(({ path, audience, key }) =>
      warning(
        `No chat reads ${path}: it is for ${audience}, and \`memory.sharing\` is ${memory.sharing}.`,
        `Set \`memory.sharing\` to ${audience === 'everyone' ? 'everyone' : 'space'}, or another audience in \`${key}\`.`,
      ),
    );
}

/** Bounds that are exceeded: a Parley that runs brings them back. */
function budgetFindings({ owner, uses, next }: BudgetReport): Diagnostic[] {
  const of =
    owner.type === 'audience' ? owner.audience : `the memory of ${owner.agent ?? 'agents that share it'}`;
  return uses
    .filter(({ used, limit }) => used > limit)
    .map(({ bound, used, limit }) =>
      warning(
        `${of} is over its budget of ${bound.replace('items.', '')}: ${used} of ${limit}.`,
        next === undefined
          ? 'Nothing is left that could go: raise the bound in `memory.budgets`.'
          : 'Start Parley: it brings memory back within its budgets. "parley memory budget" shows what would go.',
      ),
    );
}

/** Files that are not as they should be; whether they are watched is for the program that runs to say. */
function fileFindings(files: MemoryFilesStatus | undefined): Diagnostic[] {
  if (files === undefined) return [];
  return [
    ...files.refused.map(({ path, words }) =>
      warning(
        `${path.startsWith('/') ? 'The folder' : 'The memory file'} ${path} ${words}.`,
        'Fix it: until then it is neither shown nor found.',
      ),
    ),
    ...files.problems.map(({ words, hint }) => warning(`Memory files: ${words}.`, hint)),
    ...(files.backend?.state === 'failed'
      ? [
          warning(
            `${files.backend.words ?? 'qmd failed'}. The built-in index answers searches in files.`,
            'Install it ("npm install -g @tobilu/qmd"), name it in `memory.qmd.command`, or set `memory.backend` to builtin.',
          ),
        ]
      : []),
    ...files.overBudget.map(({ path, characters, shown }) =>
      warning(
        `${path} has ${characters} characters, and a prompt is given the first ${shown}.`,
        'Shorten it, or raise `memory.files.characters`.',
      ),
    ),
    ...(files.leftBehind === 0
      ? []
      : [
          warning(
            `A rebuild left ${files.leftBehind} files in the index that are not there.`,
            'Run "parley memory index": it removes them.',
          ),
        ]),
    ...(files.waiting === 0
      ? []
      : [
          warning(
            `${files.waiting} memory files are not indexed as they are now.`,
            'A Parley that runs indexes them within a minute; "parley memory index" does it now.',
          ),
        ]),
  ];
}

/** A schedule that never fired, and sweeps and promotions that were left half way. */
function dreamFindings(dreaming: DreamingStatus | undefined): Diagnostic[] {
  return (dreaming?.problems ?? []).map((words) =>
    warning(
      `Dreaming: ${words}.`,
      'A Parley that runs does it at its next look, within a minute; "parley memory status --fix" finishes what was left.',
    ),
  );
}

const extensionHint =
  'Run "npm ci" for this machine. sqlite-vec has no build for musl (Alpine) and for Windows on ARM: there it can stay so.';
const waitingHint = 'A Parley that runs embeds them; while the model fails, they are found by their words.';
