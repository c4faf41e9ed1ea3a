// The item types most used in tests, derived from core's descriptors.
import type { actionRecord } from '@yagura/core/alerthub/action-record';
import type { event } from '@yagura/core/alerthub/event';
import type { message } from '@yagura/core/alerthub/message';
import type { scope } from '@yagura/core/alerthub/scope';
import type { Item } from '@yagura/core/resource/define-resource';

export type ScopeItem = Item<typeof scope>;
export type EventItem = Item<typeof event>;
export type MessageItem = Item<typeof message>;
export type ActionRecordItem = Item<typeof actionRecord>;
