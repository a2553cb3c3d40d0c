// The policy that holds now: the config's, with what a spawn-policy.yaml states before it. The file is read again once it has changed.
import { readFile, stat } from 'node:fs/promises';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { SpawnPolicy, TeamSettings } from '#engine/wire/teams/team-policy.ts';

export type PolicyState =
  | { status: 'usable'; policy: SpawnPolicy }
  /** There is none, or none that can be used: nothing may be started. */
  | { status: 'missing'; why: string };

export interface PolicySource {
  /** Looks whether the file has changed; never throws. */
  now(): Promise<PolicyState>;
  /** As it was when it was last looked at; before that what the config says. */
  last(): PolicyState;
}

const none = 'There is no spawn policy: "agents.team" is not in the config.';

/** The source over settings that may change. */
export function createPolicySource(settings: () => TeamSettings | undefined): PolicySource {
  let read: { of: TeamSettings; stamp: string; state: PolicyState } | undefined;

  const stampOf = async (path: string): Promise<string> => {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  };
  const load = async (of: TeamSettings, path: string): Promise<PolicyState> => {
    try {
      const stamp = await stampOf(path);
      if (read?.of === of && read.stamp === stamp) return read.state;
      // reading YAML takes a library that a start without the file does not load
      const { readPolicyFile } = await import('./policy-file.ts');
      const policy = { ...of.policy, ...readPolicyFile(await readFile(path, 'utf8'), path) };
      read = { of, stamp, state: { status: 'usable', policy } };
    } catch (error) {
      read = { of, stamp: '', state: { status: 'missing', why: whyNot(path, error) } };
    }
    return read.state;
  };
  const unread = (of: TeamSettings | undefined): PolicyState =>
    of === undefined ? { status: 'missing', why: none } : { status: 'usable', policy: of.policy };

  return {
    async now() {
      const of = settings();
      return of?.policyFile === undefined ? unread(of) : load(of, of.policyFile);
    },
    last() {
      const of = settings();
      return of?.policyFile !== undefined && read?.of === of ? read.state : unread(of);
    },
  };
}

function whyNot(path: string, error: unknown): string {
  if (error instanceof ParleyError) return error.message;
  if (codeOf(error) === 'ENOENT') return `There is no spawn policy at ${path}.`;
  return `The spawn policy at ${path} cannot be read: ${errorMessage(error)}`;
}
