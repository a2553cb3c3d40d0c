// English: answers that are spoken.

export const voice = {
  isOn: 'I send each answer here as a voice message too. `off` ends that.',
  isOff: 'I answer in writing here. `on` adds a voice message to each answer.',
  switchedOn: 'From your next message on, each answer here comes with a voice message.',
  switchedOff: 'I answer in writing again.',
  noModel: 'I have no voice yet. Ask the person who runs me to set `tools.speech`.',
  wrong: 'Say `on` or `off`.',
};
