// Generates the Markdown command reference from the command definitions.
import { problemKinds } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command, Option } from 'commander';
import { commandPath, leafCommands } from '../command-line/command-path.ts';
import { examplesOf } from '../command-line/help/examples.ts';
import { exitMeanings } from '../command-line/help/exit-meanings.ts';
import { permissionItems } from '../command-line/help/help-sections.ts';
import { exitCodes } from '../command-line/report-error.ts';

/** Flags of every command with data output; documented once. */
const outputFlags = ['--json', '--output', '--jq', '--template'];

/** Text by file name: `README.md` with the list of commands, and a page per top-level command. */
export function formatReferencePages(root: Command, t: Translate): Map<string, string> {
  const shown = root.commands.filter((one) => !one.name().startsWith('__'));
  const pages = new Map([['README.md', indexPage(root, shown, t)]]);
  for (const command of shown) pages.set(`${command.name()}.md`, commandPage(command, t));
  return pages;
}

function indexPage(root: Command, shown: readonly Command[], t: Translate): string {
  const output = leafCommands(root).find((leaf) => takesOutput(leaf))!;
  return page([
    `# ${t('cli.reference.title')}`,
    t('cli.reference.generated'),
    ...table(
      [t('cli.reference.command'), t('cli.reference.what')],
      shown.map((command) => [
        `[\`yagura ${command.name()}\`](${command.name()}.md)`,
        cell(command.description()),
      ]),
    ),
    `## ${t('cli.reference.everywhere')}`,
    ...flagTable(root.options, t),
    `## ${t('cli.reference.output')}`,
    ...flagTable(output.options.filter(isOutput), t),
    `## ${t('cli.reference.exit')}`,
    ...table(
      [t('cli.reference.code'), t('cli.reference.meaning')],
      exitConditions(t).map(([code, conditions]) => [String(code), cell(conditions)]),
    ),
  ]);
}

/** Exit codes with the conditions that produce them; the failures are listed. */
function exitConditions(t: Translate): [code: number, conditions: string][] {
  return exitMeanings(t).map(([code, meaning]) => {
    const problems = Object.entries(problemKinds).flatMap(([kind, { exit }]) =>
      exit === code ? [t(`problem.${kind as keyof typeof problemKinds}`).replace(/[.。]$/, '')] : [],
    );
    const known = code === exitCodes.problem ? [] : [meaning];
    return [code, [...new Set([...known, ...problems])].join(' / ')];
  });
}

function commandPage(command: Command, t: Translate): string {
  const below = leafCommands(command);
  const [only] = below;
  return page([
    `# yagura ${command.name()}`,
    command.description(),
    ...(below.length === 1 && only === command
      ? leafText(command, t)
      : below.flatMap((leaf) => [
          `## yagura ${commandPath(leaf).slice(1).join(' ')}`,
          leaf.description(),
          ...leafText(leaf, t),
        ])),
  ]);
}

function leafText(leaf: Command, t: Translate): string[] {
  const own = takesOutput(leaf) ? leaf.options.filter((option) => !isOutput(option)) : leaf.options;
  const described = leaf.registeredArguments.filter((argument) => argument.description);
  const others = leaf.aliases();
  return [
    `\`\`\`sh\n${usageOf(leaf)}\n\`\`\``,
    ...(others.length > 0
      ? [t('cli.reference.aliases', { words: others.map((one) => `\`${one}\``).join(', ') })]
      : []),
    ...(described.length > 0
      ? table(
          [t('cli.reference.argument'), t('cli.reference.what')],
          described.map((argument) => [`\`${argument.name()}\``, cell(argument.description)]),
        )
      : []),
    ...flagTable(own, t),
    ...permissionText(leaf, t),
    t('cli.help.examples'),
    `\`\`\`sh\n${examplesOf(leaf).join('\n')}\n\`\`\``,
    ...(takesOutput(leaf) ? [t('cli.reference.takes-output')] : []),
  ];
}

function usageOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [...commandPath(command), ...words].join(' ');
}

function flagTable(options: readonly Option[], t: Translate): string[] {
  if (options.length === 0) return [];
  return table(
    [t('cli.reference.flag'), t('cli.reference.what')],
    options.map((option) => [`\`${option.flags}\``, cell(option.description)]),
  );
}

function permissionText(command: Command, t: Translate): string[] {
  const permissions = permissionItems(command, t).map(
    ([permission, roles]) => `\`${permission}\` (${roles})`,
  );
  return permissions.length > 0
    ? [t('cli.reference.permissions', { permissions: permissions.join(', ') })]
    : [];
}

function isOutput(option: Option): boolean {
  return outputFlags.includes(option.long ?? '') && !option.flags.includes('<file>');
}

function takesOutput(command: Command): boolean {
  return command.options.filter(isOutput).length === outputFlags.length;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [[line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')];
}

/** Escapes Markdown syntax in a table cell. */
function cell(text: string): string {
  return text
    .replace(/[\\|<>*_`]/g, (character) => `\\${character}`)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
