// Markdown that is made to be slow: one small shape repeated until the text has the size that is asked for. Not samples of what models write.

/** A shape of nasty Markdown; `make` gives about `size` characters of it, and never more. */
export interface NastyShape {
  name: string;
  make(size: number): string;
}

/** The text again and again, cut at the size. */
function repeated(text: string): (size: number) => string {
  return (size) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
}

/** A beginning, then the text again and again. */
function after(head: string, text: string): (size: number) => string {
  return (size) => (head + repeated(text)(Math.max(0, size - head.length))).slice(0, size);
}

/** What `line` gives for 0, 1, 2 …, as lines. */
function lines(line: (index: number) => string): (size: number) => string {
  return (size) => {
    const made: string[] = [];
    for (let length = 0, index = 0; length < size; index += 1) {
      const next = line(index);
      made.push(next);
      length += next.length + 1;
    }
    return made.join('\n').slice(0, size);
  };
}

/** A beginning as often as an end, nested in each other. */
function nested(open: string, close: string): (size: number) => string {
  return (size) => {
    const depth = Math.floor(size / (open.length + close.length));
    return `${open.repeat(depth)}${close.repeat(depth)}`;
  };
}

/** A table of so many columns, with rows until the size is reached. */
function table(columns: number, cell: string): (size: number) => string {
  const row = (text: string): string => `|${`${text}|`.repeat(columns)}`;
  return (size) => lines((index) => (index === 1 ? row('-') : row(cell)))(size);
}

/** The first half of the size in one shape, the second half in another. */
function halves(
  first: (size: number) => string,
  second: (size: number) => string,
  between = '\n',
): (size: number) => string {
  return (size) => {
    const half = Math.floor((size - between.length) / 2);
    return first(half) + between + second(half);
  };
}

