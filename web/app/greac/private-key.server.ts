// Reply of an action with the private key of a log key.
import { data as reply } from '@remix-run/node';
import { logKey } from '@yagura/core/greac/log-key';
import { nullIfNotFound } from '@yagura/core/http/null-if-not-found';
import { toProblemResponse } from '../resource/write/write.server.ts';
import type { Api } from '../signin/api.server.ts';

export interface PrivateKeyData {
  /** Null if the server does not have it. */
  privateKey: string | null;
}

export async function replyWithPrivateKey(api: Api, id: string | undefined) {
  try {
    const found = await api
      .client(logKey)
      .call<{ privateKey: string }>('private-key', { id })
      .catch(nullIfNotFound);
    const data: PrivateKeyData = { privateKey: found?.privateKey ?? null };
    return reply(data, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    return toProblemResponse(error, {});
  }
}
