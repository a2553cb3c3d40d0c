// Windows of models by their names, most from models.dev's list (MIT), some from what their vendors announced. Small ones are named one by
// one, with the largest window where providers differ; large ones by family, with the least in it. Open models that are mostly run at home are
// not among the large ones: their window is what their server was started with. A small window may stand in the name. Loaded by the first call
// of a model.

const small: ReadonlyMap<string, number> = new Map([
  ['c4ai-aya-expanse-8b', 8_000],
  ['c4ai-aya-vision-8b', 16_000],
  ['codestral-2501', 32_000],
  ['gemma-2-9b-it', 8_192],
  ['gemma-3n-e4b-it', 8_192],
  ['gemma-7b-it', 8_192],
  ['gemma2-9b-it', 8_192],
  ['glm-4.5v', 64_000],
  ['glm-4v', 8_192],
  ['glm-4v-plus', 8_192],
  ['glm-z1-air', 32_768],
  ['glm-z1-airx', 32_768],
  ['glm-z1-flash', 32_768],
  ['gpt-3.5-turbo', 16_385],
  ['gpt-3.5-turbo-0125', 16_385],
  ['gpt-3.5-turbo-0301', 4_096],
  ['gpt-3.5-turbo-0613', 16_384],
  ['gpt-3.5-turbo-1106', 16_385],
  ['gpt-3.5-turbo-instruct', 4_096],
  ['gpt-4', 8_192],
  ['gpt-4-32k', 32_768],
  ['grok-2-vision', 8_192],
  ['grok-2-vision-1212', 8_192],
  ['grok-2-vision-latest', 8_192],
  ['grok-vision-beta', 8_192],
  ['jais-30b-chat', 8_192],
  ['llama-2-13b-chat-awq', 4_096],
  ['llama-2-7b-chat-fp16', 4_096],
  ['llama-3-8b-instruct', 7_968],
  ['llama-3.1-8b-instruct-awq', 8_192],
  ['llama-3.1-8b-instruct-fp8', 32_000],
  ['llama-3.3-70b-instruct-fp8-fast', 24_000],
  ['llama3-70b-8192', 8_192],
  ['llama3-8b-8192', 8_192],
  ['meta-llama-3-70b-instruct', 8_192],
  ['meta-llama-3-8b-instruct', 8_192],
  ['mistral-7b-instruct', 32_768],
  ['mistral-7b-instruct-v0.1', 2_824],
  ['mistral-7b-instruct-v0.2', 3_072],
  ['mistral-nemo-12b-instruct', 16_000],
  ['mistral-saba-24b', 32_768],
  ['open-mistral-7b', 8_000],
  ['open-mixtral-8x22b', 64_000],
  ['open-mixtral-8x7b', 32_000],
  ['openchat-3.5-0106', 8_192],
  ['phi-2', 2_048],
  ['phi-3-medium-4k-instruct', 4_096],
  ['phi-3-mini-4k-instruct', 4_096],
  ['phi-3-small-8k-instruct', 8_192],
  ['phi-4', 16_000],
  ['qwen-max', 32_768],
  ['qwen-max-latest', 32_768],
  ['qwen1.5-7b-chat-awq', 20_000],
  ['qwen2.5-coder-32b-instruct', 32_768],
  ['qwen2.5-vl-32b-instruct', 8_192],
  ['qwen2.5-vl-72b-instruct', 32_768],
  ['qwen3-4b', 32_768],
  ['qwq-32b', 32_768],
  ['reka-flash-3', 32_768],
  ['sarvam-m', 32_768],
  ['solar-mini', 32_768],
  ['starling-lm-7b-beta', 4_096],
  ['tinyllama-1.1b-chat-v1.0', 2_048],
  ['voxtral-small-2507', 32_000],
  ['voxtral-small-latest', 32_000],
  ['zephyr-7b-beta-awq', 4_096],
]);

