// Converts a call of a chain to an order for a line.
import { connectingText, detectVoiceLanguage, noReplyText } from '@yagura/core/speech/spoken-text';
import type { ChainCall } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';
import type { CallOrder } from './line.ts';

export function toCallOrder(
  { spaceId, resultId, plan }: Pick<StoredChain, 'spaceId' | 'resultId' | 'plan'>,
  { callId, stop, transfer }: ChainCall,
): CallOrder {
  const language = detectVoiceLanguage(plan.message);
  return {
    callId,
    resultId,
    spaceId,
    phoneNumber: stop.phoneNumber ?? '',
    language,
    message: transfer ? connectingText[language] : plan.message,
    ...(plan.recordingId && !transfer ? { recordingId: plan.recordingId } : {}),
    reactions: transfer ? {} : plan.reactions,
    noReplyMessage: noReplyText[language],
    transferTo: transfer ? (plan.transferTo?.phoneNumber ?? null) : null,
    ...(transfer && plan.transferTo ? { transferName: plan.transferTo.displayName } : {}),
  };
}
