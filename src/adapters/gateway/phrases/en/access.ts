// English: who may talk to the bot.
import { formsOf, type NameCommand, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, dollars, or } = formsOf('en');

export const access = {
  pairingCode: ({ code, anywhere }: { code: string; anywhere: NameCommand }) =>
    `I only talk to people who have been admitted. Your code is \`${code}\`: within one hour, an owner can send me ${anywhere(`approve ${code} NAME`)} or run ${programCommand(`people approve ${code} --name NAME`)}.`,
  noCodeFree:
    'I only talk to people who have been admitted, and too many are waiting right now. Please try again in an hour, or ask the person who runs me.',
  notListed:
    'I do not know you, so I cannot talk to you in private. Ask the person who runs me to add you to my list.',
  directMessagesOff: 'I do not answer private messages here. Mention me in a channel or group instead.',
  notKnownHere: 'Here I only answer people I know. Ask the person who runs me to add you.',
  notHere: 'I do not answer here. Ask the person who runs me to allow it.',
  notAnOwner: 'Here I only answer my owners.',
  /** To someone else's reaction to an answer. */
  retryOfOthers: 'Only the person whom I answered can have that answered again.',
  deleteOfOthers: 'Only the person whom I answered, or an owner, can delete my answer.',
  stopOfOthers: 'Only the person whom I answer, or an owner, can stop my answer.',
  usedUpByPerson: ({ limit }: { limit: string }) =>
    `You have reached your limit of ${limit} in 24 hours. Please try again later; I did not save this message.`,
  usedUpInRoom: ({ limit }: { limit: string }) =>
    `This chat has reached its limit of ${limit} in 24 hours. Please try again later; I did not save this message.`,
  usedUpByAssistant: ({ name, limit }: { name: string; limit: string }) =>
    `${name} has reached the limit of ${limit} in 24 hours that everyone shares. Please try again later; I did not save this message.`,
  messages: ({ n }: { n: number }) => count(n, { one: 'message', other: 'messages' }),
  tokens: ({ n }: { n: number }) => count(n, { one: 'token', other: 'tokens' }),
  dollars: ({ amount }: { amount: number }) => dollars(amount),
  welcome: ({
    name,
    role,
    command,
  }: {
    name?: string | undefined;
    role?: string | undefined;
    command: NameCommand;
  }) => {
    const as = [...(name === undefined ? [] : [name]), ...(role === undefined ? [] : [role])].join(', ');
    return `You have been admitted${as === '' ? '' : ` as ${as}`}. Please send your message again, because I did not save it; ${command('help')} shows what I can do.`;
  },
  /** What someone is: `You are ...`. */
  role: ({ role }: { role: 'owner' | 'member' | 'guest' }) => (role === 'owner' ? 'an owner' : `a ${role}`),
  /** A group: `Only ...`. */
  roles: ({ role }: { role: 'owner' | 'member' | 'guest' }) => `${role}s`,
  sharedName: ({ name }: { name: string }) =>
    `Telegram does not show me who of you writes as “${name}”. Switch to your own name (the picture next to the text field, or “Remain anonymous” in your administrator rights), or press a button where I show one.`,
  /** Follows the name of an account. */
  notAnAccountOf: ({ names }: { names: readonly string[] }) =>
    `**not an account of ${or(names)}, although the name looks like it**`,
};
