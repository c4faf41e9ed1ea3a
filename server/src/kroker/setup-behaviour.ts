// The person's half of setting up a Kroker: seeing which machine waits under a code, and deciding.
import { invalidField, Problem } from '@yagura/core/http/problem';
import { kroker } from '@yagura/core/kroker/kroker';
import { krokerSetup, readUserCode } from '@yagura/core/kroker/kroker-setup';
import type { Queryable } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { RequestContext } from '../resource/context.ts';
import { announce, mapUniqueViolation } from '../resource/serve.ts';
import { insertItem, lockItem } from '../resource/store.ts';
import { approveSetup, denySetup, findSetup, type Setup } from './setup-store.ts';

export const krokerSetupBehaviour: Behaviour = {
  resource: krokerSetup,
  async show(context) {
    const setup = await waiting(context.services.database, context);
    const { userCode, hostName, thumbprint, createdAt, expiresAt } = setup;
    return { item: { userCode, hostName, thumbprint, createdAt, expiresAt }, version: createdAt };
  },
  calls: {
    async approve(context, body) {
      const { displayName, krokerId } = body as { displayName?: string; krokerId: string | null };
      const { database } = context.services;
      const result = await mapUniqueViolation(context, () =>
        database.transaction(async (tx) => {
          const setup = await waiting(tx, context);
          const found = krokerId
            ? await existing(tx, context, krokerId)
            : await made(tx, context, displayName);
          await approveSetup(tx, setup, found.krokerId);
          return found;
        }),
      );
      announce(context, kroker, result.krokerId, krokerId ? 'update' : 'create');
      return result;
    },
    async deny(context) {
      await context.services.database.transaction(async (tx) => {
        await denySetup(tx, await waiting(tx, context));
      });
    },
  },
};

async function waiting(db: Queryable, context: RequestContext): Promise<Setup> {
  const userCode = readUserCode(context.params.userCode ?? '');
  const setup = userCode && (await findSetup(db, context.services, context.spaceId, userCode));
  if (!setup) throw new Problem('not-found', { detail: 'no machine waits under this code' });
  return setup;
}

async function made(tx: Queryable, context: RequestContext, displayName: string | undefined) {
  if (displayName === undefined) throw invalidField('displayName', context.t('rule.required'));
  const krokerId = await insertItem(tx, context, kroker, { displayName, remarks: '' });
  return { krokerId, displayName };
}

async function existing(tx: Queryable, context: RequestContext, krokerId: string) {
  const found = await lockItem(tx, context, kroker, krokerId);
  if (!found) throw invalidField('krokerId', context.t('rule.reference'));
  return { krokerId, displayName: String(found.body.displayName) };
}
