// No code opens a database file by any other means than SQLite: this list says what each module that opens files opens instead.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';

/** Modules of src that open files, and which: never one that SQLite may have open in the same process. */
const opened: Readonly<Record<string, string>> = {
  'adapters/gateway/commands/sessions/export.ts': 'the export of a conversation, which it makes',
  'adapters/gateway/terms/file-part.ts': 'artifacts, and copies of them',
  'adapters/uploads/arrivals.ts': 'uploads that are on their way, and what became of those that were cut',
  'adapters/uploads/detect-type.ts': 'uploads',
  'adapters/uploads/store.ts': 'uploads',
  'adapters/gateway/turn-files/document-files.ts': 'uploads',
  'adapters/uploads/text-content.ts': 'uploads',
  'app/backup/copy.ts': 'files of a backup, whose databases are closed, and files that are no databases',
  'app/backup/manifest.ts': 'the manifest of a backup',
  'app/backup/planned-restore.ts': 'the plan of a restore',
  'app/backup/write.ts': '`run_state.json`',
  'app/commands/serve/demo.ts': 'the config of the demo',
  'app/commands/serve/mcp.ts': 'its standard input, which is no file of the home folder',
  'app/commands/memory/reading.ts': 'the file of an export, which must not exist',
  'app/compose/damage-notice.ts': 'the note that the owners were told of a damaged memory',
  'app/config/environment.ts': '`.env`',
  'app/config/load.ts': 'the config',
  'app/demo/edit-by-hand.ts': 'a memory file of the demo',
  'app/doctor/home.ts': 'the config, and the mark of a restore',
  'app/running/engine-access.ts': 'the token',
  'app/home/engine-address.ts': 'the address of a running engine',
  'app/home/home-lock.ts': 'the mark of a restore',
  'app/init/setup.ts': 'the config and `.env`',
  'app/compose/local-model/download.ts': 'the files of a model that came',
  'app/compose/operator-service.ts': 'the config',
  'app/compose/secret-settings.ts': '`.env`',
  'app/settings/skill-report.ts': 'the policy file',
  'app/settings/storage.ts': 'the file with the password of a shared database',
  'app/home/version.ts': '`package.json`',
  'base/documents.ts': 'pages of the documentation that come with the program',
  'base/documents/document-text.ts': 'copies of what people sent, in the thread for documents',
  'base/documents/zip-files.ts': 'files within a zip that is open already',
  'base/files/disk-steps.ts': 'files of runs',
  'base/files/file-sync.ts': 'the log of a database, on which SQLite holds no lock',
  'base/files/file-traces-child.ts': 'any file: it is a process of its own that opens no database',
  'base/files/files.ts': 'files that it makes',
  'base/postgres/postgres.ts': 'the certificates of a shared database',
  'console/bundle.ts': 'the modules and styles of its page, and licences of packages',
  'console/page-files.ts': 'its own page',
  'engine/artifacts/artifacts.ts': 'artifacts',
  'engine/http/guards/token.ts': 'the token',
  'engine/missions/team-tools.ts': 'the files of a skill',
  'engine/teams/policy-source.ts': 'the policy file',
  'engine/teams/skills.ts': 'the files of skills',
  'engine/providers/local/model-folder.ts': 'the files of a model',
  'engine/remote/fetch-artifact.ts': 'copies of artifacts',
  'engine/remote/remote-files.ts': 'uploads',
  'engine/run-files/run-folder.ts': 'files of runs',
  'engine/transfer.ts': 'the JSON files of a transfer',
  'memory/files/event-log.ts': 'the journal of events, after a look at what it is',
  'memory/files/rewrite-file.ts': 'the same, written again in UTF-8, with a copy of what it was',
  'memory/files/read-text.ts': 'Markdown files below the memory folders, after a look at what they are',
  'memory/import/items/archive.ts': 'exports of histories, after `refuseDatabase`',
  'memory/import/items/directory.ts': '`.gitignore`',
  'memory/import/items/item.ts': 'documents, after `refuseDatabase`',
  'sandbox/page.ts': 'its own page',
};

