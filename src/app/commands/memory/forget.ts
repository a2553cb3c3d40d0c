// `parley memory forget`: shows what a selection means, and forgets it permanently on request.
import { advice } from '#app/screen/screen.ts';
import { counted } from '#base/text.ts';
import { entryLines, type MemoryAction, namedScope } from './call.ts';
import { meantBy, requireSelection, typedSelection } from './selection.ts';

/** Shows what a selection means; with `--apply` forgets it permanently. Resolves with 1 when nothing is meant or something remains. */
export const forgetAction: MemoryAction = async (call) => {
  const { values, print } = call;
  requireSelection(values);
  const { selection, hint } = meantBy(values, call.home);
  const result = await call.memory.forget({
    scope: await namedScope(call),
    selection,
    mode: values.apply ? 'forget' : 'preview',
    by: { name: 'operator' },
    reason: values.reason,
  });
  const { entries, forgotten, samples, remains } = result;
  if (values.json) print(JSON.stringify(result));
  else if (entries === 0) {
    print(`Nothing that is remembered fits ${typedSelection(values)}.`);
    for (const line of advice('"parley memory status" and "parley people list" show who and what there is.'))
      print(line);
  } else {
    const done = entries === 1 ? 'is forgotten' : 'are forgotten';
    print(`${counted(entries, 'entry')} ${forgotten ? done : 'would be forgotten; nothing was changed'}.`);
    if (!forgotten) for (const entry of samples) for (const line of entryLines(entry)) print(line);
    if (hint !== undefined) print(hint);
    if (!forgotten) print(`Add --apply to forget ${entries === 1 ? 'it' : 'them'} permanently.`);
    for (const words of remains) print(`  remains: ${words}`);
  }
  return entries > 0 && remains.length === 0 ? 0 : 1;
};