/** What a name begins with; the first that fits. */
const families: readonly [begins: RegExp, tokens: number][] = [
  [/^claude-(instant|v?2)/, 100_000],
  [/^claude-(?!opus-41)/, 200_000],
  [/^c4ai-aya-expanse-32b/, 128_000],
  [/^codestral-(2508|latest)/, 256_000],
  [/^command-[ar]/, 128_000],
  [/^deepseek-(chat|reasoner|v3\.|(r1(-0528)?|v3(-0324)?)$)(?!-v3-)/, 128_000],
  [/^deepseek-(v4|flash)/, 1_000_000],
  [/^(devstral|magistral)-(medium|small-(latest|25))/, 128_000],
  [
    /^gemini-(1\.5|2\.0|[23]\.\d-pro|[23](\.\d)?-flash|3-pro|flash|pro-latest)(?!.*(audio|image|live|preview-06-17|tts))/,
    1_000_000,
  ],
  [/^glm-4-(air|flash|plus)/, 128_000],
  [/^glm-4\.([5-9](?!v)|6v)/, 128_000],
  [/^glm-5/, 200_000],
  [/^(chatgpt-4o|gpt-4(o|-turbo|-(0125|1106|vision)-preview))/, 128_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5.*-(chat|spark)/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-6/, 1_050_000],
  [/^gpt-oss-/, 128_000],
  [/^grok-(2|3|beta)/, 131_072],
  [/^grok-(4|code)/, 256_000],
  [/^kimi-k2(?!.*75k)/, 128_000],
  [/^kimi-k3/, 1_048_576],
  [/^(meta-)?llama-?(3[.-][13]|4)-.*(instant|instruct|versatile)/, 128_000],
  [/^llama-4-(maverick|scout)/, 128_000],
  [/^minimax-(m1|text-01)/, 1_000_000],
  [/^minimax-m2/, 192_000],
  [/^minimax-m3/, 512_000],
  [/^(mistral-(large|medium)|mistral-small-(latest|25)|ministral-|open-mistral-nemo|pixtral-)/, 128_000],
  [/^nova-2-lite/, 1_000_000],
  [/^nova-(lite|premier|pro)/, 300_000],
  [/^nova-micro/, 128_000],
  [/^o1-(mini|preview)/, 128_000],
  [/^o[134](-|$)/, 200_000],
  [/^(qwen-(flash|plus|turbo)(?!-character)|qwq-plus)/, 128_000],
  [/^qwen3-(coder|max|next|vl-plus)/, 256_000],
  [/^qwen3\.5-plus/, 1_000_000],
  [/^sonar/, 128_000],
];

/** A window in a name (`moonshot-v1-8k`, `mixtral-8x7b-32768`) up to this, in thousands: a larger one is what a model could have, and a server at home less. */
const largestNamed = 64;

function windowIn(name: string): number | undefined {
  const [, thousands, tokens] = /[-_](?:(\d{1,2})k|(4096|8192|16384|32768))(?=[-_]|$)/.exec(name) ?? [];
  if (tokens !== undefined) return Number(tokens);
  const named = Number(thousands ?? 0);
  return named >= 4 && named <= largestNamed ? named * 1_000 : undefined;
}

/** A tag that tells the size of the weights, as Ollama has it: they are run at home, with whatever window. */
const atHome = /:(latest|\d+(\.\d+)?[bm])/;

/**
 * Tokens of the window of a model that is known by its name; undefined for every other. A vendor before the name (`openai/…`, `us.anthropic.…`)
 * and a tag after it (`:free`, `@20250514`) do not count; with a tag of weights (`:14b`) only a small window is known.
 */
export function knownWindow(modelID: string): number | undefined {
  const whole = modelID.toLowerCase().split('/').at(-1) ?? '';
  const name = whole.replace(/[:@].*$/, '').replace(/^(?:[a-z]+\.)+(?=[a-z])/, '');
  const named = small.get(name) ?? windowIn(name);
  if (named !== undefined || atHome.test(whole)) return named;
  return families.find(([begins]) => begins.test(name))?.[1];
}
