// What the offline model quotes of a message that points at something, from the notes around it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointedAt } from '#engine/providers/offline/pointed.ts';
import {
  earlierNote,
  fileNote,
  fileTextNote,
  forwardNote,
  replyNote,
  roomNote,
  sharedNote,
} from '#engine/wire/channels/notes.ts';

const asked = (...notes: string[]) => [
  { role: 'user' as const, content: [{ type: 'text' as const, text: `[Robin] ${notes.join('\n')}` }] },
];

test("a question that points at nothing in view, and one about the bot's own words, is left to memory", () => {
  assert.equal(pointedAt('What is this alert?', asked('What is this alert?')), undefined);
  assert.equal(pointedAt('When is it?', asked(replyNote('a message of Guest', 'soon'))), undefined);
  assert.equal(pointedAt('What is this?', asked(replyNote('your message', 'Noted'))), undefined);
});

test('what is answered, passed on or hangs below is quoted with its author, and its files are named', () => {
  const reply = asked(
    replyNote('a message of Guest', 'the lift\nis broken'),
    fileNote('that cannot be read here: lift.png'),
  );
  const words = pointedAt('What is in this picture?', reply) ?? '';
  assert.match(words, /It came with lift\.png[^,]*\.\n/);
  assert.match(words, /> the lift\n> is broken\n— Guest$/);
  assert.match(
    pointedAt('What is this?', asked(forwardNote('a message of Alerts', 'full'))) ?? '',
    /> full\n— Alerts/,
  );
  assert.match(
    pointedAt('What is this link?', asked(sharedNote('A page'))) ?? '',
    /> A page\n— your message/,
  );
});

test('the text of a file is quoted with its name, and of one that cannot be read the name only', () => {
  const letter = fileTextNote('letter.rtf (application/rtf, 80 bytes), its text', 'The boat leaves.', {
    mark: '0123456789abcdef',
    end: 'end of the file',
  });
  assert.match(
    pointedAt('What does this letter say?', asked(letter)) ?? '',
    /> The boat leaves\.\n— letter\.rtf$/,
  );
  const locked = fileNote('that cannot be read here, because it is protected with a password: a.pdf');
  assert.match(pointedAt('What is this?', asked(locked)) ?? '', /It came with a\.pdf\.$/);
});

test('of a thread it says the number of messages, the authors, the first and the last; else of the room', () => {
  const thread = asked(
    ...['one', 'two', 'three'].map((text, at) => earlierNote(at === 1 ? 'Robin' : 'Guest', text)),
  );
  assert.equal(
    pointedAt('Summarise this thread', thread),
    'This thread has 3 messages before yours, of Guest, Robin. The first and the last:\n\n> one\n— Guest\n\n> three\n— Guest',
  );
  const room = [
    { role: 'user' as const, content: ['one', 'two'].map((text) => roomNote('Guest', 0, text)).join('\n') },
    ...asked('Summarise this thread'),
  ];
  assert.match(
    pointedAt('Summarise this thread', room) ?? '',
    /^I see the last 2 messages before yours, of Guest\./,
  );
});
