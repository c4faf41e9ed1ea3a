// What kills leave behind, put there by hand, and a lock whose process nobody can see.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves files as of a kill between the creation of a journal file and its first write: of no bytes, and of zeros. */
export function leaveEmptyFiles(data, random) {
  const folder = join(data, 'intake');
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  const owner = names.find((name) => name.endsWith('.owner')) ?? '0000000001.owner';
  const place = String(1 + Math.floor(random() * 5000)).padStart(16, '0');
  const salt = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  const opening = `${String(Number(owner.slice(0, owner.indexOf('.'))) + 1).padStart(10, '0')}.opening`;
  const left = { [place]: 0, [`${owner.replace('.owner', '')}-${place}-${salt}`]: 256 << 10, [opening]: 0 };
  for (const [name, size] of Object.entries(left)) {
    if (!names.includes(name)) writeFileSync(join(folder, name), Buffer.alloc(size));
  }
}

/** Makes the holder of the folder look like a process in another container, so that only its silence tells of it. */
export function hideHolder(data) {
  const generations = readdirSync(data).filter((name) => /^lock\.\d+$/.test(name));
  const path = join(data, generations.sort((a, b) => Number(a.slice(5)) - Number(b.slice(5))).at(-1));
  writeFileSync(
    path,
    JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), machine: 'another container' }),
  );
}
