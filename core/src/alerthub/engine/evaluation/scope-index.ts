// Finds scopes by id, display name and attribute.

/** Scopes by id, by display name and by attribute. */
export interface ScopeLookup {
  has(scopeId: string): boolean;
  attribute(scopeId: string, name: string): string | undefined;
  withAttribute(name: string, value: string): readonly string[];
  withDisplayName(displayName: string): string | undefined;
  all(): Iterable<string>;
}

export interface IndexedScope {
  scopeId: string;
  displayName: string;
  attributes: ReadonlyMap<string, string>;
}

export class ScopeIndex implements ScopeLookup {
  readonly #attributes = new Map<string, ReadonlyMap<string, string>>();
  readonly #byValue = new Map<string, Map<string, string[]>>();
  readonly #byDisplayName = new Map<string, string>();

  /** `scopes` are in the order in which events are raised. */
  constructor(scopes: Iterable<IndexedScope> = []) {
    for (const scope of scopes) this.add(scope);
  }

  add({ scopeId, displayName, attributes }: IndexedScope): void {
    this.#attributes.set(scopeId, attributes);
    this.#byDisplayName.set(displayName, scopeId);
    for (const [name, value] of attributes) {
      const values = this.#byValue.get(name) ?? new Map<string, string[]>();
      this.#byValue.set(name, values);
      const scopeIds = values.get(value);
      if (scopeIds) scopeIds.push(scopeId);
      else values.set(value, [scopeId]);
    }
  }

  get size(): number {
    return this.#attributes.size;
  }

  has(scopeId: string): boolean {
    return this.#attributes.has(scopeId);
  }

  attribute(scopeId: string, name: string): string | undefined {
    return this.#attributes.get(scopeId)?.get(name);
  }

  withAttribute(name: string, value: string): readonly string[] {
    return this.#byValue.get(name)?.get(value) ?? [];
  }

  withDisplayName(displayName: string): string | undefined {
    return this.#byDisplayName.get(displayName);
  }

  all(): Iterable<string> {
    return this.#attributes.keys();
  }
}

/** The scopes of an index and further ones, without changing the index. */
export class ExtendedScopeIndex implements ScopeLookup {
  readonly #base: ScopeLookup;
  readonly #added = new ScopeIndex();

  constructor(base: ScopeLookup) {
    this.#base = base;
  }

  add(scope: IndexedScope): void {
    this.#added.add(scope);
  }

  has(scopeId: string): boolean {
    return this.#base.has(scopeId) || this.#added.has(scopeId);
  }

  attribute(scopeId: string, name: string): string | undefined {
    return (this.#added.has(scopeId) ? this.#added : this.#base).attribute(scopeId, name);
  }

  withAttribute(name: string, value: string): readonly string[] {
    return [...this.#base.withAttribute(name, value), ...this.#added.withAttribute(name, value)];
  }

  withDisplayName(displayName: string): string | undefined {
    return this.#base.withDisplayName(displayName) ?? this.#added.withDisplayName(displayName);
  }

  *all(): Iterable<string> {
    yield* this.#base.all();
    yield* this.#added.all();
  }
}
