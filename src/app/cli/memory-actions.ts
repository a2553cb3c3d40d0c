// What `parley memory` can be asked to do, and with which options.
import { importFormats } from '#memory/types/import.ts';
import { noteKinds } from '#memory/types/note.ts';
import { markedKinds } from '#memory/types/record.ts';
import { tiers } from '#memory/types/scope.ts';
import type { ActionSpec } from './command-spec.ts';

const audience = { '--audience <key>': 'person:ID or room:ADDRESS, as "memory status" shows them' };
const project = {
  '--project <id>': 'of this project',
  '--project-id <id>': 'the same',
};
const whose = { ...audience, ...project };
const session = { '--session <id>': 'of this session', '--session-id <id>': 'the same' };
const tagged = {
  '--kind <kind>': [...noteKinds, ...markedKinds].join(', '),
  '--key <key>': 'the key of a record',
  '--tag <tag...>': 'a tag of a record',
};
const selecting = {
  '--id <id...>': 'these entries',
  '--person <name>': 'NAME (all accounts of the person), PLATFORM:ID or per_ID (one account)',
  '--chat <address>': 'ADDRESS, room:KEY, or the name of a room: discord:#engine-room',
  '--source <path>': 'what was imported from there',
  '--from <date>': 'from then on',
  '--until <date>': 'until then',
  '--contains <text>': 'with these words',
  '--agent <name>': 'what this agent wrote, or has for itself',
  '--run <id>': 'of this run',
  ...session,
  ...project,
  ...tagged,
};
const why = { '--reason <text>': 'why, for the audit' };
const covering = {
  '--family <text>': 'the kind of work that it covers',
  '--namespace <text>': 'a name that keeps subjects apart',
  '--approved': 'as a default that was approved',
};

