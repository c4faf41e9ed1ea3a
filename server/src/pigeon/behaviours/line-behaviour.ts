// State of the phone line, and test calls over it.
import type { FeatureGate } from '@yagura/core/access/features';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { Problem } from '@yagura/core/http/problem';
import { type PhoneLineTrunk, phoneLine } from '@yagura/core/pigeon/phone-line';
import { testCallText } from '@yagura/core/speech/spoken-text';
import { isoTime } from '../../common/clock.ts';
import { detailText } from '../../common/detail.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { startChain } from '../start-chain.ts';
import type { ChainServices } from './chain-behaviour.ts';

export interface LineServices extends ChainServices {
  contract: FeatureGate;
}

export const lineBehaviour: Behaviour<typeof phoneLine, LineServices> = {
  resource: phoneLine,
  async show({ services, t }) {
    const line = (services as LineServices).pigeon.line;
    const { trunks = [], voices = [] } = (await line?.status?.()) ?? {};
    return {
      version: line?.kind ?? '',
      item: {
        line: line?.kind ?? null,
        trunks: trunks.map(
          ({ name, state, since, detail }): PhoneLineTrunk => ({
            name,
            state,
            since: isoTime(since),
            detail: detailText(detail, t),
          }),
        ),
        voices: [...voices].sort(),
      },
    };
  },
  calls: {
    async 'test-call'(context, { phoneNumber, language }) {
      // The number is not that of a contact.
      context.require('pigeon:contacts:create');
      const { database, clock, nextId, pigeon, speech } = context.services;
      const displayName = context.t('pigeon.test-call');
      const invoked = await startChain(
        { database, clock, nextId, runner: pigeon, speech },
        {
          spaceId: context.spaceId,
          params: {
            callflow: {
              displayName,
              loopLimit: 1,
              contacts: [{ displayName, phones: [{ phoneNumber }] }],
              transferTo: null,
              endsAfterFailedTransfer: true,
              quietHours: null,
            },
            guidance: {
              displayName,
              messageTemplate: testCallText[language],
              reactions: { 1: { behavior: 'terminate', messageTemplate: '' } },
            },
            parameters: {},
          },
          source: 'api',
          onStored: context.record,
          mayTransfer: false,
        },
      );
      if ('rejected' in invoked)
        throw new Problem('not-possible', { detail: formatReason(invoked.rejected, context.t) });
      return { resultId: invoked.resultId };
    },
  },
};
