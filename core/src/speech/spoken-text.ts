// Fixed announcements of a call, and rendering of a guidance's templates as spoken text.
import type { FlowError } from '../alerthub/engine/errors/flow-error.ts';
import { checkTemplate, renderTemplate } from '../alerthub/engine/template/render-template.ts';
import { maxMessageLength, type voiceLanguages } from '../pigeon/call-constants.ts';
import type { Reactions } from '../pigeon/guidance.ts';

export type VoiceLanguage = (typeof voiceLanguages)[number];

/** Language of the voice: Japanese if the text contains any Japanese character. */
export function detectVoiceLanguage(text: string): VoiceLanguage {
  return /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text) ? 'ja' : 'en';
}

/** Read before hanging up if no key was pressed. */
export const noReplyText: Record<VoiceLanguage, string> = {
  en: 'There was no reply. Goodbye.',
  ja: '応答がありませんでした。通話を終了します。',
};

/** Read before the message of a test. */
export const drillNoticeText: Record<VoiceLanguage, string> = {
  en: 'This is a drill.',
  ja: 'これは訓練です。',
};

/** Read to the recipient of a callback before connecting. */
export const connectingText: Record<VoiceLanguage, string> = {
  en: 'Connecting your call.',
  ja: 'おつなぎします。',
};

/** Read when the transfer destination cannot be connected. */
export const transferFailedText: Record<VoiceLanguage, string> = {
  en: 'The call could not be connected. Goodbye.',
  ja: 'おつなぎできませんでした。通話を終了します。',
};

/** Read in place of a text that the voice fails to speak. */
export const unspeakableText: Record<VoiceLanguage, string> = {
  en: 'There is a text that cannot be read aloud. Please see the console.',
  ja: '読み上げできない内容があります。コンソールで確認してください。',
};

/** Message of a test call. */
export const testCallText: Record<VoiceLanguage, string> = {
  en: 'This is a test call from Yagura. Press 1 to end it.',
  ja: 'Yaguraからのテスト通話です。終了するには1を押してください。',
};

/** Keys of a phone that are said back when pressed. */
export const spokenKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'] as const;
export type SpokenKey = (typeof spokenKeys)[number];

/** Says back a key that was pressed. */
export const keyPressedText: Record<VoiceLanguage, (key: SpokenKey) => string> = {
  en: (key) => `You pressed ${key === '*' ? 'star' : key === '#' ? 'pound' : key}.`,
  ja: (key) =>
    key === '*' || key === '#'
      ? `${key === '*' ? 'アスタリスク' : 'シャープ'}が押されました。`
      : `${key}番が押されました。`,
};

/** Voice that reads a text in a call in this language: a Japanese text needs the Japanese voice. */
export function voiceLanguageOf(text: string, language: VoiceLanguage): VoiceLanguage {
  return language === 'ja' ? 'ja' : detectVoiceLanguage(text);
}

/**
 * Renders a template with the parameters, up to the maximum length of a template; `missing` lists variables
 * without a value.
 */
export function renderSpokenText(
  template: string,
  parameters: Record<string, unknown>,
): { text: string; missing: string[] } {
  const { text, missing } = renderTemplate(template, parameters, { escape: 'none' });
  const short =
    text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1).toWellFormed()}…` : text;
  return { text: short, missing };
}

/** All errors in the templates of a guidance, each naming its field. */
export function checkGuidance(guidance: { messageTemplate: string; reactions: Reactions }): FlowError[] {
  const templates: [string, string][] = [
    ['messageTemplate', guidance.messageTemplate],
    ...Object.entries(guidance.reactions).map(([digit, { messageTemplate }]): [string, string] => [
      `reactions.${digit}.messageTemplate`,
      messageTemplate,
    ]),
  ];
  return templates.flatMap(([path, template]) => {
    const error = checkTemplate(template);
    return error ? [error.withPathPrefix(path)] : [];
  });
}
