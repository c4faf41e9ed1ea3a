// The small translator of the browser: what i18next makes of our dictionaries, in a page's worth less code.
import type { Language } from './language.ts';
import type { Dictionary, Translate } from './translate.ts';

const placeholder = /\{\{(\w+)\}\}/g;

/**
 * A translator over one dictionary, with the results of `translator`: `{{name}}` placeholders, and the form of a key
 * (`_one`, `_other`) that a number `count` asks for. An unknown key comes back as itself. Values stay as they are;
 * a placeholder that nothing was given for stays too.
 */
export function interpolator(language: Language, dictionary: Dictionary): Translate {
  const plurals = new Intl.PluralRules(language);
  return (key, params = {}) => {
    const { count } = params;
    const plural = typeof count === 'number' ? `${key}_${plurals.select(count)}` : key;
    const found = [plural, key].find((name) => Object.hasOwn(dictionary, name));
    const sentence = found === undefined ? key : dictionary[found]!;
    return sentence.replace(placeholder, (whole, name: string) =>
      Object.hasOwn(params, name) ? String(params[name] ?? '') : whole,
    );
  };
}
