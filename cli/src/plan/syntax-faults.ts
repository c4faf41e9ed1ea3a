// Reasons of YAML and CSV that cannot be read, in the language of the terminal.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import type { CsvError } from 'csv-parse/sync';
import type { YAMLError } from 'yaml';

const yamlKeys: Partial<Record<YAMLError['code'], MessageKey>> = {
  BAD_DQ_ESCAPE: 'plan.yaml.escape',
  BAD_INDENT: 'plan.yaml.indentation',
  BAD_SCALAR_START: 'plan.yaml.start',
  BLOCK_AS_IMPLICIT_KEY: 'plan.yaml.nested',
  BLOCK_IN_FLOW: 'plan.yaml.indentation',
  DUPLICATE_KEY: 'plan.yaml.duplicate',
  MISSING_CHAR: 'plan.yaml.missing',
  MULTILINE_IMPLICIT_KEY: 'plan.yaml.key-lines',
  TAB_AS_INDENT: 'plan.yaml.tab',
  UNEXPECTED_TOKEN: 'plan.yaml.unexpected',
};

export function yamlReason({ code }: Pick<YAMLError, 'code'>, t: Translate): string {
  return t(yamlKeys[code] ?? 'plan.yaml.other');
}

const csvKeys: Partial<Record<CsvError['code'], MessageKey>> = {
  CSV_QUOTE_NOT_CLOSED: 'plan.csv.open-quote',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'plan.csv.cells',
};

export function csvReason({ code }: Pick<CsvError, 'code'>, t: Translate): string {
  return t(csvKeys[code] ?? 'plan.csv.quotes');
}
