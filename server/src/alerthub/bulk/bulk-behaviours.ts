// Side effects of writing an item of each kind, the same as for a write of a single item.

import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import type { Resource } from '@yagura/core/resource/define-resource';
import type { Log } from '../../common/log.ts';
import type { Encryption, KeyedHash } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import type { RowLeases } from '../../jobs/leases/row-leases.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { type ActionServices, actionBehaviour } from '../actions/action-behaviour.ts';
import { emailSenderBehaviour, senderBody } from '../actions/email-sender-behaviour.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { ruleBehaviour } from '../rules/rule-behaviour.ts';
import { triggerBehaviour } from '../rules/trigger-behaviour.ts';
import { runbookBehaviour } from '../runbooks/runbook-behaviour.ts';
import { muteScheduleBehaviour } from '../scopes/mute-schedule-behaviour.ts';
import { afterScopesWritten, scopeBehaviour } from '../scopes/scope-behaviour.ts';
import { type ReceiveSlotServices, receiveSlotBehaviour } from '../slots/receive-slot-behaviour.ts';

type Body = Record<string, unknown>;
/** What the side effects of all kinds need. */
export interface BulkServices extends ActionServices, ReceiveSlotServices {
  log: Log;
  bulkLeases: Record<'imports' | 'exports', RowLeases>;
  pipeline: Pipeline;
  secret: KeyedHash & Encryption;
}

export type BulkContext = RequestContext<BulkServices>;

type Hooks = Pick<Behaviour<Resource, BulkServices>, 'body' | 'afterWrite' | 'afterRemove'> & {
  /** Replaces `written` for many items at once. */
  allWritten?: (
    tx: Queryable,
    context: BulkContext,
    rows: readonly { id: string; body: Body; before?: Body | undefined }[],
  ) => Promise<void>;
};

const behaviours: Partial<Record<BulkKindName, Hooks>> = {
  scopes: { ...scopeBehaviour, allWritten: afterScopesWritten },
  'mute-schedules': muteScheduleBehaviour,
  'receive-slots': receiveSlotBehaviour,
  'email-action-sender-settings': {
    ...emailSenderBehaviour,
    // Files contain no secrets: a new sender cannot send until its secret is set.
    body: (context: BulkContext, input: Body, before: Body | undefined) =>
      senderBody(context, input, before, { demandSecret: false }),
  },
  actions: actionBehaviour,
  runbooks: runbookBehaviour,
  rules: ruleBehaviour,
  triggers: triggerBehaviour,
};

export function behaviourOf(kind: BulkKindName): Hooks {
  return behaviours[kind] ?? {};
}
