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

/** Lists whose items describe, with their parameters, what a field is made of. */
const catalogues: Readonly<Record<string, string>> = {
  'trigger.conditions': 'trigger-conditions',
  'trigger.relatedMessageFilters': 'trigger-related-message-filters',
  'trigger.flow.steps': 'trigger-operators',
  'rule.flow.steps': 'rule-operators',
  'runbook.steps': 'runbook-operators',
};

/** Adds a flag for each input field that has one; `resource` is the one whose input they are. */
export function addInputFlags(command: Command, fields: Fields, t: Translate, resource?: string): void {
  for (const { path, meta } of flagFields(fields)) {
    const flag = flagOf(path);
    const catalogue = catalogues[`${resource}.${path}`];
    const pointer = catalogue && `yagura alerthub ${catalogue} list -o yaml`;
    const help = [
      flagHelp(path, meta, t),
      ...(pointer ? [t('cli.flag.catalogue', { command: pointer })] : []),
    ].join('; ');
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
