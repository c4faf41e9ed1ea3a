// Output options of every command that prints data.
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
