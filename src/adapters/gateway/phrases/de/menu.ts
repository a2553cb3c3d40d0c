// Deutsch: die Befehle, wie Menüs und `/help` sie zeigen. Jede Zeile hat höchstens 100 Zeichen.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const menu: Phrases['menu'] = {
  help: { help: 'was ich hier kann' },
  new: { help: 'ein neues Gespräch beginnen (das alte merke ich mir)', takes: '[TITEL]' },
  sessions: { help: 'die Gespräche dieses Chats auflisten', takes: '[SEITE]' },
  resume: { help: 'zu einem früheren Gespräch dieses Chats zurückkehren', takes: 'ID' },
  rename: { help: 'diesem Gespräch einen anderen Titel geben', takes: 'TITEL' },
  status: { help: 'Modell, Gespräch und ob alles funktioniert' },
  stop: { help: 'die Antwort abbrechen, die ich gerade schreibe', takes: '[ID]' },
  retry: { help: 'deine letzte Nachricht noch einmal beantworten' },
  compact: {
    help: 'dieses Gespräch jetzt zusammenfassen, und sagen, was ich davon behalte',
    takes: '[WAS BLEIBEN SOLL]',
  },
  context: { help: 'zeigen, was mein Prompt hier enthält, Teil für Teil' },
  delete: { help: 'meine letzte Antwort an dich löschen, auch aus meinem Gedächtnis' },
  model: { help: 'das Modell zeigen, das hier antwortet, oder ein anderes wählen', takes: '[NAME|default]' },
  assistant: {
    help: 'den Assistenten zeigen, der hier antwortet, oder einen anderen wählen',
    takes: '[NAME|default]',
  },
  tools: { help: 'die Werkzeuge auflisten, die ich hier benutzen darf', takes: '[SEITE]' },
  voice: { help: 'meine Antworten hier auch als Sprachnachrichten schicken', takes: '[on|off]' },
  mission: { help: 'zeigen, welche Agenten hier arbeiten, oder sie anhalten', takes: '[stop [ID]]' },
  memory: {
    help: 'durchsuchen, speichern oder löschen, was ich mir hier merke',
    takes:
      'search WÖRTER | save TEXT | correct ID TEXT | forget ID | recent [SEITE] | file [NAME] | note TEXT',
  },
  'active-memory': {
    help: 'vor jeder Antwort hier im Gedächtnis nachsehen, oder das beenden',
    takes: '[on|off|status]',
  },
  recap: {
    help: 'zeigen, was entschieden wurde, offen ist und als Nächstes kommt',
    takes: '[PROJEKT | agent:NAME]',
  },
  decisions: { help: 'auflisten, was entschieden wurde', takes: '[PROJEKT | agent:NAME] [SEITE]' },
  lessons: { help: 'auflisten, was gelernt wurde', takes: '[PROJEKT | agent:NAME] [SEITE]' },
  open: { help: 'auflisten, was offen ist', takes: '[PROJEKT | agent:NAME] [SEITE]' },
  done: { help: 'etwas Offenes als erledigt markieren', takes: 'ID [NOTIZ]' },
  park: { help: 'etwas Offenes zurückstellen', takes: 'ID [NOTIZ]' },
  handoff: {
    help: 'die Sitzung beenden: ich schlage vor, was festzuhalten ist, du bestätigst',
    takes: '[NOTIZ]',
  },
  forget: { help: 'alles endgültig löschen, was ich über dich gespeichert habe', takes: 'me' },
  whoami: { help: 'zeigen, als wen ich dich kenne' },
  link: { help: 'ein weiteres Konto von dir verbinden', takes: '[CODE]' },
  pairings: { help: 'zeigen, wer auf Freischaltung wartet' },
  approve: {
    help: 'ein Werkzeug erlauben oder jemanden freischalten',
    takes: '[ID] oder CODE [NAME [same-person]]',
  },
  deny: { help: 'ein Werkzeug ablehnen oder jemanden abweisen', takes: '[ID] oder CODE' },
  answer: { help: 'eine Frage von mir beantworten, oder etwas, das offen ist', takes: '[ID] TEXT' },
  remind: { help: 'dich an etwas erinnern, einmal oder regelmäßig', takes: 'WANN TEXT' },
  schedule: {
    help: 'mir eine Aufgabe für eine Zeit geben, einmal oder regelmäßig; ich antworte hier',
    takes: 'WANN AUFGABE',
  },
  schedules: { help: 'zeigen, was hier eingetragen ist', takes: '[SEITE]' },
  unschedule: { help: 'einen Eintrag entfernen', takes: 'ID' },
  zone: { help: 'deine Zeitzone zeigen oder eine andere setzen', takes: '[STADT]' },
  quiet: { help: 'Stunden setzen, in denen nichts Eingetragenes kommt', takes: '[22:00-07:00|off]' },
  usage: { help: 'Tokens und Kosten dieses Gesprächs zeigen' },
  export: {
    help: 'dieses Gespräch als Datei; privat mit `me` alles, was ich über dich gespeichert habe',
    takes: '[me]',
  },
};
