// A conversation of any length, straight into the engine's database: thousands of runs would take minutes. Not measuring.
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createMessageRows } from '#engine/sessions/message-rows.ts';
import { createPartRows } from '#engine/sessions/part-rows.ts';
import { createSessionRows } from '#engine/sessions/session-rows.ts';

const minuteMs = 60_000;

/** Writes a session with so many messages, questions and answers in turns, each with its number; gives its id. */
export function writeLongSession(path: string, messages: number): string {
  const database = openEngineDatabase(path, systemClock);
  try {
    const rows = {
      sessions: createSessionRows(database),
      messages: createMessageRows(database),
      parts: createPartRows(database),
    };
    const newId = createIds(systemClock);
    const sessionID = newId('ses');
    const until = systemClock.now();
    const began = until - messages * minuteMs;
    database.transaction(() => {
      rows.sessions.insert({ id: sessionID, title: 'A long talk', createdAtMs: began, updatedAtMs: until });
      for (let number = 1; number <= messages; number += 1) {
        const [id, createdAtMs] = [newId('msg'), began + number * minuteMs];
        const role = number % 2 === 1 ? 'user' : 'assistant';
        rows.messages.insert({ id, sessionID, role, createdAtMs, completedAtMs: createdAtMs });
        rows.parts.insert(id, { id: newId('prt'), type: 'text', text: textOf(number) });
      }
    })();
    return sessionID;
  } finally {
    database.close();
  }
}

/** Texts of several lengths, some with a list or code, so that rows have several heights. */
function textOf(number: number): string {
  const sentences = Array.from(
    { length: 1 + (number % 5) },
    (_, index) => `Sentence ${index + 1} has a **strong** word and a [link](https://example.com).`,
  );
  const more = number % 10 === 0 ? '\n\n```ts\nconst boat = "Tern"; // a name\n```\n\n- one\n- two' : '';
  return `Message ${number}. ${sentences.join(' ')}${more}`;
}
