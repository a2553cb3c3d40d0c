// Deutsch: das Arbeitsjournal eines Chats.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const journal: Phrases['journal'] = {
  nothingYet: ({ command }) =>
    `In diesem Chat wurde noch nichts übergeben. ${command('handoff')} hält fest, was entschieden wurde und was offen ist.`,
  latest: 'Letzte Sitzung',
  open: 'Offen',
  next: 'Nächste Schritte',
  decided: 'Entschieden',
  context: 'Zu merken',
  learned: 'Gelernt',
  nothingOpen: 'Hier ist nichts offen.',
  nothingDecided: 'Hier wurde noch nichts entschieden.',
  nothingLearned: 'Hier wurde noch nichts gelernt.',
  noProject: 'kein Projekt',
  noSuchPlace: ({ named, projects, agents, near }) =>
    `Hier gibt es kein Projekt und keinen Agenten ${named}, aber die Projekte ${projects.join(', ')} und die Agenten ${agents.join(', ')}.${near.length > 0 ? ` Meintest du ${near.join(', ')}?` : ''}`,
  narrow: ({ n, command }) =>
    `${n} weitere stehen nicht in dieser Liste. Grenz sie nach Projekt oder Agent ein: ${command('open PROJECT')}, ${command('open agent:NAME')}.`,
  isAnswered: ({ title, agent }) => `${agent} liest deine Antwort, wenn er weiterarbeitet: ${title}`,
  isChosen: ({ holds, superseded }) => `Das gilt jetzt: ${holds}\n\nEs ersetzt: ${superseded.join('; ')}`,
  asksWhich: 'Das fragt, welche von zwei Erinnerungen gilt, und ist erledigt, sobald du eine wählst.',
  wasSettled: ({ title, how, holds }) =>
    `Das ist schon erledigt: ${title}${how === '' ? '' : `\n\n${how}`}${holds === undefined ? '' : `\n\nDas gilt: ${holds}`}`,
  chooseHow: ({ command }) =>
    `Beide Erinnerungen bleiben bestehen, bis du wählst: ${command}, oder die andere Nummer.`,
  moreThere: ({ n, command }) => `${n} weitere: ${command}.`,
  whichOne: ({ command }) => `Was genau? ${command('open')} zeigt alles mit seiner ID.`,
  isDone: ({ title }) => `Erledigt: ${title}`,
  isParked: ({ title }) => `Zurückgestellt: ${title}`,
  proposed: 'Das würde ich von dieser Sitzung festhalten.',
  empty: ({ command }) =>
    `Ich habe keinen Vorschlag für diese Sitzung. Schreib, was übergeben werden soll, je eine Zeile: ${command('handoff summary: TEXT')}, ebenso mit \`decision:\`, \`open:\`, \`next:\` oder \`context:\`.`,
  addHow: ({ command }) =>
    `_(${command('handoff decision: TEXT')} fügt etwas hinzu, ebenso \`summary:\`, \`open:\`, \`next:\` und \`context:\`. ${command('handoff save')} speichert es, ${command('handoff drop')} nicht.)_`,
  settled: 'Inzwischen erledigt',
  carriedOn: 'Bleibt offen',
  save: 'Speichern',
  drop: 'Nicht speichern',
  saved: ({ id }) => `Die Sitzung ist übergeben (\`${id}\`).`,
  dropped: 'Es wurde nichts gespeichert.',
  noDraft: ({ command }) =>
    `Hier gibt es keine Übergabe, über die zu entscheiden wäre. ${command('handoff')} beginnt eine.`,
  needsSummary: ({ command }) =>
    `Es fehlt eine Zusammenfassung: schreib zuerst ${command('handoff summary: TEXT')}. Es wurde nichts gespeichert.`,
  notYours: 'Diese Übergabe ist für die Person, die sie begonnen hat.',
};
