// Turns a call of a chain into the order that a line carries out.
import { connecting, languageOf, noReply } from '@yagura/core/voice/spoken';
import type { Call } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';
import type { CallOrder } from './line.ts';

export function orderOf(
  { spaceId, resultId, plan }: StoredChain,
  { callId, stop, transfer }: Call,
): CallOrder {
  const language = languageOf(plan.message);
  return {
    callId,
    resultId,
    spaceId,
    phoneNumber: stop.phoneNumber ?? '',
    language,
    message: transfer ? connecting[language] : plan.message,
    reactions: transfer ? {} : plan.reactions,
    noReplyMessage: noReply[language],
    transferTo: transfer ? (plan.transferTo?.phoneNumber ?? null) : null,
  };
}
