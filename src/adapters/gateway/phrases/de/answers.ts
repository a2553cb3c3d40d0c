// Deutsch: was zu einer Antwort gehört, oder an ihrer Stelle steht.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { about, and, count, length, minute, number, size } = formsOf('de');

export const answers: Phrases['answers'] = {
  stopped: '(abgebrochen)',
  interrupted: 'Ich wurde unterbrochen, bevor ich antworten konnte. Bitte schick das noch einmal.',
  withReference: ({ sentence, ref }) => `${sentence} (Referenz ${ref})`,
  failed: ({ ref }) => `⚠️ Bei mir ist etwas schiefgegangen. Bitte schick das noch einmal (Referenz ${ref}).`,
  failures: {
    AUTHENTICATION_ERROR:
      'Mein Modellanbieter lehnt meinen Schlüssel ab. Die Person, die mich betreibt, muss ihn prüfen.',
    PROVIDER_BILLING:
      'Mein Konto beim Modellanbieter hat kein Guthaben mehr. Die Person, die mich betreibt, muss sich darum kümmern.',
    RATE_LIMIT_EXCEEDED:
      'Mein Modellanbieter bekommt gerade zu viele Anfragen. Bitte versuch es in einer Minute noch einmal.',
    CONTEXT_LENGTH_EXCEEDED:
      'Dieses Gespräch oder diese Nachricht ist zu lang für mein Modell. Bitte schreib weniger, oder beginn ein neues Gespräch.',
    MODEL_NOT_FOUND:
      'Mein eingestelltes Modell gibt es nicht. Die Person, die mich betreibt, muss ein anderes wählen.',
    PROVIDER_REQUEST_INVALID:
      'Mein Modellanbieter hat die Anfrage nicht angenommen. Bitte versuch es noch einmal, oder frag die Person, die mich betreibt.',
    PROVIDER_SERVER_ERROR: 'Mein Modellanbieter hat gerade ein Problem. Bitte versuch es später noch einmal.',
    PROVIDER_UNREACHABLE:
      'Ich erreiche meinen Modellanbieter gerade nicht. Bitte versuch es später noch einmal.',
    PROVIDER_RESPONSE_INVALID:
      'Mein Modellanbieter hat etwas geschickt, das keine Antwort ist. Bitte versuch es noch einmal.',
    PROVIDER_STREAM_BROKEN: 'Meine Antwort brach ab, bevor sie fertig war. Bitte versuch es noch einmal.',
    EMPTY_ANSWER: 'Mein Modell hat ohne Antwort aufgehört. Bitte versuch es noch einmal.',
    CONTENT_FILTERED: 'Mein Modellanbieter hat die Antwort zurückgehalten. Bitte frag auf andere Weise.',
    OUTPUT_TOO_LONG: 'Meine Antwort wurde zu lang und wurde abgebrochen. Bitte frag weniger auf einmal.',
    NO_TOOL_TO_CALL: 'Für diese Antwort bräuchte ich ein Werkzeug und darf hier keines benutzen.',
    ENGINE_TIMEOUT: 'Meine Antwort dauerte zu lange und wurde abgebrochen. Bitte frag weniger auf einmal.',
    ENGINE_DISPATCH_FAILED: 'Bei mir ist etwas schiefgegangen. Bitte schick das noch einmal.',
    INTERRUPTED: 'Ich wurde angehalten, während ich antwortete. Bitte schick das noch einmal.',
  },
  tooManyRequests: ({ waitMs }) =>
    `Mein Modellanbieter bekommt zu viele Anfragen. Bitte versuch es in etwa ${about(waitMs)} noch einmal.`,
  longerThanWindow: ({ tokens, window }) =>
    `Das ist zu lang für mein Modell: etwa ${number(tokens)} Token, und es liest ${number(window)} auf einmal. Bitte schick es in Teilen.`,
  neverBegan: ({ seconds }) =>
    `Mein Modell hat innerhalb von ${count(seconds, { one: 'Sekunde', other: 'Sekunden' })} nicht zu antworten begonnen. Bitte versuch es in einer Minute noch einmal; bleibt es dabei, muss die Person, die mich betreibt, danach sehen.`,
  wentSilent: ({ seconds }) =>
    `Mein Modell verstummte mitten in dieser Antwort: ${count(seconds, { one: 'Sekunde', other: 'Sekunden' })} lang kam nichts mehr. Bitte schick das noch einmal.`,
  cutOff:
    'Meine Antwort bricht hier ab: Länger darf mein Modell nicht schreiben. Schreib „weiter“, dann mache ich weiter.',
  withheld:
    'Mein Modellanbieter hat den Rest der Antwort zurückgehalten. Frag auf andere Weise, oder schreib „weiter“.',
  picturesUnseen: ({ files }) => `Mein Modell sieht keine Bilder. Ich habe ohne ${and(files)} geantwortet.`,
  picturesTooMany: ({ files }) =>
    `An mein Modell gehen nur die neuesten Bilder auf einmal. Ich habe ohne ${and(files)} geantwortet.`,
  picturesUnreadable: ({ files }) =>
    `Mein Modell kann ${and(files)} nicht lesen. Ich habe ohne das geantwortet.`,
  withoutHistory:
    'Mein Modell hat abgelehnt, was vorher geschrieben wurde. Ich habe nur auf diese Nachricht geantwortet.',
  late: ({ atMs }) => `Deine Nachricht vom ${minute(atMs)} hat mich erst jetzt erreicht.`,
  newConversation: 'Unser früheres Gespräch hier habe ich nicht mehr, deshalb ist das ein neues.',
  agentGone: ({ agent }) => `Den Assistenten ${agent} gibt es nicht mehr, deshalb antwortet ein anderer.`,
  stillWorking: 'Ich arbeite noch daran.',
  comesNext: 'Ich arbeite noch an etwas anderem. Danach kommt deine Nachricht dran.',
  couldNotPost: ({ why }) => `⚠️ Ich konnte meine Antwort an dich nicht senden. ${why}`,
  couldNotPostIn: ({ room, why }) => `⚠️ Ich konnte meine Antwort an dich in ${room} nicht senden. ${why}`,
  ephemeralLost:
    'Ich konnte meine Antwort auf einen Befehl nicht nur der Person zeigen, die ihn geschickt hat, deshalb zeige ich sie hier nicht. Bitte schick den Befehl noch einmal.',
  mayBeRepeat: '(Das kann eine Wiederholung sein.)',
  connectionEnded: ({ platform, why }) =>
    `⚠️ ${platform} hat meine Verbindung beendet, und jemand muss das in Ordnung bringen: ${why}`,
  connectionWaits:
    'Alles, was dort wartet, ist gespeichert, und ich mache weiter, sobald die Verbindung wieder da ist.',
  memoryDamaged: ({ why }) => `⚠️ Ich kann mein Gedächtnis nicht öffnen und mache ohne es weiter: ${why}`,
  memoryDamagedLater:
    'Sobald es repariert ist und ich neu gestartet bin, merke ich mir auch, was du bis dahin schreibst.',
  businessRefused:
    'Du hast mich mit deinem Business-Konto verbunden, aber dessen Chats lese und beantworte ich nicht. Bitte trenn die Verbindung (Einstellungen, Telegram Business, Chatbots), und schreib mir hier.',

  gaveUp: ({ file, platform, why }) =>
    `⚠️ Ich habe es aufgegeben, ${file === undefined ? 'einen Teil einer Antwort' : `die Datei \`${file}\``} auf ${platform} zu senden, weil sie dort immer wieder abgelehnt wurde: ${why}. Die Person weiß es, und alles andere ist gesendet.`,
  changeRefused: ({ why }) =>
    `⚠️ Mein Gedächtnis lehnt eine Änderung immer wieder ab: ${why}. Eine Nachricht wurde bearbeitet oder gelöscht, und bis es gelingt, werden ihre alten Worte vielleicht noch erinnert.`,
  eventPassedBy: ({ platform, why }) =>
    `⚠️ Etwas, das auf ${platform} geschehen ist, ließ sich immer wieder nicht aufnehmen: ${why}. Ich habe es übergangen und mache mit dem weiter, was danach kam; im Log steht, was es war.`,
  partUnsent: ({ why }) => `⚠️ Einen Teil meiner Antwort konnte ich hier nicht senden: ${why}.`,
  unsent: ({ name, why }) => `⚠️ Ich habe \`${name}\` gemacht, konnte es aber nicht senden: ${why}.`,
  moreUnsent: ({ n }) =>
    `⚠️ Ich habe ${count(n, { one: 'Datei', other: 'Dateien' })} mehr gemacht, als ich mit einer Antwort senden kann.`,
  cannotSendHere: 'hier lassen sich keine Dateien senden',
  notBroughtInTime: 'es ist nicht rechtzeitig hier angekommen',
  stoppedBefore: 'du hast mich abgebrochen, bevor es hier war',
  missing: 'es ist nicht mehr da',
  empty: 'es ist leer',
  tooLargeToSend: ({ bytes, limitBytes }) =>
    `es hat ${size(bytes)}, und hier lassen sich höchstens ${size(limitBytes)} senden`,
  notTaken: ({ name, why }) => `Ich konnte \`${name}\` nicht annehmen: ${why}.`,
  cannotFetch: 'von dort lassen sich keine Dateien abrufen',
  tooLargeToTake: ({ bytes, limitBytes }) =>
    `es hat ${size(bytes)}, und ich nehme höchstens ${size(limitBytes)}`,
  tooLargeUnmeasured: ({ limitBytes }) => `es ist größer als die ${size(limitBytes)}, die ich annehme`,
  webPage: 'statt der Datei kam eine Webseite, wahrscheinlich eine Anmeldung',
  noSpace: 'bei mir ist kein Platz mehr',
  notWritable: 'es lässt sich bei mir nicht speichern',
  notReadable: ({ name, mime, bytes }) =>
    `In \`${name}\` (${mime}, ${size(bytes)}) kann ich nicht hineinsehen; ich weiß nur, dass es gekommen ist.`,
  noSpeech: ({ name }) => `In \`${name}\` höre ich keine Wörter.`,
  noTranscription: ({ name }) =>
    `\`${name}\` kann ich nicht anhören, weil kein Modell dafür eingerichtet ist. Schreib es, oder bitte die Person, die mich betreibt, \`channels.voice\` einzustellen.`,
  tooLongToHear: ({ name, seconds, bytes }) =>
    `\`${name}\` ist zu lang für mich: Ich höre höchstens ${length(seconds)} und ${size(bytes)} an. Schick es in Teilen, oder schreib es.`,
  notHeard: ({ name, why }) => `\`${name}\` konnte ich nicht anhören: ${why}`,
  cut: ({ name, bytes }) => `Ich habe nur den Anfang von \`${name}\` gelesen; ${size(bytes)} fehlen.`,
  cutText: ({ name }) => `Ich habe nur den Anfang von \`${name}\` gelesen; der Rest ist zu lang.`,
  cutParts: ({ name, read, of }) =>
    `Ich habe nur den Anfang von \`${name}\` gelesen, ${number(read)} von ${number(of)} Seiten oder Teilen; der Rest ist zu lang.`,
  unread: ({ name, why }) => `\`${name}\` konnte ich nicht lesen: ${why}.`,
  unreadBecause: {
    password: 'es ist mit einem Passwort geschützt. Schick es ohne eines',
    damaged: 'es ist beschädigt oder nicht vollständig angekommen',
    'no text': 'es steht kein Text darin',
    'only pictures':
      'es steht kein Text darin, nur Bilder wie in einem Scan. Schick die Seiten als Bilder, oder eine Fassung mit erkanntem Text',
    'unpacks too large': 'entpackt ist es viel größer als alles, was ich lese',
    'too much work': 'das braucht mehr Zeit oder Speicher, als ich verwenden darf',
    'old format': 'das ist ein Format alter Office-Programme. Speichere es als DOCX, XLSX, PPTX oder PDF',
    encoding: 'ich kann nicht erkennen, wie seine Zeichen kodiert sind. Speichere es als UTF-8',
  },
  unusualPicture: ({ name, format }) =>
    `Bilder im Format ${format} wie \`${name}\` kann mein Modell nicht sehen. Schick es als JPEG oder PNG.`,
};