/** Exports of `node:fs` and `node:fs/promises` that open a file. The others look only at names, as `stat`, `chmod` and `rename` do. */
const opening =
  /^(open|openSync|openAsBlob|readFile|readFileSync|createReadStream|createWriteStream|copyFile|copyFileSync|cp|cpSync|writeFile|writeFileSync|appendFile|appendFileSync|truncate|truncateSync|promises)$/;
/** Packages that open a file by its path. */
const openingPackages = /\bfrom '(?:file-type|yauzl)'|import\('(?:file-type|yauzl)'\)/;
/** A second SQLite in the process would not know of the descriptors of the first. */
const secondSqlite = /'(?:node:sqlite|sqlite3|sql\.js|bun:sqlite)'/;
const database = /sqlite|-wal|-shm|logOf|fileOf\(|\bledgers?\b|\.files\(\)/i;

const root = join(import.meta.dirname, '..', 'src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({
    file: file.split(sep).join('/'),
    source: readFileSync(join(root, file), 'utf8'),
  }));

/** What a module takes from `node:fs` under its own names; `*` for all of it. */
function takenFromFs(source: string): { name: string; as: string }[] {
  const taken: { name: string; as: string }[] = [];
  for (const [, names] of source.matchAll(/import \{([^}]*)\} from '(?:node:)?fs(?:\/promises)?'/g))
    for (const each of (names ?? '').split(',')) {
      const [name = '', as = name] = each.trim().split(/\s+as\s+/);
      if (name !== '') taken.push({ name, as });
    }
  if (
    /(?:import (?:\* as )?\w+ from|import\(|require\(|getBuiltinModule\() ?'(?:node:)?fs(?:\/promises)?'/.test(
      source,
    )
  )
    taken.push({ name: '*', as: '*' });
  return taken;
}

const opens = (source: string): boolean =>
  openingPackages.test(source) ||
  takenFromFs(source).some(({ name }) => name === '*' || opening.test(name.replace(/^type /, '')));

test('the look at a source finds every way in which it could open a file', () => {
  const ways = [
    "import { readFileSync } from 'node:fs';",
    "import { stat, open as take } from 'node:fs/promises';",
    "import {\n  existsSync,\n  createReadStream,\n} from 'node:fs';",
    "import * as fs from 'node:fs';",
    "import fs from 'fs';",
    "const { open } = await import('node:fs/promises');",
    "process.getBuiltinModule('node:fs');",
    "import { promises } from 'node:fs';",
    "const { openPromise } = await import('yauzl');",
  ];
  for (const way of ways) assert.ok(opens(way), way);
  for (const way of [
    "import { chmodSync, statSync, existsSync } from 'node:fs';",
    "import { rename } from 'node:fs/promises';",
  ])
    assert.ok(!opens(way), way);
});

test('every module that opens files is on the list with what it opens, and none else', () => {
  assert.deepEqual(
    sources
      .filter(({ source }) => opens(source))
      .map(({ file }) => file)
      .sort(),
    Object.keys(opened).sort(),
  );
});

test('no call that opens a file stands in a line with a database', () => {
  const allowed = ['base/files/file-sync.ts'];
  const wrong = sources
    .filter(({ file }) => !allowed.includes(file))
    .flatMap(({ file, source }) => {
      const calls = takenFromFs(source).filter(({ name }) => opening.test(name));
      return source
        .split('\n')
        .filter((line) => calls.some(({ as }) => new RegExp(`(?<![.\\w])${as}\\(`).test(line)))
        .filter((line) => database.test(line))
        .map((line) => `${file}: ${line.trim()}`);
    });
  assert.deepEqual(wrong, []);
});

test('one SQLite is in the process', () => {
  assert.deepEqual(
    sources.filter(({ source }) => secondSqlite.test(source)).map(({ file }) => file),
    [],
  );
});
