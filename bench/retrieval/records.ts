// Records of every kind with keys, tags, pins, runs and reports, made the same each time, and questions whose record is known. Not anyone's.
import type { Note } from '#memory/types/note.ts';
import type { Conversation } from './conversations.ts';
import { generateDocuments } from './documents.ts';

export interface MadeRecord extends Pick<Note, 'kind' | 'text' | 'key' | 'tags' | 'pinned'> {
  name: string;
  /** The run that wrote it; no other record has it when absent. */
  run?: string;
  reports?: ('success' | 'failure')[];
}

/** `about`: what the question needs of memory. */
export interface RecordQuestion {
  about: 'same words' | 'other words' | 'its key' | 'a run' | 'a tag' | 'only a link' | 'what worked';
  question: string;
  right: string;
}

export interface Generated {
  records: MadeRecord[];
  questions: RecordQuestion[];
}

const kinds = ['fact', 'note', 'procedure', 'solution_capsule'] as const;
const people = 'Ada Bo Cleo Dan Eve Finn Gus Hal Ida Jo Kai Lea Max Nia Ole Pia'.split(' ');
const tastes = ['short answers', 'metric units', 'no emoji', 'tea', 'German', 'dark mode', 'lists', 'quiet'];

/** All of them; every call gives the same. */
export function generateRecords(): Generated {
  const { files, questions } = generateDocuments();
  const records = files.flatMap(({ sections }, file) =>
    sections.map(
      ({ id, heading, body }, section): MadeRecord => ({
        ...{ name: id, kind: kinds[(file + section) % kinds.length] ?? 'note', text: body },
        tags: [`subject ${file}`, heading.toLowerCase()],
      }),
    ),
  );
  const about = (category: string): RecordQuestion['about'] =>
    category.includes('other') ? 'other words' : 'same words';
  const asked = questions.map(
    ({ question, category, evidence }): RecordQuestion => ({
      ...{ about: about(category), question },
      right: evidence[0] ?? '',
    }),
  );
  for (const made of people.map(ofPerson)) {
    records.push(...made.records);
    asked.push(...made.questions);
  }
  for (const [index, taste] of tastes.entries())
    records.push({
      ...{ name: `taste ${index}`, kind: 'preference', pinned: true },
      text: `Prefers ${taste}.`,
    });
  return { records, questions: asked };
}

/** What is known of one person, next to the same of the others: no words of a question but the usual ones lead to what is linked. */
function ofPerson(person: string, index: number): Generated {
  const [order, invoice, parcel, shelf] = [4_100 + index, 7_700 - index, 5_300 + index, 20 + index];
  const worked: MadeRecord['reports'] = ['success', 'success', 'success'];
  const failed: MadeRecord['reports'] = ['failure', 'failure', 'failure'];
  const [first, second] = index % 2 === 0 ? [worked, failed] : [failed, worked];
  const at = (what: string): string => `${what} ${index}`;
  const how = `To open the locker of ${person},`;
  return {
    records: [
      { name: at('code'), kind: 'fact', key: `${person} gate code`, text: `The number is ${9_000 + index}.` },
      { name: at('order'), kind: 'note', run: at('order'), text: `${person} placed order ${order}.` },
      { name: at('invoice'), kind: 'note', run: at('order'), text: `Invoice ${invoice} was paid by hand.` },
      { name: at('parcel'), kind: 'note', tags: [at('trip')], text: `${person} sent parcel ${parcel}.` },
      { name: at('shelf'), kind: 'note', tags: [at('trip')], text: `It lies on shelf ${shelf}.` },
      { name: at('lever'), kind: 'procedure', reports: first, text: `${how} pull the lever twice.` },
      { name: at('button'), kind: 'procedure', reports: second, text: `${how} hold the button down.` },
    ],
    questions: [
      { about: 'its key', question: `What is the ${person} gate code?`, right: at('code') },
      { about: 'a run', question: `Which invoice belongs to order ${order}?`, right: at('invoice') },
      { about: 'a tag', question: `On which shelf is parcel ${parcel}?`, right: at('shelf') },
      { about: 'only a link', question: `What is known about order ${order}?`, right: at('invoice') },
      { about: 'only a link', question: `Where is parcel ${parcel} now?`, right: at('shelf') },
      {
        ...{ about: 'what worked', question: `How do I open the locker of ${person}?` },
        right: at(index % 2 === 0 ? 'lever' : 'button'),
      },
    ],
  };
}

/** The same as a conversation, of which a model with a set quality is made. */
export function asConversation({ records, questions }: Generated): Conversation {
  return {
    id: 'records',
    turns: records.map(({ name, text }) => ({
      ...{ id: name, session: '1', at: '2026-01-01T00:00:00Z', speaker: 'bench' },
      text,
    })),
    questions: questions.map(({ about, question, right }) => ({
      question,
      category: about,
      evidence: [right],
    })),
  };
}
