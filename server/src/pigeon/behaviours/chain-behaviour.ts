// Starts and stops call chains.
import type { FeatureGate } from '@yagura/core/access/features';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { Problem } from '@yagura/core/http/problem';
import { type ChainReply, chain, type InvokeParams } from '@yagura/core/pigeon/chain';
import { maskedPhone, phonePermission } from '@yagura/core/pigeon/masked-phone';
import { result as callResult } from '@yagura/core/pigeon/result';
import type { RingPreview } from '@yagura/core/pigeon/ring-preview';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import type { ChainRunner } from '../chain-runner.ts';
import { previewRings } from '../simulator/ring-preview.ts';
import { planOnly, startChain } from '../start-chain.ts';
import type { SpeechRenderer } from '../voice/speech-renderer.ts';

export interface ChainServices extends ResourceServices {
  /** Runs call chains. */
  pigeon: ChainRunner;
  contract: FeatureGate;
  speech: SpeechRenderer;
}

export const chainBehaviour: Behaviour<typeof chain, ChainServices> = {
  resource: chain,
  calls: {
    async invoke(context, body) {
      const { params } = body;
      checkDialling(context, params);
      const { database, clock, nextId, pigeon, speech } = context.services;
      const invoked = await startChain(
        { database, clock, nextId, runner: pigeon, speech },
        {
          spaceId: context.spaceId,
          params,
          source: 'api',
          onStored: context.record,
          mayTransfer: context.services.contract.allowsFeature('pigeon-transfer'),
        },
      );
      const reply: ChainReply =
        'resultId' in invoked
          ? { params, resultId: invoked.resultId, status: 'requested' }
          : {
              params,
              status: 'rejected',
              errorDescriptor: {
                title: context.t('pigeon.rejected.title'),
                detail: formatReason(invoked.rejected, context.t),
              },
            };
      return reply;
    },
    async preview(context, { params, assume, phones }) {
      context.require('pigeon:contacts:get');
      const { services, spaceId } = context;
      const mayTransfer = services.contract.allowsFeature('pigeon-transfer');
      const planned = await planOnly(services, { spaceId, params, mayTransfer });
      if ('rejected' in planned)
        throw new Problem('chain-rejected', {
          title: context.t('pigeon.rejected.title'),
          detail: formatReason(planned.rejected, context.t),
        });
      const preview: RingPreview = {
        ...previewRings(planned.plan, { assume, phones }),
        rejection: planned.quiet && formatReason(planned.quiet, context.t),
      };
      if (context.may(phonePermission)) return preview;
      const calls = preview.calls.map((call) => ({
        ...call,
        phoneNumber: call.phoneNumber && maskedPhone,
      }));
      return { ...preview, calls };
    },
    async abort(context, body) {
      const { resultId } = body;
      const aborted = isUuid(resultId)
        ? await context.services.pigeon.abort(context.spaceId, resultId, context.record)
        : null;
      if (aborted === null) throw itemNotFound(context, callResult);
      return { resultId, status: aborted ? 'requested' : 'rejected' };
    },
  },
};

/**
 * Callers who may only start chains can call registered contacts; other numbers require permission to create
 * contacts.
 */
function checkDialling(context: RequestContext, { callflow }: InvokeParams): void {
  if (callflow?.contacts.some((entry) => 'phones' in entry)) context.require('pigeon:contacts:create');
}
