/**
 * Evaluates expressions of source code to the SQL texts that they can produce, as far as that is possible
 * without running them: literals, templates, constants, both branches of conditions, functions that only
 * return a text, and the alternatives of union types.
 */
import ts from 'typescript';

/** More alternatives than this are not worth trying. */
const maxAlternatives = 256;

/** A number in a text is always a number literal, whichever it is. */
const anyNumber = '1';

/**
 * One text that an expression can have, and the choices that lead to it: of several alternatives of a variable
 * (or of the object that variables come from), a text uses the same one everywhere.
 */
interface Alternative {
  text: string;
  choices: ReadonlyMap<ts.Symbol | ts.Node, number>;
}

type Alternatives = readonly Alternative[] | undefined;
type Bindings = ReadonlyMap<ts.Symbol, readonly Alternative[]>;

export class TextEvaluator {
  private readonly checker: ts.TypeChecker;
  private depth = 0;

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  /**
   * All texts of a statement: an expression, or the `text` of a named statement. Undefined if they are not
   * known.
   */
  statementTexts(node: ts.Expression): string[] | undefined {
    const texts = this.statement(node, new Map());
    if (!texts || texts.length === 0) return undefined;
    return [...new Set(texts.map(({ text }) => text))];
  }

  private statement(node: ts.Expression, bindings: Bindings): Alternatives {
    const texts = this.texts(node, bindings);
    if (texts) return texts;
    const given = unwrap(node);
    if (ts.isCallExpression(given)) {
      const call = this.resolveCall(given, bindings);
      return call && this.statement(call.result, call.bindings);
    }
    const text = this.objectOf(given)?.properties.find(({ name }) => name?.getText() === 'text');
    return text && this.valueOf(text, bindings);
  }

  /** All texts that an expression can have; undefined if they are not known. */
  private texts(node: ts.Expression, bindings: Bindings): Alternatives {
    if (this.depth > 40) return undefined;
    this.depth += 1;
    try {
      return this.evaluate(node, bindings) ?? this.textsOfType(node);
    } finally {
      this.depth -= 1;
    }
  }

