// English: `/memory`, `/forget me` and `/export`.
import { formsOf, type NameCommand, programCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, and, or, day } = formsOf('en');

/** The bounds of a budget, as people read them. */
const boundNames: Readonly<Record<string, string>> = {
  characters: 'characters',
  exchanges: 'whole exchanges',
  vectors: 'vectors',
  'items.note': 'notes',
  'items.fact': 'facts',
  'items.preference': 'preferences',
  'items.procedure': 'procedures',
  'items.solution_capsule': 'solutions',
  'items.episode': 'summaries',
  'items.turn': 'imported messages',
  'items.document': 'passages of documents',
  'items.lesson': 'lessons',
  'items.decision': 'decisions',
};

export const memory = {
  how: ({ command }: { command: NameCommand }) =>
    `Write ${or(
      [
        ...[
          'search WORDS',
          'save TEXT',
          'correct ID TEXT',
          'forget ID',
          'recent',
          'pinned',
          'pin ID',
          'key KEY',
          'tag TAG',
        ],
        ...['worked ID', 'failed ID', 'budget', 'file', 'note TEXT'],
      ].map((words) => command(`memory ${words}`)),
    )}.`,
  day: ({ atMs }: { atMs: number }) => day(atMs),
  searchHow: ({ command }: { command: NameCommand }) =>
    `What should I search for? Write ${command('memory search WORDS')}.`,
  nothingFound: 'I remember nothing about that here.',
  saveHow: ({ command }: { command: NameCommand }) =>
    `What should I remember? Write ${command('memory save TEXT')}.`,
  saved: ({ id }: { id: string }) => `I will remember that (${id}).`,
  savedMasked: ({ id }: { id: string }) => `I will remember that, without the secret in it (${id}).`,
  known: 'I already remember that.',
  deletedBefore: 'Exactly this was deleted here before, so I do not save it again.',
  nothingToSave: 'There is nothing in that to remember.',
  correctHow: ({ command }: { command: NameCommand }) =>
    `Which memory, and what holds now? ${command('memory recent')} lists them; then write ${command('memory correct ID TEXT')}.`,
  corrected: ({ version, id }: { version: number; id: string }) =>
    `Corrected: version ${version} holds now (${id}).`,
  ownersCorrect: 'What I remember in this chat belongs to everyone here, so only owners can correct it.',
  notCorrectable:
    'That was said in a conversation, and changes with the message it is from. Only what was saved can be corrected here.',
  forgetHow: ({ command }: { command: NameCommand }) =>
    `Which memory? ${command('memory recent')} lists them; then write ${command('memory forget ID')}. All of a kind go with ${or(
      [
        ...['kind KIND', 'key KEY', 'tag TAG', 'agent NAME', 'project NAME', 'source FILE'],
        ...['chat here', 'since DATE'],
      ].map((words) => command(`memory forget ${words}`)),
    )}.`,
  noDate: ({ typed }: { typed: string }) => `I do not read ${typed} as a date. Write it as 2026-11-21.`,
  kinds: ({ kinds }: { kinds: readonly string[] }) => `There is no such kind. There are ${and(kinds)}.`,
  nothingSuch: 'Nothing like that is saved in this chat.',
  forgetPreview: ({ n, pinned }: { n: number; pinned: number }) =>
    `This permanently deletes ${count(n, { one: 'memory', other: 'memories' })}, with earlier versions and everything made of them${
      pinned === 0 ? '' : `; ${pinned} of them ${pinned === 1 ? 'is' : 'are'} pinned`
    }:`,
  forgetConfirm: ({ command, words }: { command: NameCommand; words: string }) =>
    `You cannot undo it. To delete them, write ${command(words)}.`,
  recordsForgotten: ({ n }: { n: number }) =>
    `I permanently deleted ${count(n, { one: 'memory', other: 'memories' })}.`,
  get tracesLeft() {
    return `Traces are left in files that are in use. The person who runs me can look for them with ${programCommand('memory verify')}.`;
  },
  ownersForget: 'What I remember in this chat belongs to everyone here, so only owners can delete it.',
  deleted: ({ text }: { text: string }) => `Permanently deleted: ${text}`,
  lookupHow: ({ command }: { command: NameCommand }) =>
    `Which ones? Write ${or([command('memory key KEY'), command('memory tag TAG')])}.`,
  nothingPinned: 'Nothing is pinned in this chat.',
  pinHow: ({ command }: { command: NameCommand }) =>
    `Which memory? ${command('memory recent')} lists them; then write ${command('memory pin ID')}.`,
  ownersPin: 'What is pinned here is in every answer to everyone here, so only owners can change it.',
  pinned: ({ text }: { text: string }) => `I will always have this in mind here: ${text}`,
  unpinned: ({ text }: { text: string }) => `No longer pinned: ${text}`,
  noRecord: 'That is part of a conversation. Only what was saved can be pinned.',
  reportHow: ({ command }: { command: NameCommand }) =>
    `Which procedure? Write ${or([command('memory worked ID'), command('memory failed ID WHY')])}.`,
  reported: ({ successes, failures }: { successes: number; failures: number }) =>
    `Noted. It worked ${count(successes, { one: 'time', other: 'times' })} and failed ${count(failures, { one: 'time', other: 'times' })}.`,
  noBudget: 'What I remember of this chat has no budget, so nothing of it is ever taken away.',
  budgetUse: ({ bound, used, limit }: { bound: string; used: number; limit: number }) =>
    `${boundNames[bound] ?? bound}: ${used} of ${limit}`,
  budgetNext: ({ step, n }: { step: 'merge' | 'summarize' | 'drop_vectors' | 'evict'; n: number }) =>
    `This is too much. Next ${
      {
        merge: `${count(n, { one: 'duplicate is', other: 'duplicates are' })} merged`,
        summarize: `a summary takes the place of ${count(n, { one: 'passage', other: 'passages' })}`,
        drop_vectors: `${count(n, { one: 'memory loses its vector', other: 'memories lose their vectors' })}`,
        evict: `the least useful go: ${count(n, { one: 'memory', other: 'memories' })}`,
      }[step]
    }.`,
  noProcedure: 'That is not a procedure, so it cannot work or fail.',
  nothingYet: 'I remember nothing from this chat yet.',

  noFiles: ({ command }: { command: NameCommand }) =>
    `This chat has no memory files yet. ${command('memory note TEXT')} writes into the note of today.`,
  noSuchFile: ({ names }: { names: readonly string[] }) =>
    `There is no such file here. There ${names.length === 1 ? 'is' : 'are'} ${and(names)}.`,
  moreFiles: ({ n, command }: { n: number; command: NameCommand }) =>
    `There ${n === 1 ? 'is' : 'are'} ${count(n, { one: 'more file', other: 'more files' })}: ${command('memory file NAME')}.`,
  lines: ({ from, until, total }: { from: number; until: number; total: number }) =>
    `Lines ${from} to ${until} of ${total}`,
  noteHow: ({ command }: { command: NameCommand }) =>
    `What should I write down? ${command('memory note TEXT')} writes into the note of today.`,
  noted: ({ line, file }: { line: number; file: string }) => `Written down, in line ${line} of ${file}.`,
  notedMasked: ({ line, file }: { line: number; file: string }) =>
    `Written down without the secret in it, in line ${line} of ${file}.`,
  notedBefore: ({ line, file }: { line: number; file: string }) =>
    `That is already written down, in line ${line} of ${file}.`,
  notNoted:
    'I could not write that down, since my files cannot be written. The person who runs me can change that.',
  noteForgotten:
    'You changed the message in which you had me save something, so I deleted what I saved. Send the command again to save the new text.',

  eraseHow: ({ command }: { command: NameCommand }) =>
    `${command('forget me')} deletes everything I store about you. ${command('memory forget ID')} deletes one memory.`,
  nothingToErase: 'I store nothing about you that could be deleted.',
  erasePreview: ({ amounts }: { amounts: readonly string[] }) =>
    `This permanently deletes what I store about you: ${and(amounts)}.`,
  erasePreviewOnAll: ({ accounts, amounts }: { accounts: number; amounts: readonly string[] }) =>
    `This permanently deletes what I store about you, on all ${accounts} of your accounts: ${and(amounts)}.`,
  eraseConfirm: ({ command }: { command: NameCommand }) =>
    `You cannot undo it; ${command('export me')} gives you a copy first. To delete it, write ${command('forget me yes')}.`,
  erased: ({ amounts }: { amounts: readonly string[] }) => `I permanently deleted ${and(amounts)}.`,
  erasedAll: 'I checked again and found nothing left.',
  eraseLeft: ({ what }: { what: readonly string[] }) => `This is left: ${what.join('; ')}.`,
  eraseOthers:
    'What other people wrote about you or quoted is theirs and stays. Backups are deleted by the person who runs me.',
  memories: ({ n }: { n: number }) => count(n, { one: 'memory', other: 'memories' }),
  messagesOf: ({ n, whole }: { n: number; whole: number }) =>
    `${count(n, { one: 'message', other: 'messages' })} in conversations (${whole} of them entirely)`,
  received: ({ n }: { n: number }) => count(n, { one: 'received message', other: 'received messages' }),
  answers: ({ n }: { n: number }) => count(n, { one: 'sent answer', other: 'sent answers' }),
  files: ({ n }: { n: number }) => count(n, { one: 'file', other: 'files' }),

  schedules: ({ n }: { n: number }) =>
    count(n, { one: 'reminder or time setting', other: 'reminders and time settings' }),

  exported: 'Here it is.',
  exportNoFiles: 'I cannot send files here.',
  exportTooLong: 'The file is too large to be sent here.',
  exportByOperator: ({ sessionID }: { sessionID: string }) =>
    `The person who runs me can get it with ${programCommand(`sessions export ${sessionID}`)}.`,
  exportMeByOperator: 'The person who runs me can give it to you.',
  exportUntitled: 'Conversation',
  exportAssistant: 'Assistant',
  exportPerson: 'Person',
  exportFile: ({ name }: { name: string }) => `[file: ${name}]`,
  exportTool: ({ name }: { name: string }) => `[used ${name}]`,
  exportName: 'everything-about-you.json',
};
