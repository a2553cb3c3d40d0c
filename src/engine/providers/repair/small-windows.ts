// Windows of models that are too small for the usual history, by their names; from models.dev's list (MIT), the largest window where
// providers differ. Larger ones are not here: for them the usual history stays. Loaded by the first call of a model.

const windows: ReadonlyMap<string, number> = new Map([
  ['codestral-2501', 32_000],
  ['gemma-2-9b-it', 8_192],
  ['gemma-3n-e4b-it', 8_192],
  ['gemma-7b-it', 8_192],
  ['gemma2-9b-it', 8_192],
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
  ['open-mixtral-8x7b', 32_000],
  ['openchat-3.5-0106', 8_192],
  ['phi-2', 2_048],
  ['phi-3-medium-4k-instruct', 4_096],
  ['phi-3-mini-4k-instruct', 4_096],
  ['phi-3-small-8k-instruct', 8_192],
  ['phi-4', 16_000],
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
  ['zephyr-7b-beta-awq', 4_096],
]);

/** Tokens of the window of a model with a small one; undefined for every other. A vendor before the name and a tag after it do not count. */
export function smallWindow(modelID: string): number | undefined {
  const name = modelID
    .toLowerCase()
    .split('/')
    .at(-1)
    ?.replace(/[:@].*$/, '');
  return windows.get(name ?? '');
}
