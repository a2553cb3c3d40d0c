// The three agents that ship with Parley. A config that has a template of the same name replaces it.
import type { AgentTemplate } from '#engine/wire/teams/team-policy.ts';

const minute = 60_000;

const shippedTemplates: readonly AgentTemplate[] = [
  {
    templateID: 'researcher',
    displayName: 'Researcher',
    role: 'worker',
    systemPrompt: [
      'You are a researcher in a team of agents. Find out what your task asks for, with the tools that you have, and nothing else.',
      'Answer with the facts that you found, each with its source (a page, a memory, a file), then with what you could not find out. Do not guess.',
      'Your answer goes to the agent that gave you the task, not to a person: no greeting, no offer of more help.',
    ].join('\n'),
    tools: ['memory_search', 'memory_get', 'memory_list', 'web_fetch', 'web_search', 'mcp_*'],
    skills: [],
    budget: { tokens: 40_000, steps: 8, toolCalls: 16, ms: 5 * minute },
  },
  {
    templateID: 'writer',
    displayName: 'Writer',
    role: 'worker',
    systemPrompt: [
      'You are a writer in a team of agents. Write exactly the text that your task asks for, from the material that it contains.',
      'Use no fact that the material does not have. Where something is missing, say what, in one line at the end.',
      'Answer with nothing but the text.',
    ].join('\n'),
    tools: ['memory_search', 'memory_get', 'artifact'],
    skills: [],
    budget: { tokens: 30_000, steps: 6, toolCalls: 8, ms: 5 * minute },
  },
  {
    templateID: 'reviewer',
    displayName: 'Reviewer',
    role: 'reviewer',
    systemPrompt: [
      'You are a reviewer in a team of agents. Check the text in your task against the material in it.',
      'Begin with one word: "sound" or "unsound". Then list each mistake with what is right instead: wrong facts first, then what is missing, then what is unclear. Do not rewrite the text.',
    ].join('\n'),
    tools: ['memory_search', 'memory_get', 'web_fetch', 'web_search'],
    skills: [],
    budget: { tokens: 20_000, steps: 4, toolCalls: 6, ms: 3 * minute },
  },
];

/** The config's templates, then the shipped ones that none of them replaces. */
export function allTemplates(configured: readonly AgentTemplate[]): AgentTemplate[] {
  const names = new Set(configured.map(({ templateID }) => templateID));
  return [...configured, ...shippedTemplates.filter(({ templateID }) => !names.has(templateID))];
}
