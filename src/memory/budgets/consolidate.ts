// Brings memory back within its budgets, a step after another until nothing is exceeded; and says how much of each budget is used.
import { setImmediate } from 'node:timers/promises';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type {
  BudgetCalls,
  BudgetLimits,
  BudgetOwner,
  BudgetReport,
  BudgetSettings,
  BudgetStep,
} from '#memory/types/budget.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
import { type Apply, createApply } from './apply.ts';
import { createPlans, type Plan, type Plans, shownPlan } from './plan.ts';
import { extracted, type SummaryLine, summarized } from './summary.ts';

/** A step that finds everything changed is planned again so often. */
const maxInVain = 5;

/** The budgets of one open store; nothing is ever done where there are none. */
export function createBudgets(parts: {
  settings: BudgetSettings;
  redact: Redact;
  now: () => number;
  within: <T>(work: (store: Store) => T | Promise<T>) => Promise<T>;
}): BudgetCalls {
  const { settings, redact, now, within } = parts;
  let last: Promise<unknown> = Promise.resolve();

  const linesFor = async (
    plan: Plan,
    model: AskDreamModel | undefined,
    signal: AbortSignal,
  ): Promise<readonly SummaryLine[]> => {
    if (plan.step !== 'summarize') return [];
    const { exchanges } = plan;
    const made =
      model === undefined ? undefined : await summarized(exchanges, model, signal).catch(() => undefined); // the extract is as good as none
    signal.throwIfAborted();
    const lines = made ?? extracted(exchanges);
    return Promise.all(lines.map(async ({ text, of }) => ({ text: (await redact(text)).text, of })));
  };

  /** One owner, until nothing is exceeded or nothing can be done. */
  const bringBack = async (
    { store, plans, apply }: { store: Store; plans: Plans; apply: Apply },
    { owner, limits }: { owner: BudgetOwner; limits: BudgetLimits },
    { model, signal }: { model: AskDreamModel | undefined; signal: AbortSignal },
  ): Promise<BudgetStep[]> => {
    const steps: BudgetStep[] = [];
    for (let inVain = 0; inVain < maxInVain; ) {
      signal.throwIfAborted();
      await setImmediate();
      const plan = plans.next(owner, limits);
      if (plan === undefined) break;
      const lines = await linesFor(plan, model, signal);
      const done = await store.retryWhileLocked(() =>
        store.atOnce(() => {
          // another process may have done it
          const use = plans.usage.of(owner, limits).find(({ bound }) => bound === plan.over.bound);
          return use === undefined || use.used <= use.limit ? undefined : apply(plan, lines);
        }),
      );
      if (done === undefined || done.ids.length === 0) inVain += 1;
      else {
        inVain = 0;
        steps.push({ ...shownPlan(plan), ...done });
      }
    }
    return steps;
  };

  return {
    budgets: ({ audience } = {}) =>
      within((store) => {
        const plans = createPlans(store.database);
        return plans.usage.owners(settings, audience).map(({ owner, limits }): BudgetReport => {
          const plan = plans.next(owner, limits);
          const uses = plans.usage.of(owner, limits);
          return { owner, uses, ...(plan !== undefined && { next: shownPlan(plan) }) };
        });
      }),
    consolidate({ model, signal = new AbortController().signal } = {}) {
      if (Object.values(settings).every((each) => each === undefined)) return Promise.resolve([]);
      const run = last.then(() =>
        within(async (store) => {
          const plans = createPlans(store.database);
          const work = { store, plans, apply: createApply(store, now) };
          const steps: BudgetStep[] = [];
          for (const of of plans.usage.owners(settings))
            steps.push(...(await bringBack(work, of, { model, signal })));
          return steps;
        }),
      );
      last = run.catch(() => {}); // its caller has the error
      return run;
    },
  };
}
