// The fields of an input as flags, the parts of an object as dotted flags.
import type { FieldFacts } from '@yagura/core/resource/field';
import type { Translate } from '@yagura/core/words/translate';
import type { Command } from '../term/command.ts';
import { flagOf } from '../term/flag-name.ts';
import type { Facts } from './entry.ts';
import { labelOf } from './present.ts';

export interface InputField {
  /** Dotted path in the body. */
  path: string;
  facts: FieldFacts;
}

/** Every field that has a flag, an object before its parts. Of variants that share a name the first one counts. */
export function inputFields(fields: Facts, prefix = ''): InputField[] {
  const found = new Map<string, InputField>();
  for (const [name, facts] of Object.entries(fields)) {
    const path = prefix + name;
    const parts = [facts.fields ?? {}, ...Object.values(facts.variants ?? {})];
    for (const field of [{ path, facts }, ...parts.flatMap((part) => inputFields(part, `${path}.`))]) {
      if (!found.has(field.path)) found.set(field.path, field);
    }
  }
  return [...found.values()];
}

/** Adds the flags; what they were given is read by `readInput`. */
export function addInputFlags(command: Command, fields: Facts, t: Translate): void {
  for (const { path, facts } of inputFields(fields)) {
    const flag = flagOf(path);
    const help = helpOf(path, facts, t);
    if (facts.kind === 'boolean') {
      command.option(`${flag} [boolean]`, help);
      if (!path.includes('.')) command.option(flag.replace(/^--/, '--no-'), t('cli.flag.no', { flag }));
    } else if (facts.kind === 'list' || facts.kind === 'key-values') {
      command.option(`${flag} <value>`, help, (value: string, before: string[] = []) => [...before, value]);
    } else command.option(`${flag} <value>`, help);
  }
}

function helpOf(path: string, facts: FieldFacts, t: Translate): string {
  const parts = [labelOf(path.split('.').at(-1)!, t)];
  if (facts.options) parts.push(facts.options.join(' | '));
  else parts.push(t(`cli.kind.${facts.kind}`));
  if (
    facts.min !== undefined &&
    facts.max !== undefined &&
    ['integer', 'number', 'seconds'].includes(facts.kind)
  ) {
    parts.push(`${facts.min}–${facts.max}`);
  }
  if (facts.kind === 'list' || facts.kind === 'key-values') parts.push(t('cli.flag.repeat'));
  if (facts.required && !path.includes('.')) parts.push(t('cli.flag.required'));
  return parts.filter(Boolean).join('; ');
}
