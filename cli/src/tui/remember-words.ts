// Sentences that were said before: a frame says the same hundred things as the one before it.
import type { Translate } from '@yagura/core/words/translate';

/** Sentences kept at most. */
const max = 5000;

export function rememberWords(translate: Translate): Translate {
  const said = new Map<string, string>();
  return (key, params) => {
    const name = params === undefined ? key : `${key}\n${JSON.stringify(params)}`;
    const known = said.get(name);
    if (known !== undefined) return known;
    const text = translate(key, params);
    if (said.size >= max) said.clear();
    said.set(name, text);
    return text;
  };
}
