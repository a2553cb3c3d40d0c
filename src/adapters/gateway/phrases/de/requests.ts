// Deutsch: was eine Antwort von Leuten wissen will, und was aus ihren Antworten wird.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { count, duration, or } = formsOf('de');

/** Nach „innerhalb von“ steht der Dativ: `2 Minuten`, `3 Stunden` sind darin gleich. */
const within = (ms: number): string => `innerhalb von ${duration(ms)}`;

export const requests: Phrases['requests'] = {
  choices: { once: 'ja, dieses Mal', reject: 'nein', always: 'ja, immer, in jedem Chat dieses Assistenten' },
  outcomes: {
    once: 'dieses Mal erlaubt',
    reject: 'nicht erlaubt',
    always: 'immer erlaubt',
    answered: 'beantwortet',
    inAnotherChat: 'in einem anderen Chat beantwortet',
    expired: 'abgelaufen, weil niemand rechtzeitig geantwortet hat',
    dropped: 'nicht mehr nötig',
  },
  outcomeBy: ({ outcome, name }) => `${outcome} (${name})`,

  forAgent: ({ agent }) => `Ein Agent, der daran arbeitet, fragt: **${agent}**.`,
  mayIUse: ({ tool }) => `Darf ich das Werkzeug \`${tool}\` damit benutzen?`,
  mayIUseAbove: ({ tool }) => `Darf ich das Werkzeug \`${tool}\` mit dem benutzen, was oben steht?`,
  wouldUse: ({ tool }) => `Das würde ich dem Werkzeug \`${tool}\` geben:`,
  leftOut: ({ n }) =>
    `${count(n, { one: 'weiteres Zeichen ist', other: 'weitere Zeichen sind' })} ausgelassen.`,
  consequence: 'Ich benutze es genau so oder gar nicht. Wenn du Nein sagst, mache ich ohne es weiter.',
  allowHow: ({ approve, deny, ms }) =>
    `Antworte nur mit der Nummer, oder mit ${approve} oder ${deny}, ${within(ms)}.`,
  allowHowInRoom: ({ approve, deny, ms }) =>
    `Antworte mir nur mit der Nummer, oder mit ${approve} oder ${deny}, ${within(ms)}.`,
  question: ({ question }) => `**Frage:** ${question}`,
  questionOf: ({ n, of, question }) => `**Frage (${n} von ${of}):** ${question}`,
  mayHaveRun: ({ tool }) =>
    `Das Programm wurde beendet, während ich das Werkzeug \`${tool}\` hiermit benutzt habe; vielleicht ist es schon geschehen. Was jetzt?`,
  interruptedCall: { again: 'Noch einmal versuchen', skip: 'Auslassen', stop: 'Aufhören' },
  answerByNumber: ({ ms }) => `Antworte mit einer Nummer oder in eigenen Worten, ${within(ms)}.`,
  chooseByNumber: ({ ms }) => `Antworte mit der Nummer deiner Wahl, ${within(ms)}.`,
  onlyChoices:
    'Vielleicht ist es schon geschehen, deshalb ist nur eins hiervon eine Antwort. Noch ist nichts entschieden.',
  answerNext: ({ ms }) => `Deine nächste Nachricht ist die Antwort, ${within(ms)}.`,
  answerInRoom: ({ ms }) =>
    `Antworte auf diese Nachricht, oder erwähn mich mit deiner Antwort, ${within(ms)}.`,

  notThePerson: ({ who, names }) => `${who} (nicht ${or(names)})`,
  someone: 'jemand',
  forPrivate: ({ who, platform }) =>
    `${who} (${platform}, privat) möchte etwas von mir, wofür ich deine Erlaubnis brauche.`,
  forRoom: ({ who, platform }) =>
    `${who} (${platform}, in einem Raum) möchte etwas von mir, wofür ich deine Erlaubnis brauche.`,
  roomQuestion: ({ who }) => `Eine Frage an ${who}:`,
  roomApproval: ({ who, approvers }) =>
    `Für das, was ${who} möchte, brauche ich eine Erlaubnis. Geben kann sie ${approvers}.`,
  anOwner: 'ein Besitzer',
  anyOf: ({ names }) => or(names),
  approvalPending: ({ tool, who }) =>
    `Dafür brauche ich die Erlaubnis, \`${tool}\` zu benutzen. Gefragt habe ich: ${who}.`,
  approvalSettled: ({ tool, who, outcome }) =>
    `Dafür brauchte ich die Erlaubnis, \`${tool}\` zu benutzen. Gefragt habe ich: ${who} (${outcome}).`,

  yesOrNo: ({ approve, deny }) =>
    `Ich brauche eine Nummer: Schreib \`1\` für Ja oder \`2\` für Nein, oder ${approve} oder ${deny}. Deine Nachricht wartet so lange.`,
  notAnApprover: 'Das kannst du nicht erlauben. Das können nur Besitzer, oder wen sie dafür bestimmt haben.',
  notYourQuestion: 'Diese Frage ist an jemand anderen gerichtet.',
  over: ({ outcome }) => `Das ist vorbei: ${outcome}.`,
  tooLate: 'Das kam zu spät: Es ist abgelaufen oder wurde schon beantwortet.',
  unknownRequest: 'Ich weiß nicht mehr, worum es hier ging.',
  noSuchChoice: 'Diese Auswahl gibt es nicht mehr.',
  allowed: 'Dieses Mal erlaubt.',
  notAllowed: 'Nicht erlaubt.',
  thanks: 'Danke.',
  noApprovalOpen: 'Es gibt gerade nichts zu erlauben.',
  noQuestionOpen: 'Es gibt gerade keine Frage von mir.',
  severalOpen: ({ ids }) =>
    `Es sind mehrere offen: ${ids.join(', ')}. Schreib die gemeinte ID hinter den Befehl.`,
  answerHow: ({ command }) => `Wie lautet deine Antwort? Schreib ${command('answer TEXT')}.`,
};
