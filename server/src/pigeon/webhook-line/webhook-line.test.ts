import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { failedResult } from '../../delivery/send-result.ts';
import type { CallReport } from '../call-report.ts';
import type { CallOrder } from '../line.ts';
import { createWebhookLine } from './webhook-line.ts';

const order: CallOrder = {
  callId: 'call',
  resultId: 'result',
  spaceId: 'space',
  phoneNumber: '0312345678',
  language: 'en',
  message: 'Alert',
  reactions: {},
  noReplyMessage: 'Bye',
  transferTo: null,
};

test('a call that the provider does not take says why', async () => {
  const line = createWebhookLine({
    url: 'https://provider.example/calls',
    secret: Buffer.alloc(32, 7),
    originOf: () => 'https://yagura.example',
    sender: {
      sendWebhook: async () =>
        failedResult('delivery.connection', { detail: 'ECONNREFUSED' }, { retry: true }),
    },
    clock: new ManualClock(),
  });
  const report = await new Promise<CallReport>((resolve) => line.dial(order, resolve));
  expect(report).toEqual({
    kind: 'ended',
    reason: 'lineFailed',
    detail: { word: 'delivery.connection', params: { detail: 'ECONNREFUSED' } },
  });
});
