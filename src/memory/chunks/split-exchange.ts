// A long exchange as overlapping pieces, cut between sentences where it can be and never inside a character. Not indexing.

import { sentencesOf } from '#memory/words/sentences.ts';

/** One piece: what of the user's and of the assistant's text is in it. */
export interface ExchangePiece {
  userText: string;
  assistantText: string;
  tokens: number;
}

/** Tandem's chunk size and overlap, in estimated tokens. */
const pieceTokens = 512;
const overlapTokens = 64;

type Role = 'userText' | 'assistantText';
interface Unit {
  role: Role;
  text: string;
  tokens: number;
}

/** The pieces in order, each of about 512 tokens at most, repeating up to 64 tokens of the one before; one piece when it is short. */
export function splitExchange(exchange: { userText: string; assistantText: string }): ExchangePiece[] {
  const whole = estimateTokens(exchange.userText) + estimateTokens(exchange.assistantText);
  if (whole <= pieceTokens) return [{ ...exchange, tokens: whole }];
  const units = [
    ...unitsOf('userText', exchange.userText),
    ...unitsOf('assistantText', exchange.assistantText),
  ];
  const pieces: Unit[][] = [];
  let current: Unit[] = [];
  let size = 0;
  for (const unit of units) {
    if (current.length > 0 && size + unit.tokens > pieceTokens) {
      pieces.push(current);
      current = tail(current);
      size = sum(current);
    }
    current.push(unit);
    size += unit.tokens;
  }
  pieces.push(current);
  return pieces.map(pieceOf).filter((piece) => piece.userText !== '' || piece.assistantText !== '');
}

/** Tokens of a usual model, estimated by script: about four Latin letters each, about one for each CJK character. */
function estimateTokens(text: string): number {
  const dense =
    text.match(
      /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u{20000}-\u{3ffff}]/gu,
    )?.length ?? 0;
  const other = text.length - dense;
  return Math.ceil(dense + other / 4);
}

function unitsOf(role: Role, text: string): Unit[] {
  return sentencesOf(text)
    .flatMap((sentence) => (estimateTokens(sentence) > overlapTokens ? smaller(sentence) : [sentence]))
    .map((unit) => ({ role, text: unit, tokens: estimateTokens(unit) }));
}

/** A long sentence in parts of at most the overlap's size, cut after spaces, or between characters where there are none. */
function smaller(sentence: string): string[] {
  const parts: string[] = [];
  let current = '';
  let size = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(sentence)) {
    const tokens = tokensOf(segment);
    if (size + tokens > overlapTokens) {
      const space = current.lastIndexOf(' ') + 1;
      const end = space > current.length / 2 ? space : current.length;
      parts.push(current.slice(0, end));
      current = current.slice(end);
      size = estimateTokens(current);
    }
    current += segment;
    size += tokens;
  }
  parts.push(current);
  return parts;
}

function tokensOf(grapheme: string): number {
  return grapheme.length === 1 && grapheme < '\u0e00' ? 0.25 : estimateTokens(grapheme);
}

/** The last units of a piece, as many as the overlap holds. */
function tail(units: readonly Unit[]): Unit[] {
  let size = 0;
  const first = units.findLastIndex((unit) => {
    size += unit.tokens;
    return size > overlapTokens;
  });
  return units.slice(first + 1);
}

function sum(units: readonly Unit[]): number {
  return units.reduce((total, unit) => total + unit.tokens, 0);
}

function pieceOf(units: readonly Unit[]): ExchangePiece {
  const text = (role: Role): string =>
    units
      .filter((unit) => unit.role === role)
      .map((unit) => unit.text)
      .join('')
      .trim();
  return { userText: text('userText'), assistantText: text('assistantText'), tokens: sum(units) };
}
