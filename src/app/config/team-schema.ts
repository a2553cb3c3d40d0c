// The keys of parley.config.json about agents that start others: `agents.team`. The other agents are in agent-schema.ts.
import { z } from 'zod';
import { circleIn, circleMessage } from '#engine/teams/check-policy.ts';
import { edgeBehaviors, skillModes, teamRoles } from '#engine/wire/teams/team-policy.ts';

const role = z.enum(teamRoles);
const count = (max: number) => z.int().min(1).max(max);
const budget = z
  .strictObject({
    maxTokens: count(1e9).optional().describe('Tokens sent and received, at most.'),
    maxSteps: count(10_000).optional().describe('Calls of models, at most.'),
    maxToolCalls: count(10_000).optional().describe('Calls of tools, at most.'),
    maxDurationMs: count(86_400_000).optional().describe('Milliseconds, at most.'),
    maxCostUSD: z.number().gt(0).max(1e6).optional().describe('US dollars, at most.'),
  })
  .describe('Bounds: `maxTokens`, `maxSteps` (model calls), `maxToolCalls`, `maxDurationMs`, `maxCostUSD`.');
const skillRef = z.union([
  z.strictObject({ id: z.string().min(1) }),
  z.strictObject({ path: z.string().min(1) }),
]);
const toolNames = z.array(z.string().min(1).max(100)).optional();

const template = z.strictObject({
  displayName: z.string().min(1).max(80).optional(),
  role: role.default('worker'),
  systemPrompt: z.string().min(1).max(20_000),
  model: z.string().min(1).optional(),
  tools: toolNames,
  deniedTools: toolNames,
  skills: z.array(skillRef).default([]),
  budget: budget.default({}),
});

const edges = z
  .partialRecord(
    role,
    z.strictObject({ behavior: z.enum(edgeBehaviors), canSpawn: z.array(role).default([]) }),
  )
  .superRefine((value, { addIssue }) => {
    const circle = circleIn(value);
    if (circle !== undefined) addIssue({ code: 'custom', message: circleMessage(circle) });
  });

/** What is absent holds as docs/agent-teams.md says. */
export const teamSchema = z
  .strictObject({
    enabled: z.boolean().default(false).describe('True: agents may start others, within these bounds.'),
    policyFile: z
      .string()
      .min(1)
      .optional()
      .describe('A spawn-policy.yaml, relative to this file; what it states goes before these keys.'),
    requireJustification: z
      .boolean()
      .optional()
      .describe('An agent must say why it needs another. Default: true.'),
    maxAgents: count(1_000).optional().describe('Agents of one mission, ever. Default: 12.'),
    maxConcurrent: count(100).optional().describe('Agents of one mission that run at once. Default: 4.'),
    maxDepth: count(10).optional().describe('Levels of agents. Default: 2.'),
    maxChildren: count(1_000).optional().describe('Agents that one agent may start. Default: 6.'),
    childBudgetPercent: count(100)
      .optional()
      .describe('Share of what its parent has left that an agent gets at most. Default: 40.'),
    costPer1kTokensUSD: z
      .number()
      .min(0)
      .max(1_000)
      .optional()
      .describe('Used where the model has no price.'),
    missionBudget: budget.optional(),
    spawnEdges: edges
      .optional()
      .describe('By role: `behavior` (`allow`, `request_only`, `deny`) and `canSpawn`.'),
    requiredSkills: z
      .partialRecord(role, z.array(skillRef))
      .optional()
      .describe('Skills that a role must have.'),
    roleDefaults: z.partialRecord(role, budget).optional().describe('Bounds of every agent of a role.'),
    skillFolders: z
      .array(z.string().min(1))
      .default([])
      .describe('Folders of skills, each skill a folder with a SKILL.md; relative to this file.'),
    skillSources: z
      .strictObject({
        mode: z
          .enum(skillModes)
          .default('any')
          .describe(
            'Skills of any source (`any`), only those in the folder of the project (`project_only`), or only those that the two lists name (`allowlist`).',
          ),
        allowlistIDs: z.array(z.string()).default([]).describe('Ids of skills that may be used.'),
        allowlistPaths: z
          .array(z.string())
          .default([])
          .describe('Folders of skills that may be used, relative to the folder of the project.'),
        pinnedHashes: z
          .record(z.string().regex(/^(id|path):.+/), z.string().regex(/^sha256:[0-9a-f]{64}$/))
          .default({})
          .describe(
            'By `id:ID` or `path:FOLDER`: the hash that a skill must have; one that has changed is not used.',
          ),
      })
      .optional()
      .describe('Where skills may come from, and their hashes (`parley skills list` shows them).'),
    templates: z
      .record(z.string().regex(/^[\w-]{1,100}$/), template)
      .default({})
      .describe(
        'Further agents by name: `role`, `systemPrompt`, `model`, `tools`, `deniedTools`, `skills`, `budget`.',
      ),
  })
  .optional();

export type TeamKeys = NonNullable<z.infer<typeof teamSchema>>;
