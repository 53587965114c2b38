import { Fault } from '../../shared/rpc.ts'
import { knowsCode, knowsToken, type AskingPage } from './known-host.ts'

/** The text for a page that is refused: Talaria has restarted, and this page needs a new address. */
export const NOT_KNOWN =
  'Talaria is running again but no longer recognises this page. Open the address that it prints, or run “talaria address” to get one. What you typed here is kept.'

const thisPage = (): AskingPage => {
  const { origin, port } = location
  return { origin, port, fetch: window.fetch.bind(window) }
}

/** The development server forwards requests from its own port, so its answers prove nothing. */
const isDevelopment = import.meta.env.DEV

/**
 * Ask whether the host knows the token of this page, before the token is shown to it: another program may
 * have taken the port. Throws a `disconnected` Fault if nothing answers, or if the answering program does not
 * know the token.
 */
export async function checkHost(token: string): Promise<void> {
  if (isDevelopment) return
  if (!(await knowsToken(token, thisPage()))) throw new Fault('disconnected', NOT_KNOWN)
}

/**
 * Like `checkHost`, for a one-time code: whether the host made it and it is still unused. Throws the same
 * Fault if nothing answers.
 */
export const madeCode = async (code: string): Promise<boolean> => isDevelopment || knowsCode(code, thisPage())
