// English: what a run asks people, and what their answers lead to.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, duration, or } = formsOf('en');

export const requests = {
  choices: { once: 'yes, this once', reject: 'no', always: 'yes, always, in every chat of this assistant' },
  outcomes: {
    once: 'allowed this once',
    reject: 'not allowed',
    always: 'always allowed',
    answered: 'answered',
    inAnotherChat: 'answered in another chat',
    expired: 'expired, because no one answered in time',
    dropped: 'no longer needed',
  },
  outcomeBy: ({ outcome, name }: { outcome: string; name: string }) => `${outcome} by ${name}`,

  forAgent: ({ agent }: { agent: string }) => `An agent that works on this asks: **${agent}**.`,
  mayIUse: ({ tool }: { tool: string }) => `May I use the tool \`${tool}\` with this?`,
  mayIUseAbove: ({ tool }: { tool: string }) => `May I use the tool \`${tool}\` with what is shown above?`,
  wouldUse: ({ tool }: { tool: string }) => `I would give this to the tool \`${tool}\`:`,
  leftOut: ({ n }: { n: number }) =>
    `${count(n, { one: 'more character is', other: 'more characters are' })} left out.`,
  consequence: 'I use it exactly like this, or not at all. If you say no, I continue without it.',
  allowHow: ({ approve, deny, ms }: { approve: string; deny: string; ms: number }) =>
    `Answer with just the number, or with ${approve} or ${deny}, within ${duration(ms)}.`,
  allowHowInRoom: ({ approve, deny, ms }: { approve: string; deny: string; ms: number }) =>
    `Answer me with just the number, or with ${approve} or ${deny}, within ${duration(ms)}.`,
  question: ({ question }: { question: string }) => `**Question:** ${question}`,
  questionOf: ({ n, of, question }: { n: number; of: number; question: string }) =>
    `**Question (${n} of ${of}):** ${question}`,
  mayHaveRun: ({ tool }: { tool: string }) =>
    `The program stopped while I used the tool \`${tool}\` with this, and the call may have run. What now?`,
  interruptedCall: { again: 'Try again', skip: 'Skip it', stop: 'Stop' },
  answerByNumber: ({ ms }: { ms: number }) =>
    `Answer with a number or in your own words, within ${duration(ms)}.`,
  chooseByNumber: ({ ms }: { ms: number }) =>
    `Answer with the number of your choice, within ${duration(ms)}.`,
  onlyChoices: 'The call may have run already, so only one of these is an answer. Nothing is decided yet.',
  answerNext: ({ ms }: { ms: number }) => `Your next message is the answer, within ${duration(ms)}.`,
  answerInRoom: ({ ms }: { ms: number }) =>
    `Reply to this, or mention me with your answer, within ${duration(ms)}.`,

  notThePerson: ({ who, names }: { who: string; names: readonly string[] }) =>
    `${who}, who is not ${or(names)}`,
  someone: 'someone',
  forPrivate: ({ who, platform }: { who: string; platform: string }) =>
    `${who} (${platform}, in private) wants me to do something that needs your approval.`,
  forRoom: ({ who, platform }: { who: string; platform: string }) =>
    `${who} (${platform}, in a room) wants me to do something that needs your approval.`,
  roomQuestion: ({ who }: { who: string }) => `A question for ${who}:`,
  roomApproval: ({ who, approvers }: { who: string; approvers: string }) =>
    `What ${who} wants needs approval, which ${approvers} can give.`,
  anOwner: 'an owner',
  anyOf: ({ names }: { names: readonly string[] }) => or(names),
  approvalPending: ({ tool, who }: { tool: string; who: string }) =>
    `I need approval to use \`${tool}\` for this, and have asked ${who}.`,
  approvalSettled: ({ tool, who, outcome }: { tool: string; who: string; outcome: string }) =>
    `I need approval to use \`${tool}\` for this, and have asked ${who}: ${outcome}.`,

  yesOrNo: ({ approve, deny }: { approve: string; deny: string }) =>
    `I asked for a number: write \`1\` for yes or \`2\` for no, or ${approve} or ${deny}. Your message waits until then.`,
  notAnApprover: 'You cannot approve this. Only owners can, or people they chose.',
  notYourQuestion: 'This question is for someone else.',
  over: ({ outcome }: { outcome: string }) => `This is over: ${outcome}.`,
  tooLate: 'That came too late: this has expired or was already answered.',
  unknownRequest: 'I no longer know what this was about.',
  noSuchChoice: 'There is no such choice any more.',
  allowed: 'Allowed, this once.',
  notAllowed: 'Not allowed.',
  thanks: 'Thank you.',
  noApprovalOpen: 'There is no request for approval to answer.',
  noQuestionOpen: 'I have no open question for you.',
  severalOpen: ({ ids }: { ids: readonly string[] }) =>
    `Several are open: ${ids.join(', ')}. Write the ID you mean after the command.`,
  answerHow: ({ command }: { command: NameCommand }) =>
    `What is your answer? Write ${command('answer TEXT')}.`,
};
