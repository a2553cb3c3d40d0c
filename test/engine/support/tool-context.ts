// What a tool is called with, where the test asks nothing of it. Not a test.
import type { ToolContext } from '#engine/tools/definition/registry.ts';

/** A call of the tool by a model that may read nothing. */
export function toolContext(tool: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  const asking = {
    sessionID: 's',
    runID: 'r',
    userMessageID: 'u',
    messageID: 'm',
    callID: 'c',
    agent: 'a',
    tool,
    args: {},
  };
  return {
    scope: { audiences: [], spaces: [], everyone: false },
    place: {
      where: { audience: 'person:per_1', restricted: true },
      platform: 'discord',
      chat: 'discord:dm:1:-:2:-',
      person: 'per_1',
    },
    signal,
    asking,
  };
}
