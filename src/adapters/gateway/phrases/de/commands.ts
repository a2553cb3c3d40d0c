// Deutsch: wie Befehle genannt werden, und was zu jedem Befehl gesagt wird.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

export const commands: Phrases['commands'] = {
  afterMention: ({ code }) => `${code} (nachdem du mich erwähnst)`,
  orOnSlack: ({ code, onSlack }) => `${code} (auf Slack ${onSlack})`,
};
