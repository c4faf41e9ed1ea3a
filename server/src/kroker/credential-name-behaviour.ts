// Names of credentials by id.
import { credential, credentialName } from '@yagura/core/kroker/credential';
import type { Behaviour } from '../resource/behaviour.ts';

export const credentialNameBehaviour: Behaviour<typeof credentialName> = {
  resource: credentialName,
  calls: {
    async names(context, body) {
      const { credentialIds } = body;
      const { rows } = await context.services.database.query(
        `select id as "credentialId", body->>'displayName' as "displayName" from resource
         where space_id = $1 and kind = $2 and id = any($3::uuid[]) order by 2, 1`,
        [context.spaceId, credential.name, credentialIds],
      );
      return { items: rows };
    },
  },
};
