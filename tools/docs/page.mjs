// The parts of a Markdown page that tools compare: headings, lists, tables, code and links.

/** Text without the parts that a generator writes: their generators compare them. */
const withoutGenerated = (text) => text.replace(/<!-- (\w+): [\s\S]*?<!-- end of \1 -->/g, '');

/** The fragment by which GitHub links to a heading. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * @param {string} text
 * @returns {{
 *   sections: { level: number, heading: string, slug: string, tableRows: number, listItems: number }[],
 *   blocks: string[], spans: string[], links: string[] }}
 */
export function parsePage(text) {
  const own = withoutGenerated(text);
  const blocks = [...own.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  const prose = own.replace(/^```[\s\S]*?^```$/gm, '');
  const sections = [];
  for (const line of prose.split('\n')) {
    const [, marks, heading] = /^(#+) (.+)$/.exec(line) ?? [];
    if (marks)
      sections.push({ level: marks.length, heading, slug: slugOf(heading), tableRows: 0, listItems: 0 });
    else if (line.startsWith('|') && sections.length > 0) sections.at(-1).tableRows += 1;
    else if (/^ *(?:-|\d+\.) /.test(line) && sections.length > 0) sections.at(-1).listItems += 1;
  }
  return {
    sections,
    blocks,
    spans: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span),
    links: [...prose.replace(/`[^`\n]+`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target),
  };
}
