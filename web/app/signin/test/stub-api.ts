import { createClient } from '@yagura/core/resource/client';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Api } from '../api.server.ts';

/** API that responds to these paths only; users and contracts are cached by their token. */
export function stubApi(token: string, replies: Record<string, unknown>): Api {
  const transport = {
    origin: 'http://space.test',
    headers: () => ({ authorization: `Bearer ${token}` }),
    fetch: async (url: string) => {
      const reply = replies[new URL(url).pathname];
      return Response.json(reply ?? { title: 'Not found' }, { status: reply ? 200 : 404 });
    },
  };
  return { transport, client: (resource) => createClient(resource, transport) };
}

/** API whose clients have these methods. The user's roles are unknown, so that everything may be asked for. */
export function stubClients(methodsOf: (resource: AnyResource) => object): Api {
  const api = stubApi('unknown roles', {});
  const client = (resource: AnyResource) => ({ ...api.client(resource), ...methodsOf(resource) });
  return { ...api, client } as Api;
}
