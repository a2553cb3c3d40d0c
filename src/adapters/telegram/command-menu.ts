// Parley's chat commands in Telegram's command menus: in private, in groups, and for their administrators. The gateway runs them.

import { type MenuPlace, menuFor } from '#adapters/gateway/commands/menu.ts';
import { languages } from '#adapters/gateway/phrases/language.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { underscored } from '#adapters/gateway/terms/command-names.ts';
import type { Log } from '#base/log/log.ts';
import { type Client, forGrammy } from './calls/client.ts';

/** The menus by Telegram's scopes. The default scope stays unchanged: the owner of the bot may have set it with BotFather. */
const scopes = [
  { type: 'all_private_chats', place: 'direct' },
  { type: 'all_group_chats', place: 'room' },
  { type: 'all_chat_administrators', place: 'room administrator' },
] as const satisfies readonly { type: string; place: MenuPlace }[];

/** Writes each of Telegram's command menus that differs from Parley's. When Telegram refuses, people can still type the commands. */
export async function offerMenu(
  { client, log, explain }: { client: Client; log: Log; explain: (error: unknown) => ChannelFailure },
  signal: AbortSignal,
): Promise<void> {
  try {
    const lists = scopes.flatMap((scope) => languages.map((language) => ({ ...scope, language })));
    for (const { type, place, language } of lists) {
      // the first language is for everyone whose own has no list
      const scope = { scope: { type }, ...(language === languages[0] ? {} : { language_code: language }) };
      const menu = menuFor(place, phrasesFor(language)).map(({ name: command, description }) => ({
        command: underscored(command),
        description,
      }));
      const standing = await client.api.getMyCommands(scope, forGrammy(signal));
      const same =
        standing.length === menu.length &&
        standing.every(
          ({ command, description }, at) =>
            command === menu[at]?.command && description === menu[at]?.description,
        );
      if (!same) await client.api.setMyCommands(menu, scope, forGrammy(signal));
    }
  } catch (error) {
    if (signal.aborted) return;
    const { kind, words } = explain(error);
    log.warn({ channel: 'telegram', kind, words }, 'the command menu was not set');
  }
}
