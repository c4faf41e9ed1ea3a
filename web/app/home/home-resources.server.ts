// Resources of the short lists on the home page.
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { message } from '@yagura/core/alerthub/message';
import { scope } from '@yagura/core/alerthub/scope';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { auditRecord } from '@yagura/core/space/audit-record';
import type { homeColumns } from './home-columns.ts';

export const homeResources = {
  unhealthyScopes: scope,
  messages: message,
  deliveries: actionRecord,
  changes: auditRecord,
} satisfies Record<keyof typeof homeColumns, AnyResource>;
