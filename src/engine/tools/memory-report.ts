// The tool with which a run reports how a procedure went, so that those that work are found first.
import { z } from 'zod';
import type { Memory } from '#memory/types/contract.ts';
import { narrowed, ownScope } from './memory-reach.ts';
import { defineTool } from './registry.ts';

/** `memory_report` over the given memory. */
export function createMemoryReportTool(memory: Pick<Memory, 'signal' | 'signals'>) {
  return defineTool({
    name: 'memory_report',
    description:
      'Reports whether a procedure or a solution worked when you followed it. Those that fail are found below those that ' +
      'work. Of one run the last report counts.',
    input: z.strictObject({
      id: z.string().min(1).max(100).describe('Of the procedure, as memory_search or memory_lookup gave it'),
      outcome: z.enum(['success', 'failure']),
      note: z.string().trim().min(1).max(2_000).optional().describe('What happened, above all why it failed'),
    }),
    async run({ id, outcome, note }, context) {
      const { asking } = context;
      const scope = { ...narrowed(context, {}), ...ownScope(context) };
      const by = { name: asking.agent, runID: asking.runID, sessionID: asking.sessionID };
      await memory.signal({ id, scope, by, outcome, note });
      const { successes, failures } = await memory.signals({ id, scope });
      return { result: { reported: true, successes, failures } };
    },
  });
}
