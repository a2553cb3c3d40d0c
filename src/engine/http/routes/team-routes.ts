// Teams over HTTP, with Tandem's routes and shapes: templates, missions and their agents, spawn requests and approvals.
import type { Context } from 'hono';
import { z } from 'zod';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import { idempotencyKeyOf } from '#engine/http/routing/start-run.ts';
import { optionalID } from '#engine/operations/fields.ts';
import type { EngineService } from '#engine/wire/service.ts';
import {
  instanceStatuses,
  missionStatuses,
  type SpawnOutcome,
  spawnApproval,
  spawnDenied,
  spawned,
  spawnRequest,
  wireInstance,
  wireMission,
  wireTemplate,
} from '#engine/wire/teams/team.ts';

const reasoned = z.object({ reason: z.string().min(1).max(500).optional() });
const counted = { count: z.number() };
const outcomes = {
  200: { about: 'Started', schema: spawned },
  403: { about: 'Denied, with the reason and its code', schema: spawnDenied },
};
const passedOn = z.object({ ok: z.literal(true), approvalID: z.string() });

/** `/agent-team/...`. */
export function teamRoutes(engine: EngineService): Route[] {
  return [...readingRoutes(engine), ...spawnRoutes(engine), ...cancelRoutes(engine)];
}

function readingRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/agent-team/templates',
      tag: 'teams',
      summary: 'The agents that may be started',
      answers: {
        200: { about: 'Templates', schema: z.object({ templates: z.array(wireTemplate), ...counted }) },
      },
      async handle(c) {
        const templates = await engine.teamTemplates();
        return c.json({ templates, count: templates.length });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/agent-team/missions',
      tag: 'teams',
      summary: 'Missions with their agents, newest first; at most 100',
      query: z.object({
        missionID: optionalID,
        sessionID: optionalID,
        runID: optionalID,
        status: z.enum(missionStatuses).optional(),
      }),
      answers: {
        200: { about: 'Missions', schema: z.object({ missions: z.array(wireMission), ...counted }) },
      },
      async handle(c, { query }) {
        const missions = await engine.missions(query);
        return c.json({ missions, count: missions.length });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/agent-team/instances',
      tag: 'teams',
      summary: 'The agents of the newest 100 missions, or of one',
      query: z.object({
        missionID: optionalID,
        parentInstanceID: optionalID,
        status: z.enum(instanceStatuses).optional(),
      }),
      answers: {
        200: { about: 'Agents', schema: z.object({ instances: z.array(wireInstance), ...counted }) },
      },
      async handle(c, { query: { missionID, parentInstanceID, status } }) {
        const instances = (await engine.missions({ missionID }))
          .flatMap((mission) => mission.instances)
          .filter((each) => parentInstanceID === undefined || each.parentInstanceID === parentInstanceID)
          .filter((each) => status === undefined || each.status === status);
        return c.json({ instances, count: instances.length });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/agent-team/approvals',
      tag: 'teams',
      summary: 'Spawn requests that wait for a person, oldest first',
      answers: {
        200: { about: 'Requests', schema: z.object({ spawnApprovals: z.array(spawnApproval), ...counted }) },
      },
      async handle(c) {
        const spawnApprovals = await engine.spawnApprovals();
        return c.json({ spawnApprovals, count: spawnApprovals.length });
      },
    }),
  ];
}

function spawnRoutes(engine: EngineService): Route[] {
  const answer = (c: Context<HttpEnv>, outcome: SpawnOutcome) => c.json(outcome, outcome.ok ? 200 : 403);
  return [
    defineRoute({
      method: 'POST',
      path: '/agent-team/spawn',
      tag: 'teams',
      summary: 'Starts an agent, if the policy allows it and the budget of its mission has room for it',
      body: spawnRequest,
      startsWork: true,
      answers: outcomes,
      handle: async (c, { body }) =>
        answer(c, await engine.spawn(body, { idempotencyKey: idempotencyKeyOf(c) })),
    }),
    defineRoute({
      method: 'POST',
      path: '/agent-team/approvals/spawn/:approval/approve',
      tag: 'teams',
      summary: 'Approves a spawn request, once; it is then decided as if it came now',
      body: reasoned,
      answers: {
        200: { about: 'Started, or passed on to the run that asked', schema: z.union([spawned, passedOn]) },
        403: outcomes[403],
      },
      async handle(c, { body }) {
        const approvalID = c.req.param('approval') ?? '';
        const outcome = await engine.decideSpawn(approvalID, { approve: true, reason: body.reason });
        return 'passedOn' in outcome || 'denied' in outcome
          ? c.json({ ok: true, approvalID })
          : answer(c, outcome);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/agent-team/approvals/spawn/:approval/deny',
      tag: 'teams',
      summary: 'Refuses a spawn request, once',
      body: reasoned,
      answers: { 200: { about: 'Refused', schema: passedOn } },
      async handle(c, { body }) {
        const approvalID = c.req.param('approval') ?? '';
        await engine.decideSpawn(approvalID, { approve: false, reason: body.reason });
        return c.json({ ok: true, approvalID });
      },
    }),
  ];
}

function cancelRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/agent-team/instance/:instance/cancel',
      tag: 'teams',
      summary: 'Stops an agent with all that it has started',
      body: reasoned,
      answers: {
        200: { about: 'As it is now', schema: z.object({ ok: z.literal(true), instance: wireInstance }) },
      },
      async handle(c, { body }) {
        const instance = await engine.cancelInstance(c.req.param('instance') ?? '', body);
        return c.json({ ok: true, instance });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/agent-team/mission/:mission/cancel',
      tag: 'teams',
      summary: 'Stops a mission: its agents, and the run that waits for them',
      body: reasoned,
      answers: {
        200: { about: 'As it is now', schema: z.object({ ok: z.literal(true), mission: wireMission }) },
      },
      async handle(c, { body }) {
        const mission = await engine.cancelMission(c.req.param('mission') ?? '', body);
        return c.json({ ok: true, mission });
      },
    }),
  ];
}
