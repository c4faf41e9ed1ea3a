// Renders what a chain will say before its first call.
import { readAloud } from '@yagura/core/speech/read-aloud/read-aloud';
import {
  connectingText,
  detectVoiceLanguage,
  keyPressedText,
  noReplyText,
  spokenKeys,
  transferFailedText,
  type VoiceLanguage,
  voiceLanguageOf,
} from '@yagura/core/speech/spoken-text';
import type { ChainPlan } from '../chain-state.ts';
import type { PhoneLine } from '../line.ts';
import type { SpeechRenderer } from './speech-renderer.ts';

type Spoken = Pick<ChainPlan, 'message' | 'reactions' | 'recordingId'>;

/** Whether anything of a text can be said: for lines with audio by our voices, otherwise in any language. */
export function canSay(text: string, line: Pick<PhoneLine, 'needsSpeech'>): boolean {
  return line.needsSpeech ? readAloud(text, detectVoiceLanguage(text)) !== '' : /[\p{L}\p{N}]/u.test(text);
}

/** The texts of a chain's calls, those first that are heard first. */
function textsOf({ message, reactions, recordingId }: Spoken, language: VoiceLanguage): string[] {
  const answers = Object.values(reactions).map((reaction) => reaction.message);
  const transfers = Object.values(reactions).some(({ behavior }) => behavior === 'transfer');
  return [
    ...(recordingId ? [] : [message]),
    ...answers,
    ...spokenKeys.map((key) => keyPressedText[language](key)),
    noReplyText[language],
    ...(transfers ? [connectingText[language], transferFailedText[language]] : []),
  ].filter((text) => text !== '');
}

/** A language of the chain's texts for which there is no voice. */
export function findMissingVoice(speech: SpeechRenderer, plan: Spoken): VoiceLanguage | undefined {
  const language = detectVoiceLanguage(plan.message);
  const installed = speech.languages();
  return textsOf(plan, language)
    .map((text) => voiceLanguageOf(text, language))
    .find((needed) => !installed.has(needed));
}

/** Renders all texts, so that the line finds them in the cache. Never rejects: the line renders what is missing. */
export async function prepareSpeech(speech: SpeechRenderer, spaceId: string, plan: Spoken): Promise<void> {
  const language = detectVoiceLanguage(plan.message);
  await Promise.allSettled(textsOf(plan, language).map((text) => speech.render(spaceId, text, language)));
}
