// Defines the command that exports the audit log.
import { urlOf } from '@yagura/core/http/transport';
import type { Command } from '../command-line/command.ts';
import { parseChoice } from '../command-line/parse-choice.ts';
import { addSelectionOptions } from '../resource/commands.ts';
import { type SelectionOptions, toSelection } from '../resource/list.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { saveReply } from '../resource/output/save-reply.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ExportOptions extends SelectionOptions {
  format?: string;
  to?: string;
}

export const auditFormats = ['json', 'csv'];

export function addAuditCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const records = app.commands.find((command) => command.name() === 'audit-records') as Command;
  const command = records.command('export').description(t('call.audit-record.export')) as Command;
  command
    .option('--to <file>', t('cli.message.to'))
    .option('--format <format>', t('cli.audit-export.format'));
  addSelectionOptions(command, resourceNamed('audit-record'), t);
  command.action(async (options: ExportOptions) => exportAuditLog(terminal, options));
}

async function exportAuditLog(terminal: Terminal, options: ExportOptions): Promise<void> {
  const { format = 'json', to } = options;
  parseChoice('--format', format, auditFormats);
  const meta = resourceNamed('audit-record');
  const path = meta.path + meta.calls.export!.path;
  const query = { format, ...toSelection(terminal, options) };
  await saveReply(terminal, to, { path: urlOf({ path, query }), method: 'GET' });
}
