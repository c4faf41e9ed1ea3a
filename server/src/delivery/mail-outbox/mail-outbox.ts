// Composes the mails of the server itself for one space: stored in the transaction that causes them, sent after
// its commit by `ServerMails`.

import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { mailKinds } from '@yagura/core/space/mail';
import type { NextId } from '../../common/id.ts';
import type { Log } from '../../common/log.ts';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { mailLabel, type ServerMails } from './server-mails.ts';

export interface ServerMail {
  kind: (typeof mailKinds)[number];
  /** Address of the only recipient. */
  to: string;
  language: Language;
  /** Parameters of the mail's translations; a link among them is the only secret a mail may contain. */
  params: Record<string, string | number>;
}

export interface MailOutbox {
  /** Queues a mail in the caller's transaction. Call `wake` after the commit. */
  queue(db: Queryable, mail: ServerMail): Promise<void>;
  /** False if there is no mail server; mails are then kept for reading. */
  readonly canSend: boolean;
  /** Checks for due mails now instead of at the next interval. */
  wake(): void;
  /**
   * Text of a mail that was kept because there is no mail server; null for any other. Links to an account are
   * removed, since the reader could take over the account with them.
   */
  readStoredText(mailId: string): Promise<string | null>;
}

export interface MailOutboxOptions {
  database: Database;
  nextId: NextId;
  log: Log;
  spaceId: string;
  secret: ServerSecret;
  translators: Readonly<Record<Language, Translate>>;
  mails: ServerMails;
}

export function createMailOutbox(options: MailOutboxOptions): MailOutbox {
  const { database, nextId, log, spaceId, secret, translators, mails } = options;
  const { canSend } = mails;
  return {
    canSend,
    async queue(db, { kind, to, language, params }) {
      const mailId = nextId();
      const t = translators[language];
      const textKey = `mail.${kind}.text` as MessageKey;
      const subjectKey = `mail.${kind}.subject` as MessageKey;
      const text = t(textKey, params);
      const subject = t(subjectKey, params);
      const sealed = secret.seal(canSend ? text : redactLink(kind, text), mailLabel(mailId));
      await mails.add(db, { mailId, spaceId, kind, to, subject, sealed });
      if (canSend) return;
      const message = 'No mail server is set: a mail was kept in the mail log';
      log({ level: 'info', message, mailId, kind });
    },
    wake: () => mails.wake(),
    async readStoredText(mailId) {
      const { rows } = await database.query<{ kind: string; sealed: Buffer | null }>(
        `select kind, sealed from outgoing_mail where space_id = $1 and mail_id = $2 and status = 'stored'`,
        [spaceId, mailId],
      );
      const [row] = rows;
      const text = row?.sealed ? secret.open(row.sealed, mailLabel(mailId)) : null;
      return row && text !== null ? redactLink(row.kind, text) : null;
    },
  };
}

/**
 * An invitation link creates an account and opens no existing one; without a mail server, the inviting user
 * passes it on.
 */
function redactLink(kind: string, text: string): string {
  return kind === 'invitation' ? text : text.replace(/([?&]token=)[\w-]+/g, '$1***');
}
