// Examples for the help and the manual. Commands of resources set their own; the others are listed here.
import type { Command } from 'commander';
import { commandPath } from '../command-path.ts';

/** Command lines by the path of their command, which stands for `yagura PATH`. */
export const writtenExamples: Readonly<Record<string, readonly string[]>> = {
  alerts: ['yagura alerts --watch', "yagura alerts --json displayName,severity --jq '.[0]'"],
  why: ['yagura why MESSAGE'],
  call: ['yagura call "Night shift" --guidance "Server down" --param host=web1 --wait'],
  scan: ['yagura scan Office --wait --timeout 600'],
  tui: ['yagura tui --readonly messages'],
  plan: ['yagura plan ./space --prune --save plan.json', 'yagura plan ./space --detailed-exitcode'],
  apply: ['yagura apply plan.json --yes', 'yagura apply ./space --rollback before.json'],
  import: ['yagura import scopes scopes.csv', 'yagura import scopes scopes.csv --exec --wait'],
  export: ['yagura export scopes --output scopes.csv', 'yagura export --all ./space --format yaml'],
  login: ['yagura login https://space.example', 'yagura login https://space.example --token - < token.txt'],
  'profiles use': ['yagura profiles use production'],
  'profiles delete': ['yagura profiles delete production --yes'],
  whoami: ['yagura whoami --json email,roles'],
  status: ['yagura status -o json'],
  doctor: ['yagura doctor'],
  api: [
    "yagura api GET /api/apps/alerthub/scopes --paginate --jq '.items[].displayName'",
    'yagura api POST /api/apps/alerthub/scopes --field displayName=Web',
  ],
  open: ['yagura open scopes Web --print'],
  completion: [
    'source <(yagura completion bash)',
    'source <(yagura completion zsh)',
    'yagura completion fish | source',
  ],
  'alerthub messages send': [
    `echo '{"text":"disk full"}' | yagura alerthub messages send --slot Cron --wait`,
    'yagura alerthub messages send --slot Cron --file body.json --header X-Event=alert',
  ],
  'alerthub messages attachment': ['yagura alerthub messages attachment MESSAGE 0 --to report.pdf'],
  'alerthub receive-slots create': [
    'yagura alerthub receive-slots create --display-name Monitoring --recipe alertmanager --scope Web',
  ],
  'alerthub rules test': ['yagura alerthub rules test "Disk full" --since 24h'],
  'sonar search': ['yagura sonar search version:debian AND port:22 --limit 100'],
  'greac sessions log': ['yagura greac sessions log SESSION --identity key.txt --output session.txt'],
  'greac sessions grep': ['yagura greac sessions grep "rm -rf" --identity key.txt'],
  'greac connect': ['yagura greac connect web1', 'yagura greac connect SESSION --watch'],
  'greac files list': ['yagura greac files list web1 /var/log'],
  'greac files get': ['yagura greac files get web1 /var/log/syslog --output syslog.txt'],
  'greac files put': ['yagura greac files put web1 site.tar.gz /upload/site.tar.gz'],
  'kroker setup': ['yagura kroker setup https://space.example --name kroker1'],
  'kroker credentials create': [
    'yagura kroker credentials create --kroker Tokyo --display-name root --username root --key-file id_ed25519',
  ],
  'space audit-records export': ['yagura space audit-records export --to audit.csv --format csv --since 30d'],
  'work task-schedules create': [
    `yagura work task-schedules create --namespace sonar --method scan --params '{"networkId":"ID"}' --oneshot +1d`,
  ],
  'ksocket install': ['yagura ksocket install Tokyo --display-name agent1'],
};

/** Example command lines of a command without subcommands; at least one. */
export function examplesOf(command: Command): readonly string[] {
  const path = commandPath(command);
  const found = writtenExamples[path.slice(1).join(' ')];
  if (found) return found;
  const { exampleArguments } = command as { exampleArguments?: string };
  return [
    [...path, ...(exampleArguments === undefined ? requiredWords(command) : [exampleArguments])]
      .join(' ')
      .trim(),
  ];
}

/** The required arguments and flags, with their names as placeholders. */
function requiredWords(command: Command): string[] {
  return [
    ...command.registeredArguments.filter(({ required }) => required).map((one) => one.name().toUpperCase()),
    ...command.options
      .filter(({ mandatory }) => mandatory)
      .map(({ long, flags }) => `${long} ${(/<(\w+)/.exec(flags)?.[1] ?? '').toUpperCase()}`.trim()),
  ];
}
