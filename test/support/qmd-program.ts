// A small program that speaks the command line of qmd, for tests. Not a test.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempFolder } from './temp-folder.ts';

/** What the program does: qmd's command line over one JSON file in place of its index. `fault` changes how it answers. */
const program = `#!${process.execPath}
const { readFileSync, writeFileSync, readdirSync, appendFileSync, existsSync } = require('node:fs');
const { join } = require('node:path');
const [index, name, command, ...rest] = process.argv.slice(2);
const { INDEX_PATH, QMD_CONFIG_DIR } = process.env;
appendFileSync(join(QMD_CONFIG_DIR, 'calls.jsonl'), JSON.stringify({ command, rest, env: Object.keys(process.env) }) + '\\n');
const fault = existsSync(join(QMD_CONFIG_DIR, 'fault')) ? readFileSync(join(QMD_CONFIG_DIR, 'fault'), 'utf8') : '';
if (index !== '--index' || name !== 'parley') throw new Error('expected --index parley');
if (fault === 'ends') { console.error('the index is broken'); process.exit(3); }
if (fault === 'hangs') setInterval(() => {}, 1000);
else if (fault === 'garbage' && command === 'query') console.log('no JSON');
else if (fault === 'floods' && command === 'query') process.stdout.write('x'.repeat(5 * 1024 * 1024));
else if (command === 'update') {
  const { collections } = JSON.parse(readFileSync(join(QMD_CONFIG_DIR, 'parley.yml'), 'utf8'));
  const documents = [];
  for (const [collection, { path, pattern }] of Object.entries(collections))
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.md') && (pattern.startsWith('**') || /^(MEMORY\\.md|memory\\/[^/]*\\.md)$/.test(file)))
        documents.push({ collection, file: join(path, file), text: readFileSync(join(path, file), 'utf8') });
  writeFileSync(INDEX_PATH, JSON.stringify(documents));
} else if (command === 'query') {
  const among = rest.flatMap((word, at) => (rest[at - 1] === '-c' ? [word] : []));
  const lines = rest[0].split('\\n').map((line) => line.replace(/^(?:lex|vec|expand): /, '').toLowerCase().split(' '));
  const explains = rest.includes('--explain');
  const meanings = [['automobile', 'car', 'vehicle'], ['parked', 'left', 'garage']];
  const meant = (text) => meanings.filter((group) => group.some((word) => text.toLowerCase().includes(word)));
  const near = (text) => (rest[0].startsWith('vec: ') ? meant(text).filter((group) => meant(rest[0]).includes(group)).length / meanings.length : 0);
  const score = (text) => near(text) + lines.filter((words) => words.every((word) => text.toLowerCase().includes(word))).length;
  const found = JSON.parse(readFileSync(INDEX_PATH, 'utf8'))
    .filter(({ collection, text }) => (fault === 'leaks' || among.includes(collection)) && score(text) > 0)
    .sort((a, b) => score(b.text) - score(a.text))
    .map(({ file, text }, at) => ({ file, line: 1 + text.split('\\n').findIndex((line) => score(line) > 0), score: explains ? 1 / (at + 1) : score(text), title: '', snippet: '',
      ...(explains && { explain: { ftsScores: [], vectorScores: [near(text)], rerankScore: 0 } }) }));
  console.log(JSON.stringify(found));
} else if (command === '--version') console.log('qmd 2.8.3');
`;

/** The path of the program. It notes its calls in `calls.jsonl` of its folder, and answers as the file `fault` there says. */
export function qmdProgram(t: TestContext): string {
  const command = join(tempFolder(t), 'qmd-of-the-test.cjs');
  writeFileSync(command, program);
  chmodSync(command, 0o755);
  return command;
}
