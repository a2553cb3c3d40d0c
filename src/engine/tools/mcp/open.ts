// The way to the configured MCP servers; their SDK is loaded only where there is one.
import type { connectMcpServers, McpServers } from './servers.ts';

/** Begins to connect to the servers; resolves at once, whether or not they answer. */
export async function openMcpServers(options: Parameters<typeof connectMcpServers>[0]): Promise<McpServers> {
  if (Object.keys(options.servers).length === 0) {
    return { tools: () => [], status: () => [], tried: Promise.resolve(), async close() {} };
  }
  const servers = await import('./servers.ts');
  return servers.connectMcpServers(options);
}
