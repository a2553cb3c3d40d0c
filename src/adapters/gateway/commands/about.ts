// Commands that report how things are, and set who answers: help, status, who, model, agent, tools, usage.

import { isAtLeast, withArticle } from '#adapters/gateway/access/access-types.ts';
import { isToolOf } from '#adapters/gateway/access/profiles.ts';
import { isAbort } from '#base/async.ts';
import { truncate } from '#base/text.ts';
import type { UsageSum } from '#engine/wire/usage.ts';
import type { CommandCall, CommandHandler } from './command-context.ts';
import { isOffered } from './enabled-commands.ts';
import { named, usage as usageOf } from './naming.ts';
import { codeSpan, escapeMarkdown, paginate, refusal } from './reply.ts';
import { commandNames, entryOf } from './table.ts';

export const help: CommandHandler = async ({ agent, role, access, row, phrases }) => {
  const list = commandNames
    .filter((name) => isAtLeast(role, entryOf(name).least) && isOffered(access.profile, name, role))
    .map((name) => `- ${usageOf(row.address, name, phrases)}: ${phrases.menu[name].help}`);
  return [
    `I am ${agent}. Write to me here; in rooms, mention me or reply to me, and in a thread with you alone I need no name.`,
    'What you tell me I can recall later, here and wherever you may read it.',
    '',
    ...list,
  ].join('\n');
};

export const status: CommandHandler = async (call) => {
  const { engine, ledger, row, role, agent } = call;
  const { ready, version, model } = await engine.health();
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const about = sessionID === undefined ? undefined : await titleOf(call, sessionID);
  const settings = ledger.laneSettings.of(row.lane);
  const lines = [
    `- ${agent} ${version}: ${ready ? stateOf(call) : 'the engine is not ready now'}`,
    `- model: ${escapeMarkdown(settings.model ?? model)}`,
    ...(settings.agent === undefined ? [] : [`- agent: ${escapeMarkdown(settings.agent)}`]),
    `- conversation: ${about === undefined ? 'none yet' : escapeMarkdown(about)}`,
    `- waiting here: ${ledger.inbox.waiting(row.lane).length}`,
  ];
  if (role !== 'owner' || !call.single) return lines.join('\n');
  const channels = call
    .status()
    .filter(({ platform }) => platform !== 'terminal')
    .flatMap(({ platform, state, inboxBacklog, outboxBacklog, problem, refused }) => {
      const backlog = `${inboxBacklog} in, ${outboxBacklog} out`;
      const line = `- ${platform}: ${state} (${backlog})${problem === undefined ? '' : `: ${escapeMarkdown(problem)}`}`;
      return [line, ...refused.map((words) => `  - could not post ${escapeMarkdown(words)}`)];
    });
  return [...lines, ...channels].join('\n');
};

/** Whether answers arrive here. The reason is for owners: it names files and accounts. */
function stateOf({ status: board, row }: CommandCall): string {
  const here = board().find(({ platform }) => platform === row.address.platform);
  return here?.problem === undefined ? 'ready' : 'not everything is ready';
}

async function titleOf({ engine }: CommandCall, sessionID: string): Promise<string | undefined> {
  try {
    return (await engine.findSessions({ ids: [sessionID] }, { limit: 1, offset: 0 })).sessions[0]?.title;
  } catch (error) {
    if (isAbort(error)) throw error;
    return undefined; // the engine is out of reach, which is written above
  }
}

export const who: CommandHandler = async ({ ledger, row, role, access, single }) => {
  const { key, name } = ledger.persons.standingOf(row.person);
  const as = withArticle(role);
  const rooms = row.address.kind === 'dm' ? '' : ` In rooms I answer ${whomIn[access.rooms.allow]}.`;
  // others read along: by which name a person is known, and which accounts are theirs, is nobody else's business
  if (!single && key !== undefined)
    return `You are ${as} to me.${rooms} Ask ${named(row.address, 'whoami')} in private for the rest.`;
  const known =
    name === undefined ? codeSpan(`${row.address.platform}:${row.event.actor.id}`) : escapeMarkdown(name);
  const you = `You are ${known} to me, ${name === undefined ? 'and ' : ''}${as}.`;
  if (key === undefined) return `${you} I know no name and no other account of yours.`;
  const accounts = (ledger.persons.get(key)?.accounts ?? []).map(({ platform, userID }) =>
    codeSpan(`${platform}:${userID}`),
  );
  return `${you} Your accounts: ${accounts.join(', ')}.${rooms}`;
};

const whomIn = { anyone: 'anyone', known: 'people who I know', owners: 'my owners' } as const;

