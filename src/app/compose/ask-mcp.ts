// Whether the configured MCP servers answer, asked without an engine. For the doctor.
import type { LoadedConfig } from '#app/config/load.ts';
import { readVersion } from '#app/home/version.ts';
import { engineSettings } from '#app/settings/engine-settings.ts';
import type { Clock } from '#base/clock.ts';
import { createLog } from '#base/log/log.ts';
import { openMcpServers } from '#engine/tools/mcp/open.ts';

/** How long they are waited for altogether. */
const maxMs = 10_000;

/** Connects to each MCP server once and disconnects. Throws a ParleyError `config_invalid` that names a missing variable. */
export async function askMcpServers({ config, variables, folder }: LoadedConfig, clock: Clock) {
  const { mcp: servers = {}, namedTools = [] } = engineSettings(config, variables, folder);
  const log = createLog({ level: 'silent', mask: (line) => line });
  const mcp = await openMcpServers({
    ...{ servers, named: () => namedTools },
    ...{ version: readVersion(), clock, log },
  });
  const done = new AbortController();
  try {
    await Promise.race([mcp.tried, clock.sleep(maxMs, done.signal)]);
    return mcp.status();
  } finally {
    done.abort();
    await mcp.close();
  }
}
