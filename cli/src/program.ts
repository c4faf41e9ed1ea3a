// Builds the command tree. Only the branch selected by the first arguments is populated.

import { deleteProfile, listProfiles, useProfile } from './account/profile-commands.ts';
import { showCurrentUser } from './account/whoami.ts';
import {
  addAlertCommands,
  addMessageCommands,
  addReceiveSlotCommands,
  addRuleCommands,
} from './alerthub/alerthub-commands.ts';
import { addFileCommands, addHistoryCommands, historyCommandNames } from './alerthub/bulk-commands.ts';
import { apiMethods, callApi } from './api/api-command.ts';
import { Command } from './command-line/command.ts';
import { addDataOptions } from './command-line/data-options.ts';
import { wrapLines } from './command-line/help/help-layout.ts';
import { addSessionCommands } from './greac/greac-commands.ts';
import { addKrokerCommands } from './kroker/kroker-commands.ts';
import { addKsocketCommands } from './ksocket/ksocket-commands.ts';
import { addCallCommand, addPigeonCommands } from './pigeon/pigeon-commands.ts';
import { addPlanCommands } from './plan/plan-commands.ts';
import {
  addAppCommands,
  addResourceCommands,
  apps,
  hasCommands,
  referenceHelp,
} from './resource/commands.ts';
import { resourceNamed } from './resource/meta/resource-client.ts';
import { resources } from './resource/meta/resources.ts';
import { login } from './signin/login.ts';
import { logout } from './signin/logout.ts';
import { addDiffCommand, addScanCommand, addSearchCommand } from './sonar/sonar-commands.ts';
import { addAuditCommands } from './space/audit-commands.ts';
import { openScreen } from './space/open.ts';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

/**
 * Builds the root command. `argv` is inspected to select the needed branch, and modified to expand shortcuts.
 * When an app is named, only that app is added, unless the complete tree is requested.
 */
export function createProgram(terminal: Terminal, argv: string[], whole = false): Command {
  const { t } = terminal;
  expandShortcuts(argv);
  const root = new Command('yagura', terminal).asRoot();
  root
    .description(t('cli.about'))
    .version(`yagura ${version}`, '-V, --version', t('cli.option.version'))
    .option('--profile <name>', t('cli.option.profile'))
    .option('--lang <language>', t('cli.option.lang'));
  const [first] = argv;
  if (!whole && first && apps.includes(first)) addApp(root, first, terminal, argv);
  else addAllCommands(root, terminal, argv);
  if (first && !first.startsWith('-') && !hasCommand(root, first))
    throw root.unknown(first, ['help', '--help', '--version', ...resources.map((meta) => meta.plural)]);
  return root;
}

function addAllCommands(root: Command, terminal: Terminal, argv: readonly string[]): void {
  const { t } = terminal;
  root.addHelpText('after', () => wrapLines(t('cli.help.after'), terminal.columns));
  // A heading applies to the commands added after it.
  root.commandsGroup(t('cli.group.daily'));
  addAlertCommands(root, terminal);
  addCallCommand(root, terminal);
  addScanCommand(root, terminal);
  root
    .command('tui')
    .description(t('cli.tui'))
    .argument('[place...]', t('cli.tui.place'))
    .option('--readonly', t('cli.tui.readonly'))
    .option('--no-mouse', t('cli.tui.no-mouse'))
    .action((initialCommand, options) => startTui(terminal, { ...options, initialCommand }));
  root.commandsGroup(t('cli.group.configuration'));
  addPlanCommands(root, terminal);
  addFileCommands(root, terminal);
  root.commandsGroup(t('cli.group.apps'));
  for (const app of apps) addApp(root, app, terminal, argv);
  root.commandsGroup(t('cli.group.sign-in'));
  addSignInCommands(root, terminal);
  addResourceCommands(root, resources.find((meta) => meta.name === 'profile')!, terminal, argv);
  root.commandsGroup(t('cli.group.more'));
  addHealthCommands(root, terminal);
  addRawCommands(root, terminal);
  addCompletionCommands(root, terminal);
  root.action(async () => {
    if (!terminal.out.isTTY || !terminal.stdin.isTTY) root.help();
    await startTui(terminal);
  });
}

function addApp(root: Command, app: string, terminal: Terminal, argv: readonly string[]): void {
  const command = root.command(app) as Command;
  command.description(terminal.t('cli.app', { resources: resourceNames(app).join(', ') }));
  if (!argv.includes(app)) return;
  addAppCommands(command, app, terminal, argv);
  extraAppCommands[app]?.(command, terminal);
}

/** Commands of an app besides those of its resources. */
const extraAppCommands: Record<string, (app: Command, terminal: Terminal) => void> = {
  alerthub(app, terminal) {
    addMessageCommands(app, terminal);
    addReceiveSlotCommands(app, terminal);
    addRuleCommands(app, terminal);
    addHistoryCommands(app, terminal);
  },
  pigeon: addPigeonCommands,
  kroker: addKrokerCommands,
  ksocket: addKsocketCommands,
  greac: addSessionCommands,
  space: addAuditCommands,
  sonar(app, terminal) {
    addSearchCommand(app, terminal);
    addDiffCommand(app, terminal);
  },
};

