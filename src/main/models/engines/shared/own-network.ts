import { isIPv4 } from 'node:net'

const OWN_IPV4 = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\./

/** Whether a host is this computer or on its private network: requests are free, and data stay private. */
export const isOnOwnNetwork = (hostname: string): boolean =>
  (isIPv4(hostname) && OWN_IPV4.test(hostname)) ||
  /^\[(?:::1\]|f[cd]|fe[89ab])/.test(hostname) ||
  /\.(local|lan|internal|localhost)$/.test(hostname) ||
  // A name without a dot resolves only locally; it cannot be an internet address.
  !/[.:]/.test(hostname)
