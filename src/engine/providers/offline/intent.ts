// What a person wants from the offline model: recognised by form, since it understands nothing. Not an answer.

export type Intent = 'guide' | 'about' | 'greeting' | 'thanks' | 'farewell' | 'nod' | 'recall' | 'statement';

/** Courtesies that ask for nothing: the whole message is one, with at most the words that usually follow it. */
const courtesies: readonly [Intent, RegExp][] = [
  ['greeting', short('hi|hey|hello|hallo|hola|good (morning|evening|day)|test|ping')],
  ['thanks', short('thanks?( you)?|thank you|thx|cheers|great|nice|perfect|cool')],
  ['farewell', short('bye( bye)?|goodbye|good night|see you( later| soon)?')],
  ['nod', short('ok(ay)?|yes|yeah|yep|no|nope|sure|fine')],
];
const bareHelp = /^\/?help[\s.!?]*$/i;
const bareGuide = /^\/?(guide|manual|instructions|how to)[\s.!?]*$/i;
const aboutParley =
  /\bwhat (can|do|else can) you do\b|^(who|what) are you\b|^how (do|can|should) (i|we) use (it|this|you|parley)\b/i;
const settingUp =
  /\bhow (do|can|should) (i|we|you) (set (it |this |you |parley |a bot )?up|install)|\bset(ting)?[ -]?up parley\b|\bset(ting)? parley up\b/i;
const longAnswer = /\blong(er|est)? (answer|reply|message|text|guide)\b/i;
const guideWord = /\b(guide|manual|instructions|walk[ -]?through|handbook)\b/i;
const courtesy =
  /^(please|hey|hi|hello|ok|parley|can you|could you|would you|will you|i('d| would) like you to|i (need|want) you to)[\s,]+/i;
const imperative =
  /^(give|write|send|show|post|print|tell|explain|list|find|search|look|recall|remind|quote|name|say|describe|summari[sz]e|repeat|help)\b/i;
const telling = /^((tell|remind) (everyone|them|him|her)|(remind|tell) (me|us) that)\b/i;
const someone = 'i|you|we|they|he|she|it|my|your|our|their|his|her|any\\w*';
/** How English questions begin when their mark is missing; `When I was young` and `Will is my brother` are none. */
const interrogative = new RegExp(
  [
    '^(who|whom|whose|which|why|how)\\b',
    '^what(?! an? )\\b',
    "^(when|where)(['’]s| (is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had))\\b",
    `^(is|are|was|were|am|can|could|will|would|should|shall|may) (${someone}|the|this|that|there|some\\w*)\\b`,
    `^(do|does|did|have|has|had) (${someone})\\b`,
  ].join('|'),
  'i',
);

/** The intent of a message; what is neither a request nor a courtesy is something to be remembered. */
export function intentOf(text: string): Intent {
  const question = text.trim();
  const bare = withoutCourtesy(question);
  if (bareGuide.test(bare) || settingUp.test(question)) return 'guide';
  if (bareHelp.test(bare) || aboutParley.test(bare)) return 'about';
  const asks = /[?？؟]\s*$/.test(question) || interrogative.test(bare);
  const orders = imperative.test(bare) && !telling.test(bare);
  if ((asks || orders) && (longAnswer.test(question) || (orders && guideWord.test(question)))) return 'guide';
  const [courteous] = courtesies.find(([, words]) => words.test(question)) ?? [];
  if (courteous !== undefined) return courteous;
  return asks || orders || /[?？؟]/.test(question) ? 'recall' : 'statement';
}

function short(words: string): RegExp {
  const behind = 'there|all|everyone|parley|again|so much|very much|a lot|for that|please';
  return new RegExp(`^(${words})(,?\\s+(${behind}))*[\\s.,!]*$`, 'i');
}

function withoutCourtesy(text: string): string {
  let bare = text;
  for (let shorter = bare.replace(courtesy, ''); shorter !== bare; shorter = bare.replace(courtesy, ''))
    bare = shorter;
  return bare;
}
