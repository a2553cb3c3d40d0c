// Commands that show the status and what answers: help, status, whoami, model, tools, usage.

import { choiceLaneOf } from '#adapters/gateway/commands/choice-lane.ts';
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { isOffered } from '#adapters/gateway/commands/enabled-commands.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { usage as usageOf } from '#adapters/gateway/terms/command-names.ts';
import { codeSpan, escapeMarkdown, paginate, refusal } from '#adapters/gateway/terms/command-reply.ts';
import { commandEntry, commandNames } from '#adapters/gateway/terms/command-table.ts';
import { isToolOf } from '#adapters/gateway/terms/profiles.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';
import { truncate } from '#base/text.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { UsageSum } from '#engine/wire/runs/usage.ts';

/** `/help`: what the assistant can do here, and the commands that this person may use. */
export const helpCommand: CommandHandler = async ({ agent, role, access, row, phrases }) => {
  const list = commandNames
    .filter((name) => isAtLeast(role, commandEntry(name).least) && isOffered(access.profile, name, role))
    .map((name) => `- ${usageOf(row.address, name, phrases)}: ${phrases.menu[name].help}`);
  const { intro, remembers } = phrases.about;
  return [intro({ agent }), remembers, '', ...list].join('\n');
};

/** `/status`: whether everything works, the model, the conversation and what waits here; for owners also the address and each channel. */
export const statusCommand: CommandHandler = async (call) => {
  const { engine, ledger, row, role, agent, assistants, phrases } = call;
  const { about } = phrases;
  const { ready, version, model: usual } = await engine.health();
  const { agents } = assistants.all().length === 1 ? { agents: [] } : await engine.abilities({ agent });
  const model = agents.find(({ name }) => name === agent)?.model ?? usual;
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const title = sessionID === undefined ? undefined : await titleOf(call, sessionID);
  const settings = ledger.laneSettings.of(row.lane);
  const lines = [
    `${agent} ${version}: ${ready ? stateOf(call) : about.engineNotReady}`,
    about.model({ name: escapeMarkdown(settings.model ?? model) }),
    ...(assistants.all().length === 1 ? [] : [about.agent({ name: escapeMarkdown(agent) })]),
    about.conversation({ title: title === undefined ? about.noConversation : escapeMarkdown(title) }),
    about.waiting({ n: ledger.inbox.waiting(row.lane).length }),
    ...roomLines(call),
    ...(role === 'owner' ? [about.address({ address: codeSpan(formatAddress(row.address)) })] : []),
  ].map((line) => `- ${line}`);
  return role === 'owner' && call.single ? [...lines, ...channelLines(call)].join('\n') : lines.join('\n');
};

/** What the platform calls the room, for owners next to its address; a private chat has no name. */
function roomLines({ ledger, row: { address }, role, phrases: { about } }: CommandCall): string[] {
  const isNamed = address.kind !== 'dm' && ledger.placeNames.of(address).channel !== undefined;
  return role === 'owner' && isNamed
    ? [about.room({ title: escapeMarkdown(ledger.placeNames.titleOf(address)) })]
    : [];
}

/** Each channel, with its problem and what it could not post: for owners, since that names files and accounts. */
function channelLines({ status: board, row, phrases: { about } }: CommandCall): string[] {
  return board()
    .filter(({ platform }) => platform !== 'terminal')
    .flatMap(({ platform, name, state, inboxBacklog, outboxBacklog: outbox, problem, refused }) => {
      // the command itself waits too, until it is answered by this
      const inbox = Math.max(0, inboxBacklog - (platform === row.address.platform ? 1 : 0));
      const line = about.channel({ name, state: about.states[state], inbox, outbox });
      return [
        `- ${line}${problem === undefined ? '' : `: ${escapeMarkdown(problem)}`}`,
        ...refused.map((why) => `  - ${about.couldNotPost({ why: escapeMarkdown(why) })}`),
      ];
    });
}

/** Whether answers arrive here, without the reason. */
function stateOf({ status: board, row, phrases: { about } }: CommandCall): string {
  const here = board().find(({ platform }) => platform === row.address.platform);
  return here?.problem === undefined ? about.ready : about.partlyReady;
}

async function titleOf({ engine }: CommandCall, sessionID: string): Promise<string | undefined> {
  try {
    return (await engine.findSessions({ ids: [sessionID], limit: 1, offset: 0 })).sessions[0]?.title;
  } catch (error) {
    if (isAbort(error)) throw error;
    return undefined; // the engine is out of reach, which is written above
  }
}

