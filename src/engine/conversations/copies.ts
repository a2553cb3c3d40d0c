// Where the message and the answer of a run are: in its session, and as copies in the forks of that.
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { ConversationRows } from '#engine/sessions/sessions.ts';

/** A session with the ids that the two messages have there; a fork may end before the answer. */
export interface Place extends Pick<StoredRun, 'sessionID' | 'userMessageID'> {
  assistantMessageID: string | undefined;
}

/** The session of the run first. A copy is known by the run that its original is of, and by its part of this message of the platform. */
export function placesOf(
  { messages, parts }: Pick<ConversationRows, 'messages' | 'parts'>,
  run: StoredRun,
  nativeID: string,
): Place[] {
  const asked = messages.get(run.userMessageID)?.runID ?? run.runID;
  const copies = parts.messagesOf(nativeID, asked).filter(({ id }) => id !== run.userMessageID);
  return [
    run,
    ...copies.map(({ id: userMessageID, sessionID }): Place => {
      const answer = messages
        .ofSession(sessionID)
        .find(({ runID, role }) => runID === run.runID && role === 'assistant');
      return { sessionID, userMessageID, assistantMessageID: answer?.id };
    }),
  ];
}
