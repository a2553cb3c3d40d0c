// What can be said to the gateway itself instead of to the assistant. Commands pass lanes: they never wait behind a run.
import type { InboundEvent } from '#adapters/gateway/inbound.ts';

export type CommandName = 'help' | 'start' | 'new' | 'stop';

/** Every command with its one line of help; `/start` is what Telegram sends at first contact. */
export const commandHelp: Readonly<Record<Exclude<CommandName, 'start'>, string>> = {
  help: 'what I can do here',
  new: 'start a new conversation (what was said before stays in memory)',
  stop: 'stop the answer that is being written',
};

const known = new Set<string>([...Object.keys(commandHelp), 'start']);

/** The command that a message is, or undefined: an unknown `/word` is an ordinary message. */
export function commandOf(event: InboundEvent): CommandName | undefined {
  if (event.type !== 'message') return undefined;
  const word = /^\/([a-z]+)(?:\s|$)/i.exec(event.text.trim())?.[1]?.toLowerCase();
  return word !== undefined && known.has(word) ? (word as CommandName) : undefined;
}

/** The words of `/help` and `/start`. */
export function helpText(agent: string): string {
  const list = Object.entries(commandHelp).map(([name, help]) => `- \`/${name}\`: ${help}`);
  return [
    `I am ${agent}. Write to me here; in rooms, mention me or reply to me, and I stay in a thread once I am in it.`,
    'What you tell me I can recall later, here and wherever you may read it.',
    '',
    ...list,
  ].join('\n');
}
