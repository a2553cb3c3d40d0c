// The doctor on the MCP servers: whether each answers, where no Parley runs that would say so itself. A bot works without them.
import { askMcpServers } from '#app/compose/ask-mcp.ts';
import type { Loaded } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { cureOf, wordsOf } from '#base/errors.ts';
import { unofferedCure } from '#engine/wire/tool-names.ts';
import { ok, type Remark, warning, wrong } from './diagnosis.ts';

/** Each server that the config names. */
export async function checkMcp(loaded: Loaded, clock: Clock): Promise<Remark[]> {
  try {
    return (await askMcpServers(loaded, clock)).flatMap(
      ({ name, state, tools, trouble = 'no answer in time', unoffered }) => [
        state === 'ready'
          ? ok(`The MCP server ${name} answers and offers ${tools} tools.`)
          : warning(
              `The MCP server ${name} cannot be used: ${trouble}`,
              `Look whether it runs, and at \`mcp.${name}\` in the config.`,
            ),
        ...(unoffered === undefined ? [] : [wrong(unoffered, unofferedCure)]),
      ],
    );
  } catch (error) {
    return [wrong(wordsOf(error), cureOf(error) ?? 'Look at `mcp` in the config.')];
  }
}
