// Deutsch: wie Befehle genannt werden, und was jeden Befehl betrifft.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const commands: Phrases['commands'] = {
  afterMention: ({ code }) => `${code} (nachdem du mich erwähnst)`,
  orOnSlack: ({ code, onSlack }) => `${code} (auf Slack ${onSlack})`,
  unknown: ({ typed, nearest, command }) =>
    `${typed} ist keiner meiner Befehle; meinst du ${command(nearest)}? ${command('help')} zeigt alle.`,
  outside:
    'Ich bin kein Mitglied dieser Unterhaltung und kann hier nicht antworten. Füg mich hinzu oder schreib mir privat.',
  onlyFor: ({ name, roles, role, command }) =>
    `${command(name)} ist nur für ${roles}, und du bist ${role}. Frag einen Besitzer, wenn du es brauchst.`,
  ownersOnlyHere: ({ name, command }) =>
    `${command(name)} gibt es in diesem Chat nur für Besitzer. Frag einen von ihnen, wenn du es brauchst.`,
  ownersOnly: ({ role }) => `Das können nur Besitzer, und du bist ${role}.`,
  inPrivate: ({ words, command }) =>
    `Das bleibt unter uns. Schick mir ${command(words)} in einer privaten Nachricht.`,
  answeredInPrivate: 'Ich habe dir in einer privaten Nachricht geantwortet.',
  engineUnreachable: '⚠️ Ich erreiche meine Engine gerade nicht. Bitte versuch es später noch einmal.',
  failed: ({ ref }) => `⚠️ Das hat nicht geklappt. Bitte schick es noch einmal (Referenz ${ref}).`,
  busy: '⚠️ Ich arbeite in diesem Gespräch noch. Bitte versuch es gleich noch einmal.',
  pages: ({ words, pages, command }) =>
    pages === 1
      ? `Diese Seite gibt es nicht, es gibt nur eine: ${command(`${words} 1`)}.`
      : `Diese Seite gibt es nicht. Schreib ${command(`${words} 1`)} bis ${command(`${words} ${pages}`)}.`,
  page: ({ page, pages }) => `Seite ${page} von ${pages}.`,
  nextPage: ({ words, page, pages, command }) =>
    `Seite ${page} von ${pages}. ${command(`${words} ${page + 1}`)} zeigt die nächste.`,
  unknownID: ({ typed }) => `Mit der ID ${typed} gibt es hier nichts.`,
  ambiguousID: ({ typed, n }) => `${typed} passt zu ${n} IDs. Bitte schreib mehr davon.`,
  stillAnswering: ({ command }) =>
    `Ich antworte hier gerade noch. Warte darauf, oder schreib zuerst ${command('stop')}.`,
};
