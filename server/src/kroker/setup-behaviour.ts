// User side of a Kroker setup: shows the machine waiting under a code, and approves or denies it.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { kroker } from '@yagura/core/kroker/kroker';
import { krokerSetup, normalizeUserCode } from '@yagura/core/kroker/kroker-setup';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { announce, mapUniqueViolation } from '../resource/item-operations.ts';
import { insertItem, lockItem } from '../resource/item-store.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { approveSetup, denySetup, findSetup, type PendingSetup } from './setup-store.ts';

export const krokerSetupBehaviour: Behaviour<typeof krokerSetup> = {
  resource: krokerSetup,
  async show(context) {
    const setup = await findPendingSetup(context.services.database, context);
    const { userCode, hostName, thumbprint, createdAt, expiresAt } = setup;
    return { item: { userCode, hostName, thumbprint, createdAt, expiresAt }, version: createdAt };
  },
  calls: {
    async approve(context, body) {
      const { displayName, krokerId } = body;
      const result = await mapUniqueViolation(context, () =>
        context.transaction(async (tx) => {
          const setup = await findPendingSetup(tx, context);
          const found = krokerId
            ? await findKroker(tx, context, krokerId)
            : await createKroker(tx, context, displayName);
          await approveSetup(tx, setup, found.krokerId);
          return found;
        }),
      );
      announce(context, kroker, result.krokerId, krokerId ? 'update' : 'create');
      return result;
    },
    async deny(context) {
      await context.transaction(async (tx) => {
        await denySetup(tx, await findPendingSetup(tx, context));
      });
    },
  },
};

async function findPendingSetup(db: Queryable, context: RequestContext): Promise<PendingSetup> {
  const userCode = normalizeUserCode(context.params.userCode ?? '');
  const setup = userCode && (await findSetup(db, context.services, context.spaceId, userCode));
  if (!setup) throw new Problem('not-found', { detail: context.t('refusal.no-setup') });
  return setup;
}

async function createKroker(tx: Queryable, context: RequestContext, displayName: string | undefined) {
  if (displayName === undefined) throw invalidField('displayName', context.t('rule.required'));
  const krokerId = await insertItem(tx, context, kroker, { displayName, remarks: '' });
  return { krokerId, displayName };
}

async function findKroker(tx: Queryable, context: RequestContext, krokerId: string) {
  const found = await lockItem(tx, context, kroker, krokerId);
  if (!found) throw invalidField('krokerId', context.t('rule.reference'));
  return { krokerId, displayName: String(found.body.displayName) };
}
