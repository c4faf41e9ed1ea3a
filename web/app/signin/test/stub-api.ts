import { createClient } from '@yagura/core/resource/client';
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
