// Why a model refused a request, as far as the request can be made so that it takes it. Read from the code of the error where it is one that
// says so, else from its words, in English or Chinese: servers agree on neither. Those that this was made for are in the test. Pure.
import type { ClassifiedError } from '#engine/providers/calls/provider-failure.ts';

export type Refusal =
  /** It takes no more than so many pictures, none at all with 0; undefined where it does not say how many. */
  | { kind: 'pictures'; most: number | undefined }
  /**
   * It cannot read a picture: the one that the words name by its place, or those of more than `bytes`. `size`: they say that it is too
   * large, `all` that all of the request is.
   */
  | { kind: 'picture'; at?: PictureAt; size?: 'picture' | 'all'; bytes?: number }
  /** It does not take a file that is no picture, or cannot read it. */
  | { kind: 'file' }
  | { kind: 'tools' }
  /** The request, of `tokens`, is longer than the `window`, where it says so. */
  | { kind: 'too long'; window: number | undefined; tokens: number | undefined }
  /** It takes no instructions next to what the user says. */
  | { kind: 'system' }
  /** It takes only ids of calls that have nine letters and digits. */
  | { kind: 'call ids' }
  /** It does not want to read what someone wrote. */
  | { kind: 'content' };

/** The place of a picture in the request as it was sent. `isCounted`: the system message counts as the first one. */
export interface PictureAt {
  message: number;
  part: number;
  isCounted: boolean;
}

/** Statuses that are about who asks and how often, whatever the words are. */
const others: ReadonlySet<number> = new Set([401, 402, 407, 408, 429]);
/**
 * Statuses with which something else than the request may be wrong: the words have to say that there is something that is not taken.
 * 500 is none of them: llama.cpp and Ollama say such things with it, and an error in an answer that said 200 has it.
 */
