// Provides the page's translations, time zone, and labels of fields and choices.

import { createInterpolator } from '@yagura/core/i18n/interpolator';
import type { Language } from '@yagura/core/i18n/language';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate, Translations } from '@yagura/core/i18n/translator';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

export interface Translation {
  t: Translate;
  language: Language;
  /** IANA name of the time zone in which times are shown and entered. */
  timeZone: string;
  /** Label of a field by name or dotted path; the name itself if there is no translation. */
  fieldLabel(fieldName: string): string;
  /** Label of a choice value; the value itself if there is no translation. */
  choiceLabel(choice: string): string;
  /** Translation of an optional key; undefined if there is none. */
  optionalText(key: string): string | undefined;
}

const TranslationContext = createContext<Translation | null>(null);

/**
 * Provides the language for the components below. The caller loads the translations, so that a page contains
 * one language only.
 */
export function TranslationProvider(props: {
  language: Language;
  translations: Translations;
  timeZone: string;
  children: ReactNode;
}) {
  const { language, translations, timeZone } = props;
  const translation = useMemo(
    () => translationOf(language, translations, timeZone),
    [language, translations, timeZone],
  );
  return <TranslationContext value={translation}>{props.children}</TranslationContext>;
}

/** Returns the translations of the nearest provider; throws without one. */
export function useTranslation(): Translation {
  const words = useContext(TranslationContext);
  if (!words) throw new Error('useTranslation needs a TranslationProvider above it');
  return words;
}

/** Returns the translations of a language without a provider, e.g. outside components. */
export function translationOf(language: Language, translations: Translations, timeZone: string): Translation {
  const t = createInterpolator(language, translations);
  const isLoaded = (key: string): key is MessageKey => key in translations;
  const translateOr = (key: string, fallback: string) => (isLoaded(key) ? t(key) : fallback);
  return {
    t,
    language,
    timeZone,
    fieldLabel: (fieldName) => {
      const name = fieldName.slice(fieldName.lastIndexOf('.') + 1);
      return translateOr(`label.${name}`, name);
    },
    choiceLabel: (choice) => translateOr(`value.${choice}`, choice),
    optionalText: (key) => (isLoaded(key) ? t(key) : undefined),
  };
}
