// Deutsch: `/memory`, `/forget me` und `/export`.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, and, or, day } = formsOf('de');

/** Die Grenzen, wie Menschen sie lesen. */
const boundNames: Readonly<Record<string, string>> = {
  characters: 'Zeichen',
  exchanges: 'ganze Wortwechsel',
  vectors: 'Vektoren',
  'items.note': 'Notizen',
  'items.fact': 'Fakten',
  'items.preference': 'Vorlieben',
  'items.procedure': 'Vorgehen',
  'items.solution_capsule': 'Lösungen',
  'items.episode': 'Zusammenfassungen',
  'items.turn': 'importierte Nachrichten',
  'items.document': 'Abschnitte aus Dokumenten',
  'items.lesson': 'Lehren',
  'items.decision': 'Entscheidungen',
};

export const memory: Phrases['memory'] = {
  how: ({ command }) =>
    `Schreib ${or(
      [
        ...[
          'search WÖRTER',
          'save TEXT',
          'correct ID TEXT',
          'forget ID',
          'recent',
          'pinned',
          'pin ID',
          'key WORT',
          'tag WORT',
        ],
        ...['worked ID', 'failed ID', 'budget', 'file', 'note TEXT'],
      ].map((words) => command(`memory ${words}`)),
    )}.`,
  day: ({ atMs }) => day(atMs),
  searchHow: ({ command }) => `Wonach soll ich suchen? Schreib ${command('memory search WÖRTER')}.`,
  nothingFound: 'Dazu erinnere ich mich hier an nichts.',
  saveHow: ({ command }) => `Was soll ich mir merken? Schreib ${command('memory save TEXT')}.`,
  saved: ({ id }) => `Das merke ich mir (${id}).`,
  savedMasked: ({ id }) => `Das merke ich mir, ohne das Geheimnis darin (${id}).`,
  known: 'Das merke ich mir schon.',
  deletedBefore: 'Genau das wurde hier schon einmal gelöscht, deshalb speichere ich es nicht wieder.',
  nothingToSave: 'Darin ist nichts, was ich mir merken könnte.',
  correctHow: ({ command }) =>
    `Welche Erinnerung, und was gilt jetzt? ${command('memory recent')} listet sie auf; dann schreib ${command('memory correct ID TEXT')}.`,
  corrected: ({ version, id }) => `Berichtigt: jetzt gilt Fassung ${version} (${id}).`,
  ownersCorrect:
    'Was ich mir in diesem Chat merke, gehört allen hier. Deshalb können es nur Besitzer berichtigen.',
  notCorrectable:
    'Das wurde in einem Gespräch gesagt und ändert sich mit der Nachricht, aus der es stammt. Berichtigen lässt sich hier nur, was gespeichert wurde.',
  forgetHow: ({ command }) =>
    `Welche Erinnerung? ${command('memory recent')} listet sie auf; dann schreib ${command('memory forget ID')}. Alle einer Art löschst du mit ${or(
      [
        ...['kind ART', 'key WORT', 'tag WORT', 'agent NAME', 'project NAME', 'source DATEI'],
        ...['chat hier', 'since DATUM'],
      ].map((words) => command(`memory forget ${words}`)),
    )}.`,
  noDate: ({ typed }) => `${typed} ist kein Datum, das ich lesen kann. Schreib es so: 2026-11-21.`,
  kinds: ({ kinds }) => `Diese Art gibt es nicht. Es gibt ${and(kinds)}.`,
  nothingSuch: 'So etwas ist in diesem Chat nicht gespeichert.',
  forgetPreview: ({ n, pinned }) =>
    `Das löscht endgültig ${count(n, { one: 'Erinnerung', other: 'Erinnerungen' })}, mit früheren Fassungen und allem, was daraus entstanden ist${
      pinned === 0 ? '' : `; ${pinned} davon ${pinned === 1 ? 'ist' : 'sind'} angeheftet`
    }:`,
  forgetConfirm: ({ command, words }) =>
    `Das lässt sich nicht rückgängig machen. Zum Löschen schreib ${command(words)}.`,
  recordsForgotten: ({ n }) =>
    `Ich habe ${count(n, { one: 'Erinnerung', other: 'Erinnerungen' })} endgültig gelöscht.`,
  get tracesLeft() {
    return `In Dateien, die gerade benutzt werden, sind noch Spuren. Wer mich betreibt, findet sie mit ${programCommand('memory verify')}.`;
  },
  ownersForget:
    'Was ich mir in diesem Chat merke, gehört allen hier. Deshalb können es nur Besitzer löschen.',
  deleted: ({ text }) => `Endgültig gelöscht: ${text}`,
  lookupHow: ({ command }) =>
    `Welche? Schreib ${or([command('memory key WORT'), command('memory tag WORT')])}.`,
  nothingPinned: 'In diesem Chat ist nichts angeheftet.',
  pinHow: ({ command }) =>
    `Welche Erinnerung? ${command('memory recent')} listet sie auf; dann schreib ${command('memory pin ID')}.`,
  ownersPin:
    'Was hier angeheftet ist, gehört zu jeder Antwort an alle hier. Deshalb können es nur Besitzer ändern.',
  pinned: ({ text }) => `Das habe ich hier immer im Blick: ${text}`,
  unpinned: ({ text }) => `Nicht mehr angeheftet: ${text}`,
  noRecord: 'Das ist Teil eines Gesprächs. Nur was gespeichert wurde, lässt sich anheften.',
  reportHow: ({ command }) =>
    `Welches Vorgehen? Schreib ${or([command('memory worked ID'), command('memory failed ID WARUM')])}.`,
  reported: ({ successes, failures }) =>
    `Notiert. Es hat ${successes}-mal geklappt und ist ${failures}-mal gescheitert.`,
  noBudget:
    'Für das, was ich mir aus diesem Chat merke, gibt es keine Obergrenze. Davon fällt nie etwas weg.',
  budgetUse: ({ bound, used, limit }) => `${boundNames[bound] ?? bound}: ${used} von ${limit}`,
  budgetNext: ({ step, n }) =>
    `Das ist zu viel. Als Nächstes ${
      {
        merge: `${n === 1 ? 'wird' : 'werden'} ${count(n, { one: 'Doppelung', other: 'Doppelungen' })} zusammengelegt`,
        summarize: `tritt eine Zusammenfassung an die Stelle von ${count(n, { one: 'Abschnitt', other: 'Abschnitten' })}`,
        drop_vectors: `${n === 1 ? 'verliert' : 'verlieren'} ${count(n, { one: 'Erinnerung', other: 'Erinnerungen' })} den Vektor`,
        evict: `${n === 1 ? 'fällt' : 'fallen'} weg, was am wenigsten nützt: ${count(n, { one: 'Erinnerung', other: 'Erinnerungen' })}`,
      }[step]
    }.`,
  noProcedure: 'Das ist kein Vorgehen, es kann also nicht klappen oder scheitern.',
  nothingYet: 'Aus diesem Chat merke ich mir noch nichts.',

  noFiles: ({ command }) =>
    `Dieser Chat hat noch keine Gedächtnisdateien. ${command('memory note TEXT')} schreibt in die Notiz von heute.`,
  noSuchFile: ({ names }) => `Diese Datei gibt es hier nicht. Es gibt ${and(names)}.`,
  moreFiles: ({ n, command }) =>
    `Es gibt ${count(n, { one: 'weitere Datei', other: 'weitere Dateien' })}: ${command('memory file NAME')}.`,
  lines: ({ from, until, total }) => `Zeilen ${from} bis ${until} von ${total}`,
  noteHow: ({ command }) =>
    `Was soll ich aufschreiben? ${command('memory note TEXT')} schreibt in die Notiz von heute.`,
  noted: ({ line, file }) => `Aufgeschrieben, in Zeile ${line} von ${file}.`,
  notedMasked: ({ line, file }) => `Ohne das Geheimnis darin aufgeschrieben, in Zeile ${line} von ${file}.`,
  notedBefore: ({ line, file }) => `Das steht schon da, in Zeile ${line} von ${file}.`,
  notNoted:
    'Das konnte ich nicht aufschreiben, weil meine Dateien nicht beschrieben werden können. Die Person, die mich betreibt, kann das ändern.',
  noteForgotten:
    'Du hast die Nachricht geändert, mit der ich etwas speichern sollte, deshalb habe ich das Gespeicherte gelöscht. Schick den Befehl noch einmal, um den neuen Text zu speichern.',

  eraseHow: ({ command }) =>
    `${command('forget me')} löscht alles, was ich über dich gespeichert habe. ${command('memory forget ID')} löscht eine einzelne Erinnerung.`,
  nothingToErase: 'Ich habe nichts über dich gespeichert, was sich löschen ließe.',
  erasePreview: ({ amounts }) => `Das löscht endgültig, was ich über dich gespeichert habe: ${and(amounts)}.`,
  erasePreviewOnAll: ({ accounts, amounts }) =>
    `Das löscht endgültig, was ich über dich gespeichert habe, auf allen ${accounts} deiner Konten: ${and(amounts)}.`,
  eraseConfirm: ({ command }) =>
    `Das lässt sich nicht rückgängig machen; ${command('export me')} gibt dir vorher eine Kopie. Zum Löschen schreib ${command('forget me yes')}.`,
  erased: ({ amounts }) => `Endgültig gelöscht: ${and(amounts)}.`,
  erasedAll: 'Ich habe noch einmal nachgesehen und nichts mehr gefunden.',
  eraseLeft: ({ what }) => `Übrig ist noch: ${what.join('; ')}.`,
  eraseOthers:
    'Was andere über dich geschrieben oder zitiert haben, gehört ihnen und bleibt. Sicherungskopien löscht die Person, die mich betreibt.',
  memories: ({ n }) => count(n, { one: 'Erinnerung', other: 'Erinnerungen' }),
  messagesOf: ({ n, whole }) =>
    `${count(n, { one: 'Nachricht', other: 'Nachrichten' })} in Gesprächen (${whole} davon ganz)`,
  received: ({ n }) => count(n, { one: 'empfangene Nachricht', other: 'empfangene Nachrichten' }),
  answers: ({ n }) => count(n, { one: 'gesendete Antwort', other: 'gesendete Antworten' }),
  files: ({ n }) => count(n, { one: 'Datei', other: 'Dateien' }),

  schedules: ({ n }) =>
    count(n, { one: 'Erinnerung oder Zeiteinstellung', other: 'Erinnerungen und Zeiteinstellungen' }),

  exported: 'Hier ist es.',
  exportNoFiles: 'Ich kann hier keine Dateien senden.',
  exportTooLong: 'Die Datei ist zu groß, um sie hier zu senden.',
  exportByOperator: ({ sessionID }) =>
    `Die Person, die mich betreibt, bekommt es mit ${programCommand(`sessions export ${sessionID}`)}.`,
  exportMeByOperator: 'Die Person, die mich betreibt, kann es dir geben.',
  exportUntitled: 'Gespräch',
  exportAssistant: 'Assistent',
  exportPerson: 'Person',
  exportFile: ({ name }) => `[Datei: ${name}]`,
  exportTool: ({ name }) => `[${name} benutzt]`,
  exportName: 'alles-über-dich.json',
};
