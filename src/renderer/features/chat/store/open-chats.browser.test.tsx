import { StrictMode, Suspense, use, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider } from '../../../rpc/host-context.tsx'
import type { Link } from '../../../rpc/link.ts'
import { startHost } from '../../../test/show-window.tsx'
import { useShownChat } from './open-chats.ts'

/** A link that counts who listens to it. Every open chat does. */
function counted(link: Link) {
  let listeners = 0
  const subscribe: Link['subscribe'] = listener => {
    listeners++
    const unsubscribe = link.subscribe(listener)
    return () => {
      listeners--
      unsubscribe()
    }
  }
  return { link: { ...link, subscribe }, listeners: () => listeners }
}

const never = new Promise<void>(() => {})

function Shown({ children }: { children?: ReactNode }) {
  useShownChat(null)
  return <output>{children}</output>
}

function Unfinished() {
  useShownChat(null)
  use(never)
  return null
}

test('a render that React discards leaves no chat open', async () => {
  const host = await startHost()
  const { link, listeners } = counted(host.link)
  await render(
    <HostProvider link={link}>
      <Suspense fallback="Not yet">
        <Unfinished />
      </Suspense>
    </HostProvider>,
  )
  await expect.element(page.getByText('Not yet')).toBeVisible()
  await expect.poll(listeners).toBe(0)
})

test('a shown chat is opened once, however often it renders', async () => {
  const host = await startHost()
  const { link, listeners } = counted(host.link)
  const tree = (text: string) => (
    <StrictMode>
      <HostProvider link={link}>
        <Shown>{text}</Shown>
      </HostProvider>
    </StrictMode>
  )
  const { rerender } = await render(tree('first'))
  await rerender(tree('second'))
  await expect.element(page.getByText('second')).toBeVisible()
  await expect.poll(listeners).toBe(1)
})
