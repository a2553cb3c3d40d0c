// The page docs/configuration.md, made of the config's schema, the variables and the help of the command line.
import { helpText } from '#app/cli/program.ts';
import { isLive } from '#app/config/changed-keys.ts';
import { environmentHelp } from '#app/config/environment.ts';
import { configJsonSchema } from '#app/config/schema.ts';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  default?: unknown;
  description?: string;
}

interface Group {
  title: string;
  /** First names of the keys in the group. */
  keys: readonly string[];
  example: object;
}

const groups: readonly Group[] = [
  {
    title: 'The program',
    keys: ['home', 'log'],
    example: { home: '/var/lib/parley', log: { level: 'info' } },
  },
  {
    title: 'Assistants',
    keys: ['language', 'timeZone', 'agent', 'assistants', 'bindings', 'agents'],
    example: {
      agent: { name: 'Ada', systemPrompt: 'You help a team of carpenters.' },
      assistants: { reviewer: { systemPrompt: 'You review code.', tools: ['memory_*'] } },
      bindings: [{ assistant: 'reviewer', platform: 'slack' }],
    },
  },
  {
    title: 'Model',
    keys: ['model'],
    example: {
      model: {
        provider: 'openai-compatible',
        name: 'llama3.3',
        baseUrl: 'http://127.0.0.1:11434/v1',
        fallbacks: [{ provider: 'offline' }],
      },
    },
  },
  {
    title: 'Tools',
    keys: ['tools', 'mcp'],
    example: {
      tools: { web: true, policy: { web_fetch: 'ask' } },
      mcp: {
        files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/docs'] },
      },
    },
  },
  {
    title: 'Memory',
    keys: ['memory'],
    example: {
      memory: { sharing: 'room', embedding: { provider: 'local', model: 'Xenova/multilingual-e5-small' } },
    },
  },
  {
    title: 'Channels',
    keys: ['channels'],
    example: {
      channels: {
        discord: { replyInThread: true, rooms: { include: ['80351110224678912'] } },
        telegram: { directMessages: 'allowlist', allowlist: ['12345678'] },
        slack: { enabled: false },
      },
    },
  },
  {
    title: 'People, approvals and limits',
    keys: ['people', 'approvals', 'limits', 'schedules'],
    example: {
      people: { me: { role: 'owner', accounts: ['discord:80351110224678912', 'telegram:12345678'] } },
      approvals: { requestIn: 'direct' },
      limits: { person: { messages: 200 } },
    },
  },
  {
    title: 'Engine and gateway',
    keys: ['engine', 'network', 'gateway', 'feedback'],
    example: {
      engine: { port: 7500 },
      network: { proxy: 'http://proxy.example.com:3128', noProxy: ['models.example.com'] },
      gateway: { debounceMs: 500 },
    },
  },
  {
    title: 'More than one machine',
    keys: ['storage'],
    example: {
      storage: {
        url: 'postgres://parley@db.example.com/parley?sslmode=verify-full',
        statementSeconds: 5,
      },
    },
  },
  {
    title: 'Files and retention',
    keys: ['sessions', 'uploads', 'runs', 'retention'],
    example: { uploads: { maxSizeMiB: 10, retentionDays: 90 }, retention: { eventDays: 7 } },
  },
];

/** The examples of the page, for a test that the schema accepts them. */
export const examples: readonly object[] = groups.map(({ example }) => example);

/** The whole page as Markdown, ending with a line break. Throws when a key of the schema is in no group. */
export function configurationPage(): string {
  const all = merged(keysOf(configJsonSchema()));
  const grouped = groups.map((group) => ({
    ...group,
    rows: all.filter(({ name }) => group.keys.includes(name.split('.')[0] ?? '')),
  }));
  const lost = all.filter((key) => !grouped.some(({ rows }) => rows.includes(key)));
  if (lost.length > 0)
    throw new Error(`These keys are in no group of the page: ${lost.map(({ name }) => name).join(', ')}`);
  const sections = grouped.map(
    ({ title, example, rows }) =>
      `## ${title}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n\n| key | default | what it does | a change holds |\n| --- | --- | --- | --- |\n${rows.map(rowOf).join('\n')}\n`,
  );
  const variables = Object.entries(environmentHelp).map(([name, what]) => `| \`${name}\` | ${what} |`);
  return [
    intro,
    ...sections,
    `## Environment\n\nFrom the process, or from a file \`.env\` next to the config; the process wins. Secrets belong here, never into the config. Parley masks\nthem in everything that leaves it: answers, previews, files and their names, errors, events, run files, HTTP answers and logs. A change\nholds at the next start.\n\n| variable | what it is |\n| --- | --- |\n${variables.join('\n')}\n`,
    `## Command line\n\n\`\`\`text\n${helpText()}\n\`\`\`\n`,
  ].join('\n');
}

const intro = `# Configuration

\`npm run docs\` makes this page from the schema.

\`parley.config.json\` is next to the \`.env\` (or \`--config FILE\`). Everything has a default. An unknown key is refused with the
nearest known one, and a wrong value with what was expected. Editors complete the file from \`parley.config.schema.json\`. PLATFORM is \`discord\`, \`telegram\` or \`slack\`.

Parley reads the file again within two seconds of a change, or on SIGHUP (\`systemctl reload parley\`), and checks it as at the start. A
file that cannot be used changes nothing; the log, \`parley status\` and \`parley doctor\` say why. A change holds from the next message
on, or from the next start; an answer in progress finishes with the old values.
`;

interface Key {
  name: string;
  standard: string;
  description: string;
  holds: string;
}

function keysOf(schema: JsonSchema, path: readonly string[] = []): Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (key === '$schema') return [];
    const name = [...path, key];
    if (value.properties !== undefined) return keysOf(value, name);
    // a default that is no value of the schema is the last sentence of its description
    const [, description = '', words = 'none'] =
      /^(.*?)(?:\s*Default: (.+?))?\.?$/s.exec((value.description ?? '').replaceAll('|', '\\|')) ?? [];
    return [
      {
        name: name.join('.'),
        standard: value.default === undefined ? words : `\`${JSON.stringify(value.default)}\``,
        description: description === '' || description.endsWith('.') ? description : `${description}.`,
        holds: isLive(name.join('.')) ? 'at once' : 'at the next start',
      },
    ];
  });
}

/** What all platforms have stands once, under `channels.PLATFORM`. */
function merged(all: readonly Key[]): Key[] {
  const general = (key: Key): Key => ({
    ...key,
    name: key.name.replace(/^channels\.(?:discord|telegram|slack)\./, 'channels.PLATFORM.'),
  });
  const alike = (key: Key): boolean =>
    all.filter((other) => rowOf(general(other)) === rowOf(general(key))).length === 3;
  const found = new Map(all.map((key) => (alike(key) ? general(key) : key)).map((key) => [rowOf(key), key]));
  return [...found.values()];
}

function rowOf({ name, standard, description, holds }: Key): string {
  return `| \`${name}\` | ${standard} | ${description} | ${holds} |`;
}
