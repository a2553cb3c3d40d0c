// What models taught by refusing requests, as `models`, `status` and the doctor say it.
import type { LearnedModel } from '#engine/wire/runs/provider.ts';

const forget = '"parley models forget" lets it be tried again';

/** What is left out for a model, one sentence each, with what someone may do about it. */
export function learnedRemarks({ model, known }: LearnedModel): { what: string; hint: string }[] {
  const { images, tools, contextTokens, system, shortIDs, beginsThinking } = known;
  const remarks: [unknown, string, string][] = [
    [
      images === 0,
      'takes no pictures: they are left out and named.',
      `Choose a model that sees; ${forget}. \`model.maxImages\` 0 says the same.`,
    ],
    [
      typeof images === 'number' && images > 0,
      `takes ${images} ${images === 1 ? 'picture' : 'pictures'} at once: older ones are only named.`,
      `\`model.maxImages\` says so from the start; ${forget}.`,
    ],
    [
      tools === false,
      'takes no tools: it answers without them, and cannot search memory by a tool.',
      `Choose a model with tools, or start its server with them (vLLM: --enable-auto-tool-choice and --tool-call-parser, llama.cpp: --jinja); ${forget}. \`model.tools\` false says the same.`,
    ],
    [
      typeof contextTokens === 'number',
      `has a window of ${Number(contextTokens).toLocaleString('en')} tokens: of longer conversations the oldest part is left out.`,
      `Start its server with a larger one if it can; \`model.contextTokens\` says how large it is. ${forget}.`,
    ],
    [system === false, 'takes no separate instructions: they are part of the first message.', `${forget}.`],
    [shortIDs === true, 'takes only short ids of tool calls, and gets such.', `${forget}.`],
    [
      beginsThinking === true,
      'begins with thoughts that it only closes: its answers are shown once they are closed.',
      `Give its server the parser for its thoughts (vLLM: --reasoning-parser); ${forget}.`,
    ],
  ];
  return remarks
    .filter(([holds]) => holds)
    .map(([, words, hint]) => ({ what: `The model ${model} ${words}`, hint: capital(hint) }));
}

function capital(text: string): string {
  return text.replace(/^("?)[a-z]/, (start) => (start.startsWith('"') ? start : start.toUpperCase()));
}
