// A channel whose platform is a list in memory, so that a test decides every outcome of every call.
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type {
  Channel,
  ChannelCapabilities,
  ChannelFailure,
  SendOptions,
  ThreadMessage,
} from '#adapters/gateway/terms/channel.ts';
import { ephemeralIn } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { ConnectionState, MessageEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { MessagePart } from '#adapters/text/part.ts';

export interface Standing {
  id: string;
  address: string;
  text: string;
  key: string;
  /** Only the person who gave the command sees it. */
  ephemeral?: true;
}

export class ScriptedFailure extends Error {
  readonly failure: ChannelFailure;
  /** True when the platform carried out the call before it failed. */
  readonly effective: boolean;

  constructor(
    failure: Partial<ChannelFailure> & Pick<ChannelFailure, 'kind'>,
    effect: 'effective' | 'without effect' = 'without effect',
  ) {
    super(failure.kind);
    this.failure = { words: failure.kind, maybeDelivered: effect === 'effective', ...failure };
    this.effective = effect === 'effective';
  }
}

export interface ScriptedChannel extends Channel {
  sink: Sink;
  messages: Standing[];
  calls: string[];
  /** Failures for the next calls of a kind, in order. */
  failing: Record<'send' | 'edit' | 'remove' | 'presence' | 'react', (ScriptedFailure | undefined)[]>;
  reactions: string[];
  /** What `run` reports when it begins. */
  atStart: ConnectionState;
  /** What `open` gives, by the id of the file: its bytes, or the failures before them. */
  contents: Map<string, (Uint8Array | ScriptedFailure)[]>;
  /** What the next looks into a thread give; none gives a rate limit. */
  history: ThreadMessage[][];
  /** What was just said in every room. */
  around: ThreadMessage[];
  /** Who may read what: everyone everything, unless a test says otherwise. */
  rights: NonNullable<Channel['rights']>;
  /** Ids of files in the order in which they were opened. */
  opened: string[];
}

export function createScriptedChannel(
  options: {
    caps?: Partial<ChannelCapabilities>;
    find?: 'can find' | 'cannot find';
    partLimit?: number;
    /** A surface of the platform's own for answers in progress. */
    live?: NonNullable<Channel['live']>;
    /** Whether there are buttons: they are behind the text, as `[label|id]`. */
    buttons?: boolean;
    /** Whether something can be shown to one person alone. */
    ephemerals?: boolean;
  } = {},
): ScriptedChannel {
  const messages: Standing[] = [];
  const calls: string[] = [];
  const failing: ScriptedChannel['failing'] = { send: [], edit: [], remove: [], presence: [], react: [] };
  const reactions: string[] = [];
  const contents: ScriptedChannel['contents'] = new Map();
  const opened: string[] = [];
  const history: ThreadMessage[][] = [];
  const around: ThreadMessage[] = [];
  const caps = {
    editGapMs: { dm: 1000, group: 1000, channel: 1000 },
    typingMs: 5000,
    idempotentSend: false,
    ...options.caps,
  };
  const limit = options.partLimit ?? 100;
  let last = 0;

  const post = (address: Address, part: MessagePart, { key }: SendOptions): string => {
    const standing = caps.idempotentSend ? messages.find((message) => message.key === key) : undefined;
    if (standing !== undefined) return standing.id;
    last += 1;
    const ephemeral = ephemeralIn(part) === undefined ? {} : { ephemeral: true as const };
    messages.push({ id: `m${last}`, address: formatAddress(address), text: part.text, key, ...ephemeral });
    return `m${last}`;
  };

  const channel: ScriptedChannel = {
    platform: 'discord',
    caps,
    messages,
    calls,
    failing,
    reactions,
    atStart: 'ready',
    contents,
    opened,
    history,
    around,
    rights: {
      ofRoom: async () => 'everything',
      ofSpace: async () => true,
      readers: async () => ({ restricted: false, outsiders: false }),
    },
    sink: undefined as unknown as Sink, // set by `run`, which every test awaits through the gateway's state
    async run(sink, signal) {
      channel.sink = sink;
      sink.report(channel.atStart);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
    render: (markdown) => {
      const parts: MessagePart[] = [];
      for (let at = 0; at < markdown.length; at += limit) {
        const text = markdown.slice(at, at + limit);
        parts.push({ text, body: { content: text } });
      }
      return parts;
    },
    async send(address, part, sendOptions) {
      calls.push(`send ${part.text}`);
      const failure = failing.send.shift();
      if (failure !== undefined && !failure.effective) throw failure;
      const nativeID = post(address, part, sendOptions);
      if (failure !== undefined) throw failure;
      return { nativeID };
    },
    async edit(_address, nativeID, part) {
      calls.push(`edit ${nativeID} ${part.text}`);
      const failure = failing.edit.shift();
      if (failure !== undefined) throw failure;
      const message = messages.find(({ id }) => id === nativeID);
      if (message === undefined) throw new ScriptedFailure({ kind: 'gone' });
      message.text = part.text;
    },
    async remove(_address, nativeID) {
      calls.push(`remove ${nativeID}`);
      const failure = failing.remove.shift();
      if (failure !== undefined) throw failure;
      const at = messages.findIndex(({ id }) => id === nativeID);
      if (at === -1) throw new ScriptedFailure({ kind: 'gone' });
      messages.splice(at, 1);
    },
    async presence(_address, state) {
      calls.push(`presence ${state}`);
      const failure = failing.presence.shift();
      if (failure !== undefined) throw failure;
    },
    async react(_address, nativeID, emoji) {
      const failure = failing.react.shift();
      if (failure !== undefined) throw failure;
      reactions.push(`${nativeID} ${emoji}`);
    },
    async open({ id }) {
      opened.push(id);
      const [next, ...rest] = contents.get(id) ?? [];
      if (rest.length > 0) contents.set(id, rest);
      if (next === undefined) throw new ScriptedFailure({ kind: 'gone', words: `no file ${id}` });
      if (next instanceof ScriptedFailure) throw next;
      return new Blob([new Uint8Array(next)]).stream();
    },
    async *thread(_address, { nativeID, limit }) {
      calls.push(`thread ${nativeID} ${limit}`);
      const next = history.shift();
      if (next === undefined) throw new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 60_000 });
      yield { messages: next, more: false };
    },
    async earlier(_address, { nativeID, limit }) {
      calls.push(`earlier ${nativeID} ${limit}`);
      return around;
    },
    ...(options.ephemerals === true
      ? { ephemeralFor: ({ actor }: MessageEvent) => ({ user: actor.id }) }
      : {}),
    markRepeat: (part) => ({ text: `(repeat?) ${part.text}`, body: part.body }),
    explain: (error) =>
      error instanceof ScriptedFailure
        ? error.failure
        : { kind: 'transient', words: String(error), maybeDelivered: false, unexpected: true },
    async check() {
      return [];
    },
  };
  if (options.live !== undefined) channel.live = options.live;
  if (options.buttons === true)
    channel.withChoices = (part, choices) => ({
      text: [part.text, ...choices.map(({ id, label }) => `[${label}|${id}]`)].join('\n'),
      body: part.body,
    });
  if (options.find === 'can find') {
    channel.find = async (_address, key) => {
      const found = messages.find((message) => message.key === key);
      return found === undefined ? undefined : { nativeID: found.id };
    };
  }
  return channel;
}

export const dm: Address = { platform: 'discord', account: 'bot', chat: 'D1', kind: 'dm' };
export const room: Address = {
  platform: 'discord',
  account: 'bot',
  space: 'G1',
  chat: 'C1',
  kind: 'channel',
};

/** A message of the person `you`, in the direct message unless set otherwise. */
export function message(nativeID: string, text: string, over: Partial<MessageEvent> = {}): MessageEvent {
  return {
    type: 'message',
    address: dm,
    nativeID,
    at: Date.UTC(2026, 0, 2, 3, 4, 5), // when the manual clock begins
    actor: { id: 'u1', name: 'you', isBot: false },
    addressed: 'dm',
    text,
    files: [],
    ...over,
  };
}
