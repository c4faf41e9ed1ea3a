// The small translator of the browser and the terminal: what i18next makes of our dictionaries, in a page's worth less code.
import type { Language } from './language.ts';
import type { Translate, Translations } from './translator.ts';

const placeholder = /\{\{(\w+)\}\}/g;

/**
 * A translator over one dictionary, with the results of `translator`: `{{name}}` placeholders, and the form of a key
 * (`_one`, `_other`) that a number `count` asks for. An unknown key comes back as itself. Values stay as they are;
 * a placeholder that nothing was given for stays too.
 */
export function createInterpolator(language: Language, translations: Translations): Translate {
  // Made when the first number is told: a short command never gets there.
  let plurals: Intl.PluralRules | undefined;
  const formOf = (count: number) => {
    plurals ??= new Intl.PluralRules(language);
    return plurals.select(count);
  };
  return (key, params = {}) => {
    const { count } = params;
    const plural = typeof count === 'number' ? `${key}_${formOf(count)}` : key;
    const found = [plural, key].find((name) => Object.hasOwn(translations, name));
    const sentence = found === undefined ? key : translations[found]!;
    return sentence.replace(placeholder, (whole, name: string) =>
      Object.hasOwn(params, name) ? String(params[name] ?? '') : whole,
    );
  };
}