const shapes: Record<string, (size: number) => string> = {
  'lazy lines behind a quote': after('> x\n', 'x\n'),
  'lazy lines behind a deep quote': after(`${'> '.repeat(30)}x\n`, 'x\n'),
  'lazy lines behind an item': after('- x\n', 'x\n'),
  'lazy lines behind deep items': after(`${'- '.repeat(30)}x\n`, 'x\n'),
  'lazy lines behind a quoted item': after('> 1. > - x\n', 'x\n'),
  'lazy lines behind a footnote': after('[^1]: x\n', 'x\n'),
  'quoted lines': repeated('> x\n'),
  'quoted blank lines': repeated('>\n'),
  'quotes with lazy lines': repeated('> x\ny\n\n'),
  'quotes of two lines': repeated('> x\n> y\n\n'),
  'one deep quote': repeated('>'),
  'one deep quote with spaces': after('> '.repeat(30), '> '),
  'quotes 30 deep': lines(() => `${'>'.repeat(30)} x`),
  'quotes that get deeper': lines((index) => `${'>'.repeat(index + 1)} x`),
  'quotes to 30 and back': lines((index) => `${'>'.repeat(1 + (index % 30))} x`),
  'items on one line': repeated('- '),
  'numbers on one line': repeated('1. '),
  'stars and pluses on one line': repeated('* + - '),
  'items that get deeper': lines((index) => `${' '.repeat(index * 2)}- x`),
  'items to 20 deep and back': lines((index) => `${' '.repeat((index % 20) * 2)}- x`),
  'flat items': repeated('- x\n'),
  'loose items': repeated('- x\n\n'),
  'empty items': repeated('-\n'),
  tasks: repeated('- [ ] x\n'),
  'numbered items': lines((index) => `${index}. x`),
  'items of other marks': repeated('- x\n+ y\n* z\n'),
  'items with code': repeated('- ```\n  x\n  ```\n'),
  'items with indented lines': after('- x\n', '  y\n'),
  'items with blank lines': after('- x\n', '\n  y\n'),
  'quotes and items by turns': lines((index) => (index % 2 === 0 ? '> - x' : '- > x')),
  'quotes in items in quotes': repeated('> - > - x\n'),
  'opening brackets': repeated('['),
  'closing brackets': repeated(']'),
  'brackets by pair': repeated('[]'),
  'brackets nested': nested('[', ']'),
  'opening brackets by line': repeated('[\n'),
  'opening brackets by paragraph': repeated('[[[[a\n\n'),
  'opening images': repeated('!['),
  'unfinished links': repeated('[a]('),
  'unfinished addresses': repeated('[a](<b'),
  'unfinished titles': repeated('[a](b "c'),
  links: repeated('[a](b) '),
  'links of the web': repeated('[a](https://example.org/b) '),
  'links nested': nested('[a', '](b)'),
  'images nested': nested('![a', '](b)'),
  'references without definition': repeated('[a][b] '),
  'parentheses in an address': (size) => `[a](${nested('(', ')')(size - 5)})`,
  stars: repeated('*'),
  'star and letter': repeated('*a'),
  'letter and star': repeated('a*'),
  'stars to open': repeated('*a '),
  'stars to close': repeated('a* '),
  'two stars to open': repeated('**a '),
  'stars of one to three': repeated('*a **b ***c '),
  'stars and underscores': repeated('*a_ '),
  emphasis: repeated('*a* '),
  'emphasis nested': nested('*a ', ' b*'),
  'emphasis nested by turns': nested('*a _', '_ b*'),
  'strong nested': nested('**a ', ' b**'),
  underscores: repeated('_'),
  'underscore and letter': repeated('_a'),
  tildes: repeated('~'),
  'tildes to open': repeated('~~a '),
  struck: repeated('~~a~~ '),
  backticks: repeated('`'),
  'backticks of growing length': lines((index) => `a${'`'.repeat(index + 1)}`),
  'backticks by turns': repeated('`a``b'),
  'backticks and paragraphs': repeated('`a\n\n'),
  'code in a line': repeated('`a` '),
  fences: repeated('```\n'),
  'fences by turns': repeated('```\n~~~\n'),
  'an open fence': after('```\n', 'x\n'),
  'a fence of backticks': after('~~~~~~\n', '```\n'),
  'fences in a quote': repeated('> ```\n> x\n'),
  'indented code': repeated('    x\n'),
  'indented code with blank lines': repeated('    x\n\n'),
  'a table of 500 columns': table(500, 'a'),
  'a table of 5000 columns': table(5_000, 'a'),
  'a table of 5000 empty columns': table(5_000, ''),
  'a table of 2 columns': table(2, 'a'),
  'a table of 10 columns with emphasis': table(10, '*a*'),
  'a table with one broad row': (size) => `|a|b|\n|-|-|\n|${'a|'.repeat((size - 14) >> 1)}`,
  'a table with a broad head and short rows': (size) =>
    halves(table(Math.floor(size / 8), 'a'), repeated('|a|\n'))(size),
  'a table with a long head': (size) => after(`|${'a'.repeat(size >> 1)}|\n|-|\n`, '|b|\n')(size),
  'a table with a head of 20,000 characters': after(`|${'a'.repeat(20_000)}|\n|-|\n`, '|b|\n'),
  'references to a long address': (size) => after(`[a]: b:${'c'.repeat(size >> 1)}\n\n`, '[d][a]\n\n')(size),
  'references to an address of 10,000 characters': after(`[a]: b:${'c'.repeat(10_000)}\n\n`, '[d][a]\n\n'),
  'a table with short rows': after(`|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n`, 'a\n'),
  'a table of Han characters': table(4, '漢字'),
  'a table of escaped bars': table(4, 'a\\|b'),
  'small tables': repeated('|a|b|\n|-|-|\n|c|d|\n\n'),
  'heads of tables without rules': repeated('|a|b|\n'),
  'rules of tables': repeated('|-|-|\n'),
  'rules of lines': repeated('-|-\n'),
  bars: repeated('|'),
  definitions: lines((index) => `[a${index}]: b`),
  'definitions of one name': repeated('[a]: b\n'),
  'definitions and references': halves(
    lines((index) => `[a${index}]: b`),
    lines((index) => `[a${index}]`),
    '\n\n',
  ),
  'unfinished definitions': repeated('[a]:\n'),
  'unfinished titles of definitions': repeated('[a]: b "c\n'),
  'a definition with a long name': (size) => `[${repeated('a ')(size - 5)}]: b`,
  footnotes: lines((index) => `[^${index}]: b`),
  'footnotes and references': halves(
    lines((index) => `[^${index}]: b`),
    lines((index) => `[^${index}]`),
    '\n\n',
  ),
  'references to one footnote': after('[^a]: b\n\n', '[^a]'),
  'footnotes without definition': repeated('[^a] '),
  'footnotes in footnotes': lines((index) => `[^${index}]: [^${index + 1}]\n`),
  entities: repeated('&amp;'),
  'entities by number': repeated('&#x41;'),
  'unfinished entities': repeated('&a'),
  ampersands: repeated('&'),
  'unknown entities': repeated('&abcdefghijklmnopqrstuvwxyzabcde;'),
  'tags to open': repeated('<b>'),
  'tags by pair': repeated('<b>a</b>'),
  'tags nested': nested('<b>', '</b>'),
  'divs nested': nested('<div>', '</div>'),
  'divs by line': repeated('<div>\n'),
  'divs by paragraph': repeated('<div>\n\n'),
  'unfinished tags': repeated('<a '),
  'unfinished attributes': repeated('<a b="'),
  'a tag of many attributes': (size) => `<a ${repeated('b="c" ')(size - 4)}>`,
  'angle brackets': repeated('<'),
  comments: repeated('a<!-- b -->'),
  'unfinished comments': repeated('a <!-- '),
  'unfinished declarations': repeated('a <!A '),
  'unfinished instructions': repeated('a <?'),
  'unfinished CDATA': repeated('a <![CDATA['),
  'a notice': repeated('<!channel> '),
  addresses: repeated('<https://example.org> '),
  'unfinished addresses in brackets': repeated('<https://a'),
  'bare addresses': repeated('https://example.org/a '),
  'one long address': after('https://example.org/', 'a'),
  'an address of parentheses': after('https://example.org/', '()'),
  'an address that ends in entities': after('https://example.org/', '&a;'),
  'an address that ends in points': after('https://example.org/', '.'),
  'www and points': repeated('www.'),
  mail: repeated('a@b.c '),
  'mail without an end': repeated('a@'),
  'mail of dashes': repeated('a-_.@'),
  'one long word': repeated('a'),
  'one long line of words': repeated('word '),
  'a long word with dashes': repeated('ab-'),
  spaces: repeated(' '),
  'spaces between letters': (size) => `a${' '.repeat(size - 2)}b`,
  'lines that end in spaces': repeated('a   \n'),
  'a line that ends in many spaces': repeated(`a${' '.repeat(5_000)}\n`),
  tabs: repeated('\ta'),
  'blank lines': repeated('\n'),
  'blank lines with spaces': repeated(' \n'),
  'line breaks by backslash': repeated('a\\\n'),
  backslashes: repeated('\\'),
  'escaped stars': repeated('\\*'),
  headings: repeated('# a\n'),
  'headings of hashes': repeated('# # '),
  'a heading that ends in many hashes': (size) => `# a ${'#'.repeat(size - 6)} b`,
  hashes: repeated('#'),
  'underlined headings': repeated('a\n=\n'),
  'an underline without end': after('a\n', '='),
  'a rule without end': repeated('- - - '),
  rules: repeated('---\n'),
  'a long number': repeated('1'),
  'front matter': after('---\n', 'a: b\n'),
  emoji: repeated('👍'),
  'emoji joined': repeated('👩‍👩‍👧‍👦'),
  flags: repeated('🇩🇪'),
  'skin tones': repeated('👍🏽'),
  'stacked marks': after('e', '\u0301'),
  'letters with marks': repeated('e\u0301'),
  joiners: repeated('a\u200d'),
  'only joiners': repeated('\u200d'),
  'lone surrogates': repeated('\ud83d'),
  'surrogates the wrong way round': repeated('\udc4d\ud83d'),
  controls: repeated('a\u0001'),
  'Han characters': repeated('漢字'),
  'Han characters and stars': repeated('**「漢」**字'),
  'Han characters and opening stars': repeated('漢**字 '),
  'right to left': repeated('שלום '),
  'a ring above': repeated('a\u030a'),
  mentions: repeated('@everyone '),
  spoilers: repeated('||a'),
  'prose between brackets': repeated('Some words of prose.\n\n[a\n\n'),
  'prose and one open fence': after('```\n', 'Some words of prose.\n\n'),
  'prose behind an item': repeated('- a\n\nSome words of prose.\n\n'),
  'prose in items': repeated('- a\n\n  Some words of prose.\n\n'),
  'lazy lines and stars': after('> *a\n', '*a\n'),
  'lazy lines and brackets': after('> [a\n', '[a\n'),
  'quoted tables': repeated('> |a|b|\n> |-|-|\n> |c|d|\n'),
  'a quoted table with lazy rows': after('> |a|b|\n> |-|-|\n', '|c|d|\n'),
  'a quoted fence with lazy lines': after('> ```\n', 'x\n'),
  'a quoted page with lazy lines': after('> <div>\n', 'x\n'),
  'everything nested': repeated('> - [**a `b` _c_ ![d](e) <b>~~f~~ [^1] &amp; [g][h] \n'),
  'everything by paragraph': repeated(
    '# a\n\n> b\n\n- c\n\n1. d\n\n|e|f|\n|-|-|\n|g|h|\n\n```\ni\n```\n\n[j]: k\n\n[^l]: m\n\n<div>\n\n',
  ),
  'everything opened': repeated('*_~~[![`<a "&#x(\\'),
};

/** The shapes, in a fixed order. */
export function nastyShapes(): NastyShape[] {
  return Object.entries(shapes).map(([name, make]) => ({ name, make }));
}
