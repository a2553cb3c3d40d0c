// Deutsch: was `/compact` und `/context` sagen.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { count, number } = formsOf('de');
const messages = { one: 'Nachricht', other: 'Nachrichten' };
const tokens = { one: 'Token', other: 'Tokens' };

export const compaction: Phrases['compaction'] = {
  done: ({ n }) =>
    `Ich habe die ${n === 1 ? 'erste Nachricht' : `ersten ${count(n, messages)}`} dieses Gesprächs zusammengefasst; der letzte Wortwechsel bleibt, wie er ist. Das behalte ich davon:`,
  unseen: ({ n }) =>
    `Die ${n === 1 ? 'älteste Nachricht passte' : `ältesten ${count(n, messages)} passten`} nicht mehr hinein und fehlen in der Zusammenfassung. Was mein Gedächtnis davon hat, bleibt.`,
  tooShort: 'Es gibt noch nichts zusammenzufassen: Dieses Gespräch hat höchstens einen Wortwechsel.',
  failed: ({ command }) =>
    `Das Modell hat keine Zusammenfassung geliefert, das Gespräch ist also wie vorher. Versuch es später noch einmal mit ${command('compact')}.`,
  keepTooLong: ({ limit }) => `Sag in höchstens ${number(limit)} Zeichen, was ich behalten soll.`,
  held: ({ n, model }) =>
    `Der Prompt meiner letzten Antwort hatte ungefähr ${count(n, tokens)}. Wie viel ${model} fasst, weiß ich nicht.`,
  heldOf: ({ n, model, window, percent }) =>
    `Der Prompt meiner letzten Antwort hatte ungefähr ${count(n, tokens)}, das sind ${number(percent)} % der ${number(window)} von ${model}:`,
  section: ({ name, n }) => `${name}: ${number(n)}`,
  sections: {
    Instructions: 'Anweisungen',
    Tools: 'Werkzeuge',
    'Memory files': 'Gedächtnisdateien',
    'Recalled memory': 'Erinnerungen',
    'Active memory': 'aktives Gedächtnis',
    'Summary of older messages': 'Zusammenfassung älterer Nachrichten',
    Conversation: 'Gespräch',
    'What others wrote before': 'was andere vorher schrieben',
    Message: 'deine Nachricht',
  },
  counted: ({ calls, n }) =>
    `Das Modell hat ${count(n, tokens)} in ${count(calls, { one: 'Aufruf', other: 'Aufrufen' })} gezählt.`,
  summarized: ({ n }) =>
    n === 1
      ? 'Die erste Nachricht dieses Gesprächs ist zusammengefasst.'
      : `Die ersten ${count(n, messages)} dieses Gesprächs sind zusammengefasst.`,
  estimated: ({ command }) =>
    `Die Teile sind nach ihrer Länge geschätzt. ${command('compact')} fasst das Gespräch zusammen.`,
  noPrompt: 'In diesem Gespräch habe ich noch nichts beantwortet.',
};
