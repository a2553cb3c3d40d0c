// The words that an instance is given: its template's, its skills', and where it is. Pure.
import type { Skill } from '#engine/teams/skills.ts';
import type { AgentTemplate, Budget } from '#engine/wire/teams/team-policy.ts';

/** The system prompt of an instance. */
export function instancePrompt(
  { systemPrompt, role }: Pick<AgentTemplate, 'systemPrompt' | 'role'>,
  { skills, budget }: { skills: readonly Skill[]; budget: Budget },
): string {
  const bounds = [
    ...(budget.steps === undefined ? [] : [`${budget.steps} answers or rounds of tool calls`]),
    ...(budget.toolCalls === undefined ? [] : [`${budget.toolCalls} tool calls`]),
    ...(budget.tokens === undefined ? [] : [`${budget.tokens} tokens`]),
  ];
  const team = [
    `You are one agent (${role}) of a team that answers a person together. What you answer goes to the agent that started you.`,
    ...(bounds.length === 0 ? [] : [`Your budget: ${bounds.join(', ')}. Answer before it is used up.`]),
  ].join('\n');
  return [systemPrompt.trim(), team, ...skills.map(skillText)].join('\n\n');
}

function skillText({ id, name, description, instructions, files }: Skill): string {
  const rest = files.length === 0 ? [] : [`Its files, for \`skill_file\`: ${files.join(', ')}`];
  return [`# Skill ${id}: ${name}`, description, instructions, ...rest].join('\n\n');
}
