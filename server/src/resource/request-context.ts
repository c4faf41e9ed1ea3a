// What a handler gets: the server's parts, who asks, and where.

import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { PathParams } from '@yagura/core/resource/client';
import type { RequestOrigin } from '../audit/audit-log.ts';
import type { Services } from '../hosting/services.ts';
import type { Principal } from '../identity/principal.ts';

export interface RequestContext {
  services: Services;
  principal: Principal;
  spaceId: string;
  /** Network address of the caller, as a trusted proxy tells it when there is one. */
  address: string;
  /** Path parameters: the parents' ids and the item's own. */
  params: PathParams;
  query: Record<string, unknown>;
  /** The caller's language; the words of `t` are in it. */
  language: Language;
  t: Translate;
  /** Where the call comes from. */
  from: RequestOrigin;
  /** Throws a 403 that names the permission. */
  require(...anyOf: string[]): void;
  /** Whether the caller has any of these permissions. */
  may(...anyOf: string[]): boolean;
}
