// The audio of a call: rendered before it is placed.
import {
  keyPressedText,
  spokenKeys,
  transferFailedText,
  unspeakableText,
} from '@yagura/core/speech/spoken-text';
import type { Log } from '../../common/log.ts';
import type { CallOrder } from '../line.ts';
import { sampleRate } from '../media/media-session.ts';
import { type SpeechRenderer, VoiceFailed } from '../voice/speech-renderer.ts';
import type { FlowPrompts, Prompt } from './call-flow.ts';

export interface CallPrompts extends Omit<FlowPrompts, 'keys'> {
  /** Read when a transfer fails. */
  transferFailed: Prompt | null;
}

/**
 * Samples of silence after a text that may be the last of a call: a phone throws away what its jitter buffer holds when
 * the call ends.
 */
const tailSamples = sampleRate / 4;

type Renderer = Pick<SpeechRenderer, 'render' | 'recording'>;

/**
 * The message, reactions and announcements of a call. A text that the voice fails to speak is replaced by a sentence that
 * says so: somebody is called in any case. Rejects with VoiceFailed if that cannot be spoken either.
 */
export async function renderPrompts(speech: Renderer, order: CallOrder, log: Log): Promise<CallPrompts> {
  const { spaceId, language, reactions, recordingId, transferTo } = order;
  const render = async (text: string): Promise<Prompt> => {
    try {
      return { text, samples: await speech.render(spaceId, text, language) };
    } catch (error) {
      if (!(error instanceof VoiceFailed)) throw error;
      const { resultId } = order;
      log({ level: 'warn', message: 'a text could not be spoken', resultId, reason: error.message });
      const instead = unspeakableText[language];
      return { text: instead, samples: await speech.render(spaceId, instead, language) };
    }
  };
  const renderMessage = async (): Promise<Prompt> => {
    const recorded = recordingId === undefined ? null : await speech.recording(spaceId, recordingId);
    return recorded ? { text: order.message, samples: recorded } : render(order.message);
  };
  const [message, noReply, transferFailed, entries] = await Promise.all([
    renderMessage(),
    render(order.noReplyMessage).then(withTail),
    transferTo === null ? null : render(transferFailedText[language]).then(withTail),
    Promise.all(
      Object.entries(reactions).map(async ([key, { message: text }]) => [
        key,
        text ? withTail(await render(text)) : null,
      ]),
    ),
  ]);
  return { message, noReply, transferFailed, reactions: Object.fromEntries(entries) };
}

export async function renderKeys(
  speech: Renderer,
  { spaceId, language }: Pick<CallOrder, 'spaceId' | 'language'>,
): Promise<FlowPrompts['keys']> {
  const entries = spokenKeys.map(async (key) => {
    const text = keyPressedText[language](key);
    return [key, withTail({ text, samples: await speech.render(spaceId, text, language) })];
  });
  return Object.fromEntries(await Promise.all(entries));
}

function withTail({ text, samples }: Prompt): Prompt {
  const longer = new Int16Array(samples.length + tailSamples);
  longer.set(samples);
  return { text, samples: longer };
}
