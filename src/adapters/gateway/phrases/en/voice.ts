// English: voice messages and audio, what is heard in them and what is spoken.

export const voice = {
  isOn: 'I send each answer here as a voice message too. `off` ends that.',
  isOff: 'I answer in writing here. `on` adds a voice message to each answer.',
  switchedOn: 'From your next message on, each answer here comes with a voice message.',
  switchedOff: 'I answer in writing again.',
  noModel: 'I have no voice yet. Ask anyone who runs me to set `tools.speech`.',
  wrong: 'Say `on` or `off`.',
  noTranscription: ({ file }: { file: string }) =>
    `I cannot listen to ${file}: no transcription model is set up. Write it, or ask anyone who runs me to set \`channels.voice\`.`,
  tooLong: ({ file, time, size }: { file: string; time: string; size: string }) =>
    `${file} is too long for me: I listen to at most ${time} and ${size}. Send it in parts, or write it.`,
  failed: ({ file, error }: { file: string; error: string }) => `I could not listen to ${file}: ${error}`,
  silent: ({ file }: { file: string }) => `I hear no words in ${file}.`,
};
