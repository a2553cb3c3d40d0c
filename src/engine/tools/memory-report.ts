// The tool with which a run reports how a procedure went, so that those that work are found first.
import { readerMemoryInputs } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { defineTool } from './definition/registry.ts';
import { narrowed, ownScope, sameAs } from './memory-reach.ts';

/** `memory_report` over the given memory. */
export function createMemoryReportTool(memory: Pick<Memory, 'signal' | 'signals'>) {
  return defineTool({
    ...sameAs('memoryReport'),
    description:
      'Reports whether a procedure or a solution worked when you followed it. Those that fail are found below those that ' +
      'work. Of one run the last report counts.',
    input: readerMemoryInputs.memoryReport,
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
