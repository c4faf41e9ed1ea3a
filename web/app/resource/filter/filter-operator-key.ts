import { dataKey, type MessageKey } from '@yagura/core/i18n/message-key';
import type { FieldMeta } from '@yagura/core/resource/field';

/** Text of a comparison; those of times have their own, such as "before". */
export function filterOperatorKey({ kind }: Pick<FieldMeta, 'kind'>, op: string): MessageKey {
  const isOrderedInTime = kind === 'date-time' || (kind === 'date' && op !== 'eq' && op !== 'ne');
  return isOrderedInTime ? dataKey(`filter.time-${op}`) : dataKey(`filter.${op}`);
}
