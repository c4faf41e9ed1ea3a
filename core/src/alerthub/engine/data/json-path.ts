// JSONPath queries (RFC 9535) over data, with limits on length, nesting, results and work. The functions
// `match` and `search` use RE2 patterns.
import {
  type FilterFunction,
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathNode,
  type JSONPathQuery,
  jsonpath,
  Nothing,
} from 'json-p3';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { BoundedRegex } from './bounded-regex.ts';
import { WorkBudget } from './work-budget.ts';

/** Maximum length of a query in characters. */
export const maxQueryLength = 512;
/** Maximum number of values that a data path may select. */
export const maxPathResults = 1000;
/** Values visited by one evaluation, and the maximum nesting of data that `..` descends into. */
const maxSteps = 200_000;
const maxDepth = 64;
/** Steps that a pattern costs to compile, and characters times instructions of a search per step. */
const stepsPerPattern = 2000;
const regexWorkPerStep = 100;
/** Characters of a compared text per step. */
const charactersPerStep = 100;
const maxPatterns = 20;

type Json = Parameters<JSONPathQuery['lazyQuery']>[0];
type Selector = InstanceType<typeof jsonpath.JSONPathSelector>;
type Expression = InstanceType<typeof jsonpath.expressions.FilterExpression>;

/** Values selected by a path, as a list. */
export interface SelectedValues {
  values: unknown[];
  /** Whether there are more than were asked for. */
  hasMore: boolean;
}

/** The budget of one evaluation of a query. */
export function queryBudget(): WorkBudget {
  return new WorkBudget(maxSteps, 'why.jsonPath.tooMuchWork');
}

/** A compiled query. */
export class JsonPath {
  readonly #query: JSONPathQuery;
  readonly #environment: BoundedEnvironment;

  /** Throws FlowError with an empty path and the error in the query. */
  constructor(text: string) {
    if (text.length > maxQueryLength)
      throw new FlowError('', reason('why.jsonPath.long', { most: maxQueryLength }));
    this.#environment = new BoundedEnvironment();
    try {
      this.#query = this.#environment.compile(text);
    } catch (error) {
      throw toCompileError(text, error);
    }
    for (const { selectors } of this.#query.segments) this.#environment.bound(selectors);
  }

  /** The first values that the query selects. Throws FlowError with an empty path if it takes too much work. */
  select(root: unknown, max: number, budget: WorkBudget): SelectedValues {
    const values: unknown[] = [];
    return this.#environment.withBudget(budget, () => {
      for (const { value } of this.#query.lazyQuery(root as Json)) {
        if (values.length === max) return { values, hasMore: true };
        values.push(value);
      }
      return { values, hasMore: false };
    });
  }
}

/**
 * Counts the work of a query: every selector and comparison of the compiled query is wrapped, because the
 * library itself has no limit.
 */
class BoundedEnvironment extends JSONPathEnvironment {
  #budget = new WorkBudget(0, 'why.jsonPath.tooMuchWork');

  constructor() {
    super({ maxRecursionDepth: maxDepth });
    this.functionRegister.set('match', new PatternFunction(this, (pattern) => `^(?:${pattern})$`));
    this.functionRegister.set('search', new PatternFunction(this, (pattern) => pattern));
    this.functionRegister.set('length', new LengthFunction(this));
  }

  withBudget<T>(budget: WorkBudget, run: () => T): T {
    this.#budget = budget;
    try {
      return run();
    } catch (error) {
      if (error instanceof FlowError) throw error;
      if (error instanceof JSONPathError)
        throw new FlowError('', reason('why.jsonPath.tooDeep', { most: maxDepth }));
      // A list too long to be passed as arguments inside the library.
      if (error instanceof RangeError) throw new FlowError('', reason('why.jsonPath.tooMuchWork'));
      throw error;
    }
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }

  /** Spends as much as comparing the value costs at most. */
  spendOn(value: unknown): void {
    if (typeof value === 'string') this.spend(1 + value.length / charactersPerStep);
    else if (typeof value !== 'object' || value === null) this.spend(1);
    else for (const member of Object.values(value)) this.spendOn(member);
  }

  override entries(object: { [key: string]: Json }): [string, Json][] {
    const entries = super.entries(object);
    this.spend(entries.length);
    return entries;
  }

  bound(selectors: readonly Selector[]): void {
    for (const selector of selectors) {
      const resolve = selector.resolve.bind(selector);
      selector.resolve = (node: JSONPathNode) => {
        this.spend(1 + (readsAll(selector) && Array.isArray(node.value) ? node.value.length : 0));
        return resolve(node);
      };
      if (selector instanceof jsonpath.selectors.FilterSelector) this.#boundExpression(selector.expression);
    }
  }

