// The doctor on the MCP servers: whether each answers, where no Parley runs that would say so itself. A bot works without them.
import { askMcpServers } from '#app/compose/ask-mcp.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { unofferedHint } from '#engine/wire/runs/tool-names.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

/** Connects to each MCP server of the config and reports its tools or its failure. */
export async function checkMcp(loaded: LoadedConfig, clock: Clock): Promise<Diagnostic[]> {
  try {
    return (await askMcpServers(loaded, clock)).flatMap(
      ({ name, state, tools, problem = 'no answer in time', unoffered }) => [
        state === 'ready'
          ? ok(`The MCP server ${name} answers and offers ${tools} tools.`)
          : warning(
              `The MCP server ${name} cannot be used: ${problem}`,
              `Look whether it runs, and at \`mcp.${name}\` in the config.`,
            ),
        ...(unoffered === undefined ? [] : [errorFinding(unoffered, unofferedHint)]),
      ],
    );
  } catch (error) {
    return [errorFinding(errorMessage(error), hintOf(error) ?? 'Look at `mcp` in the config.')];
  }
}
