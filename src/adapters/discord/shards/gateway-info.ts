// What Discord says of the bot's gateway and application, asked once for all the shards that want to know it at a time.
import { type GatewayIntentBits, type RESTGetAPIGatewayBotResult, Routes } from 'discord.js';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { gatewayBot } from '#adapters/discord/payloads/payload.ts';
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { grantedIntents } from './granted-intents.ts';

export type GatewayInfo = RESTGetAPIGatewayBotResult;

/** Both throw what `explain` understands, or the reason of the signal. */
export interface AskGateway {
  /** The gateway's address, the recommended number of shards, the connections that may be begun. */
  info(signal: AbortSignal): Promise<GatewayInfo>;
  /** Privileged intents that are switched on and that the bot can do without. */
  granted(signal: AbortSignal): Promise<readonly GatewayIntentBits[]>;
  /** A connection is begun: one fewer is left of those that the last answer told. */
  begun(): void;
}

/**
 * How long an answer is good for, in milliseconds: Discord grants few such calls, and each client of discord.js would make its own
 * when many shards connect at once.
 */
const freshMs = 5000;

/** Asks Discord about its gateway, and shares an answer among all shards for 5 s. */
export function createAskGateway(rest: Rest, clock: Clock): AskGateway {
  let last: GatewayInfo | undefined;
  return {
    info: shared(clock, async () => {
      last = gatewayBot.parse(await rest().get(Routes.gatewayBot()));
      return last;
    }),
    granted: shared(clock, () => grantedIntents(rest)),
    begun() {
      if (last !== undefined) last.session_start_limit.remaining -= 1;
    },
  };
}

function shared<T>(clock: Clock, ask: () => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let asked: { at: MonotonicMs; answer: Promise<T> } | undefined;
  return async (signal) => {
    signal.throwIfAborted();
    if (asked === undefined || msSince(clock, asked.at) >= freshMs) {
      const mine = { at: clock.monotonic(), answer: ask() };
      asked = mine;
      mine.answer.catch(() => {
        if (asked === mine) asked = undefined;
      });
    }
    const { promise, reject } = Promise.withResolvers<never>();
    const give = (): void => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    try {
      return await Promise.race([asked.answer, promise]);
    } finally {
      signal.removeEventListener('abort', give);
    }
  };
}
