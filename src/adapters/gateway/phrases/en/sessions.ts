// English: the conversations of a chat, and what stops an answer.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, day } = formsOf('en');

export const sessions = {
  started: 'This is a new conversation. I still remember the earlier ones.',
  startedAs: ({ title }: { title: string }) =>
    `This is a new conversation called ${title}. I still remember the earlier ones.`,
  none: 'There is no conversation here yet. Write something to start one.',
  day: ({ atMs }: { atMs: number }) => day(atMs),
  current: 'this one',
  fromPlatform: ({ platform }: { platform: string }) => `from ${platform}`,
  deleted: '(deleted)',
  notStarted: 'not started yet',
  how: ({ command }: { command: NameCommand }) =>
    `${command('resume ID')} goes back to one of them, and ${command('rename TITLE')} renames this one.`,
  resumeWhich: ({ command }: { command: NameCommand }) =>
    `Which conversation? ${command('sessions')} lists them; then write ${command('resume ID')}.`,
  gone: ({ command }: { command: NameCommand }) =>
    `That conversation no longer exists. ${command('sessions')} lists those that do.`,
  resumed: ({ title }: { title: string }) => `We are back in ${title}.`,
  renameHow: ({ command }: { command: NameCommand }) =>
    `What should this conversation be called? Write ${command('rename TITLE')}.`,
  renamed: ({ title }: { title: string }) => `This conversation is now called ${title}.`,
  nothingToRetry: 'You have sent no message here that I could answer again.',
  retryDeleted: 'You deleted the message that I answered last, so there is nothing to answer again.',
  retrying: 'I am answering that again.',
  editedAfterAnswer: ({ command }: { command: NameCommand }) =>
    `You changed your message after I had answered it. I can answer it again: ${command('retry')}.`,
  answerAgain: 'Answer again',
  nothingToDelete: 'There is no answer to you here that I could delete.',
  answerDeleted: 'I deleted my answer, and no longer remember it.',
  answerStays: 'I no longer remember that answer, but I am not allowed to remove its message. You may be.',
  stopped: 'Stopped.',
  stoppedInThread: 'Stopped, in the thread.',
  nothingToStop: 'There is nothing to stop.',
  stopWhich: ({ n, command }: { n: number; command: NameCommand }) =>
    `I am answering you in ${count(n, { one: 'thread', other: 'threads' })} here. Write ${command('stop ID')} for one of them:`,
};
