// Log keys: age key pairs whose private key is stored encrypted until a user deletes it.

import { logKey } from '@yagura/core/greac/log-key';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Encryption, KeyedHash } from '../common/secrets/server-secret.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { announce } from '../resource/item-operations.ts';
import { reloadItem } from '../resource/item-store.ts';
import { rowTable } from '../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';

export interface LogKeyServices extends ResourceServices {
  secret: KeyedHash & Encryption;
}

const table = rowTable(logKey, {
  from: 'greac_log_key k',
  alias: 'k',
  without: ['hasPrivateKey'],
  columns: { hasPrivateKey: { sql: '(k.private_key is not null)', type: 'boolean' } },
  select: '(k.private_key is not null) as has_private_key',
  item: (row) => ({ hasPrivateKey: row.has_private_key }),
});

/** Whether the checksum of a recipient is right. */
function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/** Label that binds an encrypted key to its row. */
const label = (keyId: string) => `greac log key ${keyId}`;

export const logKeyBehaviour: Behaviour<typeof logKey, LogKeyServices> = {
  resource: logKey,
  table,
  calls: {
    async latest(context) {
      const { rows } = await context.services.database.query<{ key_id: string }>(
        'select key_id from greac_log_key where space_id = $1 order by created_at desc, key_id desc limit 1',
        [context.spaceId],
      );
      if (!rows[0]) throw new Problem('not-found', { detail: context.t('refusal.no-log-key') });
      return show(context, rows[0].key_id);
    },
    async refresh(context, { publicKey }) {
      const { clock, nextId, secret } = context.services;
      if (publicKey !== undefined && !isRecipient(publicKey))
        throw invalidField('publicKey', context.t('greac.age-recipient'));
      const privateKey = publicKey === undefined ? await generateX25519Identity() : null;
      const recipient = publicKey ?? (await identityToRecipient(privateKey!));
      const keyId = nextId();
      const sealed = privateKey && secret.seal(privateKey, label(keyId));
      await context.transaction((tx) =>
        tx.query(
          `insert into greac_log_key (key_id, space_id, public_key, private_key, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $5)`,
          [keyId, context.spaceId, recipient, sealed, isoTime(clock.now())],
        ),
      );
      announce(context, logKey, keyId, 'create');
      return show(context, keyId);
    },
    async 'private-key'(context) {
      const keyId = requireKeyId(context);
      const { rows } = await context.services.database.query<{ private_key: Buffer | null }>(
        'select private_key from greac_log_key where space_id = $1 and key_id = $2',
        [context.spaceId, keyId],
      );
      const sealed = rows[0]?.private_key;
      if (!sealed) throw privateKeyNotFound(context);
      const privateKey = context.services.secret.open(Buffer.from(sealed), label(keyId));
      if (privateKey === null)
        throw new Problem('conflict', { detail: context.t('refusal.private-key-unreadable') });
      return { keyId, privateKey };
    },
    async 'delete-private-key'(context) {
      const keyId = requireKeyId(context);
      await context.transaction(async (tx) => {
        const { rowCount } = await tx.query(
          `update greac_log_key set private_key = null, private_key_deleted_at = $3, updated_at = $3
           where space_id = $1 and key_id = $2 and private_key is not null`,
          [context.spaceId, keyId, isoTime(context.services.clock.now())],
        );
        if (rowCount === 0) throw privateKeyNotFound(context);
      });
      announce(context, logKey, keyId, 'update');
    },
  },
};

const privateKeyNotFound = ({ t }: Pick<RequestContext, 't'>) =>
  new Problem('not-found', { detail: t('refusal.no-private-key') });

function requireKeyId(context: RequestContext): string {
  const { keyId } = context.params;
  if (!isUuid(keyId)) throw privateKeyNotFound(context);
  return keyId;
}

async function show(context: RequestContext, keyId: string) {
  return (await reloadItem(context.services.database, context, logKey, table, keyId)).item;
}
