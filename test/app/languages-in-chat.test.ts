// Facts in many languages, written to the bot in a chat, and questions about them there, which are archived too.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { talks } from '../support/told-in-languages.ts';
import { openHouse } from './house.ts';

const talk = { platform: 'discord', chat: 'dm', user: 'you' } as const;
/** Passages of an answer that count as its first. */
const first = 3;

suite('facts and questions in a chat', { concurrency: true }, () => {
  for (const [language, { told, never }] of Object.entries(talks))
    test(`what a person writes in ${language} is answered to questions in other words, and nothing to what was never said`, async (t) => {
      const house = await openHouse(t);
      await house.ready(talk.platform);
      const facts = told.map(([fact]) => fact);
      for (const fact of facts) await house.ask(talk, fact);
      /** The facts in an answer, in its order. */
      const quoted = (answer: string): string[] =>
        facts.filter((fact) => answer.includes(fact)).sort((a, b) => answer.indexOf(a) - answer.indexOf(b));
      for (const text of never) assert.deepEqual(quoted(await house.ask(talk, text)), [], text);
      const missed: string[] = [];
      for (const [fact, question] of told) {
        const answer = await house.ask(talk, question);
        if (!quoted(answer).slice(0, first).includes(fact)) missed.push(`${question} ${answer}`);
      }
      assert.ok(1 - missed.length / told.length >= 0.85, missed.join('\n'));
    });
});
