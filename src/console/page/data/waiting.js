// What waits for a person: read once for all pages, so that the navigation counts it and rows of runs say what they wait for.
// @ts-check
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiFailure, api, me } from './api.js';
import { useData } from './data.js';

/**
 * @import { PermissionRequest, QuestionRequest } from '#engine/wire/runs/request.ts'
 * @import { SpawnApproval } from '#engine/wire/teams/team.ts'
 * @typedef {{ code: string, platform: string, userID: string, name: string, expiresAtMs?: number, looksLike: string[] }} PendingRequest
 * @typedef {{ id: string, address: string, runID: string | null, state: 'failed' | 'open' | 'handing over', error: string | null, createdAtMs: number, parts: number, sent: number }} Undelivered
 * @typedef {{ permissions: PermissionRequest[], questions: QuestionRequest[], agents: SpawnApproval[], pending: PendingRequest[], undelivered: Undelivered[] }} Waits
 */

/** @type {import('@preact/signals').Signal<{ data?: Waits, error?: unknown, reload: () => Promise<void> }>} */
export const waiting = signal({ reload: async () => undefined });

/** How many things wait for the person who is signed in; nothing waits for a viewer. */
export const waitingCount = () =>
  me.value?.role === 'owner'
    ? Object.values(waiting.value.data ?? {}).reduce((sum, list) => sum + list.length, 0)
    : 0;

/** Reads it, and again when something about it happens; it draws nothing. */
export function FollowWaiting() {
  const owner = me.value?.role === 'owner';
  const asked = useData(() => readWaits(owner), [owner], {
    everyMs: 15_000,
    on: ({ type }) => /^(permission|question|agent_team)\./.test(type),
  });
  useEffect(() => {
    waiting.value = asked;
  }, [asked.data, asked.error, asked.reload]);
  return null;
}

/** A viewer reads only of open rooms what their runs wait for. @param {boolean} owner @returns {Promise<Waits>} */
async function readWaits(owner) {
  const [permissions, questions] = await Promise.all([
    /** @type {Promise<PermissionRequest[]>} */ (api('/permission')),
    /** @type {Promise<QuestionRequest[]>} */ (api('/question')),
  ]);
  if (!owner) return { permissions, questions, agents: [], pending: [], undelivered: [] };
  const [{ spawnApprovals }, people, undelivered] = await Promise.all([
    /** @type {Promise<{ spawnApprovals: SpawnApproval[] }>} */ (api('/agent-team/approvals')),
    unlessMissing(/** @type {Promise<{ pending: PendingRequest[] }>} */ (api('/people'))),
    unlessMissing(/** @type {Promise<{ deliveries: Undelivered[] }>} */ (api('/delivery/waiting'))),
  ]);
  return {
    permissions,
    questions,
    // one that a run asks for is among the permissions
    agents: spawnApprovals.filter(({ source }) => source !== 'tool_call'),
    pending: people?.pending ?? [],
    undelivered: undelivered?.deliveries ?? [],
  };
}

/** Where the channels run in another process these routes are there. @template T @param {Promise<T>} asked @returns {Promise<T | undefined>} */
async function unlessMissing(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiFailure && [404, 503].includes(error.status)) return undefined;
    throw error;
  }
}
