// The Porter stemmer for English words, with irregular forms folded first. Words of other alphabets pass unchanged.

const consonants = '[^aeiou][^aeiouy]*';
const vowels = '[aeiouy][aeiou]*';
const measureAbove0 = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const measureIs1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const measureAbove1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(?:${consonants})?[aeiouy]`);
const shortSyllable = new RegExp(`^${consonants}[aeiouy][^aeiouwxy]$`);
const doubled = /([^aeiouylsz])\1$/;

const step2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const step3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const step4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

const irregular = new Map(
  Object.entries({
    go: 'went gone goes',
    buy: 'bought',
    bring: 'brought',
    think: 'thought',
    teach: 'taught',
    catch: 'caught',
    sell: 'sold',
    tell: 'told',
    say: 'said',
    make: 'made',
    take: 'took taken',
    give: 'gave given',
    get: 'got gotten',
    find: 'found',
    see: 'saw seen',
    eat: 'ate eaten',
    drink: 'drank drunk',
    drive: 'drove driven',
    write: 'wrote written',
    speak: 'spoke spoken',
    know: 'knew known',
    grow: 'grew grown',
    fly: 'flew flown',
    begin: 'began begun',
    swim: 'swam swum',
    run: 'ran',
    sit: 'sat',
    meet: 'met',
    leave: 'left',
    lose: 'lost',
    win: 'won',
    pay: 'paid',
    send: 'sent',
    spend: 'spent',
    build: 'built',
    keep: 'kept',
    sleep: 'slept',
    feel: 'felt',
    hold: 'held',
    hear: 'heard',
    break: 'broke broken',
    choose: 'chose chosen',
    wear: 'wore worn',
    forget: 'forgot forgotten',
    fall: 'fell fallen',
    ride: 'rode ridden',
    sing: 'sang sung',
    draw: 'drew drawn',
    do: 'did done',
    child: 'children kids kid',
    man: 'men',
    woman: 'women',
    person: 'people',
    mouse: 'mice',
    foot: 'feet',
    tooth: 'teeth',
    wife: 'wives',
    life: 'lives',
    mother: 'mum mom mums moms mummy mommy',
    father: 'dad dads daddy',
    movie: 'film films',
    picture: 'photo photos pic pics',
    color: 'colour colours',
    favorite: 'favourite favourites',
    bicycle: 'bike bikes',
    phone: 'telephone telephones',
    neighbor: 'neighbour neighbours',
    center: 'centre centres',
    theater: 'theatre theatres',
    gray: 'grey',
    organize: 'organise organised organising',
  }).flatMap(([base, forms]) => forms.split(' ').map((form) => [form, base] as const)),
);

/** The stem of a lower-case word without diacritics: `running`, `ran` and `runs` give `run`. */
export function stem(word: string): string {
  const base = irregular.get(word) ?? word;
  if (base.length < 3 || !/^[a-z]+$/.test(base)) return base;
  return finish(suffixes(inflection(base)));
}

/** Plurals, -ed, -ing and a final y. */
function inflection(word: string): string {
  let w = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1');
  if (w.endsWith('eed')) {
    if (measureAbove0.test(w.slice(0, -3))) w = w.slice(0, -1);
  } else {
    const base = w.replace(/(?:ed|ing)$/, '');
    if (base !== w && hasVowel.test(base)) w = repaired(base);
  }
  return w.endsWith('y') && hasVowel.test(w.slice(0, -1)) ? `${w.slice(0, -1)}i` : w;
}

function repaired(base: string): string {
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (doubled.test(base)) return base.slice(0, -1);
  return shortSyllable.test(base) ? `${base}e` : base;
}

function suffixes(word: string): string {
  let w = replaced(word, step2);
  w = replaced(w, step3);
  const base = w.replace(step4, '');
  return base !== w && measureAbove1.test(base) ? base : w;
}

function replaced(word: string, rules: readonly (readonly [string, string])[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const base = word.slice(0, -rule[0].length);
  return measureAbove0.test(base) ? base + rule[1] : word;
}

function finish(word: string): string {
  let w = word;
  if (w.endsWith('e')) {
    const base = w.slice(0, -1);
    if (measureAbove1.test(base) || (measureIs1.test(base) && !shortSyllable.test(base))) w = base;
  }
  return w.endsWith('ll') && measureAbove1.test(w) ? w.slice(0, -1) : w;
}
