// Facts told and asked in other words in many languages, as a chat has them: the questions are archived too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { talks } from '../support/told-in-languages.ts';
import { note, withFacts } from './facts.ts';
import { exchange, mine, openMemory, start } from './open-memory.ts';

test('facts that a person states in a language are recalled for questions in other words, and nothing for what was never said', async (t) => {
  const rates: Record<string, string> = {};
  for (const [language, { told, never }] of Object.entries(talks)) {
    const memory = openMemory(t);
    let at = start;
    const say = (userText: string, assistantText: string) => {
      at += 60_000;
      return memory.archive(exchange(userText, { assistantText, at }));
    };
    for (const [fact] of told) await say(fact, '');
    for (const text of never) {
      const { hits } = await memory.recall({ text, scope: mine });
      assert.deepEqual(
        hits.map((hit) => hit.text),
        [],
        `${language}: ${text}`,
      );
    }
    let met = 0;
    const missed: string[] = [];
    for (const [fact, question] of told) {
      const { hits } = await memory.recall({ text: question, scope: mine });
      if (hits.slice(0, 3).some((hit) => hit.text.includes(fact))) met += 1;
      else missed.push(question);
      await say(question, '');
    }
    rates[language] = `${met} of ${told.length}${missed.length === 0 ? '' : `, not ${missed.join(' / ')}`}`;
    assert.ok(met / told.length >= 0.85, `${language}: ${rates[language]}`);
  }
});

test('a record is found by other forms of its words in its language', async (t) => {
  const told = [
    ['Meine Schwestern arbeiten bei der Post', 'Wo arbeitet meine Schwester?'],
    ['Ma sœur travaille à la banque', 'Où travaillaient mes sœurs ?'],
    ['Мои сёстры работают в банках', 'В каком банке работает сестра?'],
    ['The keys are in the drawers', 'which drawer has the key'],
    ['น้องสาวของฉันทำงานที่ธนาคาร', 'น้องสาวทำงานที่ไหน?'],
  ] as const;
  const { texts } = await withFacts(
    t,
    told.map(([text]) => note(text)),
  );
  for (const [fact, question] of told) assert.deepEqual(await texts(question), [fact], question);
});
