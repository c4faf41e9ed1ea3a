// The generated commands and configurations, executed: by a shell against a server, and by what the other systems do.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { curlCommand, yaguraCommand } from './invoke-command.ts';
import { alertmanagerCommands, nagiosConfig, zabbixMediaType } from './on-call-config.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const hostile = `it's "$HOME"; \`x\` \\ 停止`;
const names = { callflow: "Ann's 夜間; $x", guidance: 'Disk' };

describe('against a server', { timeout: 120_000 }, () => {
  let folder: string;
  let server: ServerProcess;
  let call: { callflowId: string; guidanceId: string; parameters: Record<string, string> };

  const api = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${server.origin}/api/apps/${path}`, {
      method,
      headers: { 'X-Authorization': `Token ${server.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(reply.ok, await reply.clone().text()).toBe(true);
    return (await reply.json()) as Record<string, string> & { items: Record<string, unknown>[] };
  };
  const shell = (command: string, env: Record<string, string> = {}) =>
    run('sh', ['-c', command], {
      cwd: folder,
      env: {
        NODE_ENV: process.env.NODE_ENV,
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        YAGURA_CONFIG_DIR: join(folder, 'settings'),
        YAGURA_URL: server.origin,
        YAGURA_TOKEN: server.token,
        ...env,
      },
    });
  const parametersOf = async (resultId: unknown) =>
    (await api('GET', `pigeon/results/${resultId}`)).parameters;

  beforeAll(async () => {
    if (!existsSync(main)) throw new Error('cli/dist/main.js is missing: run "npm run build" first');
    folder = mkdtempSync(join(tmpdir(), 'yagura-commands-'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'yagura'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(join(folder, 'bin', 'yagura'), 0o755);
    server = await startServer({ env: { YAGURA_PIGEON_LINE: 'simulator' } });
    const { contactId } = await api('POST', 'pigeon/contacts', {
      displayName: 'Ann',
      phones: [{ phoneNumber: '0300000020' }],
    });
    const { callflowId } = await api('POST', 'pigeon/callflows', {
      displayName: names.callflow,
      loopLimit: 1,
      contacts: [{ contactId }],
    });
    const { guidanceId } = await api('POST', 'pigeon/guidances', {
      displayName: names.guidance,
      messageTemplate: 'Please look at {{host}}',
      reactions: {},
    });
    call = { callflowId: callflowId!, guidanceId: guidanceId!, parameters: { host: hostile } };
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the curl command starts the chain with the parameters as typed', async () => {
    const { stdout } = await shell(curlCommand(server.origin, call));
    const reply = JSON.parse(stdout) as { status: string; resultId: string };
    expect(reply.status).toBe('requested');
    expect(await parametersOf(reply.resultId)).toEqual({ host: hostile });
  });

  test('the yagura command starts the chain by the names', async () => {
    const { stdout } = await shell(yaguraCommand(call, names).replace(' \\\n  --wait', ''));
    expect(await parametersOf(stdout.trim())).toEqual({ host: hostile });
  });

  test('the commands of Nagios start the chain with what a check printed', async () => {
    writeFileSync(
      join(folder, 'yagura.env'),
      `export YAGURA_URL='${server.origin}' YAGURA_TOKEN=${server.token}\n`,
    );
    const line = commandLineOf(nagiosConfig(server.origin, call, names), 'yagura-call-service');
    const expanded = expandAsNagios(line, {
      HOSTNAME: 'web-1',
      SERVICEDESC: 'Disk /',
      SERVICEOUTPUT: `90% "full"; '$(touch owned)\` & more`,
    });
    const { stdout } = await shell(expanded.replace('/etc/nagios4/yagura.env', './yagura.env'), {
      YAGURA_URL: '',
      YAGURA_TOKEN: '',
    });
    expect(await parametersOf(stdout.trim())).toEqual({
      host: hostile,
      name: 'Disk /',
      message: '90% full; (touch owned)  more',
    });
    expect(existsSync(join(folder, 'owned'))).toBe(false);
  });

  test('the script of the Zabbix media type starts the chain', async () => {
    const { script, parameters } = mediaType(zabbixMediaType(server.origin, call));
    const sent: { url: string; headers: string[]; body: string }[] = [];
    const values = { ...parameters, token: server.token, name: 'Disk full', message: '90 %', host: 'unused' };
    const runScript = (status: number, reply: string) =>
      runZabbixScript(script, values, (request) => {
        sent.push(request);
        return { status, body: reply };
      });
    expect(runScript(200, '{"status":"requested","resultId":"r1"}')).toBe('r1');
    const [{ url, headers, body }] = sent as [(typeof sent)[number]];
    const reply = await fetch(url, {
      method: 'POST',
      headers: headers.map((header) => header.split(': ') as [string, string]),
      body,
    });
    const { status, resultId } = (await reply.json()) as { status: string; resultId: string };
    expect(status).toBe('requested');
    expect(await parametersOf(resultId)).toEqual({ host: hostile, name: 'Disk full', message: '90 %' });
    expect(() => runScript(503, 'down')).toThrow('HTTP 503: down');
    expect(() => runScript(200, '{"status":"rejected","errorDescriptor":{"detail":"no line"}}')).toThrow(
      'no line',
    );
  });

  test('the script of the Zabbix media type calls nobody when a trigger with a problem is disabled', () => {
    const { script, parameters } = mediaType(zabbixMediaType(server.origin, call));
    let calls = 0;
    const runScript = (message: string, opdata: string) =>
      runZabbixScript(script, { ...parameters, message, opdata }, () => {
        calls++;
        return { status: 200, body: '{"status":"requested","resultId":"r1"}' };
      });
    const note = 'NOTE: Escalation canceled: trigger "Disk full" disabled.\nLast message sent:\n90 %';
    expect(runScript(note, '90 %')).toBe('not called');
    expect(calls).toBe(0);
    // What a host reports may look like the note.
    expect(runScript(note, note)).toBe('r1');
  });

  test('the Alertmanager commands write a valid configuration, and its alerts start the chain', async ({
    skip,
  }) => {
    await shell(`set -e\n${alertmanagerCommands(call, names)}`);
    const file = join(folder, 'alertmanager.yml');
    const { receivers } = parse(readFileSync(file, 'utf8')) as {
      receivers: { webhook_configs: { url: string }[] }[];
    };
    const { url } = receivers[0]!.webhook_configs[0]!;
    const alert = {
      status: 'firing',
      labels: { alertname: 'DiskFull', severity: 'critical' },
      fingerprint: 'f1',
    };
    const body = JSON.stringify({ version: '4', status: 'firing', alerts: [alert] });
    const sent = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(sent.ok).toBe(true);
    await expect
      .poll(
        async () => (await api('GET', 'pigeon/results?filter=source%20eq%20%22trigger%22')).items.length,
        {
          timeout: 30_000,
        },
      )
      .toBe(1);
    const checked = await run('amtool', ['check-config', file]).catch((error: { code: unknown }) => {
      if (error.code === 'ENOENT') skip('amtool is not installed');
      throw error;
    });
    expect(checked.stdout).toContain('SUCCESS');
  });
});

function commandLineOf(config: string, name: string): string {
  const definition = config
    .split('define ')
    .find((part) => part.includes(`command_name                    ${name}\n`))!;
  return /command_line\s+(.*)\n/.exec(definition)![1]!;
}

/** As Nagios does: a comment begins at `;` unless escaped, `$$` is a dollar sign, and macros lose some characters. */
function expandAsNagios(line: string, macros: Record<string, string>): string {
  expect(line).not.toMatch(/(?<!\\);/);
  return line.replaceAll('\\;', ';').replace(/\$(\w*)\$/g, (_, name: string) => {
    if (name === '') return '$';
    expect(Object.keys(macros)).toContain(name);
    return macros[name]!.replace(/[`~$&|'"<>]/g, '');
  });
}

function mediaType(text: string): { script: string; parameters: Record<string, string> } {
  const { media_types: types } = (
    parse(text) as {
      zabbix_export: { media_types: { script: string; parameters: { name: string; value: string }[] }[] };
    }
  ).zabbix_export;
  const { script, parameters } = types[0]!;
  return { script, parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])) };
}

/** Runs a script as Zabbix does: the body of a function with the text `value` and the class HttpRequest. */
function runZabbixScript(
  script: string,
  values: Record<string, string>,
  post: (request: { url: string; headers: string[]; body: string }) => { status: number; body: string },
): unknown {
  class HttpRequest {
    private readonly headers: string[] = [];
    private status = 0;
    addHeader(header: string) {
      this.headers.push(header);
    }
    post(url: string, body: string) {
      const reply = post({ url, headers: this.headers, body });
      this.status = reply.status;
      return reply.body;
    }
    getStatus() {
      return this.status;
    }
  }
  return runInNewContext(`(function () {${script}})()`, { HttpRequest, value: JSON.stringify(values) });
}

test('no text contains a token, and values of a monitoring system are not overwritten', () => {
  const call = { callflowId: 'c', guidanceId: 'g', parameters: {} };
  const { parameters } = mediaType(zabbixMediaType('https://yagura.example.com', call));
  expect(parameters).toMatchObject({ token: '{$YAGURA.TOKEN}', host: '{HOST.NAME}', parameters: '{}' });
  const host = commandLineOf(nagiosConfig('https://yagura.example.com', call, names), 'yagura-call-host');
  expect(host).toContain(
    "--param 'host=$HOSTNAME$' --param 'name=$HOSTSTATE$' --param 'message=$HOSTOUTPUT$'",
  );
});
