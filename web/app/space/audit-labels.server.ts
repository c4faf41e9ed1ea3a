// Texts of audit records: what was done, to what, and with which browser.
import { resources } from '@yagura/core/all';
import { formatUserAgent } from '@yagura/core/format/user-agent';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Language } from '@yagura/core/i18n/translator';
import { resourceNoun } from '@yagura/core/resource/resource-noun';

type Row = Record<string, unknown>;

/** Returns a function that replaces the names of a record by texts; names without a text stay as they are. */
export async function auditLabels(language: Language): Promise<<R extends Row>(row: R) => R> {
  const t = await loadTranslator(language);
  /** The text of the first of these keys that has one. */
  const textOf = (keys: Parameters<typeof dataKey>[0][]) => {
    const known = keys.find((key) => t(dataKey(key)) !== key);
    return known && t(dataKey(known));
  };
  /** How somebody signed in, as codes with spaces in between. */
  const methodsOf = (codes: string) =>
    codes
      .split(' ')
      .map((code) => textOf([`audit.method.${code}`]) ?? code)
      .join(language === 'ja' ? '、' : ', ');
  return (row) => {
    const action = String(row.action ?? '');
    const resource = String(row.resource ?? '');
    const noun = resources.find(({ name }) => name === resource)?.noun;
    return {
      ...row,
      action: textOf([`audit.action.${action}`, `call.${resource}.${action}`, `verb.${action}`]) ?? action,
      resource: textOf([`audit.resource.${resource}`]) ?? (noun ? resourceNoun(noun, language) : resource),
      ...(action === 'sign-in' && row.detail ? { detail: methodsOf(String(row.detail)) } : {}),
      ...('userAgent' in row ? { userAgent: formatUserAgent(String(row.userAgent)) } : {}),
    };
  };
}
