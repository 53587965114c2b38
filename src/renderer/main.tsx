import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { contract } from '../shared/contract/index.ts'
import './app.css'
import { App, useTheme } from './App.tsx'
import { QuickWindow } from './features/quick/QuickWindow.tsx'
import { HostProvider } from './rpc/host-context.tsx'
import { reconnectingClient } from './rpc/link.ts'
import { openChannel } from './rpc/open-channel.ts'
import { loadTypeface } from './ui/load-typeface.ts'
import { keepFocus } from './ui/keyboard/keep-focus.ts'
import { guardComposing } from './ui/keyboard/composing-keys.ts'
import { copyAsShown } from './ui/select/copy-as-shown.ts'
import { claimWindow } from './ui/fields/typed-texts.ts'

const link = reconnectingClient(contract, openChannel)
// The desktop app opens its quick window at this address.
const isQuick = new URLSearchParams(location.hash.slice(1)).get('window') === 'quick'

function Quick() {
  useTheme()
  return <QuickWindow />
}

guardComposing()
keepFocus()
document.addEventListener('copy', copyAsShown)
// Opening a new address of the host in this tab changes only the hash. Its code lets the page connect.
window.addEventListener('hashchange', () => link.retryNow())

// Drafts and cards restore what was typed in this window before a reload.
await Promise.all([claimWindow(), loadTypeface()])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HostProvider link={link}>{isQuick ? <Quick /> : <App />}</HostProvider>
  </StrictMode>,
)
