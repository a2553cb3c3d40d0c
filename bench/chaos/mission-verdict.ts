// What is wrong after `npm run chaos -- --missions`: questions without one end in their chat, agents that ran twice or never ended.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Stood } from '../harness/account.ts';

/** A question, in the chat where it was asked. */
export interface Question {
  platform: Stood['platform'];
  lane: string;
  token: string;
}

export interface AgentRow {
  id: string;
  task: string;
  status: string;
  runs: number;
  completed: number;
}

export interface MissionFacts {
  asked: readonly Question[];
  existed: readonly Stood[];
  agents: readonly AgentRow[];
  /** Missions that have not ended. */
  active: number;
  /** Sends to Telegram whose outcome the program cannot know. */
  unknown: number;
  atRest: boolean;
  exitCode: number | null;
}

const answerOf = /The answer to (q\d+x)\b/;
const interrupted = /I was interrupted|I was stopped while/;
const label = /This may be a repeat/;

/** Whether a message ends a question: with the answer, or with the sentence that there is none. */
export function endsQuestion(text: string): boolean {
  return answerOf.test(text) || interrupted.test(text);
}

const agentRows = `SELECT i.id, i.task, i.status,
  (SELECT count(*) FROM runs WHERE session_id = i.session_id) AS runs,
  (SELECT count(*) FROM runs WHERE session_id = i.session_id AND status = 'completed') AS completed
  FROM team_instances AS i`;

/** The agents and the open missions of a program that has ended. */
export function agentsIn(home: string): Pick<MissionFacts, 'agents' | 'active'> {
  const engine = new Database(join(home, 'engine.sqlite'), { readonly: true });
  try {
    const open = "SELECT count(*) FROM team_missions WHERE status = 'active'";
    return {
      agents: engine.prepare<[], AgentRow>(agentRows).all(),
      active: engine.prepare<[], number>(open).pluck().get() ?? 0,
    };
  } finally {
    engine.close();
  }
}

/** What is wrong, in sentences, and the numbers. */
export function missionVerdict(facts: MissionFacts): { faults: string[]; counts: Record<string, number> } {
  const { asked, existed, agents, active, unknown } = facts;
  const chats = new Map<string, { questions: string[]; shown: Stood[] }>();
  const chatOf = ({ platform, lane }: { platform: string; lane: string }) => {
    const key = `${platform}, ${lane}`;
    const chat = chats.get(key) ?? { questions: [], shown: [] };
    chats.set(key, chat);
    return chat;
  };
  for (const question of asked) chatOf(question).questions.push(question.token);
  for (const message of existed) chatOf(message).shown.push(message);
  const faults = [
    ...(facts.atRest ? [] : ['not everything came to rest']),
    ...(facts.exitCode === 0 ? [] : [`asked to stop, the program ended with code ${facts.exitCode}`]),
  ];
  let answered = 0;
  let sorry = 0;
  let extra = 0;
  for (const [name, { questions, shown }] of chats) {
    const answers = shown.flatMap(({ text }) => answerOf.exec(text)?.[1] ?? []);
    const open = questions.filter((token) => !answers.includes(token));
    const regrets = shown.filter(({ text }) => interrupted.test(text)).length;
    const foreign = answers.filter((token) => !questions.includes(token));
    if (foreign.length > 0) faults.push(`${name}: ${foreign.join(', ')} was answered, and not asked here`);
    if (open.length > regrets)
      faults.push(`${name}: ${open.join(', ')} had no answer, and ${regrets} were reported as interrupted`);
    const more = shown.length - questions.length;
    if (more > 0 && !name.startsWith('telegram'))
      faults.push(
        `${name}: ${questions.length} questions have ${shown.length} messages: ${startsOf(shown).join(' | ')}`,
      );
    answered += questions.length - open.length;
    sorry += regrets;
    extra += Math.max(0, more);
  }
  const labelled = existed.filter(({ text }) => label.test(text)).length;
  if (extra > Math.min(unknown, labelled))
    faults.push(`${extra} messages came again; ${unknown} sends were unknown and ${labelled} are labelled`);
  for (const { id, task, status, completed } of agents) {
    if (status === 'queued' || status === 'running') faults.push(`${id} (${task}) is an orphan: ${status}`);
    if (completed > 1) faults.push(`${id} (${task}) was completed ${completed} times`);
  }
  const doubled = agents.length - new Set(agents.map(({ task }) => task)).size;
  if (doubled > 0) faults.push(`${doubled} agents were started for work that another one had`);
  if (active > 0) faults.push(`${active} missions are still active`);
  const again = agents.reduce((sum, { runs }) => sum + Math.max(0, runs - 1), 0);
  return {
    faults,
    counts: {
      ...{ missions: asked.length, answered, interrupted: sorry, again: extra, labelled },
      ...{ instances: agents.length, begunAgain: again },
    },
  };
}

function startsOf(shown: readonly Stood[]): string[] {
  return shown.map(({ text }) => text.slice(0, 40));
}
