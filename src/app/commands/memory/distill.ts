// `parley memory distill SESSION`: what a conversation holds of lasting worth, stored as facts by the engine.

import { withEngine } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { ParleyError } from '#base/errors.ts';
import type { MemoryDistilled } from '#engine/wire/memory/memory-context.ts';
import { required } from './call.ts';
import { orUnknownSession } from './known-session.ts';
import type { MemoryValues } from './memory-options.ts';

const statusText: Record<MemoryDistilled['status'], string> = {
  skipped_short_conversation: 'The conversation is too short to hold anything.',
  no_important_facts: 'Nothing of lasting worth was found in it.',
  stored: 'Facts were stored about it.',
  nothing_new: 'All that was found in it is known already.',
};

/** Distills by the running Parley and its model; by rules when none runs. */
export async function distill(
  input: CommandInput,
  { operand, values }: { operand: string | undefined; values: MemoryValues },
): Promise<number> {
  const sessionID = required(operand, 'the id of a session; "parley sessions list" shows them');
  const result = await withEngine(input, ({ client }) =>
    client.memory
      .contextDistill(sessionID, {
        ...(values.audience === undefined ? {} : { audience: values.audience }),
        ...(values.project === undefined ? {} : { project_id: values.project }),
        ...(values.importance === undefined ? {} : { importance_threshold: values.importance }),
      })
      .catch(
        orUnknownSession(
          () =>
            new ParleyError('not_found', `There is no session ${JSON.stringify(sessionID)}.`, {
              hint: 'See "parley sessions list".',
            }),
        ),
      ),
  );
  if (values.json) input.print(JSON.stringify(result));
  else for (const line of linesOf(result)) input.print(line);
  return 0;
}

function linesOf({ status, stored_count, deduped_count, report }: MemoryDistilled): string[] {
  const { by, unimportant, refused, facts } = report;
  return [
    `${statusText[status]} (by ${by === 'model' ? 'the model' : 'rules'})`,
    ...(facts.length + unimportant === 0
      ? []
      : [
          `facts    ${stored_count} stored, ${deduped_count} known, ${refused} forgotten before, ${unimportant} unimportant`,
        ]),
    ...facts.map(
      ({ id, status: each, category, importance }) =>
        `  ${id ?? '-'}  ${each}  ${category}  ${importance.toFixed(2)}`,
    ),
  ];
}
