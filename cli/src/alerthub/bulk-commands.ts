// Defines the import and export commands and their histories. Implementations load on demand because they
// import the schemas.

import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Command } from '../command-line/command.ts';
import { addDataOptions, addPageOptions } from '../command-line/data-options.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Commands available below `alerthub` and as top-level shortcuts. */
export const historyCommandNames: readonly string[] = ['imports', 'exports'];

const kindList = bulkKindNames.join(', ');

export function addFileCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addExecOptions(
    root
      .command('import')
      .description(t('cli.import'))
      .argument('<kind>', kindList)
      .argument('<file>', t('cli.import.file'))
      .option('--exec', t('cli.import.exec')),
    t,
  ).action(async (kind, file, options) =>
    (await import('./bulk-import.ts')).importFile(terminal, kind, file, options),
  );
  root
    .command('export')
    .description(t('cli.export'))
    .argument('[kind]', kindList)
    .option('-o, --output <file>', t('cli.export.output'))
    .option('--all <folder>', t('cli.export.all'))
    .option('--format <format>', t('cli.export.format'))
    .option('--bom', t('cli.export.bom'))
    .option('--raw', t('cli.option.raw'))
    .action(async (kind, options) => (await import('./bulk-export.ts')).exportFile(terminal, kind, options));
}

export function addHistoryCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const load = () => import('./bulk-history.ts');
  const imports = createHistoryGroup('import', app, t);
  addPageOptions(
    imports.group
      .command('list')
      .alias('ls')
      .description(t('cli.imports.list'))
      .argument('[kind]', `${kindList}; ${t('cli.imports.list-kind')}`),
    t,
  ).action(async (kind, options) => (await load()).listImports(terminal, kind, options));
  addDataOptions(imports.one('show').alias('get'), t).action(async (kind, id, options) =>
    (await load()).showImport(terminal, kind, id, options),
  );
  addPageOptions(imports.one('rows').option('--operation <operation>', t('cli.imports.operation')), t).action(
    async (kind, id, options) => (await load()).listPlan(terminal, 'rows', kind, id, options),
  );
  addPageOptions(imports.one('errors'), t).action(async (kind, id, options) =>
    (await load()).listPlan(terminal, 'errors', kind, id, options),
  );
  addExecOptions(imports.one('exec'), t).action(async (kind, id, options) =>
    (await import('./bulk-import.ts')).executeImport(terminal, kind, id, options),
  );
  const exports = createHistoryGroup('export', app, t);
  addPageOptions(
    exports.group.command('list').alias('ls').description(t('cli.exports.list')).argument('<kind>', kindList),
    t,
  ).action(async (kind, options) => (await load()).listExports(terminal, kind, options));
  addDataOptions(exports.one('show').alias('get'), t).action(async (kind, id, options) =>
    (await load()).showExport(terminal, kind, id, options),
  );
  exports
    .one('download')
    .option('-o, --output <file>', t('cli.export.output'))
    .action(async (kind, id, options) => (await load()).downloadExport(terminal, kind, id, options));
}

/** Creates the command group of one history and a factory for its commands that take a single file id. */
function createHistoryGroup(noun: 'import' | 'export', app: Command, t: Terminal['t']) {
  const group = app.command(`${noun}s`).description(t(`cli.${noun}s`));
  const one = (name: string) =>
    group
      .command(name)
      .description(t(dataKey(`cli.${noun}s.${name}`)))
      .argument('<kind>', kindList)
      .argument(`<${noun}>`, t('cli.argument.id', { field: `${noun}Id` }));
  return { group, one };
}

function addExecOptions<C extends Command>(command: C, t: Terminal['t']): C {
  return addDataOptions(
    command.option('--wait', t('cli.import.wait')).option('--timeout <seconds>', t('cli.import.timeout')),
    t,
  );
}