/** `/whoami`: the name, role and accounts under which the person is known. */
export const whoCommand: CommandHandler = async ({ ledger, row, role, access, single, phrases, command }) => {
  const { about } = phrases;
  const { key, name } = ledger.persons.standingOf(row.person);
  const as = phrases.access.role({ role });
  const rooms = row.address.kind === 'dm' ? [] : [about.answersIn[access.rooms.allow]];
  // others read along: by which name a person is known, and which accounts are theirs, concerns nobody else
  if (!single && key !== undefined) return [about.yourRole({ role: as, command }), ...rooms].join(' ');
  const account = codeSpan(`${row.address.platform}:${row.event.actor.id}`);
  const you = about.you({ name: name === undefined ? account : escapeMarkdown(name), role: as });
  if (key === undefined) return `${you} ${about.noOtherAccount({ command })}`;
  const accounts = (ledger.persons.get(key)?.accounts ?? []).map(({ platform, userID }) =>
    codeSpan(`${platform}:${userID}`),
  );
  return [you, about.accounts({ accounts }), ...rooms].join(' ');
};

/** `/model [NAME]`: shows the model that answers here; owners choose another one. */
export const modelCommand: CommandHandler = async (call) => {
  const { engine, ledger, row, role, agent, args, phrases, command } = call;
  const { about } = phrases;
  const current = ledger.laneSettings.of(row.lane).model;
  const { all, default: usual } = await engine.providers({ agent });
  const names = all.find(({ id }) => id === usual.providerID)?.models;
  if (args === '' || /^\d+$/.test(args)) {
    const { shown, foot } = paginate(names ?? [], { typed: args, words: 'model', phrases, command });
    return [
      about.currentModel({ model: codeSpan(current ?? usual.modelID) }),
      ...(shown.length === 0 ? [] : [shown.map((name) => `- ${codeSpan(name)}`).join('\n')]),
      ...(foot === undefined ? [] : [foot]),
    ].join('\n\n');
  }
  if (role !== 'owner')
    throw refusal(({ about: texts, access }) => texts.modelForOwners({ role: access.role({ role }) }));
  if (args === 'default') {
    ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { model: undefined }));
    // a thread has the choice of its room again
    return about.modelReset({ model: codeSpan(ledger.laneSettings.of(row.lane).model ?? usual.modelID) });
  }
  const wanted = codeSpan(args);
  if (names !== undefined && !names.includes(args))
    throw refusal(({ about: texts }, named) =>
      texts.unknownModel({ provider: usual.providerID, model: wanted, command: named }),
    );
  ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { model: args }));
  const unsure = names === undefined ? ` ${about.modelUnchecked}` : '';
  return `${about.modelSet({ model: wanted })}${unsure}`;
};

/** `/tools [PAGE]`: lists the tools that the assistant may use here, and says which of them need approval. */
export const toolsCommand: CommandHandler = async ({
  engine,
  row,
  agent,
  args,
  access,
  phrases,
  command,
}) => {
  const { tools: known } = await engine.abilities({ platform: row.address.platform, agent });
  const all = known.filter(({ name }) => isToolOf(access.profile, name));
  if (all.length === 0) return phrases.about.noTools;
  const { shown, foot } = paginate(all, { typed: args, words: 'tools', phrases, command });
  const lines = shown.map(({ name, description, verdict }) => {
    const [sentence = ''] = description.split(/(?<=[.!?])\s/);
    const asks = verdict === 'ask' ? ` ${phrases.about.asksFirst}` : '';
    return `- ${codeSpan(name)}${asks}: ${escapeMarkdown(truncate(sentence, 120))}`;
  });
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot])].join('\n\n');
};

/** `/usage`: shows the runs, tokens and costs of this conversation; for owners in private also of each of the last 7 days, and of each assistant today. */
export const usageCommand: CommandHandler = async (call) => {
  const { engine, ledger, row, role, single, phrases, assistants, clock } = call;
  const { about } = phrases;
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const here = sessionID === undefined ? [] : await engine.usage({ by: 'session', sessionID, limit: 1 });
  const isAll = role === 'owner' && single;
  const days = isAll ? await engine.usage({ by: 'day', limit: 7 }) : [];
  const from = new Date(clock.now()).toISOString().slice(0, 10);
  const isOfMany = isAll && assistants.all().length > 1;
  const agents = isOfMany ? await engine.usage({ by: 'agent', from, limit: 50 }) : [];
  return [
    about.usageHere({ sum: sumOf(here[0], phrases) }),
    ...days.map((day) => about.usageOfDay({ day: day.day ?? '', sum: sumOf(day, phrases) })),
    ...agents.map((one) =>
      about.usageOfAgent({ agent: escapeMarkdown(one.of ?? ''), sum: sumOf(one, phrases) }),
    ),
  ]
    .map((line) => `- ${line}`)
    .join('\n');
};

function sumOf(sum: UsageSum | undefined, { about }: Phrases): string {
  if (sum === undefined) return about.usageNone;
  const { runs, inputTokens: input, outputTokens: output, costUSD, unpricedRuns } = sum;
  return about.usage({ runs, input, output, cost: costOf(costUSD, unpricedRuns) });

  function costOf(amount: number | undefined, unpriced: number): string {
    if (amount === undefined) return about.costUnknown;
    const cost = about.cost({ amount });
    return unpriced > 0 ? about.costPartly({ cost, n: unpriced }) : cost;
  }
}
