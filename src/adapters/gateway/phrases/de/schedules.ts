// Deutsch: Erinnerungen, Aufgaben zu einer Zeit, Zeitzonen und Ruhezeiten.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';
import { scheduleWords } from '#engine/wire/schedules/schedule-words.ts';

const words = scheduleWords('de');
const { count } = formsOf('de');

export const schedules: Phrases['schedules'] = {
  moment: ({ at, zone }) => words.moment(at, zone),
  rule: ({ rule, zone }) => words.rule(rule, zone),
  on: ({ moment: at }) => `am ${at}`,
  reminder: ({ text, name }) => (name === undefined ? `⏰ ${text}` : `⏰ Für ${name}: ${text}`),
  late: ({ at }) => `_(Das kommt zu spät: fällig war es am ${at}.)_`,
  afterQuiet: ({ at }) => `_(Fällig war es in deiner Ruhezeit, am ${at}.)_`,
  hook: ({ name, text }) => `📨 ${name}: ${text}`,
  proposedText: ({ text, when, first }) =>
    `Ich erinnere dich ${when}: „${text}“${first === undefined ? '.' : `\nZum ersten Mal am ${first}.`}`,
  proposedPrompt: ({ text, when, first }) =>
    `Ich bearbeite das ${when} und antworte hier: „${text}“${first === undefined ? '' : `\nZum ersten Mal am ${first}.`}`,
  isQuiet: ({ at }) => `Das liegt in deiner Ruhezeit, also kommt es an ihrem Ende: ${at}.`,
  zoneAssumed: ({ zone, example }) =>
    `Ich kenne deine Zeitzone nicht und habe ${zone} genommen. ${example} (oder eine andere große Stadt) legt deine fest.`,
  toConfirm: ({ yes, no }) => `Stimmt das? ${yes} bestätigt es, ${no} verwirft es.`,
  yes: 'Ja, so machen',
  no: 'Nein, verwerfen',
  set: ({ id, when, remove }) => `Ist eingetragen (\`${id}\`): ${when}. ${remove} entfernt es.`,
  dropped: 'Ich habe es verworfen.',
  nothingToConfirm: 'Hier wartet nichts auf dein Ja oder Nein.',
  whenAndWhat: ({ command, of }) =>
    `Wann, und was? Zum Beispiel ${command(`${of} morgen um 9 die Bank anrufen`)} oder ${command(`${of} jeden Montag um 9 die Woche planen`)}.`,
  none: ({ remind }) => `Hier ist nichts eingetragen. ${remind} trägt eine Erinnerung ein.`,
  line: ({ id, when, text, next, state, isPrompt }) =>
    `- \`${id}\` ${when}${next === undefined ? '' : `, als Nächstes ${next}`}: ${isPrompt ? 'eine Aufgabe: ' : ''}„${text}“${state === undefined ? '' : ` (${state})`}`,
  howToRemove: ({ unschedule }) => `${unschedule} entfernt einen Eintrag.`,
  notConfirmed: 'noch nicht bestätigt',
  stopped: ({ reason }) => `angehalten: ${reason}`,
  inAnotherChat: ({ platform, room }) =>
    room === undefined ? `in einem anderen Chat auf ${platform}` : `in ${room}`,
  which: ({ schedules: list }) => `Welcher Eintrag? ${list} zeigt alle mit ihren Kennungen.`,
  removed: ({ text }) => `„${text}“ ist entfernt.`,
  zone: ({ zone, now }) => `Deine Zeitzone ist ${zone}. Dort ist jetzt ${now}.`,
  noZone: ({ example }) =>
    `Ich kenne deine Zeitzone nicht. Schreib sie so: ${example}, oder mit einer anderen großen Stadt darin.`,
  zoneNeeded: ({ example }) =>
    `Ich kenne deine Zeitzone noch nicht, und von ihr hängt ab, wann das ist. Schreib ${example} (oder eine andere große Stadt darin) und schick das dann noch einmal.`,
  quiet: ({ from, until, zone, off }) =>
    `Deine Ruhezeit ist von ${from} bis ${until} Uhr (${zone}): Was dann fällig wäre, kommt an ihrem Ende. ${off} schaltet sie ab.`,
  noQuiet: ({ example }) =>
    `Du hast keine Ruhezeit. ${example} legt eine fest: Was dann fällig wäre, kommt an ihrem Ende.`,
  quietForm: ({ example }) => `Schreib sie als zwei Uhrzeiten, zum Beispiel ${example}.`,
  unreadable:
    'Ich habe darin keine Zeit erkannt. Schreib sie an den Anfang, zum Beispiel `morgen um 9`, `in 20 Minuten` oder `jeden Montag um 9`.',
  noPattern: ({ pattern }) =>
    `${pattern} ist kein Cron-Muster. Schreib fünf Felder (Minute, Stunde, Tag, Monat, Wochentag), zum Beispiel \`cron 0 9 * * 1-5\`.`,
  neverComes: ({ when }) => `Einen solchen Tag gibt es nicht: ${when}. Wähl eine andere Zeit.`,
  tooFar: ({ at }) => `${at} liegt mehr als zehn Jahre in der Zukunft. Wähl eine frühere Zeit.`,
  moreText: ({ rest }) => `${rest} verstehe ich nicht als Teil der Zeit. Schreib nur die Zeit.`,
  isPast: ({ at }) => `${at} ist schon vorbei. Schreib eine Zeit, die noch kommt.`,
  tooOften: ({ when, minutes }) =>
    `Das ist zu oft (${when}). Zwischen zwei Zeiten ${minutes === 1 ? 'muss mindestens eine Minute' : `müssen mindestens ${minutes} Minuten`} liegen.`,
  tooMany: ({ limit, command }) =>
    `Du hast ${count(limit, { one: 'Eintrag', other: 'Einträge' })}, mehr darf niemand haben. ${command('schedules')} zeigt sie, ${command('unschedule ID')} entfernt einen.`,
  unknownZone: ({ typed, nearest }) =>
    `Ich kenne keine Zeitzone ${typed}${nearest === undefined ? '' : ` (am ähnlichsten ist ${nearest})`}. Schreib einen Namen wie Europe/Berlin oder eine große Stadt darin.`,
  textNeeded: 'Worum geht es? Schreib es hinter die Zeit.',
  notFound: ({ command }) => `Das ist nicht mehr eingetragen. ${command('schedules')} zeigt, was es gibt.`,
  quietIsEmpty: 'Eine Ruhezeit muss zu verschiedenen Zeiten anfangen und enden.',
  stoppedNotice: ({ text, when, reason }) =>
    `⚠️ Ich habe „${text}“ (${when}) angehalten, weil ich es dort nicht senden konnte. ${reason}`,
  stoppedHook: ({ name, reason }) =>
    `⚠️ Der Webhook ${name} ist angehalten, weil ich nicht senden konnte, was er brachte. ${reason}`,
};
