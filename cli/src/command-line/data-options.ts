// Output options of every command that prints data, and those of every command that prints a page of a list.
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command } from 'commander';

/** The values given. */
export interface DataOptions {
  json?: string | true;
  output?: string;
  jq?: string;
  template?: string;
  raw?: boolean;
}

export function addDataOptions<C extends Command>(command: C, t: Translate): C {
  return command
    .option('--json [fields]', t('cli.option.json'))
    .option('-o, --output <format>', t('cli.option.output'))
    .option('--jq <filter>', t('cli.option.jq'))
    .option('--template <template>', t('cli.option.template'))
    .option('--raw', t('cli.option.raw'));
}

export function addPageOptions<C extends Command>(command: C, t: Translate): C {
  return addDataOptions(
    command
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'))
      .option('--columns <fields>', t('cli.option.columns')),
    t,
  );
}
