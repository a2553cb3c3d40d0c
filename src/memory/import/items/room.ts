// Whose a chat of a history is: the address that its platform's adapter would give it, and its audience.
import type { Provenance } from '#memory/types/scope.ts';
import type { ImportContext } from './item.ts';
import type { ImportedConversation } from './turn.ts';

export interface HistoryChat {
  platform: 'telegram' | 'slack' | 'discord';
  kind: 'dm' | 'group' | 'channel';
  /** As in the adapters' addresses: guild, workspace, or the Telegram group itself; absent in private. */
  space?: string | undefined;
  chat: string;
  /** A thread that is a place of its own. */
  thread?: string | undefined;
  /** Not everyone who may read the room may read the thread, which is a room of its own for memory. */
  privateThread?: boolean | undefined;
  /** True where the history says that everyone in the space may read it; a room of which it says nothing is restricted. */
  open?: boolean | undefined;
}

/** The account in an address of which the bot's own account is not known. */
const noAccount = 'import';

/**
 * The conversation of a chat. With the bot's own account a room is the room that the bot would know, so that what was written in it is
 * recalled there; anything else belongs to the person that the import is for.
 */
export function conversationOf(of: HistoryChat, { request }: ImportContext): ImportedConversation {
  const { account, where, projectID } = request;
  const address = addressOf(of, account ?? noAccount);
  const room = of.kind !== 'dm' && account !== undefined;
  return {
    id: address,
    where: room ? roomOf(of, account) : where,
    platform: of.platform,
    chat: address,
    projectID,
  };
}

function roomOf(of: HistoryChat, account: string): Provenance {
  const { thread: _, ...whole } = of;
  return {
    audience: `room:${addressOf(of.privateThread === true ? of : whole, account)}`,
    space:
      of.space === undefined ? undefined : [of.platform, account, of.space].map(encodeURIComponent).join(':'),
    restricted: of.open !== true,
  };
}

/** As `formatAddress` of the adapters writes it; a test holds the two together. */
function addressOf({ platform, kind, space, chat, thread }: HistoryChat, account: string): string {
  const field = (value: string | undefined): string =>
    value === undefined ? '-' : encodeURIComponent(value).replace(/^-$/, '%2D');
  return [platform, kind, field(account), field(space), field(chat), field(thread)].join(':');
}
