// Facts told and asked in other words in many languages, as a chat has them: the questions are archived too.
import assert from 'node:assert/strict';
import { talks } from '../support/told-in-languages.ts';
import { test } from './each-store.ts';
import { note, withFacts } from './facts.ts';
import { exchange, found, mine, openMemory, start } from './open-memory.ts';

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

test('a word is found by what begins another one, where two are written as one, also if its stem is shorter or ends otherwise', async (t) => {
  const memory = openMemory(t);
  const told = [
    ['Mein Kellerschlüssel hängt hinter der Tür.', 'Keller'],
    ['Meine Handynummer ist 0170 5551234.', 'Welche Nummer hat mein Handy?'],
    ['Der Gartenzaun ist am Sonntag fertig geworden.', 'garten'],
    ['Die Krankenversicherung kostet 200 Euro im Monat.', 'Was zahle ich für Kranken?'],
    ['De keukentafel staat bij het raam.', 'keuken'],
  ] as const;
  await memory.archive(exchange('Der Kellner war nett.'));
  for (const [fact] of told) await memory.archive(exchange(fact));
  for (const [fact, question] of told) assert.equal((await found(memory, question))[0], fact, question);
  assert.deepEqual((await found(memory, 'Keller')).length, 1);
});

test('a number is found by how it begins, as a date without its year and an amount without its cents', async (t) => {
  const memory = openMemory(t);
  const told = [
    ['Das Treffen ist am 24.11.2026 um acht', 'Was ist am 24.11.?'],
    ['The budget of the club is $12,500.50', 'what was 12,500 for'],
    ['We had 1,250,000.50 in the fund', 'who had 1250000'],
    ['The server runs nginx 2.14.3', 'does it run nginx 2.14'],
  ] as const;
  for (const [fact] of told) await memory.archive(exchange(fact));
  for (const [fact, question] of told) {
    const { hits } = await memory.recall({ text: question, scope: mine });
    assert.deepEqual(
      hits.map((hit) => hit.text),
      [`you said: ${fact}`],
      question,
    );
  }
});

test('a word with a hyphen behind a letter or two is found when it is asked as one word', async (t) => {
  const memory = openMemory(t);
  const told = [
    ['The wi-fi code is on the fridge', 'where is the wifi code'],
    ['Die E-Mail-Adresse von Lisa steht im Kalender', 'Wie lautet die Email von Lisa?'],
    ['Our e‑bike is in the cellar', 'where is the ebike'],
    ['The lab is in room B-12', 'what is in room b12'],
  ] as const;
  await memory.archive(exchange('The gate code is on the board'));
  for (const [fact] of told) await memory.archive(exchange(fact));
  for (const [fact, question] of told) {
    const { hits } = await memory.recall({ text: question, scope: mine });
    assert.equal(hits[0]?.text, `you said: ${fact}`, question);
  }
});
