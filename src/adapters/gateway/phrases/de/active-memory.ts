// Deutsch: der Blick ins Gedächtnis vor einer Antwort.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { minute, number } = formsOf('de');
const seconds = (ms: number): string => `${number(Math.round(ms / 100) / 10)} s`;

export const activeMemory: Phrases['activeMemory'] = {
  isOn: ({ command }) =>
    `Vor jeder Antwort sehe ich hier nach, ob ich mich an etwas Wichtiges erinnere. ${command('active-memory off')} beendet das.`,
  isOff: ({ command }) =>
    `Hier erinnere ich mich nur an das, wonach eine Nachricht fragt. Mit ${command('active-memory on')} sehe ich vor jeder Antwort nach, ob es mehr gibt.`,
  switchedOn: 'Ab deiner nächsten Nachricht sehe ich hier vor jeder Antwort in meinem Gedächtnis nach.',
  switchedOff:
    'Ich sehe hier nicht mehr von mir aus in meinem Gedächtnis nach. Woran eine Nachricht rührt, weiß ich weiterhin.',
  wrong: ({ command }) =>
    `Sag ${command('active-memory on')}, ${command('active-memory off')} oder ${command('active-memory status')}.`,
  refusals: {
    off: 'Ich sehe nicht von mir aus in meinem Gedächtnis nach: die Person, die mich betreibt, hat `memory.active` ausgeschaltet.',
    chat_kind:
      'In Chats dieser Art sehe ich nicht von mir aus in meinem Gedächtnis nach. Die Person, die mich betreibt, kann es mit `memory.active.chats` erlauben.',
    chat: 'In diesem Chat sehe ich nicht von mir aus in meinem Gedächtnis nach. Die Person, die mich betreibt, kann es mit `memory.active.allow` und `memory.active.deny` erlauben.',
    agent:
      'Der Assistent, der hier antwortet, sieht nicht von sich aus im Gedächtnis nach. Die Person, die mich betreibt, kann es mit `memory.active.agents` erlauben.',
    no_memory: 'Der Assistent, der hier antwortet, hat kein Gedächtnis.',
  },
  last: ({ atMs, outcome }) => `Zuletzt nachgesehen, ${minute(atMs)}: ${outcome}`,
  given: ({ n, ms }) => `${n === 1 ? 'eine Erinnerung' : `${n} Erinnerungen`} in ${seconds(ms)}.`,
  nothing: ({ ms }) => `nichts Wichtiges, in ${seconds(ms)}.`,
  late: ({ ms }) => `es dauerte länger als ${seconds(ms)}, und ich habe ohne geantwortet.`,
  failed: 'es ging schief, und ich habe ohne geantwortet.',
  leftOut: 'ausgelassen, weil es davor mehrmals zu lange dauerte oder schiefging.',
  pausedUntil: ({ untilMs }) =>
    `Ab ${minute(untilMs)} sehe ich wieder nach: es dauerte mehrmals hintereinander zu lange oder ging schief.`,
};
