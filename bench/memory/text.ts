// Talk made the same each time: a vocabulary with the frequencies of a real one (Zipf), sentences, questions in the words of a turn. Not anyone's.
import type { Random } from '../harness/random.ts';

const frequent =
  `the of and to a in is it you that he was for on are with as his they be at one have this from or had by but what some we can out other were
all there when up use your how said an each she which do their time if will way about many then them would like so these her long make thing see
him two has look more day could go come did my no most who over know than call first people may down been now find any new work part take get
place made live where after back little only round man year came show every good me give our under`.split(
    /\s+/,
  );
const syllables =
  `ba be bi bo bu ca ce co cu da de di do du fa fe fi fo ga ge go gu ha he hi ho ja jo ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no nu
pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we wi za ze zo bran cor den fal gor hin jel kar lom mar ner pol ral sen
tor van wil zen`.split(/\s+/);

export interface Talk {
  /** So many words as sentences. */
  turn(): string;
  /** A question in some of a turn's words, as they are in it: usual ones and rare ones. */
  questionAbout(turn: string): string;
}

const exponent = 1.07;
const shift = 2.7;

/** Talk over a vocabulary of `size` words. */
export function createTalk(random: Random, size = 40_000): Talk {
  const words = vocabulary(random, size);
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + shift) ** exponent;
    sums[rank] = sum;
  }
  const word = (): string => {
    const wanted = (random.int(0, 2 ** 30) / 2 ** 30) * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? 'the';
  };
  const sentence = (): string => {
    const list = Array.from({ length: random.int(5, 17) }, word);
    const text = list.join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.chance(0.15) ? '?' : '.'}`;
  };
  return {
    turn: () => Array.from({ length: random.int(2, 6) }, sentence).join(' '),
    questionAbout(turn) {
      const all = turn
        .toLowerCase()
        .replace(/[^a-z ]/g, '')
        .split(' ');
      const from = random.int(0, Math.max(0, all.length - 9));
      const asked = all.slice(from, from + 9).filter(() => random.chance(0.75));
      return `what did they say about ${asked.join(' ')}?`;
    },
  };
}

function vocabulary(random: Random, size: number): string[] {
  const words = new Set(frequent);
  while (words.size < size) {
    const parts = Array.from(
      { length: random.int(2, 4) },
      () => syllables[random.int(0, syllables.length - 1)],
    );
    words.add(parts.join(''));
  }
  return [...words];
}
