// Deutsch: Sprachnachrichten und Audio, was darin gesagt wird und was gesprochen wird.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const voice: Phrases['voice'] = {
  isOn: 'Ich schicke hier jede Antwort auch als Sprachnachricht. `off` beendet das.',
  isOff: 'Ich antworte hier schriftlich. Mit `on` kommt zu jeder Antwort eine Sprachnachricht.',
  switchedOn: 'Ab deiner nächsten Nachricht kommt hier zu jeder Antwort eine Sprachnachricht.',
  switchedOff: 'Ich antworte wieder nur schriftlich.',
  noModel: 'Ich habe noch keine Stimme. Bitte jemanden, der mich betreibt, `tools.speech` einzustellen.',
  wrong: 'Sag `on` oder `off`.',
  noTranscription: ({ file }) =>
    `Ich kann ${file} nicht anhören: Es ist kein Modell für Transkription eingestellt. Schreib es, oder bitte jemanden, der mich betreibt, \`channels.voice\` einzustellen.`,
  tooLong: ({ file, time, size }) =>
    `${file} ist zu lang für mich: Ich höre höchstens ${time} und ${size} an. Schick es in Teilen, oder schreib es.`,
  failed: ({ file, error }) => `Ich konnte ${file} nicht anhören: ${error}`,
  silent: ({ file }) => `Ich höre keine Worte in ${file}.`,
};
