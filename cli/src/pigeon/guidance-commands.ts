// Defines the commands for the sound of guidances.
import type { Command } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addGuidanceCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const guidances = app.commands.find((command) => command.name() === 'guidances') as Command;
  const item = t('cli.argument.item');
  guidances
    .command('speech')
    .description(t('cli.guidance.speech'))
    .argument('<guidance>', item)
    .option('--param <key=value>', t('cli.call.param'), (value: string, before: string[] = []) => [
      ...before,
      value,
    ])
    .option('--to <file>', t('cli.guidance.to'))
    .action(async (guidance, options) =>
      (await import('./guidance-audio.ts')).saveSpeech(terminal, guidance, options),
    );
  guidances
    .command('recording')
    .description(t('cli.guidance.recording'))
    .argument('<guidance>', item)
    .option('--to <file>', t('cli.guidance.to'))
    .action(async (guidance, options) =>
      (await import('./guidance-audio.ts')).saveRecording(terminal, guidance, options),
    );
  guidances
    .command('record')
    .description(t('cli.guidance.record'))
    .argument('<guidance>', item)
    .argument('<file>', t('cli.guidance.file'))
    .action(async (guidance, file) =>
      (await import('./guidance-audio.ts')).recordGuidance(terminal, guidance, file),
    );
}
