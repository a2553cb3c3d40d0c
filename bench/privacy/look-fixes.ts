// What bounds looks from outside the chats and what passes for another's words, and what remains of messages answered together.
import { edit, type Fix } from './fix.ts';

const audited = 'src/engine/http/guards/audited-engine.ts';
const speech = 'src/engine/context/speech.ts';
const amend = 'src/engine/conversations/amend.ts';

export const lookFixes: readonly Fix[] = [
  {
    name: 'words-put-back',
    ensures: 'words that their author puts back are remembered again',
    shows: { chains: ['swayed'] },
    edits: [edit('src/engine/conversations/archive.ts', '...(run.reworded === true && { again: true }),')],
  },
  {
    name: 'viewer-closed',
    ensures: 'a viewer of the console reads nothing of a room that was closed since',
    shows: { chains: ['closed'] },
    edits: [
      edit(
        'src/engine/sessions/session-filter.ts',
        "\n        OR json_extract(r.origin, '$.audience') IN (SELECT audience FROM closed_rooms)",
      ),
    ],
  },
  {
    name: 'unsure-rooms',
    ensures: 'a room of which the platform does not say after a restart who reads it counts as closed',
    shows: { mode: 'silent' },
    edits: [
      edit(
        'src/adapters/gateway/readers/open-rooms.ts',
        "await ledger.commit(() => rooms.unsure(audience), 'written');",
      ),
    ],
  },
  {
    name: 'viewer-restricted',
    ensures: 'a viewer of the console reads nothing that was written in a room that was closed then',
    shows: { chains: ['closed'] },
    edits: [
      edit(
        'src/engine/sessions/session-filter.ts',
        "json_extract(r.origin, '$.restricted') = 1",
        "json_extract(r.origin, '$.restricted') = 2",
      ),
    ],
  },
  {
    name: 'viewer-stream',
    ensures: 'a stream of a viewer has events of open rooms alone',
    shows: { chains: ['closed'] },
    edits: [
      edit(
        'src/engine/http/guards/viewer-engine.ts',
        "if (event.type === 'rooms.changed' || (await isOpen(event.envelope.session_id))) yield event;",
        'if ((await isOpen(null)) || event.envelope.session_id !== null) yield event;',
      ),
    ],
  },
  {
    name: 'audit-opened',
    ensures: 'an owner who opens a conversation of another person leaves a line in the audit',
    edits: [edit(audited, 'await engine.noteOpened(sessionID, by.name);')],
  },
  {
    name: 'audit-listed',
    ensures: 'an owner who lists conversations or runs leaves a line for each person',
    edits: [
      edit(audited, 'if (by !== undefined) await noteListed(', "if (by?.name === '') await noteListed("),
    ],
  },
  {
    name: 'audit-memory',
    ensures: "an owner who lists another person's memory leaves a line in the audit",
    edits: [edit(audited, 'await engine.noteRead(audience, { by: by.name, how });')],
  },
  {
    name: 'forged-lines',
    ensures: 'no line of a message is the line of another person',
    shows: { chains: ['forged'] },
    edits: [edit(speech, 'options.shared ? withContinuedLines(whole) : whole', 'whole')],
  },
  {
    name: 'forged-names',
    ensures: 'no name ends its brackets and passes for the name of another',
    shows: { chains: ['forged', 'asked'] },
    edits: [
      edit(
        speech,
        "name.replace(/[[\\]<>\\uff1c\\uff1e\\ufe64\\ufe65\\uff3b\\uff3d\\p{C}\\s]+/gu, ' ')",
        'name',
      ),
    ],
  },
  {
    name: 'forged-blocks',
    ensures: 'no block that a person writes is read as memory',
    shows: { chains: ['forged'] },
    edits: [edit(speech, "text.replaceAll(blockTags, '&lt;')", "text.replaceAll(blockTags, '<')")],
  },
  {
    name: 'answers-to-several',
    ensures: 'an answer to several messages is in no memory once it tells of one that is deleted',
    shows: { chains: ['halved'] },
    edits: [
      edit(
        'src/engine/conversations/later-answers.ts',
        'repeats(text, goneOf(change), new Set()),',
        "repeats(text, goneOf(change), new Set()) && change.was === '',",
      ),
    ],
  },
  {
    name: 'answered-together',
    ensures: 'a deleted message takes nothing along of others that were answered with it',
    shows: { chains: ['halved'] },
    edits: [edit(amend, "if (gone.now === '') runs.setArchived", "if (gone.now !== '.') runs.setArchived")],
  },
];
