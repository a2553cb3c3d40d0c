// Every command of the program: what it is for, what it takes, and where its code is.
import { documentPath } from '#base/documents.ts';
import { runStatuses } from '#engine/wire/runs/run.ts';
import type { CommandSpec } from './command-spec.ts';
import { memoryActions } from './memory-actions.ts';

const port = { '--port <number>': 'where it listens, instead of where the config says; 0 takes a free port' };
const dryRun = { '--dry-run': 'show what would be deleted, and change nothing' };
const serviceName = {
  '--name <name>': 'name of the service, where several run on this machine (default: parley)',
};
const ofPlaces = {
  '--chat <address>': 'of this chat: its address, or a name that only it has (discord:#engine-room)',
  '--room <text>': 'of rooms, threads and spaces with this in their names',
};
const limit = { '--limit <number>': 'how many at most' };

export const programCommands: Readonly<Record<string, CommandSpec>> = {
  init: {
    about: 'set up: ask for platforms and a model, check each live, write the config',
    options: {
      '--yes': 'ask nothing: take tokens and keys from the environment',
      '--provider <name>': 'with --yes: the provider of the model',
      '--model <name>': 'with --yes: the model',
      '--unchecked': 'with --yes: write without asking the platforms',
    },
    load: async () => (await import('#app/commands/init.ts')).init,
  },
  start: {
    about: 'run the gateway; with no platform token it starts the sandbox',
    options: port,
    json: 'refused',
    load: async () => (await import('#app/commands/serve/start.ts')).start,
  },
  engine: {
    about: 'run only the engine and its memory; the channels run elsewhere',
    options: port,
    json: 'refused',
    load: async () => (await import('#app/commands/serve/engine.ts')).engine,
  },
  channels: {
    about: 'run only the channels, for an engine that runs elsewhere',
    options: {
      '--engine <url>': 'where the engine is (default: what `engine.host` and `engine.port` say)',
      '--token-file <file>':
        'file with its token (default: PARLEY_TOKEN, or the file "token" in the home folder)',
      ...port,
    },
    json: 'refused',
    load: async () => (await import('#app/commands/serve/channels.ts')).channels,
  },
  chat: {
    about: 'talk to it here in the terminal; pipe lines in for a script',
    load: async () => (await import('#app/commands/chat.ts')).chat,
  },
  demo: {
    about: 'play a fixed story on the sandbox and print what people would see',
    load: async () => (await import('#app/commands/serve/demo.ts')).demo,
  },
  console: {
    about: 'print a link that opens the console in a browser; it works once, for five minutes',
    options: {
      '--viewer': 'for someone who only reads open rooms',
      '--name <name>': 'who it is for',
    },
    load: async () => (await import('#app/commands/console.ts')).consoleLink,
  },
  check: {
    about: 'read the config and the environment and say what is wrong',
    load: async () => (await import('#app/commands/config.ts')).checkConfig,
  },
  status: {
    about: 'show the running Parley: channels, backlog, runs, memory, cost',
    options: { '--watch': 'show it again every two seconds' },
    load: async () => (await import('#app/commands/status.ts')).parleyStatus,
  },
  doctor: {
    about: 'look for everything that can stand in the way, and say how to fix it',
    options: { '--fix': 'fix what can be fixed without losing anything' },
    load: async () => (await import('#app/commands/doctor.ts')).doctor,
  },
  backup: {
    about: 'copy everything in the home folder into a new folder, also while it runs',
    operands: '<dir>',
    load: async () => (await import('#app/commands/backup.ts')).backup,
  },
  restore: {
    about: 'bring a backup back into the home folder, while nothing runs',
    operands: '<dir>',
    options: { '--replace': 'replace what the home folder holds, which is set aside' },
    load: async () => (await import('#app/commands/backup.ts')).restore,
  },
  prune: {
    about: 'delete what is older than `uploads` and `runs` in the config say',
    options: dryRun,
    load: async () => (await import('#app/commands/prune.ts')).prune,
  },
  uploads: {
    about: 'files that people sent',
    actions: {
      prune: { about: 'delete those from before `uploads.retentionDays`', options: dryRun },
    },
    load: async () => (await import('#app/commands/uploads.ts')).parleyUploads,
  },
  sessions: {
    about: 'conversations: list, show, rename, archive, delete, export',
    more: 'Asks the running Parley of the home folder, or the database where none runs.',
    actions: {
      list: {
        about: 'the newest sessions',
        options: {
          ...limit,
          '--title <text>': 'with these words in the title',
          ...ofPlaces,
          '--archived': 'archived ones too',
        },
      },
      show: { about: 'one session with what was written in it', operands: '<id>' },
      rename: { about: 'give it another title', operands: '<id> <title...>' },
      archive: { about: 'take it out of the list', operands: '<id>' },
      unarchive: { about: 'put it back into the list', operands: '<id>' },
      delete: {
        about: 'show what would be deleted; with --apply, delete it',
        operands: '<id>',
        options: { '--apply': 'delete it' },
      },
      compact: {
        about: 'summarize all but its latest exchange; the words say what to keep',
        operands: '<id> [words...]',
      },
      context: { about: 'what its newest prompt held, by part and tokens', operands: '<id>' },
      export: { about: 'one session with all its messages, as JSON', operands: '<id>' },
    },
    load: async () => (await import('#app/commands/calls/sessions.ts')).parleySessions,
  },
  runs: {
    about: 'what runs did: list, show, replay, export',
    more: 'Asks the running Parley of the home folder, or the database where none runs.',
    actions: {
      list: {
        about: 'the newest runs',
        options: {
          ...limit,
          '--session <id>': 'of this session',
          '--status <status>': runStatuses.join(', '),
          '--person <text>': 'asked by someone with this in the name',
          ...ofPlaces,
        },
      },
      show: { about: 'how one run ended, with which model, tools and cost', operands: '<id>' },
      replay: {
        about: 'rebuild a run from its files, and say whether they agree',
        operands: '<id>',
        options: { '--until-event <number>': 'no further than this event' },
      },
      prune: { about: 'delete the files of runs beyond their retention', options: dryRun },
      export: { about: 'one run with its messages and its durable events, as JSON', operands: '<id>' },
    },
    load: async () => (await import('#app/commands/calls/runs.ts')).parleyRuns,
  },
  events: {
    about: 'what the engine does, as it happens',
    more: 'With --json each event is a line.',
    actions: {
      tail: {
        about:
          'what the running Parley does, until it is interrupted; of a run, from its first event to its end. A connection that is lost is made again from where it was',
        options: { '--session <id>': 'of this session', '--run <id>': 'of this run' },
      },
      list: {
        about: 'the last durable events of a run, also where no Parley runs',
        operands: '<run>',
        options: limit,
      },
    },
    load: async () => (await import('#app/commands/calls/events.ts')).events,
  },
  schedules: {
    about: 'reminders and repeated prompts: list, remove',
    more: 'Asks the running Parley of the home folder, or the database where none runs. They are made in a chat, or on the console.',
    usual: 'list',
    actions: {
      list: {
        about: 'all of them, with their chats and next times',
        options: ofPlaces,
      },
      remove: { about: 'remove one, so that it is not sent any more', operands: '<id>' },
    },
    load: async () => (await import('#app/commands/calls/schedules.ts')).parleySchedules,
  },
  export: {
    about: 'write all conversations into a folder, as JSON files',
    operands: '<dir>',
    load: async () => (await import('#app/commands/transfer.ts')).exportFolder,
  },
  import: {
    about: 'read an exported folder in again, while nothing runs',
    operands: '<dir>',
    load: async () => (await import('#app/commands/transfer.ts')).importFolder,
  },
  memory: {
    about: 'read, import and forget what is remembered',
    more: 'Anyone who may read the home folder reads all of it: these commands ask for every audience unless --audience names one.',
    actions: memoryActions,
    load: async () => (await import('#app/commands/memory/memory.ts')).parleyMemory,
  },
  people: {
    about: 'who may talk to it, and their roles',
    more:
      'Strangers who write to the bot in private are given a code, unless the config says otherwise for the channel. A role is owner (may do ' +
      'everything, and approves tools), member or guest. Persons of the config are changed there. Anyone who has more than one account ' +
      'by their own code has no name: "list" shows the word (unnamed:...) that stands for one here.',
    usual: 'list',
    actions: {
      list: { about: 'everyone with a name, with the ids that other commands take, and the codes that wait' },
      show: { about: 'one person with their accounts', operands: '<name>' },
      approve: {
        about: 'admit the person who was given the code',
        operands: '<code>',
        options: {
          '--name <name>': 'who it is',
          '--role <role>': 'owner, member (the default) or guest',
          '--same-person': 'it is one more account of the known person NAME',
        },
      },
      deny: { about: 'turn the person away: no new code for 30 days', operands: '<code>' },
      block: { about: 'stop answering an account that belongs to no known person', operands: '<account>' },
      unblock: { about: 'treat a blocked account as any stranger again', operands: '<account>' },
      role: { about: 'give a person a role', operands: '<name> <role>' },
      remove: {
        about: "take a person's role and accounts away",
        operands: '<name>',
        options: { '--account <id>': 'only this account, as PLATFORM:ID' },
      },
    },
    load: async () => (await import('#app/commands/people.ts')).parleyPeople,
  },
  service: {
    about: 'run it as a service of this machine: install, status, remove',
    more: 'A user unit of systemd, an agent of launchd, or a task of Windows. It reads the config and the .env of this folder; no secret is written into it.',
    actions: {
      install: {
        about: 'write the unit and start it, now and whenever you log in',
        options: { ...serviceName, '--dry-run': 'show what would be written and called, and change nothing' },
      },
      status: { about: 'whether it is installed and runs', options: serviceName },
      remove: {
        about: 'stop it and delete the unit; the home folder stays',
        options: { ...serviceName, '--dry-run': 'show what would be called and deleted, and change nothing' },
      },
    },
    load: async () => (await import('#app/commands/service.ts')).parleyService,
  },
  token: {
    about: 'tokens by which programs read memory',
    more:
      'A token lets a program (a coding agent, say) read and write memory over MCP: for a person, exactly what that person may read now; for ' +
      'an agent, what that agent itself wrote. Only a hash of it is stored.',
    usual: 'list',
    actions: {
      create: {
        about: 'make one, and show it once',
        options: {
          '--person <name>': 'for this person',
          '--agent <name>': 'for this agent',
          '--read-only': 'it may read, and change nothing',
          '--expires <days>': 'refuse it after so many days',
        },
      },
      list: { about: 'all of them, without their secrets' },
      revoke: { about: 'refuse it from now on', operands: '<id>' },
    },
    load: async () => (await import('#app/commands/token.ts')).parleyToken,
  },
  hook: {
    about: 'webhooks that programs call',
    more: 'A webhook lets a program put something into a chat with POST /hook/NAME. Its secret is shown once.',
    actions: {
      create: {
        about: 'make one',
        operands: '<name>',
        options: {
          '--chat <address>':
            'where it writes: an address, or a name that only one room has (discord:#engine-room)',
          '--template <text>': 'with {{body}}, or {{a.b}} of JSON',
          '--kind <kind>': 'text (a message) or prompt (a task for the assistant)',
          '--per-minute <number>': 'requests that it takes (30)',
          '--unchecked': 'also where nothing was said to the bot yet',
        },
      },
      list: { about: 'all of them, without their secrets' },
      delete: { about: 'delete one', operands: '<name>' },
      test: {
        about: 'send what a program would send, {"text":"This is a test."}, and say what became of it',
        operands: '<name>',
      },
    },
    load: async () => (await import('#app/commands/calls/hook.ts')).parleyHook,
  },
  models: {
    about: 'what models refused before, and how to try it again',
    more: 'A model that refuses a request shows what it does not take: pictures, tools, so many tokens. Later requests leave that out.',
    usual: 'list',
    actions: {
      list: { about: 'what each model does not take, and what its server said' },
      forget: {
        about: 'forget what one model refused, or all of them, and try again',
        operands: '[model...]',
      },
    },
    load: async () => (await import('#app/commands/calls/models.ts')).parleyModels,
  },
  skills: {
    about: 'the skills of agents',
    more: 'A skill is a folder with a SKILL.md below a folder of agents.team.skillFolders.',
    actions: {
      list: {
        about:
          'each skill with what it is for, and the hash of its files: the value for agents.team.skillSources.pinnedHashes',
      },
      check: {
        about:
          'what is wrong with skills, pinned hashes, templates and the policy file; the exit code is 1 where something is',
      },
    },
    load: async () => (await import('#app/commands/skills.ts')).skills,
  },
  mcp: {
    about: 'the work journal and memory for a program that speaks MCP over standard input and output',
    more:
      'For a program that starts servers of the Model Context Protocol (a coding agent, say). The token that "parley token create" shows says ' +
      'whose journal and memory it is; it is read from PARLEY_MCP_TOKEN, or from a file. While a Parley runs with the home folder it answers; ' +
      'else its files do, and of rooms nothing is read then. Over HTTP the same is POST /mcp. See ' +
      `${documentPath('mcp.md')}.`,
    options: { '--token-file <file>': 'the token is in it' },
    json: 'refused',
    load: async () => (await import('#app/commands/serve/mcp.ts')).mcp,
  },
  slack: {
    about: 'the app manifest for Slack',
    actions: {
      manifest: {
        about:
          'for api.slack.com/apps, "Create New App", "From a manifest": with every scope and event that Parley uses',
        options: {
          '--name <name>': 'name of the app (default: Parley)',
          '--agent':
            'direct messages are chats, each with a session of its own; Slack does not let an app take this back',
          '--org':
            'the app can be installed for a whole organisation (Enterprise Grid); this cannot be taken back either',
          '--link': 'print a link instead, which creates the app from it',
        },
      },
    },
    load: async () => (await import('#app/commands/slack.ts')).slack,
  },
  schema: {
    about: 'print the JSON Schema of the config file',
    load: async () => (await import('#app/commands/config.ts')).printSchema,
  },
  completion: {
    about: 'print a script that completes commands and options in bash, zsh or fish',
    more:
      '"parley completion bash >> ~/.bashrc", "parley completion zsh >> ~/.zshrc" (after compinit), ' +
      '"parley completion fish > ~/.config/fish/conf.d/parley.fish". It completes the command in the form in which you call it here, also by its path.',
    operands: '<shell>',
    json: 'refused',
    load: async () => (await import('./completion.ts')).completionOf(programCommands),
  },
  version: {
    about: 'print the version of this program',
    load: async () => (await import('#app/commands/version.ts')).printVersion,
  },
};
