// English: accounts that are connected, and people who wait to be admitted.
import { formsOf, type NameCommand, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { and, duration } = formsOf('en');

export const people = {
  shownAs: ({ account, name }: { account: string; name: string }) => `${account}, shown as ${name}`,

  linkCode: ({ code, anywhere }: { code: string; anywhere: NameCommand }) =>
    `Send me ${anywhere(`link ${code}`)} in private from your other account, within ten minutes. Show the code to no one else: it makes any account that sends it yours.`,
  linkConfirm: ({ who, code, command }: { who: string; code: string; command: NameCommand }) =>
    `This connects this account with ${who}, and I remember your private messages on both. Write ${command(`link ${code} yes`)} only if that account is yours, never because someone sent you the code.`,
  linkedWith: ({ who }: { who: string }) =>
    `${who}, is now connected with this account. If that was not you, ask the person who runs me to undo it with ${programCommand('people')}.`,
  linked: ({ who }: { who: string }) => `Done. Here you are now ${who}, too.`,
  linkCodeOver: ({ anywhere }: { anywhere: NameCommand }) =>
    `That code is wrong or has expired. Write ${anywhere('link')} on your other account for a new one.`,
  linkOwnCode: 'That code belongs to this very account. Send it to me from your other account.',
  linkedAlready: ({ command }: { command: NameCommand }) =>
    `Both accounts are yours already. ${command('whoami')} lists them.`,
  get linkOtherPerson() {
    return `This account already belongs to another person. The person who runs me can join the two with ${programCommand('people')}.`;
  },

  noOneWaits: 'No one is waiting to be admitted.',
  waitsForOwners: ({ role }: { role: string }) =>
    `You have been admitted, and you are ${role}. Only owners see who is waiting, in private.`,
  waits: ({ code, who, ms }: { code: string; who: string; ms: number }) =>
    `${code} ${who} (${duration(ms)} left)`,
  decideHow: ({ command }: { command: NameCommand }) =>
    `${command('approve CODE NAME')} admits someone as a new person. ${command('deny CODE')} turns someone away.`,
  admitted: ({ who, role }: { who: string; role: string }) =>
    `${who}, is now admitted without a name, ${role}.`,
  admittedAs: ({ who, name, role }: { who: string; name: string; role: string }) =>
    `${who}, is now admitted as ${name}, ${role}.`,
  withAccounts: ({ role, accounts }: { role: string; accounts: readonly string[] }) =>
    `${role} with ${and(accounts)}`,
  turnedAway: ({ account }: { account: string }) => `${account} has been turned away.`,
  unknownCode: ({ code, command }: { code: string; command: NameCommand }) =>
    `${code} is not a code that is waiting; codes expire after one hour. ${command('pairings')} lists those that are valid.`,
  nameTaken: ({
    name,
    who,
    code,
    command,
  }: {
    name: string;
    who: string;
    code: string;
    command: NameCommand;
  }) =>
    `The name ${name} already belongs to ${who}. Write ${command(`approve ${code} NAME same-person`)} if this is the same person, or choose another name.`,
  unknownPerson: ({ name }: { name: string }) =>
    `I know no one called ${name}. Check the spelling, or leave \`same-person\` out.`,
  get accountKnown() {
    return `This account already belongs to someone else. Leave the name out, or ask the person who runs me to remove it with ${programCommand('people')}.`;
  },
  invalidName: ({ name }: { name: string }) =>
    `${name} cannot be used as a name. Use at most 40 letters, digits, spaces and \`. _ -\`.`,
};
