// The whole statements in a text, and how two of them are compared. Pure: questions, commands, headings, code and half sentences are none.
import { digestOf } from './content-hash.ts';
import { isStop, textLanguage } from './languages.ts';
import { isNonAnswer, isQuestion, sentencesOf } from './sentences.ts';
import { indexText, plainWords } from './tokens.ts';
import { kind, kindsOf } from './word-kinds.ts';

/** Words of a statement at least, and how many of them carry their own meaning. */
const [minWords, minConcepts] = [3, 2];
/** Characters of a statement at most: what is longer is a text. */
const maxLength = 400;

/** "Remember that X" is X. */
const lead =
  /^(?:please\s+)?(?:remember|note|for the record|fyi|merk(?:e)? dir|bitte merk(?:e)? dir|notier(?:e)?|zur info)\b[\s,:–-]*(?:(?:that|dass)\s+)?/iu;
/** Marks of a list, a quotation or a task at the beginning of a line. */
const marks = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(?:\[[ xX]\]\s+)?/u;
/** A request: it states nothing. */
const request =
  /^(?:please|bitte|let['’]?s|lass uns|don['’]?t|do not|never mind|te(?:ll)|show|give|send|write|make|create|run|open|close|list|find|search|look up|check|explain|translate|summari[sz]e|help|remind|forget|delete|remove|add|set|stop|start|try|call|book|buy|order|print|read|repeat|compare|draft|fix|install|update|restart|zeig|sag|gib|schreib|mach|such|finde|liste|erklär|übersetz|hilf|erinner|vergiss|lösch|öffne|starte)\b/iu;
/** What programs write: commands, paths, markup, numbers of a search. */
const machine =
  /^\s*(?:[/$#!>{[<|]|\w+=\S|https?:\/\/\S+\s*$)|```|\b(?:score|recalls?|confidence|candidate|source|status|signals?)\s*[=:]\s*[\d[{"']|[{};]\s*$|\b(?:sudo|npm|npx|git|curl|docker|kubectl|pip|apt|ssh|cd|rm|ls|cat|grep|chmod|mkdir)\s+[-./\w]+(?:\s+[-./\w]+)*\s*$/i;
/** It continues behind its end, or began before its beginning. */
const unfinished =
  /(?:…|\.\.\.|[,;:–-]|\b(?:and|or|but|because|that|the|a|an|of|to|und|oder|aber|weil|dass))\s*$/iu;
const beganBefore = /^(?:…|\.\.\.|[,;:)\]]|(?:and|or|but|because|which|und|oder|aber|weil)\b)/iu;
/** A title, a shortened word, or the day of a German date: its full stop ends no sentence. */
const shortened =
  /(?<![\p{L}\p{N}])(?:Mr|Mrs|Ms|Dr|Prof|Hr|Fr|Frl|Nr|bzw|vgl|ca|approx|vs|e\.g|i\.e|z|z\.B|d|d\.h|u|u\.a|(?:z\.|d\.|u\.)\s(?:B|h|a))\.\s+$/u;
const day = /(?<![\p{L}\p{N}.,])\d{1,2}\.\s+$/u;
const month = /^(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u;
const ended = /[.!。！｡]["'”’)\]*_]*\s*$/u;

export interface Statement {
  /** As it is shown: one line, without marks of a list. */
  text: string;
  /** Its number among the lines of the text, from 0. */
  line: number;
}

/**
 * The statements of a text in order. A sentence counts with its full stop, a whole line also without one; `isCut` says that the text may end
 * in the middle of its last line.
 */
export function statementsOf(text: string, { isCut = false }: { isCut?: boolean } = {}): Statement[] {
  const found: Statement[] = [];
  const lines = text.split('\n');
  let isCode = false;
  for (const [line, whole] of lines.entries()) {
    if (/^ {0,3}(?:`{3,}|~{3,})/.test(whole)) isCode = !isCode;
    else if (!isCode && !/^ {0,3}#{1,6}\s|^\s*<!--|^ {4,}\S|^\t/.test(whole)) {
      const bare = whole.replace(marks, '');
      const sentences = wholeSentences(bare);
      for (const [at, sentence] of sentences.entries()) {
        const isLast = at === sentences.length - 1;
        const isWhole = ended.test(sentence) || (isLast && !(isCut && line === lines.length - 1));
        const shown = shownAs(sentence);
        if (isWhole && isStatement(shown, sentence)) found.push({ text: shown, line });
      }
    }
  }
  return found;
}

/** The sentences of a line, none of them cut behind a word that is only written short. */
function wholeSentences(line: string): string[] {
  const whole: string[] = [];
  for (const part of sentencesOf(line)) {
    const before = whole.at(-1);
    const continues =
      before !== undefined && (shortened.test(before) || (day.test(before) && month.test(part)));
    if (continues) whole[whole.length - 1] = before + part;
    else whole.push(part);
  }
  return whole;
}

function shownAs(sentence: string): string {
  const plain = sentence.replace(/\s+/g, ' ').trim();
  const bare = plain.replace(lead, '');
  return bare === plain ? plain : bare.slice(0, 1).toUpperCase() + bare.slice(1);
}

/** Whether the sentence states something that is understood without what is around it. */
function isStatement(shown: string, original: string): boolean {
  if (shown.length > maxLength || isQuestion(original) || isQuestion(shown) || isNonAnswer(original))
    return false;
  if (machine.test(shown) || request.test(shown) || unfinished.test(shown) || beganBefore.test(shown))
    return false;
  return plainWords(shown).length >= minWords && conceptsOf(shown).size >= minConcepts;
}

/** Words that carry their own meaning, as stems. */
export function conceptsOf(text: string): Set<string> {
  const language = textLanguage(text);
  const words = indexText(text, () => false, language).split(/\s+/);
  return new Set(
    words.filter(
      (word) =>
        word !== '' && (language === 'en' ? (kindsOf(word) & kind.empty) === 0 : !isStop(language, word)),
    ),
  );
}

/** Knows a statement of an audience again, whatever its case and marks. */
export function claimOf(audience: string, statement: string): string {
  return digestOf('claim', audience, plainWords(statement).join(' '));
}

/** The share of words that two statements have in common, of all that either has. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  return both === 0 ? 0 : both / (one.size + other.size - both);
}

/** The share of the words of `part` that are in `whole`; 0 for no words. */
export function shareIn(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size === 0 ? 0 : [...part].filter((word) => whole.has(word)).length / part.size;
}

/** Knows a question of an audience again, whatever its case, marks and order of words. */
export function digestedQuestion(audience: string, question: string): string {
  const concepts = [...conceptsOf(question)].sort();
  return digestOf('question', audience, ...(concepts.length > 0 ? concepts : plainWords(question)));
}
