// The audio of a call: rendered before it is placed.
import { keyPressedText, spokenKeys, transferFailedText } from '@yagura/core/speech/spoken-text';
import type { CallOrder } from '../line.ts';
import { sampleRate } from '../media/media-session.ts';
import type { SpeechRenderer } from '../voice/speech-renderer.ts';
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

export async function renderPrompts(speech: Renderer, order: CallOrder): Promise<CallPrompts> {
  const { spaceId, language, reactions, recordingId, transferTo } = order;
  const render = async (text: string): Promise<Prompt> => ({
    text,
    samples: await speech.render(spaceId, text, language),
  });
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
