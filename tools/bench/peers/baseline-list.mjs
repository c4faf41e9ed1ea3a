// A Remix page that draws rows as a plain table and nothing else: what a list costs at least on the same stack.
const page = `import { useLoaderData } from '@remix-run/react';
export const loader = ({ context }) => ({ rows: context.rows });
export default function List() {
  const { rows } = useLoaderData();
  const names = Object.keys(rows[0] ?? {});
  return <main><h1>List</h1><table>
    <thead><tr>{names.map((name) => <th key={name}>{name}</th>)}</tr></thead>
    <tbody>{rows.map((row, at) => <tr key={at}>{names.map((name) =>
      <td key={name}>{typeof row[name] === 'string' ? row[name] : JSON.stringify(row[name])}</td>)}</tr>)}</tbody>
  </table></main>;
}`;

/** Files of the page over those of the bare one. */
export const bareList = { 'app/routes/_index.jsx': page };