  private evaluate(node: ts.Expression, bindings: Bindings): Alternatives {
    const inner = unwrap(node);
    if (inner !== node) return this.texts(inner, bindings);
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return fixed(node.text);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.flatMap(({ expression, literal }) => [
        this.texts(expression, bindings),
        fixed(literal.text),
      ]);
      return product([fixed(node.head.text), ...spans]);
    }
    if (ts.isConditionalExpression(node))
      return union([this.texts(node.whenTrue, bindings), this.texts(node.whenFalse, bindings)]);
    if (ts.isBinaryExpression(node)) return this.evaluateOperator(node, bindings);
    if (ts.isIdentifier(node)) return this.evaluateName(node, bindings);
    if (ts.isPropertyAccessExpression(node)) return this.evaluateMember(node, bindings);
    if (ts.isElementAccessExpression(node)) {
      const object = this.objectOf(node.expression);
      return object && union(object.properties.map((property) => this.valueOf(property, bindings)));
    }
    if (ts.isCallExpression(node)) return this.evaluateCall(node, bindings);
    return undefined;
  }

  private evaluateOperator(node: ts.BinaryExpression, bindings: Bindings): Alternatives {
    const operator = node.operatorToken.kind;
    const sides = () => [this.texts(node.left, bindings), this.texts(node.right, bindings)];
    if (operator === ts.SyntaxKind.PlusToken && !this.isNumber(node)) return product(sides());
    if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken)
      return union(sides());
    return undefined;
  }

  private evaluateName(node: ts.Identifier, bindings: Bindings): Alternatives {
    const symbol = this.symbolOf(node);
    if (!symbol) return undefined;
    const bound = bindings.get(symbol);
    if (bound) return bound;
    const declaration = symbol.valueDeclaration;
    if (declaration && ts.isBindingElement(declaration)) return this.evaluateBinding(declaration);
    if (!declaration || !ts.isVariableDeclaration(declaration) || !isConstant(declaration)) return undefined;
    if (ts.isForOfStatement(declaration.parent.parent)) {
      const items = this.items(declaration.parent.parent.expression, bindings);
      return items && choose(symbol, union(items));
    }
    return declaration.initializer && choose(symbol, this.texts(declaration.initializer, bindings));
  }

  /** A variable from `{ name }` of one of several objects: variables of one pattern come from the same object. */
  private evaluateBinding(element: ts.BindingElement): Alternatives {
    const type = this.checker.getTypeAtLocation(element.parent);
    const name = (element.propertyName ?? element.name).getText();
    if (!type.isUnion() || !ts.isObjectBindingPattern(element.parent)) return undefined;
    const texts = type.types.map((member) => {
      const property = member.getProperty(name);
      const value = property && this.checker.getTypeOfSymbol(property);
      return value?.isStringLiteral() ? fixed(value.value) : undefined;
    });
    return texts.length === 1 ? texts[0] : choose(element.parent, flatten(texts));
  }

  private evaluateMember(node: ts.PropertyAccessExpression, bindings: Bindings): Alternatives {
    const object = this.objectOf(node.expression);
    const property = object?.properties.find(({ name }) => name?.getText() === node.name.text);
    if (property) return this.valueOf(property, bindings);
    const declaration = this.symbolOf(node.name)?.valueDeclaration;
    if (!declaration) return undefined;
    const isReadonly =
      ts.isPropertyDeclaration(declaration) &&
      declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
    return isReadonly && declaration.initializer ? this.texts(declaration.initializer, bindings) : undefined;
  }

  private evaluateCall(node: ts.CallExpression, bindings: Bindings): Alternatives {
    if (ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'join') {
      const [separator] = node.arguments;
      const between = separator ? this.texts(separator, bindings) : fixed(',');
      const items = this.items(node.expression.expression, bindings);
      if (!items || between === undefined) return undefined;
      return product(items.flatMap((item, index) => (index === 0 ? [item] : [between, item])));
    }
    const call = this.resolveCall(node, bindings);
    return call ? this.texts(call.result, call.bindings) : this.evaluateReplace(node, bindings);
  }

  /** `replace` and `replaceAll` of a known text by a known text. */
  private evaluateReplace(node: ts.CallExpression, bindings: Bindings): Alternatives {
    if (!ts.isPropertyAccessExpression(node.expression)) return undefined;
    const method = node.expression.name.text;
    if (method !== 'replace' && method !== 'replaceAll') return undefined;
    const [from, to] = node.arguments.map((argument) => this.texts(argument, bindings));
    if (from?.length !== 1 || to?.length !== 1) return undefined;
    const texts = this.texts(node.expression.expression, bindings);
    return texts?.map(({ text, choices }) => ({
      text: text[method](from[0]!.text, () => to[0]!.text),
      choices,
    }));
  }

  /** What a called function returns, and the values of its parameters. */
  private resolveCall(
    node: ts.CallExpression,
    bindings: Bindings,
  ): { result: ts.Expression; bindings: Bindings } | undefined {
    const called = this.functionOf(node.expression);
    const result = called && returned(called);
    if (!called || !result) return undefined;
    const inside = new Map(bindings);
    for (const [index, parameter] of called.parameters.entries()) {
      const given = node.arguments[index] ?? parameter.initializer;
      const symbol = this.symbolOf(parameter.name);
      const values = given && this.texts(given, bindings);
      if (symbol && values) inside.set(symbol, values);
    }
    return { result, bindings: inside };
  }

  /** The texts of each element of a list; undefined if the list is not known. */
  private items(node: ts.Expression, bindings: Bindings): Alternatives[] | undefined {
    const list = unwrap(node);
    if (ts.isArrayLiteralExpression(list)) {
      const items = list.elements.map((element) =>
        ts.isSpreadElement(element)
          ? this.items(element.expression, bindings)
          : [this.texts(element, bindings)],
      );
      return items.every((item) => item !== undefined) ? items.flat() : undefined;
    }
    if (ts.isCallExpression(list) && ts.isPropertyAccessExpression(list.expression)) {
      const { expression: source, name } = list.expression;
      const [mapper] = list.arguments;
      if (ts.isIdentifier(source) && source.text === 'Object' && mapper) return this.entryItems(mapper, name);
      if (name.text === 'split' && mapper) return this.splitItems(source, mapper, bindings);
      const called = mapper && this.functionOf(mapper);
      const result = called && returned(called);
      const parameter = called?.parameters[0];
      if (name.text !== 'map' || !result) return undefined;
      const symbol = parameter && this.symbolOf(parameter.name);
      return this.items(source, bindings)?.map((item) =>
        this.texts(result, symbol && item ? new Map(bindings).set(symbol, item) : bindings),
      );
    }
    const declaration = ts.isIdentifier(list) ? this.symbolOf(list)?.valueDeclaration : undefined;
    if (!declaration || !ts.isVariableDeclaration(declaration) || !isConstant(declaration)) return undefined;
    return declaration.initializer && this.items(declaration.initializer, bindings);
  }

  private splitItems(
    source: ts.Expression,
    separator: ts.Expression,
    bindings: Bindings,
  ): Alternatives[] | undefined {
    const [text, between] = [this.texts(source, bindings), this.texts(separator, bindings)];
    if (text?.length !== 1 || between?.length !== 1) return undefined;
    return text[0]!.text.split(between[0]!.text).map(fixed);
  }

  /** `Object.keys` and `Object.values` of a constant object. */
  private entryItems(node: ts.Expression, method: ts.MemberName): Alternatives[] | undefined {
    const object = this.objectOf(node);
    if (method.text === 'keys')
      return object?.properties.map(({ name }) =>
        name && !ts.isComputedPropertyName(name) ? fixed(name.text) : undefined,
      );
    return method.text === 'values'
      ? object?.properties.map((property) => this.valueOf(property, new Map()))
      : undefined;
  }

  /** The alternatives of a union of string literals, or any number. */
  private textsOfType(node: ts.Expression): Alternatives {
    if (this.isNumber(node)) return fixed(anyNumber);
    const type = this.checker.getTypeAtLocation(node);
    const members = type.isUnion() ? type.types : [type];
    if (!members.every((member) => member.isStringLiteral())) return undefined;
    const texts = members.map(({ value }) => ({ text: value, choices: new Map() }));
    const symbol = this.symbolOf(ts.isPropertyAccessExpression(node) ? node.name : node);
    return symbol ? choose(symbol, texts) : texts;
  }

  private isNumber(node: ts.Expression): boolean {
    return (this.checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike) !== 0;
  }

  private valueOf(property: ts.ObjectLiteralElementLike, bindings: Bindings): Alternatives {
    if (ts.isPropertyAssignment(property)) return this.texts(property.initializer, bindings);
    if (!ts.isShorthandPropertyAssignment(property)) return undefined;
    const declaration = this.checker.getShorthandAssignmentValueSymbol(property)?.valueDeclaration;
    return declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
      ? this.texts(declaration.initializer, bindings)
      : undefined;
  }

  /** The object literal that a constant holds. */
  private objectOf(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
    const found = unwrap(node);
    if (ts.isObjectLiteralExpression(found)) return found;
    const declaration = this.symbolOf(
      ts.isPropertyAccessExpression(found) ? found.name : found,
    )?.valueDeclaration;
    if (!declaration) return undefined;
    const hasValue =
      (ts.isVariableDeclaration(declaration) && isConstant(declaration)) ||
      ts.isPropertyAssignment(declaration) ||
      ts.isPropertyDeclaration(declaration);
    return hasValue && declaration.initializer ? this.objectOf(declaration.initializer) : undefined;
  }

  /** The function that an expression names. */
  private functionOf(node: ts.Expression): ts.FunctionLikeDeclaration | undefined {
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node;
    const declaration = this.symbolOf(
      ts.isPropertyAccessExpression(node) ? node.name : node,
    )?.valueDeclaration;
    if (!declaration) return undefined;
    if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return declaration;
    const holdsFunction =
      (ts.isVariableDeclaration(declaration) && isConstant(declaration)) ||
      ts.isPropertyAssignment(declaration);
    return holdsFunction && declaration.initializer ? this.functionOf(declaration.initializer) : undefined;
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** The expression without parentheses and type assertions. */
export function unwrap(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? unwrap(node.expression)
    : node;
}

function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}

