// English: what is being done before there is an answer, while the model's tools run.

export const toolProgress = {
  line: ({ work }: { work: string }) => `⏳ ${work} …`,
  lineAbout: ({ work, detail }: { work: string; detail: string }) => `⏳ ${work}: ${detail} …`,
  searchingMemory: 'Searching memory',
  searchingWeb: 'Searching the web',
  readingMemory: 'Reading memory',
  writingMemory: 'Updating memory',
  reading: ({ name }: { name: string }) => `Reading ${name}`,
  writing: ({ name }: { name: string }) => `Writing ${name}`,
  speaking: 'Recording a voice message',
  drawing: 'Drawing a picture',
  scheduling: 'Looking at the schedule',
  running: ({ tool, subject }: { tool: string; subject: string }) =>
    `Running ${tool}${subject === '' ? '' : ` ${subject}`}`,
  more: ({ n }: { n: number }) => `⏳ and ${n} more …`,
};
