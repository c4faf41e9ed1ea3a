// Sealed contents of credentials.
import { sealedCredential } from '@yagura/core/kroker/credential';
import type { Behaviour } from '../resource/behaviour.ts';
import { createItem, editItem } from '../resource/item-operations.ts';
import { credentialBehaviour, credentialTable, listWithoutData } from './credential-behaviour.ts';

export const sealedCredentialBehaviour: Behaviour<typeof sealedCredential> = {
  resource: sealedCredential,
  list: listWithoutData,
  create: (context, input) => createItem(context, credentialBehaviour, credentialTable, input),
  calls: {
    async seal(context, body) {
      return (await editItem(context, credentialBehaviour, credentialTable, body, true, undefined)).item;
    },
  },
};
