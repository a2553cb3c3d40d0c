// Deutsch: gesprochene Antworten.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const voice: Phrases['voice'] = {
  isOn: 'Ich schicke hier jede Antwort auch als Sprachnachricht. `off` beendet das.',
  isOff: 'Ich antworte hier schriftlich. Mit `on` kommt zu jeder Antwort eine Sprachnachricht.',
  switchedOn: 'Ab deiner nächsten Nachricht kommt hier zu jeder Antwort eine Sprachnachricht.',
  switchedOff: 'Ich antworte wieder nur schriftlich.',
  noModel: 'Ich habe noch keine Stimme. Bitte die Person, die mich betreibt, `tools.speech` einzustellen.',
  wrong: 'Sag `on` oder `off`.',
};
