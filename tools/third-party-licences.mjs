// Collects the licences of the packages that went into a bundle.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One text with the licence of each package; `inputs` are the bundled files, relative to `folder`. */
export async function thirdPartyLicences(folder, inputs) {
  const packages = new Set(
    inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  const texts = await Promise.all(
    [...packages].sort().map(async (path) => {
      const packageFolder = join(folder, path);
      const about = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
      // Older packages list several licences.
      const license = about.license ?? about.licenses?.map(({ type }) => type).join(' or ');
      const file = (await readdir(packageFolder)).find((one) => /^licen[cs]e/i.test(one));
      const text = file ? await readFile(join(packageFolder, file), 'utf8') : '';
      return `${about.name} ${about.version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
