// What was just said in groups, as the bot heard it: Telegram tells bots no history. In memory alone, bounded, gone with the process.
import { type Address, formatAddress } from '#adapters/gateway/address.ts';
import type { Earlier } from '#adapters/gateway/channel.ts';
import type { InboundEvent, MessageEvent } from '#adapters/gateway/inbound.ts';
import { truncate } from '#base/text.ts';

export interface Window {
  /** Takes in what was said or changed; what is no message of a group is passed over. */
  note(event: InboundEvent): void;
  /** The newest that were said in the chat or topic since this time, oldest first; not the message itself, nor what came after it. */
  before(address: Address, message: { nativeID: string; limit: number; since: number }): readonly Earlier[];
}

/** Messages of one chat or topic. */
const mostMessages = 100;
/** Chats and topics; the one that was silent for longest goes first. */
const mostChats = 500;
const mostChars = 2_000;

/** A window that holds nothing yet; while `isWanted` says no, it holds nothing at all. */
export function createWindow(isWanted: () => boolean): Window {
  const chats = new Map<string, Earlier[]>();

  function add(event: MessageEvent): void {
    const key = formatAddress(event.address);
    const said = (chats.get(key) ?? []).filter(({ nativeID }) => nativeID !== event.nativeID);
    chats.delete(key);
    chats.set(key, [...said, saidIn(event)].slice(-mostMessages));
    const [idle] = chats.keys();
    if (chats.size > mostChats && idle !== undefined) chats.delete(idle);
  }

  return {
    note(event) {
      if (!isWanted()) chats.clear();
      else if (event.type === 'moved') chats.delete(formatAddress(event.from));
      else if (event.type === 'message' && event.address.kind !== 'dm') add(event);
      else if (event.type === 'edit') {
        const said = chats.get(formatAddress(event.address));
        const at = said?.findIndex(({ nativeID }) => nativeID === event.nativeID) ?? -1;
        const before = said?.[at];
        if (before !== undefined) said?.splice(at, 1, { ...before, text: truncate(event.text, mostChars) });
      }
    },
    before(address, { nativeID, limit, since }) {
      if (!isWanted()) return [];
      const said = chats.get(formatAddress(address)) ?? [];
      return said.filter((one) => Number(one.nativeID) < Number(nativeID) && one.at >= since).slice(-limit);
    },
  };
}

function saidIn({ nativeID, at, actor, text, quoted, shared = [], files }: MessageEvent): Earlier {
  const passed = quoted?.forwarded === true && quoted.text ? [`[forwarded] ${quoted.text}`] : [];
  const words = [text, ...passed, ...shared].filter((each) => each !== '').join('\n');
  return { nativeID, at, author: actor.name, fromBot: false, text: truncate(words, mostChars), files };
}
