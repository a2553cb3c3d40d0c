// What a spawn request is decided about, put together before the transaction: template, policy, skills, model, and the rights of its parent.
import { hash } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import { type Agents, partitionOf, partitionOfRun } from '#engine/context/agents.ts';
import type { Provider, Providers } from '#engine/providers/provider.ts';
import { type OfferedParts, offeredTools } from '#engine/runs/offered.ts';
import { stillThere } from '#engine/runs/session-provider.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import { checkSkills, type SkillVerdict } from '#engine/teams/check-skills.ts';
import type { Instance, InstanceRows } from '#engine/teams/instance-rows.ts';
import type { CostOf } from '#engine/teams/meter.ts';
import type { PolicySource, PolicyState } from '#engine/teams/policy-source.ts';
import { allTemplates } from '#engine/teams/shipped-templates.ts';
import { readSkills } from '#engine/teams/skills.ts';
import type { SpawnSource } from '#engine/wire/teams/team.ts';
import type { AgentTemplate, Budget, TeamRole, TeamSettings } from '#engine/wire/teams/team-policy.ts';
import type { ParentRights } from './rights.ts';

export interface SpawnInput {
  source: SpawnSource;
  templateID: string;
  role?: TeamRole | undefined;
  missionID?: string | undefined;
  parentInstanceID?: string | undefined;
  /** Of a request without a parent. */
  parentRole?: TeamRole | undefined;
  justification?: string | undefined;
  /** The justification when absent. */
  task?: string | undefined;
  budget?: Budget | undefined;
  idempotencyKey?: string | undefined;
  /** A person has approved it. */
  approved?: boolean | undefined;
  /** The run that asks, of a call of a tool. */
  run?: StoredRun | undefined;
}

export interface Prepared {
  policy: PolicyState;
  template: AgentTemplate;
  skills: SkillVerdict;
  task: string;
  key: string;
  run: StoredRun | undefined;
  rights: ParentRights;
  model: { providerID: string; modelID: string };
  isPriced: boolean;
  /** What cannot be promised, as sentences. */
  warnings: string[];
}

export interface PrepareParts extends OfferedParts {
  settings: () => TeamSettings | undefined;
  policy: PolicySource;
  agents: Agents;
  providers: Providers;
  instances: Pick<InstanceRows, 'get' | 'ofSession'>;
  newKey(): string;
}

/** Reads what a request names; a ParleyError `unknown_template`, `invalid_spawn` or `unknown_model` for what does not exist. */
export function createPrepare(parts: PrepareParts): (input: SpawnInput) => Promise<Prepared> {
  return async (input) => {
    const settings = parts.settings();
    const template = templateOf(allTemplates(settings?.templates ?? []), input);
    const task = (input.task ?? input.justification ?? '').trim();
    if (task === '')
      throw new ParleyError('invalid_spawn', 'Expected a task in `prompt`, or a `justification`.');
    const policy = await parts.policy.now();
    const held = policy.status === 'usable' ? policy.policy : undefined;
    const needsSkills = template.skills.length > 0 || (held?.requiredSkills[template.role] ?? []).length > 0;
    const shelf = needsSkills ? await readSkills(settings?.skillFolders ?? []) : { skills: [], broken: [] };
    const projectFolder = settings?.projectFolder ?? '';
    const skills: SkillVerdict =
      held === undefined
        ? { status: 'usable', skills: [], skillHash: undefined }
        : checkSkills(held, template, { shelf, projectFolder });
    const provider = providerOf(parts, template, input);
    const isPriced = provider.prices !== undefined || held?.costPer1kTokensUSD !== undefined;
    const isCostBound = held?.missionBudget.microUSD !== undefined;
    return {
      policy,
      template,
      skills,
      task,
      key: keyOf(input, { templateID: template.templateID, task }) ?? parts.newKey(),
      run: input.run,
      rights: rightsOf(parts, input),
      model: { providerID: provider.providerID, modelID: provider.modelID },
      isPriced,
      warnings: isCostBound && !isPriced ? [unpriced(provider)] : [],
    };
  };
}

/** What a token of the instance's model costs; the policy's figure where the model has no price. */
export function createCostOf({ providers, policy }: Pick<PrepareParts, 'providers' | 'policy'>) {
  return ({ profile }: Instance): CostOf => {
    const prices = stillThere(providers, profile)?.prices;
    const state = policy.last();
    const per1k = state.status === 'usable' ? state.policy.costPer1kTokensUSD : undefined;
    return ({ inputTokens, outputTokens }) => {
      // a price for a million tokens in dollars is one for a token in millionths of a dollar
      if (prices !== undefined) return Math.ceil(inputTokens * prices.input + outputTokens * prices.output);
      return per1k === undefined ? undefined : Math.ceil((inputTokens + outputTokens) * per1k * 1_000);
    };
  };
}

function templateOf(templates: readonly AgentTemplate[], { templateID, role }: SpawnInput): AgentTemplate {
  const template = templates.find((each) => each.templateID === templateID);
  if (template === undefined) {
    const names = templates.map((each) => each.templateID);
    const near = nearestName(templateID, names);
    throw new ParleyError(
      'unknown_template',
      `There is no template ${JSON.stringify(templateID)}; ${near === undefined ? `there are: ${names.join(', ')}` : `the nearest is ${JSON.stringify(near)}`}.`,
    );
  }
  if (role !== undefined && role !== template.role)
    throw new ParleyError(
      'invalid_spawn',
      `The template ${templateID} is a ${template.role}, not a ${role}.`,
    );
  return template;
}

/** The template's model, else that of the run or the parent that asks, else the configured one. */
function providerOf(
  { providers, instances }: PrepareParts,
  { model }: AgentTemplate,
  { run, parentInstanceID }: SpawnInput,
): Provider {
  if (model !== undefined) return providers.resolve({ modelID: model });
  const parent = parentInstanceID === undefined ? undefined : instances.get(parentInstanceID);
  return stillThere(providers, run ?? parent?.profile) ?? providers.resolve();
}

/** What the one who asks may do: a run by its agent where it was asked, an instance by what it was given, a client as the first agent. */
function rightsOf(parts: PrepareParts, { run, parentInstanceID }: SpawnInput): ParentRights {
  const { agents, instances } = parts;
  const parent = parentInstanceID === undefined ? undefined : instances.get(parentInstanceID);
  if (parent !== undefined) {
    const { tools, memory, partition } = parent.profile;
    return { tools, memory, partition };
  }
  const agent = run === undefined ? agents.at({}) : agents.named(run.agent);
  const at = { platform: run?.origin?.platform, canAsk: run?.canAsk ?? true, allowlist: run?.toolAllowlist };
  return {
    tools: offeredTools(parts, agent, at).map(({ name }) => name),
    memory: agent.memory ?? 'full',
    partition: run === undefined ? partitionOf(agent) : partitionOfRun(run, agents),
  };
}

/** Of a call of a tool: the same words for the same message are the same work, however often its run is begun. */
function keyOf(
  { idempotencyKey, run }: SpawnInput,
  work: { templateID: string; task: string },
): string | undefined {
  if (idempotencyKey !== undefined) return `given:${idempotencyKey}`;
  if (run === undefined) return undefined;
  return `call:${run.userMessageID}:${hash('sha256', JSON.stringify([work.templateID, work.task]))}`;
}

function unpriced({ providerID, modelID }: Provider): string {
  return `The price of ${providerID}/${modelID} is not known, so the budget of cost cannot be guaranteed. Set model.prices, or cost_per_1k_tokens_usd of the policy.`;
}
