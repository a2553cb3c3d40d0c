// Words of the journal: all must occur, as they are written or in another form, in any language; and which gotchas an intent finds.
import assert from 'node:assert/strict';
import { test } from '../each-store.ts';
import { caller, openJournal, session } from './journal-kit.ts';

test('a search finds a version by its beginning, a compound as one word, an emoji, and with forms the stems of any language', async (t) => {
  const { journal } = openJournal(t);
  const said: Record<string, string> = {
    version: 'Node went to v1.2.3 today',
    camel: 'The camelCaseName was renamed',
    emoji: 'Deployed 🦊 and 👩‍💻',
    german: 'Die Häuser wurden gestrichen',
    french: 'Les chevaux mangent des pommes',
    russian: 'Мы обновили библиотеки',
    chinese: '数据库迁移完成',
    dutch: 'De gebouwen werden geverfd',
  };
  for (const [key, summary] of Object.entries(said))
    await journal.closeSession(caller, session(key, { summary, threads: [], steps: [] }));
  const found = async (query: string, mode = 'exact') =>
    (await journal.searchSessions(caller, { query, mode })).items.map(({ title }) => String(title).slice(8));
  for (const [query, key, mode] of [
    ['1.2', 'version'],
    ['v1.2', 'version'],
    ['v1.2.3', 'version'],
    ['1.2.3', 'version'],
    ['camelcasename', 'camel'],
    ['camelCaseName', 'camel'],
    ['camel name', 'camel'],
    ['🦊', 'emoji'],
    ['👩‍💻', 'emoji'],
    ['数据库迁移', 'chinese'],
    ['gestrichen häuser', 'german', 'forms'],
    ['haus', 'german', 'forms'],
    ['cheval pomme', 'french', 'forms'],
    ['библиотека', 'russian', 'forms'],
    ['gebouw', 'dutch', 'forms'],
    ['renaming', 'camel', 'forms'],
  ] as const)
    assert.deepEqual(await found(query, mode), [key], `${query} ${mode}`);
  for (const query of ['2.3', '1.3', '🐻', 'haus', 'pomme']) assert.deepEqual(await found(query), [], query);
});

test('an intent finds the gotchas that have its words in any language, also short ones, and none for words that say nothing', async (t) => {
  const { journal } = openJournal(t);
  const gotchas = {
    npm: 'npm needs the lockfile.',
    lfs: 'Large files are in git lfs.',
    ci: 'The CI has two cores.',
    database: '数据库迁移之前先备份。',
    version: 'v1.2.3 breaks with that have from.',
    roof: 'Dächer sind teuer.',
  };
  const rest = { agentID: 'coder', taskType: 'build', lessonKind: 'Gotcha' };
  for (const [tag, lesson] of Object.entries(gotchas))
    await journal.recordLesson(caller, { ...rest, lesson, tags: [tag] });
  const matching = async (intent: string) =>
    ((await journal.bundle(caller, { agentID: 'coder', intent })).sections.gotchas ?? []).map(
      ({ lesson }) => lesson,
    );
  for (const [intent, lesson] of [
    ['npm', gotchas.npm],
    ['git lfs', gotchas.lfs],
    ['fix CI', gotchas.ci],
    ['数据库迁移', gotchas.database],
    ['go to 1.2', gotchas.version],
    ['das Dach decken', gotchas.roof],
    ['roof', gotchas.roof],
  ] as const)
    assert.deepEqual(await matching(intent), [lesson], intent);
  assert.deepEqual(await matching('with that have from'), []);
});
