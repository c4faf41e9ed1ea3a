// Actions: checks their templates, hides credentials, and serves their signing secrets.

import type { FeatureGate } from '@yagura/core/access/features';
import { action, type EmailParameters } from '@yagura/core/alerthub/action';
import { checkContent } from '@yagura/core/alerthub/engine/evaluation/check-content';
import { Problem } from '@yagura/core/http/problem';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { maskRequest } from '../../audit/mask-request.ts';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import type { DeliveryConfig } from '../deliveries/delivery-sender.ts';
import { onPremisesFeature } from '../deliveries/on-premises-sender.ts';
import { rejectUndeliverableWebhook } from '../deliveries/reject-undeliverable.ts';
import type { SigningSecrets } from '../deliveries/signing-secrets.ts';
import { rejectFlowErrors } from '../rules/reject-flow-errors.ts';
import { sendTestDelivery } from './test-delivery.ts';

export interface ActionServices extends ResourceServices {
  config: Pick<DeliveryConfig, 'smtpUrl' | 'mailFrom'>;
  contract: FeatureGate;
  /** Secrets that sign webhooks. */
  signing: SigningSecrets;
}

const onPremisesKind = 'webhookOnPremises';

function rejectWithoutTicket(context: RequestContext<ActionServices>): void {
  if (context.services.contract.allowsFeature(onPremisesFeature)) return;
  const reason = context.t('delivery.noTicket');
  throw new Problem('invalid', { invalidParams: [{ name: 'kind', reason }] });
}

/** Whether an email goes to the mail server of this server, and there is none. */
function lacksMailServer(
  { services: { config } }: RequestContext<ActionServices>,
  { kind, parameters }: Record<string, unknown>,
): boolean {
  if (kind !== 'email' || (config.smtpUrl && config.mailFrom)) return false;
  return !(parameters as EmailParameters).emailActionSenderSettingId;
}

/** Only users who may edit actions see credentials in headers and URLs. */
export function canSeeRequests(context: Pick<RequestContext, 'may'>): boolean {
  return context.may(permissionFor(action, 'edit'));
}

export const actionBehaviour: Behaviour<typeof action, ActionServices> = {
  resource: action,
  body(context, input, before) {
    if (input.kind === onPremisesKind && before?.kind !== onPremisesKind) rejectWithoutTicket(context);
    rejectUndeliverableWebhook(context, input);
    rejectFlowErrors(context, checkContent(action.name, input));
    return input;
  },
  // Users with read access do not need the receiver's credentials.
  present: (context, item) => ({
    ...item,
    parameters: canSeeRequests(context) ? item.parameters : maskRequest(item.parameters),
    deliveryWarning: lacksMailServer(context, item) ? context.t('action.no-mail-server') : null,
  }),
  calls: {
    test: sendTestDelivery,
    async 'signing-secret'(context) {
      return { secret: await context.services.signing.currentSecretText(await loadAction(context)) };
    },
    async 'renew-signing-secret'(context) {
      const { signing } = context.services;
      const actionId = await loadAction(context);
      await signing.renew(context.spaceId, actionId, context.transaction);
      announce(context, action, actionId, 'update');
      return { secret: await signing.currentSecretText(actionId) };
    },
  },
};

/** Returns the id of the action in the request path; throws a Problem if it does not exist. */
async function loadAction(context: RequestContext): Promise<string> {
  const { services, spaceId, params } = context;
  const { actionId } = params;
  const { rows } = await services.database.query(
    'select 1 from resource where space_id = $1 and kind = $2 and id = $3',
    [spaceId, action.name, isUuid(actionId) ? actionId : null],
  );
  if (!rows[0]) throw itemNotFound(context, action);
  return actionId!;
}
