// `parley console`: a link for the sign-in of one browser.
import { z } from 'zod';
import { checkedOptions } from '#app/commands/parts/checked-options.ts';
import { loadConfig } from '#app/config/load.ts';
import { runningAt } from '#app/running/engine-access.ts';
import { wrapped } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { createClient } from '#engine/client/client.ts';
import type { CommandInput } from './parts/input.ts';

const values = z.object({
  viewer: z.boolean().default(false),
  name: z.string().trim().min(1).max(100).optional(),
});

/** Prints the link; the running Parley of the home folder makes it. */
export async function consoleLink(input: CommandInput): Promise<number> {
  const { viewer, name } = checkedOptions(values, input.values);
  const running = await runningAt('engine', loadConfig(input));
  if (running === undefined)
    throw new ParleyError('not_running', 'No Parley runs with this home folder.', {
      hint: 'Start it with "parley start", then call this again.',
    });
  const client = createClient(running);
  const link = await client.signIns.link({ role: viewer ? 'viewer' : 'owner', name });
  const url = `${running.baseUrl}${link.path}`;
  if (input.json) {
    input.print(JSON.stringify({ url, role: link.role, expiresAtMs: link.expiresAtMs }));
    return 0;
  }
  const words = `Open this link within five minutes. It works once; the browser that opens it becomes a signed-in ${link.role}:`;
  for (const line of wrapped(words)) input.print(line);
  input.print(`  ${url}`);
  return 0;
}
