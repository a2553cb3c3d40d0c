// Windows that are known by the names of models: the names under which their providers offer them, and none of models at home.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownWindow } from '#engine/providers/repair/known-windows.ts';

test('the window of a model is known by the name that its provider gives it, with or without a vendor and a tag', () => {
  const windows: Record<string, number> = {
    'codestral-latest': 256_000,
    'mistralai/magistral-medium-2509': 128_000,
    'devstral-small-2507': 128_000,
    'open-mistral-nemo': 128_000,
    'open-mixtral-8x22b': 64_000,
    'qwen-max': 32_768,
    'qwen-plus-latest': 128_000,
    'qwen3-vl-plus': 256_000,
    'Meta-Llama-3.1-405B-Instruct-Turbo': 128_000,
    'us.meta.llama3-3-70b-instruct-v1:0': 128_000,
    'meta-llama/llama-4-maverick:free': 128_000,
    'deepseek/deepseek-r1': 128_000,
    'deepseek-v4-pro': 1_000_000,
    'grok-4-fast': 256_000,
    'moonshotai/kimi-k2-thinking': 128_000,
    'z-ai/glm-5': 200_000,
    'glm-4-flash': 128_000,
    'glm-4.5v': 64_000,
    'glm-4.6v': 128_000,
    'command-a-03-2025': 128_000,
    'c4ai-aya-expanse-8b': 8_000,
    'amazon.nova-2-lite-v1:0': 1_000_000,
    'MiniMax-M2.1': 192_000,
    'chatgpt-4o-latest': 128_000,
    'gpt-4-1106-preview': 128_000,
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(windows).map((name) => [name, knownWindow(name)])),
    windows,
  );
});

test('a small window that stands in a name is that of the model, and nothing else in a name is taken for one', () => {
  const windows: Record<string, number | undefined> = {
    'moonshot-v1-8k': 8_000,
    'moonshot-v1-32k-vision-preview': 32_000,
    'doubao-1-5-pro-32k-250115': 32_000,
    'step-2-16k': 16_000,
    'ernie-4.0-turbo-8k': 8_000,
    'phi-3-mini-4k-instruct': 4_096,
    'mixtral-8x7b-32768': 32_768,
    'minimax-m1-80k': 1_000_000,
    'phi-3-mini-128k-instruct': undefined,
    'smollm2-2k': undefined,
    'qwen2.5-14b-instruct-q4_k_m': undefined,
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(windows).map((name) => [name, knownWindow(name)])),
    windows,
  );
});

test('models that are mostly run at home have no window by name: it is what their server was started with', () => {
  for (const name of [
    'llama3.1:8b',
    'qwen3:8b',
    'mistral-nemo',
    'gemma3:27b',
    'deepseek-r1:14b',
    'qwen3-coder:30b',
    'command-r:latest',
    'phi4-mini',
    'local',
  ])
    assert.equal(knownWindow(name), undefined, name);
});
