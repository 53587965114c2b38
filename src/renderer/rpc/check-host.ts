import { Fault } from '../../shared/rpc.ts'
import { knowsCode, knowsToken, type AskingPage } from './known-host.ts'

/** Why a page is not let in, for the user: Talaria runs again, but this page needs a new address. */
export const NOT_KNOWN =
  'Talaria is running again but no longer recognises this page. Open the address that it prints, or run “talaria address” to get one. What you typed here is kept.'

const thisPage = (): AskingPage => {
  const { origin, port } = location
  return { origin, port, fetch: window.fetch.bind(window) }
}

/** The server for development passes requests on from a port of its own, so what it passes on proves nothing. */
const isDevelopment = import.meta.env.DEV

/**
 * Ask whether the host knows the token of this page, before the token is shown to it: another program may have taken the port. Throws a
 * `disconnected` Fault when nothing answers, or when what answers does not know the token.
 */
export async function checkHost(token: string): Promise<void> {
  if (isDevelopment) return
  if (!(await knowsToken(token, thisPage()))) throw new Fault('disconnected', NOT_KNOWN)
}

/** The same for a one-time code: whether the host made it, and it still waits. Throws the same when nothing answers. */
export const madeCode = async (code: string): Promise<boolean> => isDevelopment || knowsCode(code, thisPage())
