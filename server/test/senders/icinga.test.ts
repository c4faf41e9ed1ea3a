// Mails of a real Icinga 2, whose user is that of the recipe, with the notification scripts of its package.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import {
  areInstalled,
  type Daemon,
  icingaDaemon,
  installMail,
  mailPrograms,
  ownNames,
  pathOf,
  senderEnv,
  startDaemon,
} from './sender-programs.ts';

const scripts = 'etc/icinga2/scripts';
const installed = areInstalled(icingaDaemon, ...mailPrograms, scripts);
const timeoutMs = 30_000;
const longName = `Free space on /srv/${'data/'.repeat(12)}`;

describe.skipIf(!installed)('a real Icinga', { timeout: 120_000 }, () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  let icinga: Daemon;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded', env: { YAGURA_MAIL_PORT: '0' } }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('icinga-mail');
    folder = await mkdtemp(join(tmpdir(), 'yagura-icinga-'));
    const bin = await installMail(folder, server.mailPort!);
    await symlink(pathOf(scripts), join(folder, 'scripts'));
    const file = join(folder, 'icinga2.conf');
    await writeFile(file, `${configuration(join(folder, 'command'))}\n${made.snippet}`);
    const { user, group } = ownNames();
    const settings = {
      ...{ RunAsUser: user, RunAsGroup: group, ConfigDir: folder },
      ...{ DataDir: folder, LogDir: folder, CacheDir: folder, SpoolDir: folder, InitRunDir: folder },
      IncludeConfDir: pathOf('usr/share/icinga2/include'),
    };
    const defines = Object.entries(settings).flatMap(([name, value]) => [
      '-D',
      `Configuration.${name}=${value}`,
    ]);
    const env = senderEnv({ PATH: `${bin}:${process.env.PATH}` });
    icinga = startDaemon(pathOf(icingaDaemon), ['daemon', '-c', file, ...defines], env);
    await vi.waitFor(
      () => expect(existsSync(join(folder, 'command')), icinga.printed()).toBe(true),
      timeoutMs,
    );
  });
  afterAll(async () => {
    await icinga?.stop();
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** An external command of Icinga: the result of a check. */
  const report = (result: string) =>
    writeFile(join(folder, 'command'), `[${Math.floor(Date.now() / 1000)}] PROCESS_${result}\n`);
  const becomes = (expected: Record<string, string>) =>
    expect
      .poll(() => slots.statusesOf(made.scope.scopeId), { timeout: timeoutMs, message: icinga.printed() })
      .toEqual(expected);

  test('reports services and hosts, and their recoveries', async () => {
    await report('SERVICE_CHECK_RESULT;web1;HTTP;2;connection refused "/" \\ 100 %');
    await becomes({ 'HTTP on ウェブ 1': 'incident' });
    await report('SERVICE_CHECK_RESULT;web1;HTTP;1;slow');
    await becomes({ 'HTTP on ウェブ 1': 'warning' });
    await report('HOST_CHECK_RESULT;web1;1;no reply');
    await becomes({ 'HTTP on ウェブ 1': 'warning', 'Host ウェブ 1': 'incident' });
    await report('HOST_CHECK_RESULT;web1;0;reply');
    await becomes({ 'HTTP on ウェブ 1': 'warning' });
    await report('SERVICE_CHECK_RESULT;web1;HTTP;0;fine');
    await becomes({});
  });

  test('keeps services apart whose names begin alike', async () => {
    const name = longName.slice(0, 60);
    await report('SERVICE_CHECK_RESULT;web1;long1;1;low');
    await becomes({ [name]: 'warning' });
    await report('SERVICE_CHECK_RESULT;web1;long2;2;none');
    await becomes({ [name]: 'incident' });
    await report('SERVICE_CHECK_RESULT;web1;long2;0;fine');
    await becomes({ [name]: 'warning' });
    await report('SERVICE_CHECK_RESULT;web1;long1;0;fine');
    await becomes({});
  });
});

/** The sample configuration of the package, and a host with services that accept results from outside. */
function configuration(commandFile: string): string {
  const samples = ['templates', 'commands', 'notifications', 'timeperiods'];
  const service = (name: string, title: string) => `
object Service "${name}" {
  import "generic-service"
  host_name = "web1"
  display_name = "${title}"
  check_command = "passive"
  enable_active_checks = false
  max_check_attempts = 1
}`;
  return `
const PluginDir = "/usr/lib/nagios/plugins"
const ManubulonPluginDir = PluginDir
const PluginContribDir = PluginDir
const NodeName = "monitor"
const ZoneName = NodeName
include <itl>
${samples.map((name) => `include "${pathOf(`etc/icinga2/conf.d/${name}.conf`)}"`).join('\n')}
object Endpoint NodeName { }
object Zone ZoneName { endpoints = [ NodeName ] }
object NotificationComponent "notification" { }
object ExternalCommandListener "command" { command_path = "${commandFile}" }
object Host "web1" {
  import "generic-host"
  display_name = "ウェブ 1"
  check_command = "passive"
  enable_active_checks = false
  max_check_attempts = 1
  vars.notification["mail"] = { users = [ "yagura" ] }
}
${service('HTTP', 'HTTP')}
${service('long1', `${longName}1`)}
${service('long2', `${longName}2`)}
`;
}
