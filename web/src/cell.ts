// SPDX-License-Identifier: Apache-2.0
// A value that tells when it changes. Everything the page knows stands in cells; panels and the 3D view listen.

export interface Readable<T> {
  readonly value: T;
  // Called at every change, and at once if `now`. Gives back the function that ends it.
  on(listener: (value: T) => void, now?: boolean): () => void;
}

export class Cell<T> implements Readable<T> {
  private listeners = new Set<(value: T) => void>();

  constructor(private held: T) {}

  get value(): T {
    return this.held;
  }

  set(value: T): void {
    if (Object.is(value, this.held)) return;
    this.held = value;
    for (const listener of [...this.listeners]) {
      // One that fails is told to the console and silences no other: a drawing must not take the stop with it.
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  change(by: Partial<T>): void {
    this.set({ ...this.held, ...by });
  }

  on(listener: (value: T) => void, now = false): () => void {
    this.listeners.add(listener);
    if (now) listener(this.held);
    return () => this.listeners.delete(listener);
  }
}
