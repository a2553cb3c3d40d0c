// The tool with which a model deletes a memory permanently; it is there only where the policy grants it by name or pattern.
import { z } from 'zod';
import type { Memory } from '#memory/types/contract.ts';
import { defineTool } from './definition/registry.ts';
import { narrowed, ownScope, reachFields, sameAs } from './memory-reach.ts';

/** `memory_delete` over the given memory. */
export function createMemoryDeleteTool(memory: Pick<Memory, 'forget'>) {
  return defineTool({
    ...sameAs('memoryDelete'),
    description:
      'Deletes one memory permanently, by the id that memory_search or memory_list gave. Use it only when a person asks for ' +
      'it, and say what was deleted.',
    input: z
      .strictObject({
        id: z.string().min(1).max(100).optional(),
        chunk_id: z.string().min(1).max(100).optional().describe('Another name of id'),
        ...reachFields,
      })
      .refine(({ id, chunk_id }) => (id === undefined) !== (chunk_id === undefined), {
        path: ['id'],
        message: 'expected either id or chunk_id',
      }),
    otherwise: 'deny',
    async run({ id, chunk_id, ...reach }, context) {
      const { entries } = await memory.forget({
        scope: { ...narrowed(context, reach), ...ownScope(context) },
        selection: { ids: [id ?? chunk_id ?? ''] },
        mode: 'forget',
        by: { name: context.asking.agent, runID: context.asking.runID, sessionID: context.asking.sessionID },
      });
      return entries > 0
        ? { result: { deleted: true } }
        : { result: { deleted: false, why: 'Nothing that belongs to this chat has this id.' } };
    },
  });
}
