// An agent in the process of the test that may contact a few loopback addresses and nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireLab } from '@yagura/fixtures/lab/namespaces';
import { type AgentDeps, runAgent } from '../src/agent.ts';
import type { LogLine } from '../src/log.ts';
import { settingsSchema } from '../src/settings/settings.ts';
import { subtract, toRanges } from '../src/site/ipv4-ranges.ts';
import { permittedRanges } from '../src/site/policy.ts';

export const testToken = `kst_${'t'.repeat(43)}`;

export interface AgentUnderTest {
  lines: LogLine[];
  stateFolder: string;
  /** Stops the agent; its state stays unless it was made for this agent. */
  stop(): Promise<void>;
}

export function makeStateFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'yagura-agent-state-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function startAgentUnderTest(
  origin: string,
  options: {
    allowed?: string[];
    scan?: object;
    requests?: object;
    stateFolder?: string;
    credentials?: AgentDeps['credentials'];
    readToken?: AgentDeps['readToken'];
    lookup?: AgentDeps['lookup'];
    /** The process cannot reach anything but a lab. */
    inLab?: boolean;
  } = {},
): AgentUnderTest {
  const own = options.stateFolder === undefined ? makeStateFolder() : undefined;
  const stateFolder = options.stateFolder ?? own!.path;
  const settings = settingsSchema.parse({
    url: origin,
    tokenFile: '/unused',
    stateFolder,
    // Scanners of this machine only where a test is about them.
    scan: { allowed: options.allowed ?? [], discover: 'off', ...options.scan },
    requests: options.requests ?? {},
  });
  if (options.inLab) requireLab();
  const outside = subtract(permittedRanges(settings.scan), toRanges(['127.0.0.0/8']));
  if (!options.inLab && outside.length > 0) throw new Error('tests contact loopback addresses only');
  const controller = new AbortController();
  const lines: LogLine[] = [];
  const ended = runAgent(
    {
      settings,
      credentials: options.credentials ?? [],
      readToken: options.readToken ?? (async () => testToken),
      log: (line) => void lines.push(line),
      lookup: options.lookup ?? (async () => []),
      linkLimits: { welcomeMs: 50 },
    },
    controller.signal,
  );
  return {
    lines,
    stateFolder,
    async stop() {
      controller.abort(new Error('stop'));
      await ended;
      own?.remove();
    },
  };
}
