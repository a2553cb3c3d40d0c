// axe-core in the page, by the browser's own protocol: the page's policy allows no script of a test. No test.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResult {
  violations: {
    id: string;
    impact: string;
    help: string;
    nodes: { html: string; failureSummary: string }[];
  }[];
}

/** Looks at the whole page by the rules of WCAG 2.2 AA. */
export class AxeBuilder {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** What is serious or critical, a line each. */
  async analyze(): Promise<{ violations: string[] }> {
    await this.#page.evaluate(source);
    const { violations } = (await this.#page.evaluate(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
    )) as AxeResult; // axe's own shape
    return {
      violations: violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, help, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
        ),
    };
  }
}
