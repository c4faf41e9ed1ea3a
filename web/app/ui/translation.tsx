// The words of the page in its language: one translator, one time zone, and the names of fields and choices.
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import type { Language } from '@yagura/core/i18n/language';
import type { Translate, Translations } from '@yagura/core/i18n/translator';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

export interface Translation {
  t: Translate;
  language: Language;
  /** IANA name of the zone that times are shown and read in. */
  timeZone: string;
  /** Label of a field by its own name or dotted path; the name itself when no word is known. */
  fieldLabel(fieldName: string): string;
  /** Word of a choice's value; the value itself when no word is known. */
  choiceLabel(choice: string): string;
  /** The word of a key that not everything of its kind has; nothing when there is none. */
  optionalText(key: string): string | undefined;
}

const TranslationContext = createContext<Translation | null>(null);

/** Gives the screens below it a language. The dictionary is loaded by the caller, so that a page carries one language. */
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

/** The words of the nearest provider; throws without one. */
export function useTranslation(): Translation {
  const words = useContext(TranslationContext);
  if (!words) throw new Error('useTranslation needs a TranslationProvider above it');
  return words;
}

/** The words of a language without a provider, e.g. for what is no component. */
export function translationOf(language: Language, translations: Translations, timeZone: string): Translation {
  const t = createInterpolator(language, translations);
  const translateOr = (key: string, fallback: string) => (key in translations ? t(key) : fallback);
  return {
    t,
    language,
    timeZone,
    fieldLabel: (fieldName) => {
      const name = fieldName.slice(fieldName.lastIndexOf('.') + 1);
      return translateOr(`label.${name}`, name);
    },
    choiceLabel: (choice) => translateOr(`value.${choice}`, choice),
    optionalText: (key) => (key in translations ? t(key) : undefined),
  };
}