/** What a function returns, if it has one return statement or is an expression. */
function returned(called: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  if (!called.body) return undefined;
  if (!ts.isBlock(called.body)) return called.body;
  const last = called.body.statements.at(-1);
  const simple = called.body.statements.every((one) => one === last || ts.isVariableStatement(one));
  return simple && last && ts.isReturnStatement(last) ? last.expression : undefined;
}

const fixed = (text: string): readonly Alternative[] => [{ text, choices: new Map() }];

/** Marks several alternatives as those of one variable or object. */
function choose(key: ts.Symbol | ts.Node, alternatives: Alternatives): Alternatives {
  if (!alternatives || alternatives.length < 2) return alternatives;
  return alternatives.map(({ text, choices }, index) => ({
    text,
    choices: new Map(choices).set(key, index),
  }));
}

/** Every combination of the parts' alternatives in which no variable has two values. */
function product(parts: readonly Alternatives[]): Alternatives {
  let combined: readonly Alternative[] = fixed('');
  for (const part of parts) {
    if (!part) return undefined;
    combined = combined.flatMap((before) =>
      part
        .filter(({ choices }) =>
          [...choices].every(([key, index]) => (before.choices.get(key) ?? index) === index),
        )
        .map(({ text, choices }) => ({
          text: before.text + text,
          choices: new Map([...before.choices, ...choices]),
        })),
    );
    if (combined.length > maxAlternatives) return undefined;
  }
  return combined;
}

function flatten(parts: readonly Alternatives[]): Alternatives {
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

function union(parts: readonly Alternatives[]): Alternatives {
  const all = flatten(parts);
  const isNew = (one: Alternative, index: number) =>
    one.choices.size > 0 || all!.findIndex(({ text }) => text === one.text) === index;
  return all?.filter(isNew);
}
