// Compares a Japanese page with its English original: sections with their lists and tables, code and links.
import { parsePage } from './page.mjs';

/** A block without comments, which are translated. */
const codeOf = (block) =>
  block
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)#(?: .*|$)/, ''))
    .filter((line) => line.trim() !== '');

/** Whether a line of code is that of the original, apart from quoted texts that are in Japanese. */
function isSameCode(line, original) {
  const pattern = line
    .split(/("[^"]*[^"\p{ASCII}][^"]*")/u)
    .map((part, index) => (index % 2 === 1 ? '"[^"]*"' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${pattern}$`, 'u').test(original);
}

/** The link of the translation for a link of the original: to the translation of its target where there is one. */
function translateLink(target, { original, translation, readPage }) {
  if (/^https?:/.test(target)) return target;
  const [, file, fragment] = /^([^#]*)(?:#(.*))?$/.exec(target);
  const translatedFile = file === 'commands/README.md' ? '../commands/ja/README.md' : file;
  const translatedText = file === '' ? undefined : readPage(`docs/ja/${file}`);
  const translated = file === '' ? translation : translatedText && parsePage(translatedText);
  if (!translated) return translatedFile === file ? `../${target}` : translatedFile;
  if (fragment === undefined) return file;
  const there = file === '' ? original : parsePage(readPage(`docs/${file}`));
  const index = there.sections.findIndex(({ slug }) => slug === fragment);
  return `${file}#${translated.sections[index]?.slug ?? fragment}`;
}

function compareSections(original, translation) {
  const outline = ({ sections }) => sections.map(({ level }) => '#'.repeat(level)).join(' ');
  if (outline(original) !== outline(translation))
    return [
      `${translation.path} has the headings ${outline(translation)}, ${original.path} has ${outline(original)}.`,
    ];
  return original.sections.flatMap((section, index) => {
    const translated = translation.sections[index];
    return ['tableRows', 'listItems']
      .filter((part) => section[part] !== translated[part])
      .map(
        (part) =>
          `${translation.path} has ${translated[part]} ${part} in "${translated.heading}", ${original.path} has ${section[part]} in "${section.heading}".`,
      );
  });
}

function compareBlocks(original, translation) {
  if (original.blocks.length !== translation.blocks.length)
    return [
      `${translation.path} has ${translation.blocks.length} blocks of code, ${original.path} has ${original.blocks.length}.`,
    ];
  return original.blocks.flatMap((block, index) => {
    const lines = codeOf(block);
    const translated = codeOf(translation.blocks[index]);
    const length = Math.max(lines.length, translated.length);
    for (let at = 0; at < length; at++) {
      const [line = '', other = ''] = [lines[at], translated[at]];
      if (!isSameCode(other, line))
        return [`${translation.path} has the code "${other}", ${original.path} has "${line}".`];
    }
    return [];
  });
}

/** What only one of the pages has: every wanted thing is found, and nothing else. */
function compareSets(wanted, found, { original, translation, describe }) {
  return [
    ...[...wanted]
      .filter((one) => !found.has(one))
      .map((one) => `${translation.path} lacks ${describe(one)} of ${original.path}.`),
    ...[...found]
      .filter((one) => !wanted.has(one))
      .map((one) => `${translation.path} has ${describe(one)}, which ${original.path} lacks.`),
  ];
}

/**
 * What the Japanese page lacks, or has in addition.
 *
 * @param {string} name of both files
 * @param {(path: string) => string | undefined} readPage
 * @returns {string[]}
 */
export function compareTranslation(name, readPage) {
  const [original, translation] = [`docs/${name}`, `docs/ja/${name}`].map((path) => ({
    path,
    ...parsePage(readPage(path)),
  }));
  const pages = { original, translation };
  /** Placeholders such as `<32 digits>` are translated. */
  const codeIn = ({ spans }) => new Set(spans.filter((span) => !/[<>]/.test(span)));
  const wantedLinks = original.links
    .filter((target) => target !== `ja/${name}`)
    .map((target) => translateLink(target, { ...pages, readPage }));
  const links = translation.links.filter((target) => target !== `../${name}`);
  return [
    ...compareSections(original, translation),
    ...compareBlocks(original, translation),
    ...compareSets(codeIn(original), codeIn(translation), { ...pages, describe: (span) => `\`${span}\`` }),
    ...compareSets(new Set(wantedLinks), new Set(links), {
      ...pages,
      describe: (target) => `the link ${target}`,
    }),
    ...(original.links.includes(`ja/${name}`) ? [] : [`${original.path} has no link to its translation.`]),
    ...(translation.links.includes(`../${name}`) ? [] : [`${translation.path} has no link to its original.`]),
  ];
}
