// What the console asks, in the typed client: sign-ins of browsers, and use over time.

import type {
  BackupState,
  Configuration,
  ConfigurationCheck,
  ConfigurationWritten,
  DoctorReport,
  LogLines,
  RestoreState,
  SecretState,
} from '#engine/wire/operator/operator.ts';
import type { CurrentSignIn, SignIn, SignInLink } from '#engine/wire/operator/sign-in.ts';
import type { RunPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { UsageBucket } from '#engine/wire/runs/usage.ts';
import type { Verbs } from './request.ts';

export function operatorCalls({ get, post, json }: Verbs) {
  return {
    signIns: {
      /** A link for one sign-in of a browser, within five minutes. */
      link: (as: { role?: SignIn['role']; name?: string | undefined } = {}) =>
        post<SignInLink>('/sign-in/link', as),
      /** As what this client speaks. */
      current: () => get<CurrentSignIn>('/sign-in'),
      list: () => get<SignIn[]>('/sign-ins'),
      end: (id: string) => json<{ ok: true }>(`/sign-ins/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    },
    config: {
      get: () => get<Configuration>('/config'),
      /** What a text for the config file would change, or why it cannot be used. */
      check: (text: string) => post<ConfigurationCheck>('/config/check', { text }),
      /** Writes the file that still has the tag; a ParleyClientError `CONFIG_CHANGED` when it has not. */
      write: (change: { text: string; tag: string }) =>
        json<ConfigurationWritten>('/config', { method: 'PUT', body: change }),
      /** Tokens and keys, without their values. */
      secrets: () => get<SecretState[]>('/config/secrets'),
      /** Writes one for the next start; null removes it. */
      setSecret: (name: string, value: string | null) =>
        json<SecretState[]>('/config/secrets', { method: 'PUT', body: { name, value } }),
    },
    /** Lines of the log after that number. */
    log: (after = 0) => get<LogLines>('/log', { after }),
    backup: {
      state: () => get<BackupState>('/backup'),
      /** Begins one; the running one where one runs. */
      start: (folder: string) => post<BackupState>('/backup', { folder }),
    },
    doctor: {
      report: () => get<DoctorReport>('/doctor'),
      /** Begins a look; the running one where one runs. */
      examine: (how: { quick?: boolean } = {}) => post<DoctorReport>('/doctor', how),
    },
    restore: {
      state: () => get<RestoreState>('/restore'),
      /** Verifies a backup, which the next start then restores. */
      plan: (folder: string) => post<RestoreState>('/restore', { folder }),
      withdraw: () => json<RestoreState>('/restore', { method: 'DELETE' }),
    },
    /** What the prompt of a run was made of. */
    runPrompt: (runID: string) => get<RunPrompt>(`/runs/${encodeURIComponent(runID)}/prompt`),
    /** Messages, tokens, cost, errors and latency in buckets of `step_ms`, at most 1,000 of them. */
    usageSeries: (query: { from_ms: number; until_ms: number; step_ms: number }) =>
      get<UsageBucket[]>('/usage/series', query),
  };
}
