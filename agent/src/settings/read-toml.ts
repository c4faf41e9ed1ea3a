// Parses a TOML file and checks it against a schema; errors name the file and each invalid field.
import type { Translate } from '@yagura/core/i18n/translator';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { readPrivateFile } from './private-file.ts';

export async function readTomlFile<T extends z.ZodType>(
  path: string,
  schema: T,
  t: Translate,
): Promise<z.output<T>> {
  return parseToml(path, await readPrivateFile(path), schema, t);
}

export function parseToml<T extends z.ZodType>(
  file: string,
  text: string,
  schema: T,
  t: Translate,
): z.output<T> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message of the parser quotes the line, which may hold a secret.
    throw new AgentError('agent.file.toml', { file, line: error.line, column: error.column });
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const lines = invalidParams(checked.error, t, value).map(({ name, reason }) => `  ${name}: ${reason}`);
  throw new AgentError('agent.file.invalid', { file }, { lines });
}
