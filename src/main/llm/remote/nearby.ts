/** Whether a host is this machine or in a private network, where nobody pays and nobody else is in charge. */
export const isNearby = (hostname: string): boolean =>
  /^(localhost$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[::1\]|\[f[cd])/.test(hostname) ||
  /\.(local|lan|internal|localhost)$/.test(hostname) ||
  // A name without a dot is known only here, and so is no address of the internet.
  !/[.:]/.test(hostname)
