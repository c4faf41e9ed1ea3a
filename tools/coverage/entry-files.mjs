// Where the programs begin: the server, the command line, the agent and every route of the console.
import { tsImport } from 'tsx/esm/api';

export async function entryFiles() {
  const { default: routes } = await tsImport('../../web/app/routes.ts', { parentURL: import.meta.url });
  const filesOf = ({ file, children = [] }) => [file, ...children.flatMap(filesOf)];
  const screens = new Set(['root.tsx', 'entry.client.tsx', 'entry.server.tsx', ...routes.flatMap(filesOf)]);
  return [
    'server/src/main.ts',
    'cli/src/main.ts',
    'agent/src/main.ts',
    ...[...screens].map((file) => `web/app/${file}`),
  ];
}
