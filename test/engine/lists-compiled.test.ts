// Lists of sessions and runs compile a combination of conditions once, however often they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunList } from '#engine/runs/tables/run-list.ts';
import { createPlaceNames } from '#engine/sessions/place-names.ts';
import { createConversationRows } from '#engine/sessions/sessions.ts';
import { openRequests } from './support/requests-kit.ts';

test('a list that is read again compiles nothing, and one with other conditions once', (t) => {
  const { database } = openRequests(t);
  const { sessions } = createConversationRows(database);
  const runs = createRunList(database, createPlaceNames(database));
  for (const id of ['ses_1', 'ses_2', 'ses_3']) sessions.insert({ id, createdAtMs: 1, updatedAtMs: 1 });
  sessions.change('ses_2', 2, { archived: true });
  const page = { limit: 10, offset: 0 };
  const prepare = database.prepare.bind(database);
  let compiled = 0;
  database.prepare = ((sql: string) => {
    compiled += 1;
    return prepare(sql);
  }) as typeof database.prepare;
  const newIn = (read: () => unknown): [unknown, number] => {
    const before = compiled;
    return [read(), compiled - before];
  };
  const listed = (archived?: boolean) => () => [
    sessions.page(archived === undefined ? {} : { archived }, page).map(({ id }) => id),
    sessions.count(archived === undefined ? {} : { archived }),
  ];
  assert.deepEqual(newIn(listed()), [[['ses_3', 'ses_2', 'ses_1'], 3], 2]);
  assert.deepEqual(newIn(listed()), [[['ses_3', 'ses_2', 'ses_1'], 3], 0]);
  assert.deepEqual(newIn(listed(true)), [[['ses_2'], 1], 2]);
  assert.deepEqual(newIn(listed(false)), [[['ses_3', 'ses_1'], 2], 0], 'another value of the same condition');
  const ofRuns = (filter: object) => () => [runs.page(filter, page), runs.count(filter)];
  assert.deepEqual(newIn(ofRuns({ sessionID: 'ses_1' })), [[[], 0], 2]);
  assert.deepEqual(newIn(ofRuns({ sessionID: 'ses_2' })), [[[], 0], 0]);
});
