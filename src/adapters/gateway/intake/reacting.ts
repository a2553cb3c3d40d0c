// A reaction to an answer of the bot's: feedback about its run, a command about it, or something that the model is told.

import { actOf, usualReactions } from '#adapters/gateway/admission/reaction-rules.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { insertCommand, madeMessage } from '#adapters/gateway/ledger/inbox/made-message.ts';
import { laneOf } from '#adapters/gateway/ledger/lane.ts';
import { baseOf } from '#adapters/gateway/ledger/lane-name.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import { written } from '#adapters/gateway/terms/command-names.ts';
import type { MessageEvent, ReactionEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Outcome } from './accept-message.ts';
import type { SinkOptions } from './sink-options.ts';

interface Reacting {
  /**
   * The turn whose answer was reacted to; undefined where it was something else. While a message of an answer is being posted in the chat it
   * is waited for, up to ten seconds: a platform shows a message, and reports reactions to it, before the call that posted it is answered.
   */
  turnOf(event: ReactionEvent): Promise<string | undefined>;
  /**
   * Takes in what an admitted person reacted with. Retrying is for whom was answered, deleting for them and owners, stopping also for whoever
   * could type the command there; someone else who reacts so is told, as seldom as whoever is refused. Called inside the transaction of
   * the event.
   */
  accept(event: ReactionEvent, turnID: string): Outcome;
}

/** How long a reaction is held while what it may be about is being posted, and between two looks; in milliseconds. */
const [longestHeldMs, lookMs] = [10_000, 50];

const ignored: Outcome = { accepted: 'ignored' };

/** Who reacted, and to what. */
interface Reaction {
  event: ReactionEvent;
  said: MessageEvent;
  person: string;
  isOwner: boolean;
  turn: Turn;
  /** The newest message that the turn answers. */
  question: InboxRow;
}

/** Takes in reactions over a ledger. */
export function createReacting(options: SinkOptions): Reacting {
  const { ledger, admission, talk, clock, newId, log } = options;

  const samePerson = (one: string, other: string): boolean => {
    const key = ledger.persons.standingOf(one).key;
    return one === other || (key !== undefined && key === ledger.persons.standingOf(other).key);
  };

  const reactionOf = (event: ReactionEvent, turnID: string): Reaction | undefined => {
    const turn = ledger.turns.get(turnID);
    const question = ledger.inbox.ofTurn(turnID).at(-1);
    if (turn === undefined || question === undefined || event.actor.isBot) return undefined;
    const { platform } = turn.address;
    const known = ledger.identities.known(platform, event.actor.id);
    const said = madeMessage(
      { address: turn.address, actor: event.actor, at: event.at },
      {
        nativeID: `reaction:${event.nativeID}:${event.actor.id}:${event.at}`,
        ...{ text: '', about: turnID, isTopic: question.event.topic === true },
      },
    );
    const verdict = admission.decide(said, talk().access, 'none');
    if (verdict.kind !== 'admitted') return undefined;
    const person = known ?? ledger.identities.meet(platform, event.actor);
    // some platforms name no more than the account
    const name = known === undefined ? event.actor.name : ledger.persons.standingOf(person).shownAs;
    const actor = { ...event.actor, name };
    return { event, said: { ...said, actor }, person, isOwner: verdict.role === 'owner', turn, question };
  };

  const mayCommand = (
    act: 'retry' | 'delete' | 'stop',
    { said, person, isOwner, turn, question }: Reaction,
  ): boolean => {
    switch (act) {
      case 'retry':
        return person === question.person;
      case 'delete':
        return isOwner || samePerson(person, question.person);
      case 'stop':
        return (
          isOwner ||
          samePerson(person, question.person) ||
          laneOf(said, person, talk().sessions) === baseOf(turn.lane)
        );
    }
  };

  /** Puts the command into the inbox, as if it had been typed; none where it is there already. */
  const command = (act: 'retry' | 'delete' | 'stop', reaction: Reaction): InboxRow[] => {
    const { said, person, turn } = reaction;
    const event = { ...said, nativeID: `${said.nativeID}:${act}`, text: written(turn.address, act) };
    const row = { id: newId('inb'), lane: turn.lane, person, event, receivedAt: clock.now() };
    const inserted = insertCommand(ledger.inbox, row);
    return inserted === undefined ? [] : [inserted];
  };

  const rate = (
    rating: 'good' | 'bad',
    emoji: string,
    { event, said, person, turn: { runID } }: Reaction,
  ): boolean => {
    if (runID === undefined) return false; // it has no run yet: what is shown are the gateway's own words
    const isBack = event.removed.includes(emoji);
    const feedback = { rating, emoji, person, name: said.actor.name, atMs: event.at };
    ledger.givenFeedback.add(runID, { ...feedback, ...(isBack ? { withdrawn: true } : {}) });
    return true;
  };

  const tell = (emoji: string, { event, said, person, turn, question }: Reaction): void => {
    const by = { person, name: said.actor.name, emoji };
    if (event.removed.includes(emoji)) ledger.corrections.unreact(question.id, by);
    else ledger.corrections.react({ inboxID: question.id, lane: turn.lane, at: event.at }, by);
  };

  return {
    async turnOf({ address, nativeID }) {
      const { turnAt, isPostingIn } = ledger.postedAnswers;
      for (let heldMs = 0; ; heldMs += lookMs) {
        const turnID = turnAt(address, nativeID);
        if (turnID !== undefined || !isPostingIn(address)) return turnID;
        if (heldMs >= longestHeldMs) {
          log.warn(
            { platform: address.platform },
            'a reaction came before its message was known, and is ignored',
          );
          return undefined;
        }
        await clock.sleep(lookMs);
      }
    },
    accept(event, turnID) {
      const reaction = reactionOf(event, turnID);
      if (reaction === undefined) return ignored;
      const rules = talk().reactions ?? usualReactions;
      const commands: InboxRow[] = [];
      let refused: (() => void) | undefined;
      let changed = false;
      for (const emoji of [...event.removed, ...event.added]) {
        const act = actOf(emoji, rules);
        if (act === 'good' || act === 'bad') changed = rate(act, emoji, reaction) || changed;
        else if (act !== undefined) {
          if (!event.added.includes(emoji)) continue;
          if (mayCommand(act, reaction)) commands.push(...command(act, reaction));
          else refused ??= admission.refuse(reaction.said, `${act} of others`, event.nativeID);
        } else if (rules.context) {
          tell(emoji, reaction);
          changed = true;
        }
      }
      const notify = (): void => {
        options.onAmended();
        refused?.();
        for (const row of commands) options.onAccepted({ lane: row.lane, event: row.event, command: row });
      };
      const isOfUse = changed || commands.length > 0;
      return isOfUse ? { accepted: 'accepted', notify } : { ...ignored, notify: () => refused?.() };
    },
  };
}
