// How good rankings are: recall, reciprocal rank and discounted gain over questions, and percentiles of times.

/** One question answered: the ids in the order found, and those that are right. */
export interface Answered {
  category: string;
  found: readonly string[];
  evidence: readonly string[];
}

export interface Figures {
  questions: number;
  recall5: number;
  recall10: number;
  recall20: number;
  mrr: number;
  ndcg10: number;
}

/** The means over all questions that have evidence. */
export function figuresOf(answered: readonly Answered[]): Figures {
  const each = answered
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ found, evidence }) => {
      const wanted = new Set(evidence);
      const ranks = [...wanted].map((id) => found.indexOf(id)).filter((rank) => rank >= 0);
      const recall = (k: number): number => ranks.filter((rank) => rank < k).length / wanted.size;
      const gain = ranks.filter((rank) => rank < 10).reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0);
      let ideal = 0;
      for (let rank = 0; rank < Math.min(10, wanted.size); rank += 1) ideal += 1 / Math.log2(rank + 2);
      return [
        recall(5),
        recall(10),
        recall(20),
        ranks.length === 0 ? 0 : 1 / (1 + Math.min(...ranks)),
        gain / ideal,
      ];
    });
  const mean = (index: number): number =>
    Math.round(
      (1000 * each.reduce((sum, values) => sum + (values[index] ?? 0), 0)) / Math.max(1, each.length),
    ) / 1000;
  return {
    questions: each.length,
    recall5: mean(0),
    recall10: mean(1),
    recall20: mean(2),
    mrr: mean(3),
    ndcg10: mean(4),
  };
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    Math.round(100 * (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)) / 100
  );
}

/** One line of a table. */
export function lineOf(name: string, { questions, ...values }: Figures): string {
  const numbers = Object.values(values).map((value) => value.toFixed(3).padStart(7));
  return `${name.padEnd(34)}${String(questions).padStart(5)}${numbers.join('')}`;
}

export const tableHead = `${''.padEnd(34)}    n    R@5   R@10   R@20    MRR nDCG10`;
