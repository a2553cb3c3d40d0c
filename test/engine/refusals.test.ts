// What the words mean with which real servers refuse a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalIn } from '#engine/providers/repair/refusal.ts';

const all = { pictures: 3, files: 0, tools: true, system: true };
const of = (status: number | undefined, answer: string, asked = all) =>
  refusalIn({ code: 'PROVIDER_REQUEST_INVALID', status, answer }, asked);

const noPictures: [number, string][] = [
  [404, 'No endpoints found that support image input'], // OpenRouter
  [400, 'this model does not support image input (ref: b8bd630e)'], // Ollama's cloud
  [500, 'this model is missing data required for image input'], // Ollama
  [400, '{"error":"Model does not support images. Please use a model that does."}'], // LM Studio
  [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'], // llama.cpp
  [400, 'At most 0 image(s) may be provided in one prompt.'], // vLLM
  [400, 'm is not a multimodal model'], // vLLM
  [400, 'Invalid content type. image_url is only supported by certain models.'], // OpenAI, Azure
  [422, 'Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`'], // DeepSeek
  [
    400,
    "'messages.1' : for 'role:user' the following must be satisfied: 'messages.1.content' : value must be a string",
  ], // Groq
  [400, 'json: cannot unmarshal array into Go struct field Message.messages.content of type string'], // Ollama, earlier
  [400, 'Image input is not enabled for this model'], // Mistral
];
test('that a model takes no pictures is read from the words of each server (R2)', () => {
  for (const [status, words] of noPictures)
    assert.deepEqual(of(status, words), { kind: 'pictures', most: 0 }, words);
});

const fewer: [number, string, number | undefined][] = [
  [400, 'At most 5 image(s) may be provided in one request.', 5], // vLLM
  [400, 'Too many images in request. Max is 10.', 10], // Azure
  [400, 'Too many images in request: 11 images provided, but the model supports a maximum of 10 images.', 10],
  [400, 'too many images and documents: 120 + 0 > 100', 100], // Anthropic
  [400, 'Image count 5 exceeds limit 4 per request.', 4], // LiteLLM
  [400, 'request contains 52 images, exceeding the maximum of 50 allowed per request', 50],
  [500, 'too many images in the message, max allowed is 16', 16], // new-api
];
test('how many pictures a model takes is read where it says so (R3)', () => {
  for (const [status, words, most] of fewer)
    assert.deepEqual(of(status, words), { kind: 'pictures', most }, words);
});

test('a picture that cannot be read is not taken for a model that sees none', () => {
  for (const words of [
    'Could not process image', // Anthropic
    'Unable to process input image. Please retry or report in', // Gemini
    'The image data you provided does not represent a valid image.', // OpenAI
    'cannot identify image file <_io.BytesIO object>', // vLLM
  ])
    assert.deepEqual(of(400, words), { kind: 'picture' }, words);
});

test('that a picture, or all of a request, is too large is read with the place and the bound that the words name', () => {
  const size = 'picture';
  const placed = { message: 0, part: 1, isCounted: false };
  for (const [status, words, rest] of [
    [413, '<html>413 Request Entity Too Large</html>', { size: 'all' }], // nginx
    [400, 'Request body too large', { size: 'all' }],
    [400, 'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', { size, bytes: 5_242_880 }], // Anthropic
    [
      400,
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
      { at: placed, size, bytes: 5_242_880 },
    ],
    [400, 'messages[1].content[2]: invalid image', { at: { message: 1, part: 2, isCounted: true } }],
    [400, 'image size exceeds the limit of 20 MB', { size, bytes: 20 * 2 ** 20 }],
    [400, 'image dimensions exceed max allowed size: 8000 pixels', { size }],
  ] as const)
    assert.deepEqual(of(status, words), { kind: 'picture', ...rest }, words);
});

const withoutPictures = { ...all, pictures: 0 };
test('that a model takes no tools is read from the words of each server (R6)', () => {
  for (const [status, words] of [
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'], // Ollama
    [404, 'No endpoints found that support tool use. To learn more, visit: https://openrouter.ai'], // OpenRouter
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'], // vLLM
    [500, 'tools param requires --jinja flag'], // llama.cpp
    [400, '`tool calling` is not supported with this model'], // Groq
    [400, 'Function calling is not enabled for models/gemma-3-27b-it'], // Gemini
    [400, 'deepseek-reasoner does not support Function Calling'], // DeepSeek
    [400, "This model doesn't support tool use in streaming mode."], // Bedrock
    [400, 'Unrecognized request argument supplied: tools'], // Azure, earlier
  ] as const)
    assert.deepEqual(of(status, words, withoutPictures), { kind: 'tools' }, words);
});

const long: [number | undefined, string, number | undefined, number | undefined][] = [
  [
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9100 tokens (5004 in the messages, 4096 in the completion).",
    8192,
    9100,
  ], // vLLM, Azure
  [
    400,
    'request (9021 tokens) exceeds the available context size (8192 tokens), try increasing it',
    8192,
    9021,
  ], // llama.cpp
  [
    400,
    '{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9021,"n_ctx":4096}',
    4096,
    9021,
  ], // llama.cpp
  [
    undefined,
    'Trying to hold the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.',
    7866,
    15857,
  ], // LM Studio
  [400, 'prompt is too long: 208310 tokens > 200000 maximum', 200_000, 208_310], // Anthropic
  [
    400,
    'The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).',
    1_048_576,
    1_050_000,
  ], // Gemini
  [
    400,
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    32_768,
    40_000,
  ], // Mistral
  [400, 'Input length 1581 exceeds context length 1500', 1500, undefined], // LM Studio
  [413, '<html>413 Request Entity Too Large</html>', undefined, undefined], // nginx
  [400, 'Input is too long for requested model.', undefined, undefined], // Bedrock
];
test('that a request is too long, and for which window, is read from the words of each server (R4)', () => {
  for (const [status, words, window, tokens] of long)
    assert.deepEqual(of(status, words, withoutPictures), { kind: 'too long', window, tokens }, words);
});

test('with a picture in the request, words about tools or length are read as such, whatever the name of the model (R1)', () => {
  for (const words of [
    'registry.ollama.ai/library/llama3.2-vision:latest does not support tools', // Ollama
    '"tools" is not supported by this vision model',
  ])
    assert.deepEqual(of(400, words), { kind: 'tools' }, words);
  // vLLM
  const decoder =
    'The decoder prompt (length 12000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens. For image inputs, the number of image tokens depends on the number of images and their aspect ratios as well.';
  assert.deepEqual(of(400, decoder), { kind: 'too long', window: 8192, tokens: 12_000 });
  const answerLength = 'max_tokens is too large; this vision model supports at most 4096 completion tokens';
  assert.notEqual(of(400, answerLength)?.kind, 'pictures');
});

test('a request that is too long is known by further words, and a code is no window (R4)', () => {
  for (const [words, window, tokens] of [
    ['invalid params, context window exceeds limit (2013)', undefined, undefined], // MiniMax
    ['`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4200 `inputs` tokens', 4097, 4200], // TGI
    ["This model's maximum prompt length is 8192 but the request contains 9034 tokens.", 8192, 9034], // xAI
    ['Prompt exceeds max length', undefined, undefined], // Zhipu
    ['max_tokens must be at least 1, got -829.', undefined, undefined], // vLLM
  ] as const)
    assert.deepEqual(of(400, words, withoutPictures), { kind: 'too long', window, tokens }, words);
});

test('instructions and ids of calls that a server does not take are recognised', () => {
  assert.deepEqual(of(400, 'System role not supported', withoutPictures), { kind: 'system' });
  assert.deepEqual(
    of(400, 'Developer instruction is not enabled for models/gemma-3-27b-it', withoutPictures),
    { kind: 'system' },
  );
  assert.deepEqual(
    of(400, 'Tool call id was prt_01 but must be a-z, A-Z, 0-9, with a length of 9.', withoutPictures),
    { kind: 'call ids' },
  );
});

test('another refusal, or one of what was not in the request, is none that can be repaired', () => {
  assert.equal(of(400, 'temperature must be below 2'), undefined);
  assert.equal(of(401, 'Your key may not use vision models'), undefined);
  assert.equal(of(429, 'Too many images per minute'), undefined);
  assert.equal(of(400, 'images are not supported', { ...all, pictures: 0, tools: false }), undefined);
  assert.equal(of(400, 'm does not support tools', { ...all, pictures: 0, tools: false }), undefined);
  assert.equal(of(404, 'The model `m` does not exist or you do not have access to it.'), undefined);
});

test('that a model does not take a file, or cannot read it, is read from the words of each server (R27)', () => {
  const paper = { ...all, pictures: 0, files: 1 };
  for (const [status, words] of [
    [400, 'messages.0.content.1.document.source.base64.data: A maximum of 100 PDF pages may be provided.'], // Anthropic
    [400, 'The PDF specified is password protected.'], // Anthropic
    [400, 'Invalid file data: file_data. Expected a base64-encoded data URL.'], // OpenAI
    [400, "Invalid value: 'file'. Supported values are: 'text', 'image_url', 'input_audio'."], // OpenAI
    [400, 'Unsupported MIME type: audio/mpeg. This media type is not supported by the model.'], // Google
    [400, 'The document has no pages.'], // Google
    [413, 'Request Entity Too Large'],
  ] as const)
    assert.deepEqual(of(status, words, paper), { kind: 'file' }, words);
  assert.equal(of(400, 'The document has no pages.', { ...paper, files: 0 })?.kind, undefined);
  assert.equal(of(401, 'No file for this key.', paper), undefined);
  assert.equal(of(400, 'prompt is too long: 210000 tokens > 200000 maximum', paper)?.kind, 'too long');
});

test('refusals of Chinese servers are read from their words (R1 to R6)', () => {
  const asked = { ...all, files: 1 };
  const cases: [string, ReturnType<typeof of>][] = [
    ['当前模型不支持图片输入', { kind: 'pictures', most: 0 }],
    ['该模型仅支持文本输入，请移除多模态内容', { kind: 'pictures', most: 0 }],
    ["messages.content.type 参数非法，取值范围 ['text']", { kind: 'pictures', most: 0 }], // Zhipu
    [
      'Model is not a VLM (Vision Language Model). Please use text-only prompts.',
      { kind: 'pictures', most: 0 },
    ], // SiliconFlow
    ['图片数量超过限制，最多支持 5 张图片', { kind: 'pictures', most: 5 }],
    ['图片输入格式/解析错误', { kind: 'picture' }], // Zhipu
    ['不支持的图片格式，请使用 JPG 或 PNG：不支持该图片格式', { kind: 'picture' }],
    ['图片大小超过 10MB 的限制', { kind: 'picture', size: 'picture', bytes: 10 * 2 ** 20 }],
    ['The image length and width do not meet the model restrictions.', { kind: 'picture' }], // DashScope
    ['The image format is illegal and cannot be opened', { kind: 'picture' }], // DashScope
    ['文件解析失败', { kind: 'file' }],
  ];
  for (const [words, refusal] of cases) assert.deepEqual(of(400, words, asked), refusal, words);
  const texts: [string, ReturnType<typeof of>][] = [
    ['当前模型不支持工具调用', { kind: 'tools' }],
    ['该模型暂不支持 function calling', { kind: 'tools' }],
    ['Function call is not supported for this model.', { kind: 'tools' }], // SiliconFlow
    ['输入长度超过模型限制', { kind: 'too long', window: undefined, tokens: undefined }],
    ['Prompt 超长', { kind: 'too long', window: undefined, tokens: undefined }], // Zhipu
    ['输入长度超过模型最大长度 32768，当前 40000', { kind: 'too long', window: 32_768, tokens: 40_000 }],
    ['上下文长度超出限制，请减少输入', { kind: 'too long', window: undefined, tokens: undefined }],
    [
      'Range of input length should be [1, 30720]', // DashScope
      { kind: 'too long', window: 30_720, tokens: undefined },
    ],
    [
      'length of prompt_tokens (34108) must be less than max_seq_len (32768).', // SiliconFlow
      { kind: 'too long', window: 32_768, tokens: 34_108 },
    ],
    [
      'Invalid request: Your request exceeded model token limit: 8192', // Moonshot
      { kind: 'too long', window: 8_192, tokens: undefined },
    ],
    ['不支持 system 角色', { kind: 'system' }],
    [
      '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语',
      { kind: 'content' },
    ], // Zhipu
    ['The request was rejected because it was considered high risk', { kind: 'content' }], // Moonshot
    ['API 调用参数有误，请检查文档。', undefined], // Zhipu
    ['您的账户 token 用量超过限额', undefined],
    ['请求频率超过限制', undefined],
  ];
  for (const [words, refusal] of texts) assert.deepEqual(of(400, words, withoutPictures), refusal, words);
});

test('a code that says why counts more than the words around it', () => {
  for (const [body, refusal] of [
    [
      '{"error":{"code":"1261","message":"请求失败"}}',
      { kind: 'too long', window: undefined, tokens: undefined },
    ], // Zhipu
    ['{"error":{"code":1039,"message":"limit"}}', { kind: 'too long', window: undefined, tokens: undefined }], // MiniMax
    ['{"code":20041,"message":"请求失败","data":null}', { kind: 'pictures', most: 0 }], // SiliconFlow
    ['{"error":{"code":"1301","message":"请求失败"}}', { kind: 'picture' }], // Zhipu
    ['{"error":{"code":"data_inspection_failed","message":"请求失败"}}', { kind: 'picture' }], // DashScope
  ] as const)
    assert.deepEqual(of(400, body), refusal, body);
  const data = '{"error":{"code":"data_inspection_failed","message":"请求失败"}}';
  assert.deepEqual(of(400, data, withoutPictures), { kind: 'content' });
  assert.deepEqual(of(400, '{"code":20037,"message":"请求失败"}', withoutPictures), { kind: 'tools' });
});
