// Kroker credentials: stored as encrypted by the client, returned individually and never in lists.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { credential } from '@yagura/core/kroker/credential';
import { parseSealedHeader } from '@yagura/core/kroker/encrypted-credential';
import type { KrokerEvent } from '@yagura/core/kroker/kroker-log';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { assertParentVisible } from '../resource/item-store.ts';
import { readListQuery } from '../resource/list/list-query.ts';
import { bodyTable } from '../resource/list/table.ts';
import { listItems } from '../resource/list-items.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { writeKrokerLog } from './kroker-log.ts';

type Body = Record<string, unknown>;

export const credentialTable = bodyTable(credential, {
  columns: { sealed: { sql: `(r.body->>'encryptedData' is not null)`, type: 'boolean' } },
  item: (row) => ({ sealed: (row.body as Body).encryptedData !== undefined }),
});

export const credentialBehaviour: Behaviour<typeof credential> = {
  resource: credential,
  table: credentialTable,
  list: listWithoutData,
  body(context, input, before) {
    if (input.encryptedData !== undefined || before?.encryptedData === undefined) return input;
    // The type is part of the encrypted data, so changing it requires a new secret.
    if (input.credentialType !== before.credentialType)
      throw invalidField('encryptedData', context.t('rule.required'));
    return { ...input, encryptedData: before.encryptedData };
  },
  async afterWrite(tx, context, _id, body, before) {
    if (body.encryptedData !== undefined && body.encryptedData !== before?.encryptedData)
      await checkSealed(tx, context, body.encryptedData as string);
    await logCredentialEvent(tx, context, before ? 'credential-changed' : 'credential-created', body);
  },
  async afterRemove(tx, context, _id, body) {
    await logCredentialEvent(tx, context, 'credential-deleted', body);
  },
};

export async function listWithoutData(context: RequestContext) {
  await assertParentVisible(context.services.database, context, credential);
  const request = readListQuery(credential, context.query, context.t);
  const page = await listItems(context, credential, credentialTable, request);
  return { ...page, items: page.items.map(({ encryptedData: _data, ...item }) => item) };
}

/** The data must be encrypted for this Kroker and its current key; otherwise nobody could decrypt it. */
async function checkSealed(tx: Queryable, context: RequestContext, encryptedData: string): Promise<void> {
  const { rows } = await tx.query<{ thumbprint: string }>(
    'select thumbprint from kroker_state where space_id = $1 and kroker_id = $2 for key share',
    [context.spaceId, context.params.krokerId],
  );
  const [state] = rows;
  if (!state) throw new Problem('conflict', { detail: context.t('refusal.kroker-without-key') });
  const header = parseSealedHeader(encryptedData);
  if (header?.kid !== state.thumbprint || header.krokerId !== context.params.krokerId)
    throw invalidField('encryptedData', context.t('kroker.wrong-key'));
}

async function logCredentialEvent(
  tx: Transaction,
  context: RequestContext,
  event: KrokerEvent,
  body: Body,
): Promise<void> {
  await writeKrokerLog(tx, context.services, {
    spaceId: context.spaceId,
    krokerId: context.params.krokerId!,
    event,
    subject: String(body.displayName),
    user: context.principal.email,
  });
}