async function startTui(
  terminal: Terminal,
  options: { readonly?: boolean; mouse?: boolean; initialCommand?: string[] } = {},
): Promise<void> {
  await (await import('./tui/start.tsx')).startTui(terminal, options);
}

function hasCommand(root: Command, word: string): boolean {
  return root.commands.some((command) => command.name() === word || command.aliases().includes(word));
}

function resourceNames(app: string): string[] {
  return resources
    .filter((meta) => meta.app === app && hasCommands(meta))
    .map((meta) => (meta.singleton ? meta.name : meta.plural));
}

/**
 * Expands shortcuts: `yagura scopes list` is `yagura alerthub scopes list`, `yagura profile` shows the
 * profile, `yagura help why` is `yagura why --help`.
 */
function expandShortcuts(argv: string[]): void {
  moveHelpFlag(argv);
  const [first, second] = argv;
  if (!first || apps.includes(first) || first === 'profiles') return;
  if (first === 'profile') {
    if (!second || second.startsWith('-')) {
      if (second !== '-h' && second !== '--help') argv.splice(1, 0, 'show');
    }
    return;
  }
  if (historyCommandNames.includes(first)) {
    argv.unshift('alerthub');
    return;
  }
  const owners = resources.filter((meta) => [meta.plural, meta.name].includes(first));
  if (owners.length === 1) argv.unshift(owners[0]!.app);
}

/** `help` and a help flag before the other words, as in `yagura -h scopes list`, ask for the help of all these words. */
function moveHelpFlag(argv: string[]): void {
  const isHelpFlag = (word: string) => word === '-h' || word === '--help';
  const flagAt = argv.findIndex((word) => word.startsWith('-'));
  const asks = argv[0] === 'help' || (flagAt >= 0 && isHelpFlag(argv[flagAt]!));
  if (!asks) return;
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !isHelpFlag(word));
  const end = words.findIndex((word) => word.startsWith('-'));
  argv.splice(0, argv.length, ...words.slice(0, end < 0 ? words.length : end), '--help');
}

function addSignInCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  root
    .command('login')
    .description(t('cli.login'))
    .argument('[url]', t('cli.login.url'))
    .option('--token [-]', t('cli.login.token'))
    .option('--no-browser', t('cli.login.no-browser'))
    .option('--device', t('cli.login.device'))
    .action(async (url, options) => login(terminal, url, options));
  root
    .command('logout')
    .description(t('cli.logout'))
    .action(async () => logout(terminal));
  addDataOptions(root.command('whoami').description(t('cli.whoami')), t).action(async (options) =>
    showCurrentUser(terminal, options),
  );
  const profiles = root.command('profiles').description(t('cli.profiles'));
  addDataOptions(profiles.command('list').alias('ls').description(t('cli.profiles.list')), t).action(
    async (options) => listProfiles(terminal, options),
  );
  profiles
    .command('use')
    .description(t('cli.profiles.use'))
    .argument('<profile>')
    .action(async (name) => useProfile(terminal, name));
  profiles
    .command('delete')
    .alias('rm')
    .description(t('cli.profiles.delete'))
    .argument('<profile>')
    .option('-y, --yes', t('cli.option.yes'))
    .action(async (name, options) => deleteProfile(terminal, name, options));
}

/** Values of an option that can be repeated. */
const collect = (value: string, before: string[] = []): string[] => [...before, value];

function addRawCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  root
    .command('api')
    .description(t('cli.api'))
    .argument('<method>', apiMethods.join(', '))
    .argument('<path>', t('cli.api.path'))
    .option('--input <file>', t('cli.option.input'))
    .option('-F, --field <name=value>', t('cli.api.field'), collect)
    .option('-H, --header <name=value>', t('cli.send.header'), collect)
    .option('-i, --include', t('cli.api.include'))
    .option('--paginate', t('cli.api.paginate'))
    .option('--jq <filter>', t('cli.option.jq'))
    .action(async (method, path, options) => callApi(terminal, method, path, options));
  root
    .command('open')
    .description(t('cli.open'))
    .argument('[resource]', t('cli.open.resource'))
    .argument('[item]', t('cli.argument.item'))
    .option('--scope <scope>', referenceHelp(resourceNamed('scope'), terminal))
    .option('--print', t('cli.open.print'))
    .action(async (resource, item, options) => openScreen(terminal, resource, item, options));
}

function addHealthCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(root.command('status').description(t('cli.status')), t).action(async (options) =>
    (await import('./space/status.ts')).showStatus(terminal, options),
  );
  addDataOptions(root.command('doctor').description(t('cli.doctor')), t).action(async (options) =>
    (await import('./doctor.ts')).runDoctor(terminal, options),
  );
}

function addCompletionCommands(root: Command, terminal: Terminal): void {
  root
    .command('completion')
    .description(terminal.t('cli.completion'))
    .argument('<shell>', terminal.t('cli.completion.shell'))
    .action(async (shell) => (await import('./completion/completion.ts')).completionScript(terminal, shell));
  root
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .option('--bash <breaks>')
    .action(async (words, { bash }) =>
      (await import('./completion/completion.ts')).complete(
        terminal,
        (argv) => createProgram(terminal, argv),
        words,
        bash,
      ),
    );
}
