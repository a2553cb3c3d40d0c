// How fast Telegram lets a bot write, as data. It sends no headers; these are its FAQ's figures for bots.
import type { DocumentedRate } from '#adapters/gateway/terms/channel.ts';

const writing = ['send', 'edit', 'remove', 'live', 'react'] as const;

/**
 * About one message a second in a chat with short bursts, 20 a minute in a group, 30 a second in all chats (Bot FAQ,
 * "Hitting limits"). Edits are counted with the rest (tdlib/td#3034); chat actions are not.
 */
export const telegramPace: readonly DocumentedRate[] = [
  { acts: writing, per: 'chat', calls: 5, perMs: 5_000 },
  { acts: writing, per: 'chat', kinds: ['group', 'channel'], calls: 20, perMs: 60_000 },
  { acts: writing, per: 'account', calls: 30, perMs: 1_000 },
];
