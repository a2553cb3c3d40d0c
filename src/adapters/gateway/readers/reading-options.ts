// What the rule over readers is made of. A shape only.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Address, Platform } from '#adapters/gateway/terms/address.ts';
import type { Clock } from '#base/clock.ts';
import type { Looks } from './looks.ts';

export interface LooksOfBots {
  /** Those of the bot that is in a chat; undefined where it is not connected. */
  of(address: Address): Looks | undefined;
  /** Platforms whose rooms close without a word. */
  silent(): readonly Platform[];
}

export interface ReadingOptions {
  ledger: Pick<Ledger, 'identities' | 'rooms' | 'chatMigrations' | 'commit'>;
  looks: LooksOfBots;
  /** Whether everyone the bot talks to may be told what is open. */
  everyone: () => boolean;
  /** Whether each chat of the platform remembers only itself. */
  isChatOnly: (platform: string) => boolean;
  /** Called when a room may have to be reported to the engine as open or closed. */
  roomsChanged: () => void;
  clock: Clock;
  signal: AbortSignal;
}
