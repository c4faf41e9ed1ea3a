// Sealed contents of credentials.
import { sealedCredential } from '@yagura/core/kroker/credential';
import type { Behaviour } from '../resource/behaviour.ts';
import { createInTransaction, editItem } from '../resource/item-operations.ts';
import { credentialBehaviour, credentialTable, listWithoutData } from './credential-behaviour.ts';

export const sealedCredentialBehaviour: Behaviour<typeof sealedCredential> = {
  resource: sealedCredential,
  list: listWithoutData,
  create: (tx, context, input) =>
    createInTransaction(tx, context, credentialBehaviour, credentialTable, input),
  calls: {
    async seal(context, body) {
      return (await editItem(context, credentialBehaviour, credentialTable, body, true, undefined)).item;
    },
  },
};
