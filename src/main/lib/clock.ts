/** The time in epoch milliseconds; `Date.now` in the product, a hand-turned one in tests. */
export type Clock = () => number
