// State that changes outside of components, which subscribe to it with `useSyncExternalStore`.
export abstract class Store<State> {
  protected readonly listeners = new Set<() => void>();
  protected state: State;

  constructor(initial: State) {
    this.state = initial;
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly getState = () => this.state;

  protected setState(state: State): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
