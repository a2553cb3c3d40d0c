// Whether the Parley of this home folder answers: for a container's health check. Exit code 0 when it is alive, 1 when not; a platform that is away is
// no illness. With --ready: whether all that should be ready is, as the probe of a cluster asks before it sends people there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const home = process.env.PARLEY_HOME ?? '.parley';

/** Where it said that it listens; channels that run apart say it in a file of their own. */
function address() {
  for (const name of ['engine.url', 'channels.url']) {
    try {
      return readFileSync(join(home, name), 'utf8').trim();
    } catch {
      // the other one, perhaps
    }
  }
  throw new Error(`no Parley has said in ${home} where it listens`);
}

try {
  const response = await fetch(`${address()}/global/health`, { signal: AbortSignal.timeout(8_000) });
  const { healthy, ready, version } = await response.json();
  console.log(`Parley ${version}: ${healthy ? 'alive' : 'not alive'}, ${ready ? 'ready' : 'not ready'}`);
  const isWell = process.argv.includes('--ready') ? ready : healthy;
  process.exitCode = isWell === true ? 0 : 1;
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
