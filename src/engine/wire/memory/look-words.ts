// What the audit of memory says of a look at what one audience has, in words, by the operation. A look at a conversation or a run has one
// sentence for all of them (`noteOpened`).

export const lookWords = {
  searchMemory: 'searched memory',
  listMemory: 'listed the entries',
  showMemory: 'opened an entry',
  memoryJournal: 'read the journal',
  memoryDreams: 'looked at the dreams',
  preflightMemory: 'asked what is known of a piece of work',
  listKnowledge: 'listed what is promoted for reuse',
  resolveContext: 'looked up a place',
  contextTree: 'looked at where memories come from',
  generateLayers: 'read what a place holds',
  readMemoryFile: 'read lines of a file',
  readWholeMemoryFile: 'read a file',
  exportContent: 'exported what people wrote',
  listSchedules: 'listed the schedules',
  forReader: 'read for an agent',
  putMemory: 'was shown what a new memory contradicts',
  forgetMemory: 'looked at what is to be forgotten',
  settleJournalEntry: 'settled an entry of the journal',
  signalMemory: 'read the reports on a procedure',
  promoteKnowledge: 'promoted a memory for reuse',
  confirmSchedule: 'confirmed a schedule',
  changeSchedule: 'changed a schedule',
  deleteSchedule: 'removed a schedule',
  takeFirings: 'took what was due',
} as const;
