// Deutsch: wer mit dem Bot sprechen darf.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, dollars, or } = formsOf('de');

const roles = { owner: 'Besitzer', member: 'Mitglied', guest: 'Gast' };
const rolesOf = { owner: 'Besitzer', member: 'Mitglieder', guest: 'Gäste' };

export const access: Phrases['access'] = {
  pairingCode: ({ code, anywhere }) =>
    `Ich spreche nur mit Leuten, die freigeschaltet sind. Dein Code ist \`${code}\`: Ein Besitzer kann mir innerhalb einer Stunde ${anywhere(`approve ${code} NAME`)} schreiben oder ${programCommand(`people approve ${code} --name NAME`)} ausführen.`,
  noCodeFree:
    'Ich spreche nur mit Leuten, die freigeschaltet sind, und gerade warten zu viele. Versuch es in einer Stunde noch einmal, oder frag die Person, die mich betreibt.',
  notListed:
    'Ich kenne dich nicht und kann deshalb nicht privat mit dir sprechen. Bitte die Person, die mich betreibt, dich auf meine Liste zu setzen.',
  directMessagesOff:
    'Private Nachrichten beantworte ich hier nicht. Erwähne mich stattdessen in einem Kanal oder einer Gruppe.',
  notKnownHere:
    'Hier antworte ich nur Leuten, die ich kenne. Bitte die Person, die mich betreibt, dich hinzuzufügen.',
  notHere: 'Hier antworte ich nicht. Bitte die Person, die mich betreibt, es zu erlauben.',
  notAnOwner: 'Hier antworte ich nur meinen Besitzern.',
  retryOfOthers: 'Das kann nur die Person neu beantworten lassen, der ich geantwortet habe.',
  deleteOfOthers: 'Meine Antwort löschen kann nur die Person, der ich geantwortet habe, oder ein Besitzer.',
  stopOfOthers: 'Meine Antwort abbrechen kann nur die Person, der ich antworte, oder ein Besitzer.',
  usedUpByPerson: ({ limit }) =>
    `Du hast dein Limit von ${limit} in 24 Stunden erreicht. Versuch es später noch einmal; diese Nachricht habe ich nicht gespeichert.`,
  usedUpInRoom: ({ limit }) =>
    `Dieser Chat hat sein Limit von ${limit} in 24 Stunden erreicht. Versuch es später noch einmal; diese Nachricht habe ich nicht gespeichert.`,
  usedUpByAssistant: ({ name, limit }) =>
    `${name} hat das gemeinsame Limit von ${limit} in 24 Stunden erreicht. Versuch es später noch einmal; diese Nachricht habe ich nicht gespeichert.`,
  messages: ({ n }) => count(n, { one: 'Nachricht', other: 'Nachrichten' }),
  tokens: ({ n }) => count(n, { one: 'Token', other: 'Tokens' }),
  dollars: ({ amount }) => dollars(amount),
  welcome: ({ name, role, command }) => {
    const as = [...(name === undefined ? [] : [name]), ...(role === undefined ? [] : [role])].join(', ');
    return `Du bist jetzt freigeschaltet${as === '' ? '' : ` als ${as}`}. Bitte schick deine Nachricht noch einmal, denn ich habe sie nicht gespeichert; ${command('help')} zeigt, was ich kann.`;
  },
  role: ({ role }) => roles[role],
  roles: ({ role }) => rolesOf[role],
  sharedName: ({ name }) =>
    `Telegram zeigt mir nicht, wer von euch als „${name}“ schreibt. Wechsle zu deinem eigenen Namen (das Bild neben dem Textfeld oder „Anonym bleiben“ in deinen Administratorrechten), oder drück einen Knopf, wo ich einen zeige.`,
  notAnAccountOf: ({ names }) => `**kein Konto von ${or(names)}, obwohl der Name so aussieht**`,
};
