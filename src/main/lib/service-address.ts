import type { Refusal } from './expected-errors.ts'
import { isThisComputer } from './offline.ts'

/** Where a service is asked, as a setting has it: its own official address, or a server on this computer. No other gets its key. */
export function readServiceAddress(text: string, official: string): string | Refusal {
  const url = URL.parse(text.trim())
  const address =
    url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '') : ''
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && (address === official || (address !== '' && isThisComputer(url.hostname)))) return address
  return {
    refused: `The address can only be ${official} or a server on this computer, such as http://127.0.0.1:8081.`,
  }
}
