// What became of the mails of invitations, as far as the user may read the mail log.
import { chunksOf, mapInChunks } from '@yagura/core/http/chunks';
import type { Item } from '@yagura/core/resource/define-resource';
import { mail } from '@yagura/core/space/mail';
import type { Api } from '../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../signin/current-user.server.ts';

/** `queued` is not tried yet, `retrying` failed and is tried again, `stored` waits for a mail server. */
export type MailState = 'queued' | 'retrying' | 'failed' | 'stored' | 'sent';

export interface InvitationMail {
  mailId: string;
  state: MailState;
}

/** Recipients per request, within the filter's limit of comparisons. */
const batchSize = 50;
const limit = 500;

/** Returns the newest mail to each address. */
export async function invitationMails(
  api: Api,
  emails: readonly string[],
): Promise<Record<string, InvitationMail>> {
  if (!resourcePermissions(await getCurrentUser(api), mail).list) return {};
  const found = await mapInChunks(chunksOf(emails, batchSize), async (batch) => {
    const recipients = batch.map((email) => `recipient eq ${JSON.stringify(email)}`).join(' or ');
    const filter = `kind eq "invitation" and (${recipients})`;
    const { items } = await api.client(mail).list({ filter, sort: '-createdAt', limit });
    return items
      .reverse()
      .map((item) => [item.recipient, { mailId: item.mailId, state: stateOf(item) }] as const);
  });
  return Object.fromEntries(found.flat());
}

function stateOf({ status, attempts }: Pick<Item<typeof mail>, 'status' | 'attempts'>): MailState {
  if (status !== 'waiting') return status;
  return attempts > 0 ? 'retrying' : 'queued';
}
