// Starts and stops call chains.
import type { FeatureGate } from '@yagura/core/access/features';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { Problem } from '@yagura/core/http/problem';
import { type ChainReply, chain, type InvokeParams } from '@yagura/core/pigeon/chain';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import type { ChainRunner } from '../chain-runner.ts';
import { startChain } from '../start-chain.ts';
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
      const { database, nextId, pigeon, speech } = context.services;
      const invoked = await startChain(
        { database, nextId, runner: pigeon, speech },
        {
          spaceId: context.spaceId,
          params,
          source: 'api',
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
    async abort(context, body) {
      const { resultId } = body;
      const aborted = isUuid(resultId)
        ? await context.services.pigeon.abort(context.spaceId, resultId)
        : null;
      if (aborted === null) throw new Problem('not-found', { detail: 'no call result has this id' });
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
