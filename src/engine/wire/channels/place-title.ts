// Where a chat is, as text for people: the one function for the console, the commands, chats and prompts. Pure, and without packages.

/** A chat as far as its title needs it. */
export interface TitledPlace {
  /** Canonical address. */
  chat: string;
  names?:
    | { space?: string | undefined; channel?: string | undefined; thread?: string | undefined }
    | undefined;
  /** Of a direct message: whose it is. */
  person?: string | undefined;
}

const platforms: Readonly<Record<string, string>> = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  terminal: 'Terminal',
};

/** A platform as it writes itself. */
export const platformTitle = (platform: string): string =>
  Object.hasOwn(platforms, platform) ? (platforms[platform] ?? platform) : platform;

/** Digits of an id by which rooms without names can be told apart. */
const shownDigits = 6;

/**
 * `#engine-room › Pump · Harbour crew · Discord`; of a direct message `Ann · direct message · Discord`. A room without a name shows the end
 * of its id. What is not an address is its own title.
 */
export function placeTitle({ chat, names = {}, person }: TitledPlace): string {
  const fields = chat.split(':');
  const [platform = '', kind] = fields;
  if (fields.length !== 6) return chat;
  const on = platformTitle(platform);
  if (kind === 'dm') return [person, 'direct message', on].filter(Boolean).join(' · ');
  const room = roomTitle({ chat, names }) ?? `room …${decoded(fields[4]).slice(-shownDigits)}`;
  return [room, names.space, on].filter(Boolean).join(' · ');
}

/** Who asked, and where: `Ben · #engine-room · Harbour crew · Discord`; `Agent scout` for an agent of a mission, `API` for a program. */
export function askedTitle({
  person,
  place,
  helper,
}: {
  person?: string | undefined;
  place?: TitledPlace | undefined;
  helper?: string | undefined;
}): string {
  if (helper !== undefined) return `Agent ${helper}`;
  if (place === undefined) return 'API';
  const isRoom = place.chat.split(':')[1] !== 'dm';
  return isRoom && person ? `${person} · ${placeTitle(place)}` : placeTitle({ ...place, person });
}

/** The room alone, with its thread: `#engine-room › Pump`; undefined where neither has a name. */
export function roomTitle({ chat, names = {} }: Pick<TitledPlace, 'chat' | 'names'>): string | undefined {
  const [platform, kind] = chat.split(':');
  const hash = kind === 'channel' && (platform === 'discord' || platform === 'slack') ? '#' : '';
  const channel = names.channel === undefined ? undefined : `${hash}${names.channel}`;
  return [channel, names.thread].filter(Boolean).join(' › ') || undefined;
}

function decoded(field = ''): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field;
  }
}

/** What a person typed of a name, to be compared with names in lower case. */
export const wantedIn = (text: string): string => text.trim().replace(/^#/, '').toLowerCase();

/** Whether the space, the room or the thread has the text in its name, in any case. */
export function isNamed(names: TitledPlace['names'], text: string): boolean {
  const wanted = wantedIn(text);
  return Object.values(names ?? {}).some((name) => name?.toLowerCase().includes(wanted) === true);
}

/** Whether a key is that of a room or a thread, and so an address; else it is a space's. */
export const isChat = (key: string): boolean => key.split(':').length === 6;

/** The keys under which the names of a chat's space, room and thread are stored; missing where it has none. */
export function placeKeys(chat: string): { space?: string; channel?: string; thread?: string } {
  const fields = chat.split(':');
  const [platform = '', kind, account = '', space = '-', id = '', thread = '-'] = fields;
  if (fields.length !== 6 || kind === 'dm') return {};
  return {
    ...(space === '-' ? {} : { space: `${platform}:${account}:${space}` }),
    channel: [platform, kind, account, space, id, '-'].join(':'),
    ...(thread === '-' ? {} : { thread: chat }),
  };
}
