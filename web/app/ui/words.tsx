// The words of the page in its language: one translator, one time zone, and the names of fields and choices.
import { interpolator } from '@yagura/core/words/interpolate';
import type { Language } from '@yagura/core/words/language';
import type { Translate, Translations } from '@yagura/core/words/translate';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

export interface Translation {
  t: Translate;
  language: Language;
  /** IANA name of the zone that times are shown and read in. */
  timeZone: string;
  /** Label of a field by its own name or dotted path; the name itself when no word is known. */
  label(fieldName: string): string;
  /** Word of a choice's value; the value itself when no word is known. */
  value(choice: string): string;
  /** The word of a key that not everything of its kind has; nothing when there is none. */
  optional(key: string): string | undefined;
}

const WordsContext = createContext<Translation | null>(null);

/** Gives the screens below it a language. The dictionary is loaded by the caller, so that a page carries one language. */
export function TranslationProvider(props: {
  language: Language;
  dictionary: Translations;
  timeZone: string;
  children: ReactNode;
}) {
  const { language, dictionary, timeZone } = props;
  const words = useMemo(
    () => translationOf(language, dictionary, timeZone),
    [language, dictionary, timeZone],
  );
  return <WordsContext value={words}>{props.children}</WordsContext>;
}

/** The words of the nearest provider; throws without one. */
export function useTranslation(): Translation {
  const words = useContext(WordsContext);
  if (!words) throw new Error('useWords wants a WordsProvider above it');
  return words;
}

/** The words of a language without a provider, e.g. for what is no component. */
export function translationOf(language: Language, dictionary: Translations, timeZone: string): Translation {
  const t = interpolator(language, dictionary);
  const own = (key: string, fallback: string) => (key in dictionary ? t(key) : fallback);
  return {
    t,
    language,
    timeZone,
    label: (fieldName) => {
      const name = fieldName.slice(fieldName.lastIndexOf('.') + 1);
      return own(`label.${name}`, name);
    },
    value: (choice) => own(`value.${choice}`, choice),
    optional: (key) => (key in dictionary ? t(key) : undefined),
  };
}
