/** Finds the SQL statements of the server's sources, with the row types that the code declares for them. */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { TextEvaluator, unwrap } from './evaluate-text.ts';

/** What the code takes a column for; `any` if the type says nothing, for example for JSON. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'bytes' | 'array' | 'any';

/** A property of a row type. */
export interface RowProperty {
  name: string;
  optional: boolean;
  kinds: readonly ValueKind[];
}

/** One call of `query`. */
export interface FoundStatement {
  /** File and line. */
  location: string;
  /** Every text that the call can send; undefined if the text is composed at run time. */
  texts: readonly string[] | undefined;
  /** Undefined if the code declares no row type. */
  row: readonly RowProperty[] | undefined;
  /** Number of values; undefined if the list is built at run time. */
  values: number | undefined;
}

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const queryDeclaration = 'server/src/db/database.ts';

/** All calls of `Queryable.query` outside of tests and migrations. */
export function findStatements(): FoundStatement[] {
  const program = createSourceProgram();
  const checker = program.getTypeChecker();
  const evaluator = new TextEvaluator(checker);
  const found: FoundStatement[] = [];
  for (const source of program.getSourceFiles()) {
    const file = relative(root, source.fileName);
    if (!file.startsWith('server/src/') || file.endsWith('.test.ts')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isQuery(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ location: `${file}:${line + 1}`, ...readCall(node, checker, evaluator) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/**
 * The server's and core's own sources. Packages are left out, because reading their types would take most of
 * the time; a type that comes from one counts as any.
 */
function createSourceProgram(): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const file = sourceFileOf(text, containingFile);
      if (!file || !ts.sys.fileExists(file)) return { resolvedModule: undefined };
      return { resolvedModule: { resolvedFileName: file, extension: ts.Extension.Ts } };
    });
  const files = ts.sys.readDirectory(join(root, 'server/src'), ['.ts'], ['**/*.test.ts', '**/migrations/**']);
  return ts.createProgram(files, options, host);
}

/** The TypeScript file of ours that a module name means. */
function sourceFileOf(name: string, containingFile: string): string | undefined {
  if (name.startsWith('.')) return name.endsWith('.ts') ? join(dirname(containingFile), name) : undefined;
  const [, inCore] = /^@yagura\/core\/(.+)$/.exec(name) ?? [];
  return inCore && join(root, 'core/src', `${inCore}.ts`);
}

function isQuery(node: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'query') return false;
  const declared = checker.getSymbolAtLocation(node.expression.name)?.declarations?.[0];
  return declared?.getSourceFile().fileName.endsWith(queryDeclaration) ?? false;
}

function readCall(
  node: ts.CallExpression,
  checker: ts.TypeChecker,
  evaluator: TextEvaluator,
): Omit<FoundStatement, 'location'> {
  const [statement, values] = node.arguments;
  const list = values && unwrap(values);
  const isPlainList =
    list &&
    ts.isArrayLiteralExpression(list) &&
    !list.elements.some((element) => ts.isSpreadElement(element));
  return {
    texts: evaluator.statementTexts(statement!),
    row: rowOf(node, checker),
    values: list ? (isPlainList ? list.elements.length : undefined) : 0,
  };
}

/** The row type of `query<Row>()`: what the returned promise's result has in its rows. */
function rowOf(node: ts.CallExpression, checker: ts.TypeChecker): RowProperty[] | undefined {
  const promise = checker.getTypeAtLocation(node) as ts.TypeReference;
  const result = checker.getTypeArguments(promise)[0] as ts.TypeReference | undefined;
  const row = result && checker.getTypeArguments(result)[0];
  if (
    !row ||
    checker.getIndexInfosOfType(row).length > 0 ||
    !(row.flags & ts.TypeFlags.Object || row.isIntersection())
  )
    return undefined;
  return checker.getPropertiesOfType(row).map((property) => ({
    name: property.name,
    optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
    kinds: kindsOf(checker.getTypeOfSymbolAtLocation(property, node), checker),
  }));
}

function kindsOf(type: ts.Type, checker: ts.TypeChecker): ValueKind[] {
  if (type.isUnion()) return [...new Set(type.types.flatMap((one) => kindsOf(one, checker)))];
  if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return [];
  if (type.flags & ts.TypeFlags.StringLike) return ['text'];
  if (type.flags & ts.TypeFlags.NumberLike) return ['number'];
  if (type.flags & ts.TypeFlags.BooleanLike) return ['boolean'];
  if (checker.isArrayType(type)) return ['array'];
  return ['any'];
}
