// The text of an RTF file (Rich Text Format 1.9.1): its words, in whatever code page they are, without pictures, fonts and styles.

/** Groups whose content is about the document and no text of it; so is every group that begins with `\*`. */
const silent = new Set([
  ...[
    'fonttbl',
    'colortbl',
    'stylesheet',
    'info',
    'pict',
    'object',
    'header',
    'headerl',
    'headerr',
    'headerf',
  ],
  ...[
    'footer',
    'footerl',
    'footerr',
    'footerf',
    'fldinst',
    'listtable',
    'listoverridetable',
    'revtbl',
    'themedata',
  ],
  ...['datastore', 'latentstyles', 'generator', 'xmlnstbl', 'rsidtbl', 'filetbl', 'bkmkstart', 'bkmkend'],
]);
/** What a control word is as text. */
const spoken: Readonly<Record<string, string>> = {
  ...{ par: '\n', line: '\n', sect: '\n', page: '\n\n', tab: '\t', row: ' |\n', cell: ' | ', nestcell: ', ' },
  ...{ emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•' },
};
/** Code pages by the numbers of character sets in a table of fonts (section “Font table”, `\fcharset`). */
const codePageOfCharset: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};
const labels: Readonly<Record<number, string>> = {
  ...{ 437: 'ibm866', 850: 'windows-1252', 866: 'ibm866', 874: 'windows-874', 932: 'shift_jis' },
  ...{ 936: 'gbk', 949: 'euc-kr', 950: 'big5', 10000: 'macintosh', 65001: 'utf-8' },
};

interface Group {
  isSilent: boolean;
  isFonts: boolean;
  /** Bytes that stand for one `\u` for programs that do not know it. */
  skip: number;
  codePage: number;
}

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** The text of the bytes; what is no RTF is shown as far as it can be read. */
export function richText(bytes: Buffer): string {
  const source = bytes.toString('latin1');
  const said: string[] = [];
  const fonts = new Map<number, number>();
  const groups: Group[] = [];
  let group: Group = { isSilent: false, isFonts: false, skip: 1, codePage: 1252 };
  let [font, skipping, held] = [0, 0, [] as number[]];

  /** Bytes are decoded together, since a character may have two. */
  const flush = (): void => {
    if (held.length === 0) return;
    const { codePage } = group;
    const label = labels[codePage] ?? `windows-${codePage}`;
    const decoder = new TextDecoder(isKnown(label) ? label : 'windows-1252');
    said.push(decoder.decode(Uint8Array.from(held)));
    held = [];
  };
  const say = (text: string): void => {
    flush();
    if (!group.isSilent) said.push(text);
  };
  const control = (word: string, value: number | undefined): void => {
    if (silent.has(word)) [group.isSilent, group.isFonts] = [true, word === 'fonttbl'];
    else if (word === 'uc') group.skip = value ?? 1;
    else if (word === 'ansicpg') group.codePage = value || 1252;
    else if (word === 'f') {
      font = value ?? 0;
      flush();
      group.codePage = (group.isFonts ? undefined : fonts.get(font)) ?? group.codePage;
    } else if (word === 'fcharset' && group.isFonts) {
      const codePage = codePageOfCharset[value ?? 0];
      if (codePage !== undefined) fonts.set(font, codePage);
    } else if (word === 'u') {
      say(String.fromCharCode((value ?? 63) & 0xffff));
      skipping = group.skip;
    } else if (Object.hasOwn(spoken, word)) say(spoken[word] ?? '');
  };

  for (const [, word, value, hex, symbol, brace, plain] of source.matchAll(token)) {
    if (brace === '{') {
      flush();
      groups.push({ ...group });
    } else if (brace === '}') {
      flush();
      group = groups.pop() ?? group;
      skipping = 0;
    } else if (hex !== undefined) {
      if (skipping > 0) skipping -= 1;
      else if (!group.isSilent) held.push(Number.parseInt(hex, 16));
    } else if (word !== undefined)
      control(word.toLowerCase(), value === undefined ? undefined : Number(value));
    else if (symbol === '*') group.isSilent = true;
    else if (symbol !== undefined) say(symbols[symbol] ?? '');
    else if (plain !== undefined) {
      const left = plain.slice(skipping);
      skipping = Math.max(0, skipping - plain.length);
      if (!group.isSilent) held.push(...Buffer.from(left, 'latin1'));
    }
  }
  flush();
  return said.join('');
}

const symbols: Readonly<Record<string, string>> = {
  ...{ '~': '\u00a0', _: '-', '\\': '\\', '{': '{', '}': '}', '\n': '\n', '\r': '\n', '\t': '\t' },
};

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
