// Mails of a real Nagios, whose contact is that of the recipe,
// with the commands of its sample configuration.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import {
  areInstalled,
  type Daemon,
  installMail,
  mailPrograms,
  nagiosDaemon,
  ownNames,
  pathOf,
  senderEnv,
  startDaemon,
} from './sender-programs.ts';

const objects = 'etc/nagios4/objects';
const installed = areInstalled(nagiosDaemon, ...mailPrograms, `${objects}/commands.cfg`);
const timeoutMs = 30_000;
const longName = `Free space on /srv/${'data/'.repeat(12)}`;

describe.skipIf(!installed)('a real Nagios', { timeout: 120_000 }, () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  let nagios: Daemon;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded', env: { YAGURA_MAIL_PORT: '0' } }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('nagios-mail');
    folder = await mkdtemp(join(tmpdir(), 'yagura-nagios-'));
    const bin = await installMail(folder, server.mailPort!);
    const commands = await readFile(pathOf(`${objects}/commands.cfg`), 'utf8');
    await write('commands.cfg', commands.replaceAll('/usr/bin/mail ', `${bin}/mail `));
    await write('objects.cfg', `${made.snippet}\n${monitored()}`);
    await mkdir(join(folder, 'results'));
    await write('nagios.cfg', configuration(folder));
    nagios = startDaemon(pathOf(nagiosDaemon), [join(folder, 'nagios.cfg')], senderEnv());
    await vi.waitFor(
      () => expect(existsSync(join(folder, 'command')), nagios.printed()).toBe(true),
      timeoutMs,
    );
  });
  afterAll(async () => {
    await nagios?.stop();
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  /** An external command of Nagios: the result of a check. */
  const report = (result: string) =>
    write('command', `[${Math.floor(Date.now() / 1000)}] PROCESS_${result}\n`);
  const becomes = (expected: Record<string, string>) =>
    expect
      .poll(() => slots.statusesOf(made.scope.scopeId), { timeout: timeoutMs, message: nagios.printed() })
      .toEqual(expected);

  test('reports services and hosts, and their recoveries', async () => {
    await report('SERVICE_CHECK_RESULT;web1;HTTP;2;connection refused "/" \\ 100 %');
    await becomes({ 'ウェブ 1/HTTP': 'incident' });
    await report('SERVICE_CHECK_RESULT;web1;HTTP;1;slow');
    await becomes({ 'ウェブ 1/HTTP': 'warning' });
    await report('HOST_CHECK_RESULT;web1;1;no reply');
    await becomes({ 'ウェブ 1/HTTP': 'warning', web1: 'incident' });
    await report('HOST_CHECK_RESULT;web1;0;reply');
    await becomes({ 'ウェブ 1/HTTP': 'warning' });
    await report('SERVICE_CHECK_RESULT;web1;HTTP;0;fine');
    await becomes({});
  });

  test('reports the end of a problem that was solved in a downtime', async () => {
    await report('SERVICE_CHECK_RESULT;web1;HTTP;2;refused');
    await becomes({ 'ウェブ 1/HTTP': 'incident' });
    const start = Math.floor(Date.now() / 1000);
    const downtime = `${start};${start + 600};1;0;600;admin;maintenance`;
    await write('command', `[${start}] SCHEDULE_SVC_DOWNTIME;web1;HTTP;${downtime}\n`);
    await expect
      .poll(() => slots.messagesOf(made.slot.receiveSlotId), { timeout: timeoutMs })
      .toContainEqual(expect.objectContaining({ summary: expect.stringContaining('DOWNTIMESTART') }));
    await report('SERVICE_CHECK_RESULT;web1;HTTP;0;fine');
    await write('command', `[${start}] DEL_DOWNTIME_BY_HOST_NAME;web1;HTTP\n`);
    await becomes({});
  });

  test('keeps services apart whose names begin alike', async () => {
    const name = `ウェブ 1/${longName}`.slice(0, 60);
    await report(`SERVICE_CHECK_RESULT;web1;${longName}1;1;low`);
    await becomes({ [name]: 'warning' });
    await report(`SERVICE_CHECK_RESULT;web1;${longName}2;2;none`);
    await becomes({ [name]: 'incident' });
    await report(`SERVICE_CHECK_RESULT;web1;${longName}2;0;fine`);
    await becomes({ [name]: 'warning' });
    await report(`SERVICE_CHECK_RESULT;web1;${longName}1;0;fine`);
    await becomes({});
  });
});

/** A host and services that accept results from outside, which notify the contact group of the samples. */
function monitored(): string {
  const common = `
  check_command          none
  active_checks_enabled  0
  max_check_attempts     1
}`;
  const service = (name: string) => `
define service {
  use                    generic-service
  notification_options   w,u,c,r,f,s
  host_name              web1
  service_description    ${name}${common}`;
  return `
define contactgroup {
  contactgroup_name  admins
  alias              Administrators
  members            yagura
}
define command {
  command_name  none
  command_line  /bin/true
}
define host {
  use                    generic-host
  contact_groups         admins
  host_name              web1
  alias                  ウェブ 1
  address                192.0.2.10${common}
${['HTTP', `${longName}1`, `${longName}2`].map(service).join('\n')}
`;
}

function configuration(folder: string): string {
  const file = (name: string) => join(folder, name);
  const { user, group } = ownNames();
  return `
cfg_file=${file('commands.cfg')}
cfg_file=${pathOf(`${objects}/templates.cfg`)}
cfg_file=${pathOf(`${objects}/timeperiods.cfg`)}
cfg_file=${file('objects.cfg')}
log_file=${file('nagios.log')}
object_cache_file=${file('objects.cache')}
status_file=${file('status')}
command_file=${file('command')}
query_socket=${file('query')}
lock_file=${file('lock')}
temp_file=${file('temp')}
temp_path=${folder}
check_result_path=${file('results')}
state_retention_file=${file('retention')}
nagios_user=${user}
nagios_group=${group}
check_external_commands=1
enable_notifications=1
check_for_updates=0
use_syslog=0
`;
}
