// What someone wrote about when and what: a rule or a date, and the text around it. Pure; throws what a person can act on.
import type { Recurrence } from '#engine/wire/schedules/schedule.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';
import { scheduleWords } from '#engine/wire/schedules/schedule-words.ts';
import { readDate } from './read-date.ts';
import { type ReadFrame, readRule } from './read-rule.ts';
import { nextAfter } from './recurrence.ts';
import { isOpenBefore, readUntil, timeBeforeRule, untilWord, withUsualPhrases } from './rule-phrases.ts';

const english = scheduleWords('en');

interface ReadWhen {
  rule: Recurrence | undefined;
  /** The first time, in milliseconds since the epoch. */
  at: number;
  /** As a sentence for people. */
  words: string;
  /** The words around the time. */
  rest: string;
}

const anyHead =
  /(?<=\s)(?:every|each|jede[nrsm]?|alle|(?:dai|week|month|quarter|year)ly|(?:täg|wöchent|monat|(?:viertel|halb)?jähr)lich|quartalsweise|werktags)(?=\s|$)/iu;

/** A ParleyError `unknown_time` where no time is written at the beginning or the end. */
export function readWhen(text: string, frame: ReadFrame): ReadWhen {
  const typed = text.trim().replace(/^["“„]([^"”“]+)["”“]\s*/u, '$1 ');
  const { now, zone } = frame;
  const found = ruleIn(typed, frame);
  if (found !== undefined) {
    const { rest } = found;
    const rule: Recurrence = found.until === undefined ? found.rule : { ...found.rule, until: found.until };
    const at = nextAfter(rule, now, { zone, anchorMs: now });
    if (at === undefined) throw scheduleError({ code: 'unknown_time', why: 'never', rule, zone });
    return {
      rule,
      at,
      words: english.rule(rule, zone),
      rest: textIn(rest),
    };
  }
  const date = readDate(typed, frame);
  if (date === undefined) throw scheduleError({ code: 'unknown_time', why: 'unreadable' });
  const { at, rest } = date;
  return { rule: undefined, at, words: english.moment(at, zone), rest: textIn(rest) };
}

interface RuleInText {
  rule: Recurrence;
  until: number | undefined;
  rest: string;
}

function ruleIn(typed: string, frame: ReadFrame): RuleInText | undefined {
  const text = withUsualPhrases(typed.replace(/^(?:me|mich)\s+/i, ''));
  const before = timeBeforeRule(text, frame);
  if (before !== undefined) {
    const [found, other] = [before.time, anotherTime].map((usualTime) =>
      ruleInUsual(before.text, { ...frame, usualTime }),
    );
    // a rule that says its time itself leaves the other one to the text
    if (found?.rule.type === 'calendar' && other?.rule.type === 'calendar')
      if (found.rule.time !== other.rule.time) return found;
  }
  return ruleInUsual(text, frame);
}

/** No time that people write: a rule that has it says none. */
const anotherTime = '00:01';

function ruleInUsual(text: string, frame: ReadFrame): RuleInText | undefined {
  const first = readRule(text, frame);
  if (first !== undefined) {
    const end = readUntil(first.rest, frame);
    // an end that cannot be read would be none
    if (end.until === undefined && untilWord.test(end.rest.trimStart()))
      throw scheduleError({ code: 'unknown_time', why: 'unreadable' });
    return { rule: first.rule, ...end };
  }
  const { index } = anyHead.exec(text) ?? {};
  if (index === undefined) return undefined;
  const before = text.slice(0, index);
  // read without these words it would be another rule
  if (isOpenBefore(before)) throw scheduleError({ code: 'unknown_time', why: 'unreadable' });
  const last = readRule(`${text.slice(index)} `, frame);
  if (last === undefined) return undefined;
  const { until, rest } = readUntil(last.rest, frame);
  return rest.trim() === '' ? { rule: last.rule, until, rest: before } : undefined;
}

/** Without what only joins the time and the text: "to call mum", ": milk". */
const textIn = (rest: string): string =>
  rest
    .trim()
    .replace(/^[,:;–—-]\s*/u, '')
    .replace(/^(?:me\s+)?(?:to|that|dass|daran,?\s+dass)\s+/iu, '')
    .replace(/[\s,:;–—-]+$/u, '');