const doubtful: ReadonlySet<number> = new Set([403, 502, 503, 504]);
const negation =
  /\bnot\b|n['’]t\b|unsupported|\bno\b|only|missing|without|invalid|cannot|unable|fail|exceed|too (long|large|many)|[不无未]|仅|只|失败|有误|非法|超/i;
const busy = /overload|try again|temporar|unavailable|capacity|busy|timed? ?out|繁忙|稍后|过载|超时/i;

/** Of what may be asked in a time or for money, not in one request. */
const quota = /用量|限额|配额|额度|余额|欠费|频率|速率|并发|每分钟|次数/;

/** What the codes of servers mean that say it; a code in figures is of one service alone. */
const codes: Readonly<Record<string, Refusal['kind']>> = {
  context_length_exceeded: 'too long', // OpenAI, Azure, many others
  string_above_max_length: 'too long', // OpenAI
  exceed_context_size_error: 'too long', // llama.cpp
  OutofContextError: 'too long', // Volcengine
  1261: 'too long', // Zhipu
  1039: 'too long', // MiniMax
  content_filter: 'content', // Azure, Moonshot
  content_policy_violation: 'content', // OpenAI
  data_inspection_failed: 'content', // DashScope
  DataInspectionFailed: 'content', // DashScope's own API
  SensitiveContentDetected: 'content', // Volcengine
  InputTextSensitiveContentDetected: 'content',
  1301: 'content', // Zhipu
  1026: 'content', // MiniMax, of what was sent
  1027: 'content', // MiniMax, of the answer
  20041: 'pictures', // SiliconFlow: the model sees none
  20037: 'tools', // SiliconFlow
  image_parse_error: 'picture', // OpenAI
  invalid_image_format: 'picture',
  InputImageSensitiveContentDetected: 'picture', // Volcengine
};
const codeIn = /"(?:code|status_code)"\s*:\s*"?([\w.]+)/g;

const picture =
  /image|vision|picture|multi-?modal|mmproj|\bVLM\b|图片|图像|视觉|多模态|[仅只](支持|接受|能?输入)(纯)?文(本|字)/i;
/** Names of models that can see, which say nothing about what is refused. */
const seeing = /\b(?:this|the) vision model\b|[\w./:@-]+[-/.]vision[\w.:@-]*/gi;
/** About the length of all of it, of which pictures are a part. */
const wholeLength =
  /prompt.{0,30}longer than|max(?:imum)?[_ ]model[_ ]len(?:gth)?|maximum (?:context|prompt) length/i;
const oneText =
  /content.{0,40}(must|should|expected).{0,20}(be )?(a )?string|cannot unmarshal array|unknown variant `?image_url|invalid content type|content\.type.{0,40}\[\W{0,3}text\W{0,3}\]/i;
const unreadable =
  /(could not|unable to|cannot|failed to) (process|decode|identify|load|read|parse|open).{0,30}(image|picture)|(invalid|corrupt\w*|unsupported|broken) image(?! input)|not (represent )?a valid image|image.{0,40}(is (invalid|corrupt)|exceeds?.{0,20}(\bMB\b|bytes|pixels|size)|too large|dimensions)|invalid_image|image (format is illegal|length and width do not meet)|(图片|图像)[^。;；]{0,16}((解析|解码|读取|下载|加载|识别)\S{0,4}(失败|错误|有误|异常)|格式\S{0,6}(不支持|错误|有误|不正确)|损坏|(大小|尺寸|分辨率|像素|宽高)\S{0,8}(超|不符|过大|不满足))|不支持\S{0,4}(图片|图像)(的)?格式/i;
/** Anthropic counts the messages without the instructions (`messages.0.content.1`), OpenAI with them (`messages[1].content[1]`). */
const placed = /messages?([.[])(\d+)\]?\.content[.[](\d+)/;
const ofSize = /exceeds?|too (?:large|big)|dimensions|\bsize\b|[大尺]/i;
const boundInBytes = /> ([\d,]+) bytes/i;
const boundInMegabytes =
  /(?:超过|exceeds?|limit(?: of| is)?|maximum(?: of| is)?|at most|up to)\D{0,12}?([\d.]+) ?MI?B(?![a-z])/i;
/** About the size of the request in bytes. */
const tooLarge =
  /(request|body|payload|entity|content|upload)\b.{0,20}(too (large|big)|exceeds?.{0,30}(\bMI?B\b|bytes|size))/i;
const howMany = [
  /at most (\d+) image/i,
  /max(?:imum)?(?: allowed)?(?: number)?(?: of)?(?: images?)?(?: is| allowed is|:)? (\d+)/i,
  /(?:exceeds?|over)(?: the)? limit(?: of)? (\d+)/i,
  /(?:up to|more than|only|limit (?:is|of)) (\d+) (?:image|picture)/i,
  /images?[^.]{0,60}> (\d+)/i,
  /(?:最多|至多|不能?超过|不得超过|上限[为是]?|限制[为是]?)\D{0,12}(\d+)/,
];
const tooMany =
  /too many images|too much media|number of images|images? count|at most \d+ image|\d+ images?[, ]|(图片|图像)\S{0,4}(数量|张数|个数)|(最多|至多|不能?超过)\D{0,12}\d+\s?[张个幅]\S{0,2}(图|图片|图像)/i;

const file =
  /文件|(?<!检查|参考|参阅|查看)文档|音频|视频|\bpdfs?\b|\bdocuments?\b|\bfiles?\b|file_?data|\baudio\b|\bvideo\b|media type/i;

const tools =
  /(tools?|functions?)(?:[ _-](?:use|call\w*|choice|param\w*))?\W{0,3}.{0,60}(not (?:yet )?(?:support|implement)|n't support|unsupported|unimplemented|not enabled|not available|not permitted|not allowed|requires?|unrecognized|unknown)|(not (?:yet )?(?:support|implement)|n't support|unsupported|unimplemented|no (?:support|implementation)|unrecognized|unknown|no endpoints found).{0,60}(tool|function)|不支持[^。]{0,20}(工具|函数|tool|function)|(工具|函数|tools?|function[ _]?call\w*)[^。]{0,20}(不支持|不可用|未开启|未启用|未支持)/i;

const tooLong =
  /context[ _-]?(length|window|size)|maximum context|n_ctx|num_ctx|prompt (is )?too (long|large)|input (is )?too (long|large)|too many tokens|token (limit|count)|tokens? (exceed|allowed)|exceed.{0,40}(tokens|context)|request (entity )?too large|payload too large|input length|reduce the length|max_model_len|string_above_max_length|maximum prompt length|prompt exceeds max length|max_new_tokens\W{0,3}must be|max_tokens must be at least 1\b|max_seq_len|input tokens must be|(输入|提示词?|上下文|请求内容|对话|文本|消息|prompt|tokens?)[^。,，]{0,16}(超长|过长|太长)|(长度|tokens?|字数|字符数?|上下文)[^。]{0,12}(超过|超出|超限|大于|不能超过|不得超过)|(超过|超出)[^。]{0,16}(长度|tokens?|上下文|字数|字符)/i;
const windows = [
  /(?:maximum |max )?context (?:length|window|size)(?: of| is| limit)?(?: only)?\s*[:(]?\s*([\d,_]+)/i,
  /n_ctx\W{1,4}(\d+)/i,
  /> ([\d,]+) maximum/i,
  /maximum number of tokens(?: allowed)?\W{1,3}([\d,]+)/i,
  /([\d,]+) maximum context/i,
  /(?:limit(?: of| is)?|up to|at most|exceeds?) ([\d,]+)(?: input)? tokens/i,
  /maximum (?:prompt|model) length (?:is|of) ([\d,]+)/i,
  /max_new_tokens\W{0,3}must be <= ([\d,]+)/i,
  /input length should be \[\d+, ?([\d,]+)\]/i,
  /max_seq_len\W{1,4}(\d+)/i,
  /token limit\W{1,3}([\d,]{3,})/i,
  /input tokens must be no more than ([\d,]+)/i,
  /(?:最大(?:长度|上下文|输入)?|上限|限制|不能超过|不得超过|超过了?|超出了?)[^\d。]{0,16}([\d,]{3,})/,
  // a number in brackets is the code of an error
  /context (?:length|window|size)[^(\d]{0,20}?([\d,]{4,})/i,
];
const lengths = [
  /you requested(?: about)? ([\d,]+) tokens/i,
  /n_prompt_tokens\W{1,4}(\d+)/i,
  /request \(([\d,]+) tokens/i,
  /prompt \(length ([\d,]+)\)/i,
  /given: ([\d,]+)/i,
  /(?:resulted in|contains?|has|with|first|is too long:) ([\d,]+)(?: input)?(?: tokens)?/i,
  /token count \(?([\d,]+)/i,
  /tokens? \(?([\d,]+)\)? exceed/i,
  /prompt_tokens \((\d+)\)/i,
  /\bgot ([\d,]+)/i,
  /(?:当前|实际|输入了|请求了|共)[^\d。]{0,12}([\d,]{3,})/,
];
/** The windows that there are: other numbers in the words are something else. */
const minWindow = 256;
const maxWindow = 20_000_000;

const system =
  /system (role|message|prompt|instruction)s?.{0,40}(not supported|not allowed|unsupported|not enabled)|does not support.{0,20}system|developer instruction is not enabled|(invalid|unsupported|unknown|unexpected|unrecognized) (message )?role\W{0,4}(system|developer)\b|\broles?\W{1,4}(system|developer)\W{1,3}(is |are )?(not|invalid|unsupported)|only \W?user\W{1,4}(and |or )?\W?assistant\W{1,3}(and tool )?(roles?|messages?)\b|roles? are supported\W{1,3}got \W?(system|developer)|不支持[^。]{0,8}(system|系统(角色|消息|提示))|(system|系统)\s?(角色|消息|提示词?|role|message)[^。]{0,12}不支持/i;
const content =
  /moderat|flagged|content[ _-]?(policy|filter|management|exists risk|risk)|(safety|usage) (policy|policies|system|filter)|data_?inspection|responsible ?ai|inappropriate|prohibited|sensitive (content|words?|information)|new_sensitive|high risk|敏感|违规|不安全|不合规|不当内容|(内容|安全)(审核|审查|策略)|高风险/i;
const callIDs = /tool.?call.?id.{0,80}length of 9/i;

/** What of a request there is to refuse. */
export interface Refusable {
  pictures: number;
  /** Files that are no pictures. */
  files: number;
  tools: boolean;
  system: boolean;
}

/** Undefined for an error that says nothing of the kind, or of what was not in the request. */
export function refusalIn(
  { code, status, answer }: Pick<ClassifiedError, 'code' | 'status' | 'answer'>,
  asked: Refusable,
): Refusal | undefined {
  const named = namedIn(answer);
  const isNamed = code === 'CONTEXT_LENGTH_EXCEEDED' || named === 'too long';
  if (asked.pictures > 0 && named === 'pictures') return { kind: 'pictures', most: 0 };
  if (asked.pictures > 0 && named === 'picture') return pictureIn(answer);
  if (asked.pictures > 0 && named === 'content') return { kind: 'picture' };
  if (asked.tools && named === 'tools') return { kind: 'tools' };
  if (named === 'content') return { kind: 'content' };
  if (!isNamed && ((status !== undefined && others.has(status)) || quota.test(answer))) return undefined;
  if (status !== undefined && doubtful.has(status)) {
    if (status === 403 && content.test(answer)) return { kind: 'content' };
    if (!negation.test(answer) || busy.test(answer)) return undefined;
  }
  if (asked.pictures > 0 && !wholeLength.test(answer)) {
    if (unreadable.test(answer) || content.test(answer)) return pictureIn(answer);
    const isMany = tooMany.test(answer) || howMany[0]?.test(answer) === true;
    if (isMany) return { kind: 'pictures', most: numberIn(answer, howMany) };
    if (status === 413 || (tooLarge.test(answer) && !tooLong.test(answer)))
      return { kind: 'picture', size: 'all' };
    if (picture.test(answer.replaceAll(seeing, '')) || oneText.test(answer))
      return { kind: 'pictures', most: 0 };
  }
  if (asked.files > 0 && (status === 413 || (file.test(answer) && !tooLong.test(answer))))
    return { kind: 'file' };
  if (callIDs.test(answer)) return { kind: 'call ids' };
  if (asked.tools && tools.test(answer)) return { kind: 'tools' };
  if (asked.system && system.test(answer)) return { kind: 'system' };
  if (!isNamed && status !== 413 && !tooLong.test(answer))
    return content.test(answer) || code === 'CONTENT_FILTERED' ? { kind: 'content' } : undefined;
  const window = numberIn(answer, windows);
  const isWindow = window !== undefined && window >= minWindow && window <= maxWindow;
  const tokens = numberIn(answer, lengths);
  return { kind: 'too long', window: isWindow ? window : undefined, tokens };
}

/** Which picture the words are about, as far as they say it. */
function pictureIn(answer: string): Refusal {
  const [, form = '', message, part] = placed.exec(answer) ?? [];
  const [, megabytes] = boundInMegabytes.exec(answer) ?? [];
  const bytes = numberIn(answer, [boundInBytes]) ?? Number(megabytes) * 2 ** 20;
  return {
    kind: 'picture',
    ...(message === undefined
      ? {}
      : { at: { message: Number(message), part: Number(part), isCounted: form === '[' } }),
    ...(ofSize.test(answer) ? { size: 'picture' } : {}),
    ...(bytes > 0 ? { bytes } : {}),
  };
}

/** What a code in the body says. */
function namedIn(answer: string): Refusal['kind'] | undefined {
  for (const [, code = ''] of answer.matchAll(codeIn)) if (Object.hasOwn(codes, code)) return codes[code];
  return undefined;
}

/** The number that the first of the forms that fits has. */
function numberIn(words: string, forms: readonly RegExp[]): number | undefined {
  for (const form of forms) {
    const digits = form.exec(words)?.[1]?.replace(/[,_]/g, '');
    if (digits !== undefined && digits !== '') return Number(digits);
  }
  return undefined;
}
