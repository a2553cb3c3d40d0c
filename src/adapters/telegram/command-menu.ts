// Parley's chat commands in Telegram's command menu. What they do is the gateway's business.

import type { Failure } from '#adapters/gateway/channel.ts';
import { commandNames, entryOf } from '#adapters/gateway/commands/table.ts';
import type { Log } from '#base/log.ts';
import { type Client, forGrammy } from './client.ts';

const menu = commandNames.map((command) => ({ command, description: entryOf(command).help }));

/** Sets the menu unless it stands; a refusal leaves the commands to be typed. */
export async function offerMenu(
  { client, log, explain }: { client: Client; log: Log; explain: (error: unknown) => Failure },
  signal: AbortSignal,
): Promise<void> {
  try {
    const standing = await client.api.getMyCommands({}, forGrammy(signal));
    const same =
      standing.length === menu.length &&
      standing.every(
        ({ command, description }, at) =>
          command === menu[at]?.command && description === menu[at]?.description,
      );
    if (!same) await client.api.setMyCommands(menu, {}, forGrammy(signal));
  } catch (error) {
    if (signal.aborted) return;
    const { kind, words } = explain(error);
    log.warn({ channel: 'telegram', kind, words }, 'the command menu was not set');
  }
}
