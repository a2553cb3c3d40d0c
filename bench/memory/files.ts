// The files that the bench imports: transcripts of rooms, and a folder of Markdown. Made once, the same each time; not measuring.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../harness/random.ts';
import { createTalk } from './text.ts';

export interface Rooms {
  /** A file for each room, with its audience. */
  files: { path: string; audience: `room:${string}` }[];
  /** Questions in the words of turns, in no order. */
  questions: { text: string; room: number }[];
}

const rooms = 100;
const turnsOfSession = 50;
const requestedOfRoom = 6;
const speakers = ['Ann', 'Ben', 'Carla', 'Dmitri', 'Esra', 'Femi'] as const;
const began = Date.UTC(2024, 0, 1);
const minute = 60_000;

/** Writes `chunks` turns as JSONL, a room to a file. */
export function writeRooms(folder: string, chunks: number): Rooms {
  const random = createRandom(20_261_122);
  const talk = createTalk(random);
  mkdirSync(folder, { recursive: true });
  const questions: Rooms['questions'] = [];
  const files = Array.from({ length: rooms }, (_, room) => {
    const count = Math.floor(chunks / rooms);
    const lines: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const text = talk.turn();
      const [session, at] = [Math.floor(index / turnsOfSession), began + (room + index * rooms) * minute];
      lines.push(JSON.stringify({ id: String(index), session, at, speaker: random.pick(speakers), text }));
      if (index % Math.ceil(count / requestedOfRoom) === 0)
        questions.push({ text: talk.questionAbout(text), room });
    }
    const path = join(folder, `room-${room}.jsonl`);
    writeFileSync(path, lines.join('\n'));
    return { path, audience: `room:bench:${room}` as const };
  });
  return { files, questions };
}

/** Writes 200 Markdown files, 1.6 MB together, with headings, lists and code. */
export function writeMarkdown(folder: string): void {
  const random = createRandom(7);
  const talk = createTalk(random);
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < 200; number += 1) {
    let text = `# Notes ${number}\n`;
    for (let section = 0; text.length < 8_000; section += 1) {
      text += `\n## Section ${section}\n\n${talk.turn()} ${talk.turn()}\n\n- ${talk.turn()}\n- ${talk.turn()}\n\n\`\`\`sh\nmake ${section}\n\`\`\`\n`;
    }
    writeFileSync(join(folder, `notes-${number}.md`), text);
  }
}
