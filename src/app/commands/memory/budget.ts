// `parley memory budget`: how much of each budget is used, and what would be done next. Changes nothing.
import { paragraph } from '#app/screen/screen.ts';
import { counted, truncate } from '#base/text.ts';
import type { BudgetReport, BudgetStepName } from '#memory/types/budget.ts';
import type { MemoryAction } from './call.ts';

const columns = 80;
/** Ids that are shown of what would go. */
const maxIDs = 3;

/** `parley memory budget`: prints how much of each budget is used, and what would be removed next. */
export const budgetAction: MemoryAction = async ({ memory, values, print }) => {
  const budgets = await memory.budgets({ audience: values.audience });
  if (values.json) print(JSON.stringify({ budgets }));
  else if (budgets.length === 0)
    for (const line of paragraph(
      'There is no budget: nothing is ever taken away. "memory.budgets" of the config sets one.',
    ))
      print(line.trim());
  for (const report of values.json ? [] : budgets) for (const line of linesOf(report)) print(line);
  return 0;
};

function linesOf({ owner, uses, next }: BudgetReport): string[] {
  const name =
    owner.type === 'audience'
      ? owner.audience
      : owner.agent === undefined
        ? 'shared by agents'
        : `agent ${owner.agent}`;
  return [
    truncate(name, columns),
    ...uses.map(({ bound, used, limit }) => {
      const share = `${Math.round((100 * used) / limit)} %`.padStart(6);
      return `  ${bound.replace('items.', '').padEnd(18)} ${String(used).padStart(12)} of ${String(limit).padStart(12)} ${share}`;
    }),
    ...(next === undefined
      ? uses.some(({ used, limit }) => used > limit)
        ? ['  over, and nothing is left that could go']
        : []
      : paragraph(
          `next: ${stepWords[next.step](next.ids.length)} (${next.ids.slice(0, maxIDs).join(', ')}${next.ids.length > maxIDs ? ', ...' : ''})`,
        )),
  ];
}

const stepWords: Readonly<Record<BudgetStepName, (count: number) => string>> = {
  merge: (count) => `${counted(count, 'duplicate')} merged`,
  summarize: (count) => `${counted(count, 'memory')} summarized`,
  drop_vectors: (count) => `${counted(count, 'vector')} dropped`,
  evict: (count) => `${counted(count, 'memory')} evicted`,
};
