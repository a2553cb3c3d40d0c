// What bounds looks from outside the chats and what passes for another's words, and what remains of messages answered together.
import { edit, type Fix } from './fix.ts';

const audited = 'src/engine/http/guards/audited-engine.ts';
const speech = 'src/engine/context/speech.ts';
const amend = 'src/engine/conversations/amend.ts';

export const lookFixes: readonly Fix[] = [
  {
    ensures: 'a viewer of the console reads nothing of a room that was closed since',
    edits: [
      edit(
        'src/engine/sessions/session-filter.ts',
        "\n        OR json_extract(r.origin, '$.audience') IN (SELECT audience FROM closed_rooms)",
      ),
    ],
  },
  {
    ensures: 'a viewer of the console reads nothing that was written in a room that was closed then',
    edits: [
      edit(
        'src/engine/sessions/session-filter.ts',
        "json_extract(r.origin, '$.restricted') = 1",
        "json_extract(r.origin, '$.restricted') = 2",
      ),
    ],
  },
  {
    ensures: 'a stream of a viewer has events of open rooms alone',
    edits: [
      edit(
        'src/engine/http/guards/viewer-engine.ts',
        "if (event.type === 'rooms.changed' || (await isOpen(event.envelope.session_id))) yield event;",
        'if ((await isOpen(null)) || event.envelope.session_id !== null) yield event;',
      ),
    ],
  },
  {
    ensures: 'an owner who opens a conversation of another person leaves a line in the audit',
    edits: [edit(audited, 'await engine.noteOpened(sessionID, by.name);')],
  },
  {
    ensures: 'an owner who lists conversations or runs leaves a line for each person',
    edits: [
      edit(audited, 'if (by !== undefined) await noteListed(', "if (by?.name === '') await noteListed("),
    ],
  },
  {
    ensures: "an owner who lists another person's memory leaves a line in the audit",
    edits: [edit(audited, 'await engine.noteRead(audience, { by: by.name, how });')],
  },
  {
    ensures: 'no line of a message is the line of another person',
    edits: [edit(speech, 'options.shared ? withContinuedLines(whole) : whole', 'whole')],
  },
  {
    ensures: 'no name ends its brackets and passes for the name of another',
    edits: [edit(speech, "name.replace(/[[\\]<>\\p{C}\\s]+/gu, ' ')", 'name')],
  },
  {
    ensures: 'no block that a person writes is read as memory',
    edits: [edit(speech, "text.replaceAll(blockTags, '&lt;')", "text.replaceAll(blockTags, '<')")],
  },
  {
    ensures: 'an answer to several messages is in no memory once it tells of one that is deleted',
    edits: [
      edit(
        'src/engine/conversations/later-answers.ts',
        'repeats(text, goneOf(change), new Set()),',
        "repeats(text, goneOf(change), new Set()) && change.was === '',",
      ),
    ],
  },
  {
    ensures: 'a deleted message takes nothing along of others that were answered with it',
    edits: [edit(amend, "if (gone.now === '') runs.setArchived", "if (gone.now !== '.') runs.setArchived")],
  },
];
