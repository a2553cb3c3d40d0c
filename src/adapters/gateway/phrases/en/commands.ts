// English: how commands are named, and what concerns every command.
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';

export const commands = {
  /** On Slack, at the top of a channel. */
  afterMention: ({ code }: { code: string }) => `${code} (after mentioning me)`,
  /** A command for a place that is not known: as it is typed on most platforms, and on Slack. */
  orOnSlack: ({ code, onSlack }: { code: string; onSlack: string }) => `${code} (on Slack ${onSlack})`,
  unknown: ({ typed, nearest, command }: { typed: string; nearest: string; command: NameCommand }) =>
    `${typed} is not one of my commands; did you mean ${command(nearest)}? ${command('help')} lists them all.`,
  outside:
    'I am not a member of this conversation, so I cannot answer in it. Add me here, or write to me in private.',
  onlyFor: ({
    name,
    roles,
    role,
    command,
  }: {
    name: string;
    roles: string;
    role: string;
    command: NameCommand;
  }) => `${command(name)} is only for ${roles}, and you are ${role}. Ask an owner if you need it.`,
  ownersOnlyHere: ({ name, command }: { name: string; command: NameCommand }) =>
    `${command(name)} is only available to owners in this chat. Ask one of them if you need it.`,
  /** The command does this for owners only. */
  ownersOnly: ({ role }: { role: string }) => `Only owners can do that, and you are ${role}.`,
  inPrivate: ({ words, command }: { words: string; command: NameCommand }) =>
    `That is between you and me. Send me ${command(words)} in a private message.`,
  answeredInPrivate: 'I answered you in a private message.',
  engineUnreachable: '⚠️ I cannot reach my engine right now. Please try again later.',
  failed: ({ ref }: { ref: string }) => `⚠️ That did not work. Please send it again (reference ${ref}).`,
  busy: '⚠️ I am still working in this conversation. Please try again in a moment.',
  pages: ({ words, pages, command }: { words: string; pages: number; command: NameCommand }) =>
    pages === 1
      ? `There is no such page: there is only one. ${command(`${words} 1`)} shows it.`
      : `There is no such page. Write ${command(`${words} 1`)} to ${command(`${words} ${pages}`)}.`,
  page: ({ page, pages }: { page: number; pages: number }) => `Page ${page} of ${pages}.`,
  nextPage: ({
    words,
    page,
    pages,
    command,
  }: {
    words: string;
    page: number;
    pages: number;
    command: NameCommand;
  }) => `Page ${page} of ${pages}. ${command(`${words} ${page + 1}`)} shows the next one.`,
  unknownID: ({ typed }: { typed: string }) => `There is nothing with the ID ${typed} here.`,
  ambiguousID: ({ typed, n }: { typed: string; n: number }) =>
    `${typed} matches ${n} IDs. Please write more of it.`,
  stillAnswering: ({ command }: { command: NameCommand }) =>
    `I am still answering here. Wait for that, or write ${command('stop')} first.`,
};
