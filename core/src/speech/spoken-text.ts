// What a person hears beside the guidance's own text, and how a guidance's templates become that text.
import type { FlowError } from '../alerthub/engine/errors/flow-error.ts';
import { checkTemplate, renderTemplate } from '../alerthub/engine/template/render-template.ts';
import { maxMessageLength } from '../pigeon/call-constants.ts';
import type { Reactions } from '../pigeon/guidance.ts';

export type VoiceLanguage = 'en' | 'ja';

/** Language of the voice: Japanese when the text has any Japanese character. */
export function detectVoiceLanguage(text: string): VoiceLanguage {
  return /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text) ? 'ja' : 'en';
}

/** Read before the line is hung up when no key came. */
export const noReplyText: Record<VoiceLanguage, string> = {
  en: 'There was no reply. Goodbye.',
  ja: '応答がありませんでした。通話を終了します。',
};

/** Read before the message of a drill. */
export const drillNoticeText: Record<VoiceLanguage, string> = {
  en: 'This is a drill.',
  ja: 'これは訓練です。',
};

/** Read to whoever is called back, before they are connected. */
export const connectingText: Record<VoiceLanguage, string> = {
  en: 'Connecting your call.',
  ja: 'おつなぎします。',
};

/** A template filled with the parameters, at most as long as a template may be; `missing` are names without a value. */
export function renderSpokenText(
  template: string,
  parameters: Record<string, unknown>,
): { text: string; missing: string[] } {
  const { text, missing } = renderTemplate(template, parameters, { escape: 'none' });
  const short =
    text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1).toWellFormed()}…` : text;
  return { text: short, missing };
}

/** Everything wrong with the templates of a guidance, each error naming its field. */
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
