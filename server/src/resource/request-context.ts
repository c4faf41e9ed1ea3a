// Context of a handler: services, caller and request data.

import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { PathParams } from '@yagura/core/resource/client';
import type { RequestOrigin } from '../audit/audit-log.ts';
import type { Services } from '../hosting/services.ts';
import type { Principal } from '../identity/principal.ts';

export interface RequestContext {
  services: Services;
  principal: Principal;
  spaceId: string;
  /** Network address of the caller, as reported by a trusted proxy if there is one. */
  address: string;
  /** Path parameters: the parents' ids and the item's own. */
  params: PathParams;
  query: Record<string, unknown>;
  /** The caller's language; `t` translates to it. */
  language: Language;
  t: Translate;
  /** Origin of the call. */
  from: RequestOrigin;
  /** Throws a 403 naming the missing permission. */
  require(...anyOf: string[]): void;
  /** Whether the caller has any of these permissions. */
  may(...anyOf: string[]): boolean;
}
