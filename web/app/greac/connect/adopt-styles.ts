// xterm.js writes its styles into style elements, which the content security policy refuses. While it opens a
// terminal, it gets other elements instead, whose text goes into constructed style sheets: these are permitted.

/** Runs a synchronous function in which new style elements do not depend on inline styles. */
export function withAdoptedStyles<T>(run: () => T): T {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === 'style'
      ? connectToSheet(create('div'))
      : create(name, options)) as typeof document.createElement;
  try {
    return run();
  } finally {
    // Uncovers the method of the prototype.
    delete (document as Partial<Document>).createElement;
  }
}

function connectToSheet(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  element.hidden = true;
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}