export const model: CommandHandler = async ({ engine, ledger, row, role, args }) => {
  const current = ledger.laneSettings.of(row.lane).model;
  const { all, default: usual } = await engine.providers();
  const names = all.find(({ id }) => id === usual.providerID)?.models;
  if (args === '' || /^\d+$/.test(args)) {
    const { shown, foot } = paginate(names ?? [], { asked: args, command: 'model', place: row.address });
    return [
      `Here answers ${codeSpan(current ?? usual.modelID)}.`,
      ...(shown.length === 0 ? [] : [shown.map((name) => `- ${codeSpan(name)}`).join('\n')]),
      ...(foot === undefined ? [] : [foot]),
    ].join('\n\n');
  }
  needsOwner(role, 'set the model: others cost other money');
  if (args === 'default') {
    ledger.transact(() => ledger.laneSettings.set(row.lane, { model: undefined }));
    return `Here answers ${codeSpan(usual.modelID)} again.`;
  }
  if (names !== undefined && !names.includes(args))
    throw refusal(
      `${usual.providerID} has no model ${codeSpan(args)}; ${named(row.address, 'model')} lists what it has.`,
    );
  ledger.transact(() => ledger.laneSettings.set(row.lane, { model: args }));
  const unsure = names === undefined ? ' I could not ask whether there is such a model.' : '';
  return `From your next message on, ${codeSpan(args)} answers here.${unsure}`;
};

export const agent: CommandHandler = async ({ engine, ledger, row, role, args }) => {
  const { platform } = row.address;
  const { agents } = await engine.abilities({ platform });
  const current = ledger.laneSettings.of(row.lane).agent;
  if (args === '') {
    const { agent: usual } = await engine.abilities({
      platform,
      ...(current === undefined ? {} : { agent: current }),
    });
    const list = agents.map(({ name }) => `- ${codeSpan(name)}`).join('\n');
    return `Here answers ${escapeMarkdown(current ?? usual)}. There are:\n\n${list}`;
  }
  needsOwner(role, 'set the agent');
  if (args === 'default') {
    ledger.transact(() => ledger.laneSettings.set(row.lane, { agent: undefined }));
    return 'The usual agent answers here again.';
  }
  const wanted = agents.find(({ name }) => name.toLowerCase() === args.toLowerCase());
  if (wanted === undefined)
    throw refusal(`There is no agent ${codeSpan(args)}; ${named(row.address, 'agent')} lists them.`);
  ledger.transact(() => ledger.laneSettings.set(row.lane, { agent: wanted.name }));
  return `From your next message on, ${escapeMarkdown(wanted.name)} answers here.`;
};

function needsOwner(role: CommandCall['role'], what: string): void {
  if (role !== 'owner') throw refusal(`Only owners ${what}; you are ${withArticle(role)}.`);
}

export const tools: CommandHandler = async ({ engine, ledger, row, args, access }) => {
  const { platform } = row.address;
  const { agent: own } = ledger.laneSettings.of(row.lane);
  const { tools: known } = await engine.abilities({ platform, ...(own === undefined ? {} : { agent: own }) });
  const all = known.filter(({ name }) => isToolOf(access.profile, name));
  if (all.length === 0) return 'I may use no tools here.';
  const { shown, foot } = paginate(all, { asked: args, command: 'tools', place: row.address });
  const lines = shown.map(({ name, description, verdict }) => {
    const [sentence = ''] = description.split(/(?<=[.!?])\s/);
    const leave = verdict === 'ask' ? ' (asks for approval)' : '';
    return `- ${codeSpan(name)}${leave}: ${escapeMarkdown(truncate(sentence, 120))}`;
  });
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot])].join('\n\n');
};

export const usage: CommandHandler = async ({ engine, ledger, row, role, single }) => {
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const here = sessionID === undefined ? [] : await engine.usage({ by: 'session', sessionID, limit: 1 });
  const lines = [`- this conversation: ${sumOf(here[0])}`];
  if (role === 'owner' && single) {
    const days = await engine.usage({ by: 'day', limit: 7 });
    lines.push(...days.map((day) => `- ${day.day ?? ''}, everywhere: ${sumOf(day)}`));
  }
  return lines.join('\n');
};

function sumOf(sum: UsageSum | undefined): string {
  if (sum === undefined) return 'nothing yet';
  const { runs, inputTokens, outputTokens, costUSD, unpricedRuns } = sum;
  const cost = costUSD === undefined ? 'no price is configured' : `${costUSD.toFixed(4)} US dollars`;
  const partly = costUSD !== undefined && unpricedRuns > 0 ? `, ${unpricedRuns} runs without a price` : '';
  return `${runs} runs, ${inputTokens} tokens in, ${outputTokens} out, ${cost}${partly}`;
}
