// Deutsch: verbundene Konten, und Leute, die auf Freischaltung warten.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { and, duration } = formsOf('de');

export const people: Phrases['people'] = {
  shownAs: ({ account, name }) => `${account}, angezeigt als ${name}`,

  linkCode: ({ code, anywhere }) =>
    `Schick mir ${anywhere(`link ${code}`)} privat von deinem anderen Konto, innerhalb von zehn Minuten. Zeig den Code niemandem: Jedes Konto, das ihn schickt, gilt danach als deins.`,
  linkConfirm: ({ who, code, command }) =>
    `Das verbindet dieses Konto mit ${who}, und auf beiden merke ich mir deine privaten Nachrichten. Schreib ${command(`link ${code} yes`)} nur, wenn das andere Konto dir gehört, und nie, weil dir jemand den Code geschickt hat.`,
  linkedWith: ({ who }) =>
    `${who}, ist jetzt mit diesem Konto verbunden. Wenn du das nicht warst, bitte die Person, die mich betreibt, es mit ${programCommand('people')} rückgängig zu machen.`,
  linked: ({ who }) => `Fertig. Hier bist du jetzt auch ${who}.`,
  linkCodeOver: ({ anywhere }) =>
    `Dieser Code ist falsch oder abgelaufen. Schreib ${anywhere('link')} auf deinem anderen Konto, um einen neuen zu bekommen.`,
  linkOwnCode: 'Dieser Code gehört zu genau diesem Konto. Schick ihn mir von deinem anderen Konto.',
  linkedAlready: ({ command }) => `Beide Konten gehören dir schon. ${command('whoami')} listet sie auf.`,
  get linkOtherPerson() {
    return `Dieses Konto gehört schon einer anderen Person. Die Person, die mich betreibt, kann die beiden mit ${programCommand('people')} zusammenführen.`;
  },

  noOneWaits: 'Niemand wartet auf Freischaltung.',
  waitsForOwners: ({ role }) =>
    `Du bist freigeschaltet und bist ${role}. Nur Besitzer sehen, wer wartet, und nur privat.`,
  waits: ({ code, who, ms }) => `${code} ${who} (noch ${duration(ms)})`,
  decideHow: ({ command }) =>
    `${command('approve CODE NAME')} schaltet jemanden als neue Person frei. ${command('deny CODE')} weist jemanden ab.`,
  admitted: ({ who, role }) => `${who}, ist jetzt ohne Namen freigeschaltet, ${role}.`,
  admittedAs: ({ who, name, role }) => `${who}, ist jetzt als ${name} freigeschaltet, ${role}.`,
  withAccounts: ({ role, accounts }) => `${role} mit ${and(accounts)}`,
  turnedAway: ({ account }) => `${account} ist abgewiesen.`,
  unknownCode: ({ code, command }) =>
    `${code} ist kein Code, der wartet; Codes laufen nach einer Stunde ab. ${command('pairings')} zeigt die gültigen.`,
  nameTaken: ({ name, who, code, command }) =>
    `Der Name ${name} gehört schon ${who}. Schreib ${command(`approve ${code} NAME same-person`)}, wenn es dieselbe Person ist, oder wähl einen anderen Namen.`,
  unknownPerson: ({ name }) =>
    `Ich kenne niemanden namens ${name}. Prüf die Schreibweise, oder lass \`same-person\` weg.`,
  get accountKnown() {
    return `Dieses Konto gehört schon jemand anderem. Lass den Namen weg, oder bitte die Person, die mich betreibt, es mit ${programCommand('people')} zu entfernen.`;
  },
  invalidName: ({ name }) =>
    `${name} geht nicht als Name. Nimm höchstens 40 Buchstaben, Ziffern, Leerzeichen und \`. _ -\`.`,
};
