// xterm.js writes its styles into style elements, which the content security policy refuses. While it opens a
// terminal, style elements are connected to constructed style sheets instead, which the policy permits.

/** Runs a synchronous function; style elements that it creates apply although they are inline. */
export function withAdoptedStyles<T>(run: () => T): T {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    return element instanceof HTMLStyleElement ? connectToSheet(element) : element;
  }) as typeof document.createElement;
  try {
    return run();
  } finally {
    // Uncovers the method of the prototype.
    delete (document as Partial<Document>).createElement;
  }
}

function connectToSheet(element: HTMLStyleElement): HTMLStyleElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    HTMLStyleElement.prototype.remove.call(element);
  };
  return element;
}
