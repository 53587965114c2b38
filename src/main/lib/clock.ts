/** The time in epoch milliseconds: `Date.now` in the product, a manual clock in tests. */
export type Clock = () => number
