// `parley skills list|check` and the doctor's lines about teams, over skills on disk.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { checkTeams } from '#app/doctor/teams.ts';
import { main } from '#app/main.ts';
import { teamSettings } from '#app/settings/team-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Place {
  folder: string;
  config: string;
  write(team: object): void;
  call(...words: string[]): Promise<{ code: number; out: string[]; err: string }>;
}

function openPlace(t: TestContext): Place {
  const folder = tempFolder(t);
  const config = join(folder, 'parley.config.json');
  mkdirSync(join(folder, 'skills', 'sources'), { recursive: true });
  const text = '---\nname: Sources\ndescription: How sources are named.\n---\nName each source.\n';
  writeFileSync(join(folder, 'skills', 'sources', 'SKILL.md'), text);
  return {
    folder,
    config,
    write: (team) =>
      writeFileSync(
        config,
        JSON.stringify({ agents: { team: { enabled: true, skillFolders: ['skills'], ...team } } }),
      ),
    async call(...words) {
      const out: string[] = [];
      const err: string[] = [];
      const output = {
        out: (line: string) => void out.push(line),
        err: (line: string) => void err.push(line),
      };
      const code = await main([...words, '--config', config], {}, output);
      return { code, out, err: err.join('\n') };
    },
  };
}

test('skills are listed with the hash that a policy pins, and a changed skill or a missing one is found by check and doctor', async (t) => {
  const { folder, config, write, call } = openPlace(t);
  write({});
  const listed = await call('skills', 'list');
  assert.equal(listed.code, 0);
  const hash = /sha256:[0-9a-f]{64}/.exec(listed.out.join('\n'))?.[0] ?? '';
  assert.match(listed.out.join('\n'), /sources {2}\(not pinned\)[\s\S]*How sources are named/);
  assert.ok(
    listed.out.every((line) => line.length <= 80 || line.includes(folder) || line.includes('sha256:')),
  );
  const writer = { role: 'worker', systemPrompt: 'Write.', skills: [{ id: 'sources' }] };
  write({ skillSources: { pinnedHashes: { 'id:sources': hash } }, templates: { quoter: writer } });
  const fine = await call('skills', 'check');
  assert.deepEqual([fine.code, fine.out], [0, ['1 skill and 1 template of the config: nothing is wrong.']]);
  appendFileSync(join(folder, 'skills', 'sources', 'SKILL.md'), 'Or invent one.\n');
  mkdirSync(join(folder, 'skills', 'empty'));
  const changed = await call('skills', 'check');
  assert.equal(changed.code, 1);
  const words = changed.out.join(' ');
  assert.match(words, /spawn_skill_hash_mismatch/);
  assert.match(words, /empty is no skill: there is no SKILL\.md in it/);
  const team = loadConfig({ folder, configFile: config, variables: {} }).config.agents.team;
  const remarks = await checkTeams(teamSettings(team, folder));
  assert.match(JSON.stringify(remarks), /"ok","what":"Agents may start others; 1 skill\."/);
  assert.ok(remarks.some(({ level, what }) => level === 'warning' && /no skill/.test(what)));
});

test('a policy file with unknown keys or a circle of roles is reported with its problems, and an unknown action names the others', async (t) => {
  const { folder, write, call } = openPlace(t);
  write({ policyFile: 'spawn-policy.yaml' });
  const policy = (text: string): void => writeFileSync(join(folder, 'spawn-policy.yaml'), text);
  policy('enabled: true\nmax_agent: 3\n');
  assert.match(
    (await call('skills', 'check')).out.join(' '),
    /"max_agent" is not a key of a spawn policy\. The nearest is "max_agents"/,
  );
  policy(
    'spawn_edges:\n  worker: {behavior: allow, can_spawn: [reviewer]}\n  reviewer: {behavior: allow, can_spawn: [worker]}\n',
  );
  assert.match((await call('skills', 'check')).out.join(' '), /in a circle: worker -> reviewer -> worker/);
  const wrong = await call('skills', 'lst');
  assert.deepEqual([wrong.code, wrong.err.includes('Choose one of list, check.')], [2, true]);
});

test('a template that names a missing tool is an error that names the nearest one', async (t) => {
  const { write, call } = openPlace(t);
  write({ templates: { finder: { role: 'worker', systemPrompt: 'Find.', tools: ['memory_serch'] } } });
  const refused = await call('skills', 'check');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /"memory_serch" is not a tool; the nearest is "memory_search"/);
});
