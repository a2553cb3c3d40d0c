// How the service of this program is written down for each manager of services: systemd, launchd, Windows' tasks. Pure; no secrets.
import { join } from 'node:path';

/** What the service runs, with whole paths. */
export interface ServiceProgram {
  /** Also the name of the unit, the agent or the task. */
  name: string;
  node: string;
  program: string;
  /** Of a config with another name than usual. */
  config: string | undefined;
  /** Where it is run: the folder of the config, whose `.env` holds the tokens. */
  folder: string;
  /** The home folder of Parley, for the log where the manager keeps none. */
  home: string;
  /** Variables that are no secrets. */
  variables: Readonly<Record<string, string>>;
  /** How long running answers may take at a stop. */
  shutdownSeconds: number;
}

/** A file that makes the service, and the calls of the manager. */
export interface ServiceUnit {
  path: string;
  text: string;
  /** `utf16le` with its mark, as Windows' own are. */
  encoding: 'utf8' | 'utf16le';
  install: readonly (readonly string[])[];
  remove: readonly (readonly string[])[];
  /** Prints how it is; a code other than 0 says that it does not run. */
  status: readonly string[];
  /** What a person may want to do besides. */
  hint: string | undefined;
}

interface Owner {
  /** The person's folder, for units and agents. */
  home: string;
  /** `XDG_CONFIG_HOME`. */
  configHome?: string | undefined;
  /** Of launchd's domains. */
  userID: number;
}

const about = 'Parley, one assistant behind Discord, Telegram and Slack';
/** As `npm start` has it. */
const nodeFlags = ['--max-semi-space-size=16'];

const argumentsOf = ({ program, config }: ServiceProgram): string[] => [
  ...nodeFlags,
  ...[program, 'start'],
  ...(config === undefined ? [] : ['--config', config]),
];

/** The service for the manager of this system; undefined where there is none that is known. */
export function serviceUnit(
  platform: NodeJS.Platform,
  program: ServiceProgram,
  owner: Owner,
): ServiceUnit | undefined {
  switch (platform) {
    case 'linux':
      return systemdUnit(program, owner);
    case 'darwin':
      return launchdAgent(program, owner);
    case 'win32':
      return windowsTask(program);
    default:
      return undefined;
  }
}

function systemdUnit(program: ServiceProgram, { home, configHome }: Owner): ServiceUnit {
  const { name, node, folder, variables, shutdownSeconds } = program;
  const unit = `${name}.service`;
  const systemctl = (...words: string[]): string[] => ['systemctl', '--user', ...words];
  const text = `# Written by "parley service install"; tokens and keys are in ${join(folder, '.env')}.
[Unit]
Description=${about}
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=notify
NotifyAccess=all
WorkingDirectory=${percent(folder)}
ExecStart=${[node, ...argumentsOf(program)].map(systemdWord).join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
${Object.entries(variables)
  .map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}\n`)
  .join('')}WatchdogSec=60
Restart=on-failure
RestartSec=2
# A config that cannot be used is not tried again.
RestartPreventExitStatus=2
TimeoutStartSec=120
TimeoutStopSec=${shutdownSeconds + 15}
UMask=0077

[Install]
WantedBy=default.target
`;
  return {
    path: join(configHome ?? join(home, '.config'), 'systemd', 'user', unit),
    ...{ text, encoding: 'utf8' },
    install: [systemctl('daemon-reload'), systemctl('enable', '--now', unit)],
    remove: [systemctl('disable', '--now', unit)],
    status: systemctl('is-active', unit),
    hint: `It runs while you are logged in; "loginctl enable-linger" lets it run from the start of the machine. "journalctl --user -u ${name} -f" shows its log.`,
  };
}

/** systemd reads `%` as the beginning of a specifier. */
const percent = (text: string): string => text.replaceAll('%', '%%');

const quoted = (text: string): string => `"${percent(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A word of a command line, in which `$` begins a variable. */
const systemdWord = (text: string): string => quoted(text.replaceAll('$', '$$$$'));

function launchdAgent(program: ServiceProgram, { home, userID }: Owner): ServiceUnit {
  const { name, node, folder, variables } = program;
  const label = `dev.parley.${name}`;
  const path = join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  const log = join(program.home, 'service.log');
  const strings = (values: readonly string[]): string =>
    values.map((value) => `    <string>${xml(value)}</string>\n`).join('');
  const environment = Object.entries(variables)
    .map(([key, value]) => `    <key>${xml(key)}</key>\n    <string>${xml(value)}</string>\n`)
    .join('');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${strings([node, ...argumentsOf(program)])}  </array>
  <key>WorkingDirectory</key>
  <string>${xml(folder)}</string>
  <key>EnvironmentVariables</key>
  <dict>
${environment}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>ExitTimeOut</key>
  <integer>${program.shutdownSeconds + 15}</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${xml(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xml(log)}</string>
</dict>
</plist>
`;
  return {
    ...{ path, text, encoding: 'utf8' },
    install: [['launchctl', 'bootstrap', `gui/${userID}`, path]],
    remove: [['launchctl', 'bootout', `gui/${userID}/${label}`]],
    status: ['launchctl', 'print', `gui/${userID}/${label}`],
    hint: `Its log is ${log}.`,
  };
}

/** A task that begins when its owner logs on; PARLEY_HOME and the like are read from `.env`, as tasks have no variables. */
function windowsTask(program: ServiceProgram): ServiceUnit {
  const { name, node, folder, home } = program;
  const path = join(home, `${name}-task.xml`);
  const line = argumentsOf(program)
    .map((word) => (/[\s"]/.test(word) ? `"${word}"` : word))
    .join(' ');
  const text = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${about}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>10</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(node)}</Command>
      <Arguments>${xml(line)}</Arguments>
      <WorkingDirectory>${xml(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
  return {
    ...{ path, text, encoding: 'utf16le' },
    install: [
      ['schtasks', '/Create', '/TN', name, '/XML', path, '/F'],
      ['schtasks', '/Run', '/TN', name],
    ],
    remove: [
      ['schtasks', '/End', '/TN', name],
      ['schtasks', '/Delete', '/TN', name, '/F'],
    ],
    status: ['schtasks', '/Query', '/TN', name, '/FO', 'LIST'],
    hint: undefined,
  };
}

function xml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
