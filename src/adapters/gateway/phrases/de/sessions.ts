// Deutsch: die Gespräche eines Chats, und was eine Antwort abbricht.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { count, day } = formsOf('de');

export const sessions: Phrases['sessions'] = {
  started: 'Das ist ein neues Gespräch. An die früheren erinnere ich mich weiter.',
  startedAs: ({ title }) =>
    `Das ist ein neues Gespräch namens ${title}. An die früheren erinnere ich mich weiter.`,
  none: 'Hier gibt es noch kein Gespräch. Schreib etwas, um eins zu beginnen.',
  day: ({ atMs }) => day(atMs),
  current: 'dieses hier',
  fromPlatform: ({ platform }) => `von ${platform}`,
  deleted: '(gelöscht)',
  notStarted: 'noch nicht begonnen',
  how: ({ command }) =>
    `${command('resume ID')} kehrt zu einem zurück, und ${command('rename TITEL')} benennt dieses um.`,
  resumeWhich: ({ command }) =>
    `Welches Gespräch? ${command('sessions')} listet sie auf; dann schreib ${command('resume ID')}.`,
  gone: ({ command }) => `Dieses Gespräch gibt es nicht mehr. ${command('sessions')} listet die anderen auf.`,
  resumed: ({ title }) => `Wir sind wieder in ${title}.`,
  renameHow: ({ command }) => `Wie soll dieses Gespräch heißen? Schreib ${command('rename TITEL')}.`,
  renamed: ({ title }) => `Dieses Gespräch heißt jetzt ${title}.`,
  nothingToRetry: 'Hier gibt es keine Nachricht von dir, die ich noch einmal beantworten könnte.',
  retryDeleted:
    'Du hast die Nachricht gelöscht, auf die ich zuletzt geantwortet habe. Deshalb gibt es nichts noch einmal zu beantworten.',
  retrying: 'Ich beantworte das noch einmal.',
  editedAfterAnswer: ({ command }) =>
    `Du hast deine Nachricht geändert, nachdem ich geantwortet hatte. Ich kann sie noch einmal beantworten: ${command('retry')}.`,
  answerAgain: 'Noch einmal antworten',
  nothingToDelete: 'Hier gibt es keine Antwort an dich, die ich löschen könnte.',
  answerDeleted: 'Ich habe meine Antwort gelöscht und erinnere mich nicht mehr an sie.',
  answerStays:
    'Ich erinnere mich nicht mehr an diese Antwort, darf ihre Nachricht aber nicht entfernen. Vielleicht darfst du es.',
  stopped: 'Abgebrochen.',
  stoppedInThread: 'Abgebrochen, im Thread.',
  nothingToStop: 'Es gibt nichts abzubrechen.',
  stopWhich: ({ n, command }) =>
    `Ich antworte dir hier in ${count(n, { one: 'Thread', other: 'Threads' })}. Schreib ${command('stop ID')} für einen davon:`,
};
