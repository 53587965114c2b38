import { beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import '../app.css'
import { App } from '../App.tsx'
import { HostProvider } from '../rpc/host-context.tsx'
import { hideToast, toastList } from '../ui/toasts.ts'
import { fakeHost, type FakeHost, type FakeHostOptions } from './fake-host.ts'

beforeEach(async () => {
  history.replaceState(null, '', location.pathname + location.search)
  localStorage.clear()
  for (const toast of toastList.get()) hideToast(toast.id)
  await page.viewport(1280, 800)
})

/** Draw the whole window over a fake host; `prepare` fills the host, and may name the chat to open. */
export async function showApp(
  prepare: (host: FakeHost) => string | void = () => {},
  options?: FakeHostOptions,
): Promise<FakeHost> {
  const host = fakeHost(options)
  const chatId = prepare(host)
  if (chatId) history.replaceState(null, '', `#chat=${chatId}`)
  await openWindow(host)
  return host
}

/** Draw the whole window anew over the same host, as after a reload. */
export async function openWindow(host: FakeHost): Promise<void> {
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

/** Write a message and send it by key. */
export async function say(text: string): Promise<void> {
  await composer().fill(text)
  await userEvent.keyboard('{Enter}')
}
