// Forms that Snowball's stemmers keep apart from their word: plurals that change more than their ending. English has its own, see stem.ts.

/** What a language does besides its stemmer: over folded words (without diacritics) before it, over stems after it. */
interface Irregular {
  words?: ReadonlyMap<string, string>;
  before?: (word: string) => string;
  after?: (stem: string) => string;
}

const irregular: Readonly<Record<string, Irregular>> = {
  de: {
    // foreign words that keep their own endings; plurals with an umlaut are folded
    words: formsOf({
      ...{ thema: 'themen themas', firma: 'firmen', konto: 'konten kontos', risiko: 'risiken risikos' },
      ...{ virus: 'viren', museum: 'museen', zentrum: 'zentren', praktikum: 'praktika', lexikon: 'lexika' },
      ...{ schema: 'schemata schemas schemen', komma: 'kommata kommas', globus: 'globen', zyklus: 'zyklen' },
      ...{
        radius: 'radien',
        kriterium: 'kriterien',
        medium: 'medien',
        gremium: 'gremien',
        prinzip: 'prinzipien',
      },
      ...{ ministerium: 'ministerien', stadium: 'stadien', index: 'indizes indices', matrix: 'matrizen' },
    }),
  },
  fr: {
    words: formsOf({
      ...{ travail: 'travaux', bail: 'baux', corail: 'coraux', email: 'emaux', vitrail: 'vitraux' },
      ...{ oeil: 'yeux', ciel: 'cieux', jeu: 'jeux', enjeu: 'enjeux', lieu: 'lieux', milieu: 'milieux' },
      ...{ feu: 'feux', voeu: 'voeux', aveu: 'aveux', cheveu: 'cheveux', neveu: 'neveux', dieu: 'dieux' },
      ...{ bijou: 'bijoux', chou: 'choux', genou: 'genoux', caillou: 'cailloux', hibou: 'hiboux' },
    }),
  },
  // voz, voces
  es: { after: (stem) => stem.replace(/z$/, 'c') },
  pt: {
    before: (word) => {
      if (word.length < 4) return word;
      return (
        word
          // migração, migrações; pão, pães; mão, mãos
          .replace(/(?:oes|aes|aos)$/, 'ao')
          // homem, homens
          .replace(/ns$/, 'm')
          // jornal, jornais; espanhol, espanhóis, but herói, heróis; azul, azuis: not país and lei, which are shorter
          .replace(/(?<=\w{2})(?:ais)$/, 'al')
          .replace(/(?<=\w{2})(?:ois?)$/, 'ol')
          .replace(/(?<=\w{2})(?:uis)$/, 'ul')
          // papel, papéis; fácil, fáceis; barril, barris
          .replace(/(?<=\w{2})(?:eis|il|(?<=[^aeiou])is)$/, 'el')
      );
    },
  },
  it: {
    words: formsOf({ uomo: 'uomini', uovo: 'uova', bue: 'buoi', tempio: 'templi', ala: 'ali' }),
  },
  nl: {
    words: formsOf({
      ...{ schip: 'schepen', stad: 'steden', lid: 'leden', kind: 'kinderen', ei: 'eieren', lied: 'liederen' },
      ...{ blad: 'bladeren', goed: 'goederen', volk: 'volkeren', rad: 'raderen', been: 'beenderen' },
    }),
    // huis, huizen; brief, brieven
    after: (stem) => stem.replace(/z$/, 's').replace(/v$/, 'f'),
  },
  sv: {
    words: formsOf({
      ...{
        bok: 'bocker bockerna bockernas',
        fot: 'fotter fotterna',
        rot: 'rotter rotterna',
        oga: 'ogon ogonen',
      },
      ...{ ora: 'oron oronen', gas: 'gass gassen', mus: 'moss', lus: 'loss' },
    }),
    // nyckel, nycklar; syster, systrar; tecken, tecknet
    after: (stem) =>
      stem
        .replace(/(?<=[^aeiouy])el$/, 'l')
        .replace(/(?<=[tdgbpkfvs])r$/, '')
        .replace(/(?<=[tk])n$/, ''),
  },
  ru: {
    // what follows the stem may take a vowel out of it: ошибка, ошибок; настройка, настроек; отец, отцы; уровень, уровни
    after(stem) {
      const known = russianStems.get(stem) ?? stem;
      if (known.length < 4) return known;
      return known
        .replace(/(?<=[аеиоуыэюя])ек$/, 'йк')
        .replace(/(?<=[^аеиоуыэюя])[ое]к$/, 'к')
        .replace(/(?<=[^аеиоуыэюя])ец$/, 'ц')
        .replace(/(?<=..[^аеиоуыэюя])ен$/, 'н');
    },
  },
};

const russianStems = formsOf({ времен: 'врем', имен: 'им', друг: 'друз', ден: 'дн', сын: 'сынов' });

/** A stemmer of this language that gives a word and its irregular plurals one stem. */
export function withIrregular(language: string, stemmer: (word: string) => string): (word: string) => string {
  const { words, before = same, after = same } = irregular[language] ?? {};
  return (word) => after(stemmer(before(words?.get(word) ?? word)));
}

function same(word: string): string {
  return word;
}

/** Each form with its word. */
function formsOf(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([word, forms]) => forms.split(' ').map((form) => [form, word] as const)),
  );
}