export const memoryActions: Readonly<Record<string, ActionSpec>> = {
  status: {
    about: 'show how much is remembered, and what does not work',
    options: {
      '--deep': 'also whether all fits together and holds no secrets',
      '--index': 'index changed files first',
      '--fix': 'finish what was begun and left',
    },
  },
  budget: { about: 'show how much of each budget is used, and what would go next', options: audience },
  search: {
    about: 'find entries, the best first',
    operands: '<text...>',
    options: {
      '--limit <number>': 'how many at most',
      '--explain': 'with the parts of each score',
      '--records': 'only governed records, by their words',
      '--channel <tag>': 'of this channel',
      '--host <tag>': 'of this host',
      '--corpus <name>': 'memory, sessions or wiki: files, conversations, pages',
      ...session,
      ...whose,
    },
  },
  list: {
    about: 'the newest entries; with --kind, --key, --tag or --pinned records only',
    options: {
      '--limit <number>': 'how many at most',
      '--until <date>': 'from before then',
      '--contains <text>': 'with these words',
      ...tagged,
      '--pinned': 'those that every prompt has',
      ...whose,
    },
  },
  show: { about: 'one entry with its provenance and all its versions', operands: '<id>', options: audience },
  put: {
    about: 'store a record, for person:operator unless --audience names another',
    operands: '<text...>',
    options: {
      ...tagged,
      '--pinned': 'every prompt of its audience has it',
      '--sensitive': 'it is never shown outside of its audience',
      '--agent <name>': 'in the memory that this agent has to itself',
      '--tier <tier>': tiers.join(', '),
      '--supersedes <id>': 'the record that it takes the place of',
      '--expires <date>': 'it is forgotten then',
      '--channel <tag>': 'of this channel',
      '--host <tag>': 'of this host',
      '--space <key>': 'where it was said',
      '--public': 'everyone of the space may read it',
      ...session,
      ...whose,
    },
  },
  import: {
    about: 'read files into memory, for person:operator unless --audience names another',
    operands: '<path>',
    options: {
      '--path <path>': 'the same as the word',
      '--format <format>': importFormats.join(', '),
      '--space <key>': 'where it was said',
      '--public': 'everyone of the space may read it',
      '--tier <tier>': tiers.join(', '),
      '--sync-deletes': 'what is no longer there is forgotten',
      '--allow-empty': 'with --sync-deletes: most of it may go',
      '--account <id>': 'of an export of a platform: rooms as the bot with this account knows them',
      '--agent <name>': 'into the memory that this agent has to itself',
      ...session,
      ...whose,
    },
  },
  distill: {
    about:
      'store the lasting facts of a conversation: by the model of the running Parley, or by rules where none runs',
    operands: '<session>',
    options: { '--importance <share>': 'from 0 to 1: only what matters so much', ...audience },
  },
  promote: {
    about:
      'move a record to a wider tier; without an id, show what was recalled often and may go into MEMORY.md',
    operands: '[id]',
    options: {
      '--to <tier>': 'project, global, or knowledge: reused where it covers the work',
      ...why,
      '--subject <text>': 'what knowledge is about',
      '--expires <date>': 'until when knowledge is reused',
      '--apply': 'without an id: write what passes into MEMORY.md',
      '--revert': 'take the promotion ID back',
      ...covering,
      ...whose,
    },
  },
  'promote-explain': {
    about: "the parts of a candidate's score, and its verdict, by its id or words of it",
    operands: '<text...>',
  },
  'rem-harness': {
    about: 'show what the next sweep of dreaming would do, and write nothing',
    options: audience,
  },
  'rem-backfill': {
    about: 'write summaries of earlier days into DREAMS.md',
    options: {
      '--from <days>': 'how many days back',
      '--revert': 'take all of them back',
      ...audience,
    },
  },
  pin: {
    about: 'put the record into every prompt of its audience',
    operands: '<id>',
    options: { '--unpin': 'take it out of them again', ...audience },
  },
  report: {
    about: 'say that a procedure worked, or did not',
    operands: '<id>',
    options: { '--failed': 'it did not work', ...why, ...audience },
  },
  demote: {
    about: 'hide a record from searches until it is promoted',
    operands: '<id>',
    options: { ...why, ...audience },
  },
  retract: {
    about: 'withdraw a record; it stays as history',
    operands: '<id>',
    options: { ...why, ...audience },
  },
  preflight: {
    about: 'ask whether knowledge covers work on this subject',
    operands: '<text...>',
    options: { ...covering, ...whose },
  },
  knowledge: {
    about: 'list all knowledge, the latest promotion first',
    options: { '--limit <number>': 'how many at most', ...whose },
  },
  withdraw: {
    about: 'stop reusing knowledge; its record stays',
    operands: '<id>',
    options: audience,
  },
  forget: {
    about: 'show what the options select; with --apply, forget it permanently',
    options: {
      ...selecting,
      '--apply': 'forget it',
      '--everywhere':
        'with a person, a chat or a session: also in conversations, files of runs, the inbox, the outbox and files that came',
      ...why,
      ...audience,
    },
  },
  audit: {
    about: 'who did what to which memories',
    options: { '--limit <number>': 'how many at most', ...audience },
  },
  export: { about: 'write each memory as a line of JSON', operands: '[file]', options: whose },
  files: {
    about: 'the memory files, and whether they are indexed',
    options: { '--fix': 'rewrite those in UTF-16 or an old encoding as UTF-8', ...audience },
  },
  get: {
    about: 'lines of one memory file, as it is now',
    operands: '<path>',
    options: { '--line <number>': 'from this line', '--lines <number>': 'how many lines', ...audience },
  },
  note: {
    about: "add a line to today's note of one audience",
    operands: '<text...>',
    options: audience,
  },
  index: { about: 'index what changed in files', options: { '--force': 'index all of them again' } },
  reindex: { about: 'make words, full text and vectors again' },
  download: {
    about: 'download the local embedding model of the config; a download that was cut continues',
  },
  verify: {
    about: 'check that all fits together, and name each file of the home folder that has the words',
    operands: '[words...]',
  },
  'drop-caches': { about: 'delete cached answers, and vectors that wait for an import' },
  scan: {
    about: 'look for secrets that were stored before their form was known',
    options: { '--fix': 'mask them permanently' },
  },
};
