// Deutsch: was `/help`, `/status`, `/whoami`, `/model`, `/assistant`, `/tools` und `/usage` sagen.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { count, dollars, number, and } = formsOf('de');

export const about: Phrases['about'] = {
  intro: ({ agent }) =>
    `Ich bin ${agent}. Schreib mir hier; in Kanälen und Gruppen erwähn mich, oder antworte auf eine Nachricht von mir.`,
  remembers: 'Ich merke mir, was du mir erzählst, und nutze es später überall, wo du es lesen darfst.',

  ready: 'alles funktioniert',
  partlyReady: 'nicht alles funktioniert',
  engineNotReady: 'meine Engine ist nicht bereit',
  model: ({ name }) => `Modell: ${name}`,
  agent: ({ name }) => `Assistent: ${name}`,
  conversation: ({ title }) => `Gespräch: ${title}`,
  noConversation: 'noch keines',
  waiting: ({ n }) => `${count(n, { one: 'Nachricht wartet', other: 'Nachrichten warten' })} hier`,
  room: ({ title }) => `dieser Chat: ${title}`,
  address: ({ address }) => `Adresse dieses Chats: ${address}`,
  channel: ({ name, state, inbox, outbox }) =>
    `${name}: ${state} (${inbox} zu beantworten, ${outbox} zu senden)`,
  states: {
    connecting: 'verbindet sich',
    ready: 'verbunden',
    reconnecting: 'verbindet sich neu',
    standby: 'wartet, eine andere Instanz antwortet',
    stopped: 'angehalten',
    failed: 'ausgefallen',
  },
  couldNotPost: ({ why }) => `nicht gesendet ${why}`,

  you: ({ name, role }) => `Ich kenne dich als ${name}, ${role}.`,
  yourRole: ({ role, command }) =>
    `Du bist ${role}. Schick mir ${command('whoami')} privat, um mehr zu sehen.`,
  noOtherAccount: ({ command }) => `Ich kenne kein anderes Konto von dir; ${command('link')} verbindet eins.`,
  accounts: ({ accounts }) => `Deine Konten sind ${and(accounts)}.`,
  answersIn: {
    anyone: 'In Kanälen und Gruppen antworte ich allen.',
    known: 'In Kanälen und Gruppen antworte ich Leuten, die ich kenne.',
    owners: 'In Kanälen und Gruppen antworte ich meinen Besitzern.',
  },

  currentModel: ({ model }) => `Hier antwortet ${model}.`,
  modelReset: ({ model }) => `Hier antwortet wieder ${model}.`,
  modelSet: ({ model }) => `Ab deiner nächsten Nachricht antwortet ${model}.`,
  modelUnchecked: 'Ich konnte nicht prüfen, ob es dieses Modell gibt.',
  unknownModel: ({ provider, model, command }) =>
    `${provider} hat kein Modell ${model}. ${command('model')} zeigt, welche es gibt.`,
  modelForOwners: ({ role }) =>
    `Nur Besitzer können das Modell wechseln, weil sich die Kosten ändern. Du bist ${role}.`,
  currentAgent: ({ agent }) => `Hier antwortet ${agent}. Zur Auswahl stehen:`,
  onlyAgent: ({ agent }) => `Hier antwortet ${agent}.`,
  agentReset: ({ agent }) => `Hier antwortet wieder ${agent}.`,
  agentSet: ({ agent }) => `Ab deiner nächsten Nachricht antwortet ${agent}.`,
  unknownAgent: ({ agent, command }) =>
    `Es gibt keinen Assistenten ${agent}. ${command('assistant')} zeigt, welche es gibt.`,
  agentForOwners: ({ role }) =>
    `Nur Besitzer können in einem Raum einen anderen Assistenten wählen, und du bist ${role}.`,
  agentNotForYou: ({ agent, role }) => `${agent} kannst du nicht wählen, denn du bist ${role}.`,
  agentForNobody: ({ agent }) =>
    `${agent} lässt sich hier nicht wählen: wo er antwortet, legt fest, wer mich betreibt.`,
  noTools: 'Ich darf hier keine Werkzeuge benutzen.',
  asksFirst: '(fragt vorher)',

  usageHere: ({ sum }) => `dieses Gespräch: ${sum}`,
  usageOfDay: ({ day, sum }) => `${day}, alle Chats: ${sum}`,
  usageOfAgent: ({ agent, sum }) => `heute, ${agent}: ${sum}`,
  usageNone: 'noch nichts',
  usage: ({ runs, input, output, cost }) =>
    `${count(runs, { one: 'Antwort', other: 'Antworten' })}, ${number(input)} Tokens gelesen, ${number(output)} geschrieben, ${cost}`,
  cost: ({ amount }) => dollars(amount),
  costUnknown: 'kein Preis hinterlegt',
  costPartly: ({ cost, n }) => `${cost} (${count(n, { one: 'Antwort', other: 'Antworten' })} ohne Preis)`,
};
