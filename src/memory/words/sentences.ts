// Where a sentence ends and whether it asks or states. Slices of the text itself: nothing is rewritten.

const wide = '。！？｡';
// it opens only where a run of marks begins, so that a long row of dots costs one look
const border = new RegExp(`(?:(?<![.!?…])[.!?…]+["'”’)\\]*_]*(?=\\s)|[${wide}]+[”’」』）]*|\\n+)\\s*`, 'gu');

/** The text cut after each sentence and each line, spaces kept: joined again it is the text. Decimals and URLs stay whole. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const match of text.matchAll(border)) {
    const end = match.index + match[0].length;
    found.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}

const opens =
  /^\W*(?:(?:so|and|but|ok|okay|hey|hi|hello|please|well|um|uh)\W+)*(?:(?:what|who|whose|whom|which|where|when|why|how)(?:['’]?s|['’]re)?\s+(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|am|many|much|long|old|often|far|my|your|the|kind|color|colour|time|day)\b|(?:do|does|did|is|are|was|were|can|could|will|would|should|have|has)\s+(?:i|you|we|they|he|she|it|my|your|our|the|there|this|that|any|anyone|anyone|someone)\b|(?:can you |could you |please )?(?:tell me|remind me|recall|remember)\s+(?:what|who|whose|which|where|when|why|how|about|of|if|whether)\b)/i;

/** True for a sentence that asks, also without its question mark (`what is my locker code`, `remind me where I live`). */
export function isQuestion(sentence: string): boolean {
  return /[?？]["'”’)\]*_\s]*$/u.test(sentence) || opens.test(sentence);
}

const emptyHanded =
  /\b(?:offline|(?:do|did|can|could|was|am|have)(?:n['’]?t| not) (?:know|remember|recall|have|find|see|say|tell|answer|sure|able|been told)|cannot (?:find|say|tell|answer|help)|not (?:sure|certain|aware)|no (?:memory|memories|record|information|idea|answer)|nothing (?:about|on|in|relevant|yet)|unable to|unknown to me)\b|(?<!\p{L})(?:wei(?:ß|ss) (?:ich |es )*(?:leider )?nicht|keine ahnung|nicht sicher|ne sais pas|aucune id[ée]e|no (?:lo )?s[ée]|ni idea|não sei|nao sei|non (?:lo )?so|weet (?:ik |het )*niet|geen idee|vet (?:jag )?inte|ingen aning|не знаю|не помню)(?!\p{L})|不知道|不记得|不清楚|没有记录|わかりません|分かりません|知りません|覚えていません/iu;

/** A sentence in brackets as a whole: a remark on the answer next to it, like how much of memory works. */
const aside = /^[\s_*]*\([^()]*\)[\s_*]*$/;

/** True for an assistant's sentence that is no answer to the question before it: it admits to knowing nothing, or is an aside. */
export function isNonAnswer(sentence: string): boolean {
  return emptyHanded.test(sentence) || aside.test(sentence);
}
