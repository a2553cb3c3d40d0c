// Which answer a message of the bot's is, also one that an earlier process posted. It changes nothing but what a deletion takes out.
import type { Address } from '#adapters/gateway/terms/address.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

type Chat = Pick<Address, 'platform' | 'account' | 'chat'>;

export interface PostedAnswers {
  /** The turn whose answer, or answer in progress, this message of the chat is; undefined for any other message. */
  turnAt(place: Chat, nativeID: string): string | undefined;
  /** Whether a message of an answer is being posted in the chat: the platform may show it, and has not said under which id. */
  isPostingIn(place: Chat): boolean;
  /** The words of the turn's answer are gone from the outbox; receipts and states stay. */
  erase(turnID: string): void;
}

/** Reads the tables `outbox`, `outbox_parts`, `turns` and `previews`. */
export function createPostedAnswers(database: Sqlite): PostedAnswers {
  const found = database.prepare<{ id: string }, { turnID: string; address: string }>(
    `SELECT o.turn_id AS turnID, o.address FROM outbox_parts p JOIN outbox o ON o.id = p.outbox_id
     WHERE p.native_id = :id AND o.turn_id IS NOT NULL
     UNION ALL
     SELECT t.id, t.address FROM turns t JOIN previews p ON p.turn_id = t.id
     WHERE t.state = 'running' AND p.native_id = :id
     UNION ALL
     SELECT o.turn_id, o.address FROM outbox o JOIN outbox_parts p ON p.outbox_id = o.id
     WHERE o.state IN ('open', 'handing over') AND o.turn_id IS NOT NULL AND p.preview_id = :id`,
  );
  const posting = database
    .prepare<[], string>(
      `SELECT o.address FROM outbox o JOIN outbox_parts p ON p.outbox_id = o.id
       WHERE o.state IN ('open', 'handing over') AND p.state = 'sending' AND p.native_id IS NULL
       UNION ALL
       SELECT t.address FROM turns t JOIN previews p ON p.turn_id = t.id
       WHERE t.state = 'running' AND p.native_id IS NULL`,
    )
    .pluck();
  const erase = database.prepare<[string]>(
    `UPDATE outbox_parts SET text = '', body = 'null' WHERE outbox_id = (SELECT id FROM outbox WHERE turn_id = ?)`,
  );
  return {
    turnAt: (place, nativeID) =>
      found.all({ id: nativeID }).find(({ address }) => isIn(place, address))?.turnID,
    isPostingIn: (place) => posting.all().some((address) => isIn(place, address)),
    erase: (turnID) => void erase.run(turnID),
  };
}

function isIn({ platform, account, chat }: Chat, address: string): boolean {
  const at = parseAddress(address);
  return at.platform === platform && at.account === account && at.chat === chat;
}
