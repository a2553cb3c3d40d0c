// A gateway's side in memory: stores events once, with the cursor, and can be told to fail.

import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { ConnectionState, InboundEvent, MessageEvent, Sink } from '#adapters/gateway/terms/inbound.ts';

export interface MemorySink extends Sink {
  events: InboundEvent[];
  cursors: Map<string, string>;
  states: { state: ConnectionState; detail: string | undefined }[];
  signsOfLife: number;
  duplicates: number;
  /** How many of the next calls of `accept` fail. */
  failing: number;
  /** Awaited before an event is stored. */
  beforeAccept: (event: InboundEvent) => Promise<void>;
  messages(): MessageEvent[];
  texts(): string[];
  lastState(): ConnectionState | undefined;
}

export function createMemorySink(): MemorySink {
  const known = new Set<string>();
  const advance = async ({ name, value }: { name: string; value: string }): Promise<void> => {
    const before = sink.cursors.get(name);
    if (before === undefined || !isBehind(value, before)) sink.cursors.set(name, value);
  };
  const sink: MemorySink = {
    events: [],
    cursors: new Map(),
    states: [],
    signsOfLife: 0,
    duplicates: 0,
    failing: 0,
    beforeAccept: async () => {},
    messages: () => sink.events.filter((event) => event.type === 'message'),
    texts: () => sink.messages().map(({ text }) => text),
    lastState: () => sink.states.at(-1)?.state,
    async accept(event, cursor) {
      await sink.beforeAccept(event);
      if (sink.failing > 0) {
        sink.failing -= 1;
        throw new Error('the disk is full');
      }
      if (cursor !== undefined) await advance(cursor);
      const key = event.type === 'message' ? `${formatAddress(event.address)}/${event.nativeID}` : undefined;
      if (key !== undefined && known.has(key)) {
        sink.duplicates += 1;
        return 'duplicate';
      }
      if (key !== undefined) known.add(key);
      sink.events.push(event);
      return 'accepted';
    },
    advance,
    take: (_, work) => work(),
    pass: (cursor) => void advance(cursor),
    cursor: async (name) => sink.cursors.get(name),
    chats: async () => [],
    accepted: async () => [],
    unanswered: async () => [],
    disown: async () => undefined,
    reportBacklog: () => {},
    report: (state, detail) => sink.states.push({ state, detail }),
    alive: () => {
      sink.signsOfLife += 1;
    },
  };
  return sink;
}
