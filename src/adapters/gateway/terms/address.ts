// Where a message lives, on any platform: the only key for routing and equality.
import { ParleyError } from '#base/errors.ts';

export type Platform = 'discord' | 'telegram' | 'slack' | 'terminal';
export type ChatKind = 'dm' | 'group' | 'channel';

export interface Address {
  platform: Platform;
  /** The bot's own account on the platform, so that two bots never share a row. */
  account: string;
  /** Guild, workspace or (Telegram) group; absent in direct messages. */
  space?: string | undefined;
  chat: string;
  thread?: string | undefined;
  kind: ChatKind;
}

/** An address, as far as it says of which bot it is. */
export type BotAddress = Pick<Address, 'platform' | 'account'>;

const absent = '-';

/** The canonical string of an address: equal addresses give equal strings, and `parseAddress` gives the address back. */
export function formatAddress(address: Address): string {
  const field = (value: string | undefined): string =>
    value === undefined ? absent : encodeURIComponent(value).replace(/^-$/, '%2D');
  const { platform, kind, account, space, chat, thread } = address;
  return [platform, kind, field(account), field(space), field(chat), field(thread)].join(':');
}

/** The address that a canonical string names; a ParleyError `invalid_address` for anything else. */
export function parseAddress(text: string): Address {
  const fields = text.split(':');
  const [platform, kind, account, space, chat, thread] = fields;
  const known =
    fields.length === 6 &&
    (platform === 'discord' || platform === 'telegram' || platform === 'slack' || platform === 'terminal') &&
    (kind === 'dm' || kind === 'group' || kind === 'channel');
  if (!known || !account || !chat || account === absent || chat === absent) {
    throw new ParleyError(
      'invalid_address',
      `Expected an address like "discord:dm:ACCOUNT:-:CHAT:-", got ${JSON.stringify(text)}.`,
    );
  }
  return {
    platform,
    kind,
    account: decodeURIComponent(account),
    chat: decodeURIComponent(chat),
    ...(space === undefined || space === absent ? {} : { space: decodeURIComponent(space) }),
    ...(thread === undefined || thread === absent ? {} : { thread: decodeURIComponent(thread) }),
  };
}

/** The same chat without its thread: what a room's audience and its rate limits are keyed by. */
export function roomOf(address: Address): string {
  const { thread: _, ...room } = address;
  return formatAddress(room);
}

/** `platform:account:space`, or undefined in direct messages. */
export function spaceOf(address: Address): string | undefined {
  if (address.space === undefined) return undefined;
  return [address.platform, address.account, address.space].map(encodeURIComponent).join(':');
}