  #boundExpression(expression: Expression): void {
    const { expressions } = jsonpath;
    if (expression instanceof expressions.LogicalExpression) this.#boundExpression(expression.expression);
    else if (expression instanceof expressions.PrefixExpression) this.#boundExpression(expression.right);
    else if (expression instanceof expressions.FunctionExtension) {
      this.#checkPattern(expression);
      for (const argument of expression.args) this.#boundExpression(argument);
    } else if (expression instanceof expressions.FilterQuery) {
      for (const { selectors } of expression.path.segments) this.bound(selectors);
    } else if (expression instanceof expressions.InfixExpression) {
      for (const side of [expression.left, expression.right]) {
        this.#boundExpression(side);
        if (!expression.logical) this.#boundOperand(side);
      }
    }
  }

  #boundOperand(operand: Expression): void {
    const evaluate = operand.evaluate.bind(operand);
    operand.evaluate = (context) => {
      const result = evaluate(context);
      if (!(result instanceof jsonpath.JSONPathNodeList)) this.spendOn(result);
      else if (result.length === 1) this.spendOn(result.nodes[0]!.value);
      return result;
    };
  }

  /** A pattern that is part of the query is compiled with it, so that its errors are found when it is saved. */
  #checkPattern({ name, args }: InstanceType<typeof jsonpath.expressions.FunctionExtension>): void {
    const { StringLiteral } = jsonpath.expressions;
    const found = this.functionRegister.get(name);
    const pattern = args[1];
    if (found instanceof PatternFunction && pattern instanceof StringLiteral) found.compile(pattern.value);
  }
}

/** Whether a selector visits all items of a list. */
function readsAll(selector: Selector): boolean {
  const { IndexSelector, NameSelector } = jsonpath.selectors;
  return !(selector instanceof NameSelector || selector instanceof IndexSelector);
}

/** `match` and `search`. A pattern from the data that is not valid matches nothing, as the RFC requires. */
class PatternFunction implements FilterFunction {
  readonly argTypes = [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType];
  readonly returnType = FunctionExpressionType.LogicalType;
  readonly #environment: BoundedEnvironment;
  readonly #anchor: (pattern: string) => string;
  readonly #compiled = new Map<string, BoundedRegex | undefined>();

  constructor(environment: BoundedEnvironment, anchor: (pattern: string) => string) {
    this.#environment = environment;
    this.#anchor = anchor;
  }

  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    const regex = this.#compiled.has(pattern) ? this.#compiled.get(pattern) : this.#compileDynamic(pattern);
    if (!regex) return false;
    if (text.length > regex.maxInputLength) throw new FlowError('', reason('why.jsonPath.tooMuchWork'));
    this.#environment.spend(regex.workOf(text) / regexWorkPerStep);
    return regex.matches(text);
  }

  /** Throws FlowError for a pattern that is not valid. */
  compile(pattern: string): BoundedRegex {
    // On its own first: `a)(b` would be valid between the parentheses.
    const own = new BoundedRegex(pattern, false);
    const anchored = this.#anchor(pattern);
    const regex = anchored === pattern ? own : new BoundedRegex(anchored, false);
    this.#compiled.set(pattern, regex);
    return regex;
  }

  #compileDynamic(pattern: string): BoundedRegex | undefined {
    this.#environment.spend(stepsPerPattern);
    if (this.#compiled.size >= maxPatterns) this.#compiled.clear();
    try {
      return this.compile(pattern);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      this.#compiled.set(pattern, undefined);
      return undefined;
    }
  }
}

class LengthFunction implements FilterFunction {
  readonly argTypes = [FunctionExpressionType.ValueType];
  readonly returnType = FunctionExpressionType.ValueType;
  readonly #environment: BoundedEnvironment;

  constructor(environment: BoundedEnvironment) {
    this.#environment = environment;
  }

  call(value: unknown): number | typeof Nothing {
    if (typeof value === 'string') {
      this.#environment.spend(value.length / charactersPerStep);
      return Array.from(value).length;
    }
    if (typeof value !== 'object' || value === null) return Nothing;
    const length = Array.isArray(value) ? value.length : Object.keys(value).length;
    this.#environment.spend(length);
    return length;
  }
}

function toCompileError(text: string, error: unknown): FlowError {
  if (error instanceof FlowError) return error;
  if (!(error instanceof JSONPathError)) throw error;
  const path = text.slice(0, 200);
  // The library appends the position to its message.
  const detail = error.message.replace(/ \('.*':\d+\)$/s, '').slice(0, 200);
  return new FlowError('', reason('why.jsonPath.invalid', { path, column: error.token.index + 1, detail }));
}
