import { onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { App } from '../App.tsx'
import { HostProvider } from '../rpc/host-context.tsx'
import { openTestHost, type PreparedHost, type TestHost, type TestHostOptions } from './test-host.ts'

/** Render the whole window with a real host. `prepare` seeds data and can name the chat to open. */
export async function showWindow(
  prepare: (host: PreparedHost) => string | void = () => {},
  options?: TestHostOptions,
): Promise<TestHost> {
  const host = await startHost(each => {
    const chatId = prepare(each)
    if (typeof chatId === 'string') history.replaceState(null, '', `#chat=${chatId}`)
  }, options)
  await openWindow(host)
  // Keys pressed before the connection are lost.
  while (document.body.textContent.includes('Connecting to Talaria…'))
    await new Promise(resolve => requestAnimationFrame(resolve))
  return host
}

/** Start a host that stops after the test. */
export async function startHost(...given: Parameters<typeof openTestHost>): Promise<TestHost> {
  const host = await openTestHost(...given)
  onTestFinished(async () => {
    await cleanup()
    await host.close()
  })
  return host
}

/** Render the window again with the same host, as after a reload. */
export async function openWindow(host: TestHost): Promise<void> {
  await cleanup()
  await render(
    <HostProvider link={host.link}>
      <App />
    </HostProvider>,
  )
}

export const composer = () => page.getByRole('textbox', { name: 'Message' })
export const transcript = () => page.getByRole('region', { name: 'Conversation' })
export const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Type a message and send it with Enter. */
export async function say(text: string): Promise<void> {
  await composer().fill(text)
  await userEvent.keyboard('{Enter}')
}
