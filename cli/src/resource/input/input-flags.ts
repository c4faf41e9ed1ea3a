// Maps input fields to flags; nested fields become dotted flags.

import type { Translate } from '@yagura/core/i18n/translator';
import type { FieldMeta } from '@yagura/core/resource/field';
import { kindTraits } from '@yagura/core/resource/field-kinds';
import type { Fields } from '@yagura/core/resource/resource-meta';
import type { Command } from '../../command-line/command.ts';
import { flagOf } from '../../command-line/flag-name.ts';
import { labelOf } from '../output/present-value.ts';

export interface InputField {
  /** Dotted path in the body. */
  path: string;
  meta: FieldMeta;
}

/**
 * Returns every field that has a flag, objects before their nested fields. When variants share a name, the
 * first one is used.
 */
export function flagFields(fields: Fields, prefix = ''): InputField[] {
  const found = new Map<string, InputField>();
  for (const [name, meta] of Object.entries(fields)) {
    const path = prefix + name;
    const parts = [meta.fields ?? {}, ...Object.values(meta.variants ?? {})];
    for (const field of [{ path, meta }, ...parts.flatMap((part) => flagFields(part, `${path}.`))]) {
      if (!found.has(field.path)) found.set(field.path, field);
    }
  }
  return [...found.values()];
}

/** Adds a flag for each input field that has one. */
export function addInputFlags(command: Command, fields: Fields, t: Translate): void {
  for (const { path, meta } of flagFields(fields)) {
    const flag = flagOf(path);
    const help = flagHelp(path, meta, t);
    if (meta.kind === 'boolean') {
      command.option(`${flag} [boolean]`, help);
      if (!path.includes('.')) command.option(flag.replace(/^--/, '--no-'), t('cli.flag.no', { flag }));
    } else if (meta.kind === 'list' || meta.kind === 'key-values') {
      command.option(`${flag} <value>`, help, (value: string, before: string[] = []) => [...before, value]);
    } else command.option(`${flag} <value>`, help);
  }
}

function flagHelp(path: string, field: FieldMeta, t: Translate): string {
  const parts = [labelOf(path.split('.').at(-1)!, t)];
  if (field.options) parts.push(field.options.join(' | '));
  else parts.push(t(`cli.kind.${field.kind}`));
  const numeric = kindTraits[field.kind].written === 'number';
  if (numeric && field.min !== undefined && field.max !== undefined) parts.push(`${field.min}–${field.max}`);
  if (field.kind === 'list' || field.kind === 'key-values') parts.push(t('cli.flag.repeat'));
  if (field.required && !path.includes('.')) parts.push(t('cli.flag.required'));
  return parts.filter(Boolean).join('; ');
}
