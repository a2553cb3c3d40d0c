// Any one code point as a unit of `fc.string`: what fast-check's own unit 'binary' makes, without its table of a million of them.
import fc from 'fast-check';

/** Where the surrogates begin, and how many there are: none of them is a character. */
const surrogates = { from: 0xd800, count: 0x800 };

export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    if (point < 0 || String.fromCodePoint(point) !== text || !text.isWellFormed())
      throw new Error('expected one character');
    return point < surrogates.from ? point : point - surrogates.count;
  },
);
