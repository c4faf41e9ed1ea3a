// Mail log: mails sent or, without a mail server, that would have been sent.

import { mail } from '@yagura/core/space/mail';
import type { MailOutbox } from '../../delivery/mail-outbox/mail-outbox.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { ResourceServices } from '../../resource/request-context.ts';

export interface MailServices extends ResourceServices {
  mail: MailOutbox;
}

const table = rowTable(mail, { from: 'outgoing_mail m', alias: 'm', without: ['text'] });

export const mailBehaviour: Behaviour<typeof mail, MailServices> = {
  resource: mail,
  table,
  async show(context) {
    const id = context.params.mailId ?? '';
    const stored = await findItem(context.services.database, context, mail, table, id);
    if (!stored) throw itemNotFound(context, mail);
    return { ...stored, item: { ...stored.item, text: await context.services.mail.readStoredText(id) } };
  },
};
