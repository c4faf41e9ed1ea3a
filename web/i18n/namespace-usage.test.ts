// Tests that the build gives each module every translation that it can show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryStatuses } from '@yagura/core/alerthub/action-record';
import { scopeStatuses } from '@yagura/core/alerthub/scope-status';
import { describe, expect, test } from 'vitest';
import { homeColumns } from '../app/home/home-columns.ts';
import { homeResources } from '../app/home/home-resources.server.ts';
import { screenMeta } from '../app/resource/screen-meta.ts';
import { loadNamespaces } from './load-namespaces.ts';
import { namespaceUsage } from './namespace-usage.ts';

const app = join(import.meta.dirname, '..', 'app');
const { en, ja } = await loadNamespaces();
const namespaces = await namespaceUsage(en);
const modules = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.server\.ts$|\.d\.ts$|^(i18n|ui\/test)\//.test(file),
);

/**
 * Returns the keys available to a module: those of the base bundle, and its namespaces unless it is in the
 * base bundle.
 */
function keysAvailableTo(file: string): Set<string> {
  const own = namespaces.baseFiles.has(file) ? [] : namespaces.namespacesOf(file);
  return new Set([...namespaces.baseKeys, ...own.flatMap((namespace) => Object.keys(en[namespace]!))]);
}

/** Returns the literal keys that a module passes to the translator, parsed independently of the build. */
function translatedKeys(text: string): string[] {
  return [...text.matchAll(/\b(?:t|optionalText|dataKey)\(\s*(['`])([^'`]*)\1/g)].map(([, , key]) => key!);
}

test('both languages have the same rooms', () => {
  expect(Object.keys(ja)).toEqual(Object.keys(en));
});

test('every module has the words that it says', () => {
  const missing = modules.flatMap((name) => {
    const file = join(app, name);
    const available = [...keysAvailableTo(file)];
    return translatedKeys(readFileSync(file, 'utf8'))
      .filter((key) => {
        const keyPrefix = key.split('${')[0]!;
        if (['label.', 'value.'].includes(keyPrefix)) return !namespaces.namespacesOf(file).includes('label');
        return !available.some(
          (one) =>
            one.replace(/_(one|other)$/, '') === key || (keyPrefix !== key && one.startsWith(keyPrefix)),
        );
      })
      .map((key) => `${name}: ${key}`);
  });
  expect(missing).toEqual([]);
});

test('words that only data name are told of where they are said', () => {
  // Modules that translate keys defined elsewhere, with the namespaces that contain these keys.
  const expectedNamespaces: Record<string, string> = {
    'alerthub/flow/catalogue-rows.tsx': 'operator',
    'alerthub/runbook/runbook-step-form.tsx': 'operator',
    'alerthub/screens/actions/attempts.tsx': 'why notice',
    'greac/connect/status-panel.tsx': 'stream terminal',
    'greac/desktop/live-desktop.tsx': 'terminal',
    'greac/failure-info.tsx': 'stream terminal',
    'greac/files/files-panel.tsx': 'stream terminal',
    'greac/logs/log-viewer.tsx': 'greac recording',
    'kroker/credential-form.tsx': 'greac stream',
    'ksocket/install-commands.tsx': 'sonar',
    'ksocket/screens/credential-tool.tsx': 'credential',
    'sonar/decisions/use-decision.ts': 'sonar',
    'sonar/scan-controls.tsx': 'sonar',
  };
  /** These translate keys from their own text, their callers, the page's loaders or the drawer. */
  const selfContained = [
    'alerthub/bulk/plan-table.tsx',
    'home/create-links.tsx',
    'resource/filter/filter-dialog.tsx',
    'shell/navigation/crumb.ts',
    'shell/navigation/nav.tsx',
    'shell/palette/command-palette.tsx',
    'shell/palette/shortcut-dialog.tsx',
    'sonar/use-intent.ts',
    'space/screens/user-create.tsx',
    'ui/translation.tsx',
  ];
  // Calls of the translator with a variable instead of a literal key or a choice between literals.
  const open = modules.filter((name) =>
    [
      ...readFileSync(join(app, name), 'utf8').matchAll(/(?<!function )\bt\(\s*(?!dataKey\()([a-z][^()]*)/g),
    ].some(([, key]) => !/['`][\w-]+\./.test(key!)),
  );
  expect(open.filter((name) => !selfContained.includes(name) && !expectedNamespaces[name])).toEqual([]);
  for (const [name, wanted] of Object.entries(expectedNamespaces))
    expect(namespaces.namespacesOf(join(app, name)), name).toEqual(expect.arrayContaining(wanted.split(' ')));
});

test('parts that come later bring their words', () => {
  const lazyModules = modules.flatMap((name) =>
    [
      ...readFileSync(join(app, name), 'utf8').matchAll(
        /(?<!(?:loadChunk|deferDialog)\([^)]*\) => )import\('(\.[^']+)'\)/g,
      ),
    ].map(([, path]) => join(app, name, '..', path!)),
  );
  expect(lazyModules.length).toBeGreaterThan(0);
  expect(
    lazyModules.filter((file) => !namespaces.baseFiles.has(file) && namespaces.namespacesOf(file).length > 0),
  ).toEqual([]);
});

describe('home', () => {
  const columns = Object.values(homeColumns).flat();

  test('has the labels of its columns', () => {
    expect(columns.filter((name) => !namespaces.baseKeys.has(`label.${name}`))).toEqual([]);
  });

  test('has the choices that its lists can show, and leaves others to the pages that show them', () => {
    const choices = [...deliveryStatuses, ...scopeStatuses];
    expect(choices.filter((choice) => !namespaces.baseKeys.has(`value.${choice}`))).toEqual([]);
    expect(namespaces.baseKeys.has('value.ja-jp-qwerty')).toBe(false);
    expect(namespaces.namespacesOf(join(app, 'ui/text/field-value.tsx'))).toContain('label');
  });

  test('draws no field that has members of its own', () => {
    const kinds = Object.entries(homeResources).flatMap(([list, resource]) => {
      const names: readonly string[] = homeColumns[list as keyof typeof homeResources];
      const found = screenMeta(resource).columns.filter((column) => names.includes(column.name));
      expect(found).toHaveLength(names.length);
      return found.map(({ meta }) => meta.kind);
    });
    expect(
      kinds.filter((kind) => ['object', 'variant', 'key-values', 'json', 'rrule'].includes(kind)),
    ).toEqual([]);
  });
});
