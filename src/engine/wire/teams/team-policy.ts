// What agents may start others, under which conditions and with which budget: values only, as the config or a spawn-policy.yaml states them.

/** The roles of a team, as Tandem names them. The run that begins a mission is an `orchestrator`. */
export const teamRoles = [
  'orchestrator',
  'delegator',
  'worker',
  'watcher',
  'reviewer',
  'tester',
  'committer',
] as const;
export type TeamRole = (typeof teamRoles)[number];

export const edgeBehaviors = ['allow', 'request_only', 'deny'] as const;
export const skillModes = ['project_only', 'allowlist', 'any'] as const;

/** What is counted: tokens, steps (calls of a model), calls of tools, working time in milliseconds, millionths of a US dollar. */
export const dimensions = ['tokens', 'steps', 'toolCalls', 'ms', 'microUSD'] as const;
export type Dimension = (typeof dimensions)[number];

/** Whole numbers; a dimension that is absent is not bounded. */
export type Budget = Partial<Record<Dimension, number>>;
export type Spent = Record<Dimension, number>;

/** Which roles a role may start. An empty `canSpawn` of `request_only` means any role, each with an approval. */
interface SpawnEdge {
  behavior: (typeof edgeBehaviors)[number];
  canSpawn: TeamRole[];
}

/** A skill by the name of its folder, or by the path of its SKILL.md. */
export type SkillRef = { id: string; path?: undefined } | { path: string; id?: undefined };

interface SkillSources {
  /** `project_only`: folders inside the folder of the config; `allowlist`: only those named; `any`: every configured folder. */
  mode: (typeof skillModes)[number];
  allowlistIDs: string[];
  allowlistPaths: string[];
  /** `id:NAME` or `path:PATH`, with `sha256:` and the hash that `parley skills list` shows. */
  pinnedHashes: Record<string, string>;
}

export interface SpawnPolicy {
  enabled: boolean;
  requireJustification: boolean;
  /** Instances of one mission, ever. */
  maxAgents: number;
  /** Instances of one mission that run in one moment. */
  maxConcurrent: number;
  /** Levels of instances below the run that begins a mission. */
  maxDepth: number;
  /** Instances that one agent may start. */
  maxChildren: number;
  /** Of what its parent has left, in percent, a child gets at most this. */
  childShare: number;
  /** What 1,000 tokens cost in US dollars where the model has no price; absent: unknown. */
  costPer1kTokensUSD?: number | undefined;
  missionBudget: Budget;
  edges: Partial<Record<TeamRole, SpawnEdge>>;
  requiredSkills: Partial<Record<TeamRole, SkillRef[]>>;
  roleDefaults: Partial<Record<TeamRole, Budget>>;
  skillSources: SkillSources;
}

/** Who may be started: a role with its words, tools, model and skills. */
export interface AgentTemplate {
  templateID: string;
  displayName: string;
  role: TeamRole;
  systemPrompt: string;
  /** Another model of the same provider; that of the run that begins the mission when absent. */
  model?: string | undefined;
  /** Names and patterns of tools; all that its parent has when absent. */
  tools?: readonly string[] | undefined;
  deniedTools?: readonly string[] | undefined;
  skills: readonly SkillRef[];
  budget: Budget;
}

/** What the config says about teams. */
export interface TeamSettings {
  policy: SpawnPolicy;
  /** Absolute path of a spawn-policy.yaml; what it states goes before `policy`. */
  policyFile?: string | undefined;
  /** Those of the config; the shipped ones are added where no other has their name. */
  templates: readonly AgentTemplate[];
  /** Absolute paths of folders that hold skills, each a folder with a SKILL.md. */
  skillFolders: readonly string[];
  /** Absolute path of the config's folder. */
  projectFolder: string;
}

/** What holds where neither the config nor the file says otherwise. Off until it is enabled. */
export const defaultPolicy: SpawnPolicy = {
  enabled: false,
  requireJustification: true,
  maxAgents: 12,
  maxConcurrent: 4,
  maxDepth: 2,
  maxChildren: 6,
  childShare: 40,
  missionBudget: { tokens: 200_000, steps: 60, toolCalls: 80, ms: 20 * 60_000, microUSD: 2_000_000 },
  edges: {
    orchestrator: {
      behavior: 'allow',
      canSpawn: ['delegator', 'worker', 'watcher', 'reviewer', 'tester', 'committer'],
    },
  },
  requiredSkills: {},
  roleDefaults: {},
  skillSources: { mode: 'any', allowlistIDs: [], allowlistPaths: [], pinnedHashes: {} },
};
