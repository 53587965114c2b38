/** Synchronous publish and subscribe: `publish` returns after every listener has run, in the order of subscription. */
export type Topic<T> = {
  publish(this: void, item: T): void
  subscribe(this: void, listener: (item: T) => void): void
}

/** Create a topic. It keeps no items for later subscribers; an error in a listener reaches the publisher. */
export function createTopic<T>(): Topic<T> {
  const listeners: ((item: T) => void)[] = []
  return {
    publish(item) {
      for (const listener of listeners) listener(item)
    },
    subscribe: listener => void listeners.push(listener),
  }
}
